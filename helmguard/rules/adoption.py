"""Objects that are live already and new to the release: refused, or claimed without being applied."""

from __future__ import annotations

from collections.abc import Iterator

from helmguard.compare.declared import undelivered
from helmguard.model.apply_options import Operation
from helmguard.model.field_path import format_path
from helmguard.model.finding import Finding, Place
from helmguard.model.helm_version import HelmVersion
from helmguard.model.json_value import JSONObject
from helmguard.model.live_state import Present
from helmguard.model.prediction import ResourcePrediction
from helmguard.predict.ownership import WrongMark, ownership_error, release_of, wrong_marks
from helmguard.predict.schema.builtin_types import in_compiled_scheme
from helmguard.rules.facts import Facts
from helmguard.rules.failure_effects import failure_effects
from helmguard.rules.kubectl import kubectl, listed
from helmguard.rules.other_releases import other_release


def adoption(facts: Facts) -> Iterator[Finding]:
    """One finding for each object that Helm would refuse, not only for the first, at which it stops."""
    if facts.operation not in ("upgrade", "install"):
        return
    for resource in facts.resources:
        prediction = resource.prediction
        if not _is_new_and_live(prediction) or resource.action == "hook":
            continue
        assert isinstance(prediction.live, Present)
        marks = wrong_marks(prediction.live.body, facts.release.name, facts.release.namespace)
        if marks and not facts.around.options.take_ownership:
            yield _refused(prediction, prediction.live.body, marks, facts)
        elif _gets_no_patch(prediction, facts):
            yield from _not_applied(prediction, bool(marks))


def is_refused(prediction: ResourcePrediction, facts: Facts) -> bool:
    """Whether Helm refuses to take the object over; ``adoption`` tells it then."""
    if facts.operation not in ("upgrade", "install") or facts.around.options.take_ownership:
        return False
    return (
        _is_new_and_live(prediction)
        and isinstance(prediction.live, Present)
        and bool(wrong_marks(prediction.live.body, facts.release.name, facts.release.namespace))
    )


def _is_new_and_live(prediction: ResourcePrediction) -> bool:
    """New is also what comes in another apiVersion."""
    if prediction.new is None or not isinstance(prediction.live, Present) or prediction.source == "crds/":
        return False
    previous = prediction.previous
    return previous is None or previous.get("apiVersion") != prediction.new.get("apiVersion")


def _refused(
    prediction: ResourcePrediction, live: JSONObject, marks: list[WrongMark], facts: Facts
) -> Finding:
    key, release = prediction.key, facts.release
    operation: Operation = "install" if facts.operation == "install" else "upgrade"
    text = ownership_error(
        live, key, release.name, release.namespace, operation, HelmVersion(facts.around.helm_major, 0, 0)
    )
    is_first = facts.failure is not None and facts.failure.resource == key
    effects = [_owner_text(prediction, live, facts)]
    effects += failure_effects(facts) if is_first else []
    return Finding(
        rule="adoption-conflict",
        severity="blocker",
        title="exists already, and Helm refuses to take it over",
        where=Place("object", str(key)),
        consequence=text,
        effects=tuple(effects),
        remedy=_remedies(prediction, marks, bool(release_of(live))),
        evidence=("helm/helm#9125", "helm/helm#11516"),
    )


def _owner_text(prediction: ResourcePrediction, live: JSONObject, facts: Facts) -> str:
    owner = other_release(live, facts)
    if owner:
        return f"it belongs to release {owner}"
    if prediction.key in {hook.key for hook in facts.around.previous_hooks}:
        return "it was a hook of this release until now; hooks bear no marks of a release"
    managers = sorted(
        {
            str(entry.get("manager"))
            for entry in (live.get("metadata") or {}).get("managedFields") or ()
            if entry.get("manager")
        }
    )
    by = f"; written by {listed(managers, 3)}" if managers else ""
    return f"it belongs to no release{by}"


def _remedies(prediction: ResourcePrediction, marks: list[WrongMark], owned: bool) -> tuple[str, ...]:
    key = prediction.key
    if owned:
        return (
            "take it out of the other release first (keep it there), or out of this chart",
            "add --take-ownership to take it over all the same",
        )
    commands = []
    for kind, verb in (("label", "label"), ("annotation", "annotate")):
        words = [f"{mark.name}={mark.wanted}" for mark in marks if mark.kind == kind]
        if words:
            commands.append(kubectl(verb, key, *words, "--overwrite"))
    return (*commands, "or add --take-ownership")


def _gets_no_patch(prediction: ResourcePrediction, facts: Facts) -> bool:
    """Client-side, a custom resource is patched by old manifest against new: an adopted one has no old.

    Only ``install --take-ownership`` compares with the live object (helm/helm@v3.22.0 pkg/kube/client.go).
    """
    three_way = facts.operation == "install" and facts.around.options.take_ownership
    return (
        not three_way
        and facts.engine.apply_method == "csa"
        and not facts.around.options.force
        and prediction.previous is None
        and not in_compiled_scheme(prediction.api_version, prediction.key.kind)
    )


def _not_applied(prediction: ResourcePrediction, unmarked: bool) -> Iterator[Finding]:
    assert isinstance(prediction.live, Present)
    wanted = {name: value for name, value in (prediction.new or {}).items() if name != "metadata"}
    missing = [format_path(field.path) for field in undelivered(wanted, prediction.live.body)]
    if not missing and not unmarked:
        return
    marks = " Helm's own marks do not arrive either." if unmarked else ""
    fields = f"These fields stay as they are: {listed(missing)}." if missing else ""
    yield Finding(
        rule="drift-not-corrected-cr",
        severity="danger" if missing else "warning",
        title="is adopted, and will not really be applied",
        where=Place("object", str(prediction.key)),
        consequence=(
            "Helm sends the difference between old and new manifest of a custom resource; of an adopted one "
            f"there is no old, so it sends nothing. {fields}{marks}"
        ).strip(),
        remedy=("apply the manifest's document once by hand: kubectl apply --server-side --force-conflicts",),
        evidence=("helm/helm#30690",),
    )
