"""Objects whose live marks name another release: this operation deletes or overwrites them unasked."""

from __future__ import annotations

from collections.abc import Iterator

from helmguard.manifest.hooks import OPERATION_EVENTS
from helmguard.model.finding import Finding, Place
from helmguard.model.json_value import JSONObject
from helmguard.model.live_state import Present
from helmguard.predict.ownership import release_of
from helmguard.rules.facts import Facts
from helmguard.rules.hook_left_overs import left_over_fate
from helmguard.rules.kubectl import keep_command
from helmguard.rules.leaving_objects import leaving_objects

_EVIDENCE = ("helm/helm#32218", "helm/helm#31333")


def other_releases(facts: Facts) -> Iterator[Finding]:
    """Deleted, overwritten, or deleted by a hook: one finding an object."""
    yield from _deleted(facts)
    yield from _overwritten(facts)
    yield from _deleted_by_hooks(facts)


def other_release(live: JSONObject, facts: Facts) -> str:
    """``namespace/name`` of the release that the marks name, empty where it is this one or none."""
    owner = release_of(live)
    return "" if owner == f"{facts.release.namespace}/{facts.release.name}" else owner


def _deleted(facts: Facts) -> Iterator[Finding]:
    for leaving in leaving_objects(facts):
        owner = other_release(leaving.live, facts)
        key = leaving.resource.prediction.key
        if owner and not leaving.is_kept:
            yield Finding(
                rule="drift-deleted-upstream",
                severity="blocker",
                title=f"belongs to release {owner}, and would be deleted",
                where=Place("object", str(key)),
                consequence=(
                    "It left this release's manifest, so Helm deletes it without looking at its marks, which "
                    f"name release {owner}."
                ),
                remedy=(keep_command(key),),
                evidence=_EVIDENCE,
            )


def _overwritten(facts: Facts) -> Iterator[Finding]:
    """Where Helm does not look: what the old manifest holds too, and everything in a rollback."""
    for resource in facts.resources:
        prediction = resource.prediction
        if prediction.new is None or not isinstance(prediction.live, Present) or prediction.source == "crds/":
            continue
        owner = other_release(prediction.live.body, facts)
        unchecked = prediction.previous is not None or facts.operation == "rollback"
        if not owner or resource.action == "hook" or not (unchecked or facts.around.options.take_ownership):
            continue
        asked = "Helm does not look at its marks here" if unchecked else "--take-ownership takes it over"
        yield Finding(
            rule="owned-by-other-release",
            severity="danger",
            title=f"belongs to release {owner}, and is overwritten",
            where=Place("object", str(prediction.key)),
            consequence=(
                f"{asked}. Release {owner} still has it in its manifest: its next upgrade takes it back or "
                "deletes it, its uninstall too."
            ),
            remedy=(f"take it out of the chart of {owner} first, with {keep_command(prediction.key)}",),
            evidence=_EVIDENCE,
        )


def _deleted_by_hooks(facts: Facts) -> Iterator[Finding]:
    events = OPERATION_EVENTS.get(facts.operation, ())
    if facts.around.options.no_hooks:
        return
    own = {resource.prediction.key for resource in facts.resources if resource.prediction.previous}
    for hook in facts.around.hooks:
        if hook.key in own or not set(events).intersection(hook.events):
            continue
        fate = left_over_fate(hook, facts.engine.apply_method)
        if fate != "deleted first" or not isinstance(hook.live, Present):
            continue
        owner = other_release(hook.live.body, facts)
        annotations = (hook.live.body.get("metadata") or {}).get("annotations") or {}
        if owner or "helm.sh/hook" not in annotations:
            whose = f"belongs to release {owner}" if owner else "was not made by a hook"
            yield Finding(
                rule="hook-deletes-foreign-object",
                severity="blocker" if owner else "danger",
                title=f"{whose}, and a hook of this name deletes it",
                where=Place("object", str(hook.key)),
                consequence=(
                    "Before it creates the hook, Helm deletes whatever bears its name "
                    "(before-hook-creation), without looking at whose it is."
                ),
                remedy=("rename the hook in the chart, or run with --no-hooks",),
            )
