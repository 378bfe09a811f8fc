"""What helps against a failure that is foretold, and what the release's history says about it."""

from __future__ import annotations

from helmguard.model.prediction import ResourcePrediction
from helmguard.model.resource_key import ResourceKey
from helmguard.rules.facts import Facts
from helmguard.rules.kubectl import kubectl, listed
from helmguard.rules.stale_definitions import apply_command

_BY_RULE: dict[str, str] = {
    "drift-conflict-ssa": "add --force-conflicts to take the field over, or drop it from the chart's values",
    "adoption-conflict": "add --take-ownership to adopt the object, or remove it from the chart",
    "namespace-missing": (
        "create the namespace first; for the release's own at an install add --create-namespace"
    ),
    "flags-exclude-each-other": (
        "leave --force-conflicts out: a client-side patch overwrites; or add --server-side=true"
    ),
    "stored-manifest-api-removed": "map the stored manifest to served APIs first: helm plugin mapkubeapis",
    "generate-name": "give the object a name; or make it a hook",
}


def remedies(rule: str) -> tuple[str, ...]:
    """What helps against failures of this rule, whatever the release."""
    return (_BY_RULE[rule],) if rule in _BY_RULE else ()


def failure_remedies(
    rule: str, facts: Facts, prediction: ResourcePrediction | None, key: ResourceKey | None
) -> tuple[str, ...]:
    """What helps here. ``key`` is the object at which Helm stops; ``prediction`` its, None for a hook's."""
    if rule == "release-pending":
        return _out_of_pending(facts)
    if rule == "no-deployed-revision" and any(one.status == "uninstalled" for one in facts.around.history):
        return ("add --install: it installs over what the uninstall left",)
    if rule == "cr-kind-missing" and prediction is not None:
        kind = prediction.key.kind
        if any(state.kind == kind for state in facts.around.definitions):
            return (apply_command(facts),)
        return (f"install the definition of {kind} ({prediction.key.group}) first, or switch it off",)
    if rule == "drift-conflict-ssa" and facts.operation == "rollback":
        return ("add --force-conflicts to take the field over",)
    if rule == "hook-collides":
        delete = (kubectl("delete", key),) if key is not None else ()
        return (*delete, "or give the hook the policy before-hook-creation")
    return remedies(rule)


def history_effects(rule: str, facts: Facts) -> tuple[str, ...]:
    """What the release's own history says about a refusal."""
    past = facts.around.history
    if not past:
        return ()
    last = past[-1]
    if rule == "release-pending":
        since = f" since {last.updated}" if last.updated else ""
        return (
            f"revision {last.version} is {last.status}{since}: the helm that made it is still at work, or "
            "was killed",
        )
    if rule == "no-deployed-revision":
        return (listed(f"revision {one.version} is {one.status}" for one in past[-4:]),)
    return ()


def _out_of_pending(facts: Facts) -> tuple[str, ...]:
    """A rollback is not refused; without a good revision only an uninstall helps."""
    release = facts.release
    good = [one.version for one in facts.around.history if one.status in ("deployed", "superseded")]
    if good:
        return (f"helm rollback {release.name} {max(good)} -n {release.namespace}",)
    return (f"helm uninstall {release.name} -n {release.namespace}, then install again",)
