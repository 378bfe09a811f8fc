"""``drift-not-corrected-cr``: custom resources that are live already, claimed without being applied."""

from __future__ import annotations

from collections.abc import Iterator

from helmguard.compare.declared import undelivered
from helmguard.model.field_path import format_path
from helmguard.model.finding import Finding, Place
from helmguard.model.live_state import Present
from helmguard.model.prediction import ResourcePrediction
from helmguard.predict.ownership import wrong_marks
from helmguard.predict.schema.builtin_types import in_compiled_scheme
from helmguard.rules.context.ownership import is_new_and_live, is_refused
from helmguard.rules.facts import Facts
from helmguard.rules.kubectl import listed


def adoption(facts: Facts) -> Iterator[Finding]:
    """One finding for each custom resource that Helm takes over and does not patch."""
    if facts.operation not in ("upgrade", "install"):
        return
    for resource in facts.resources:
        prediction = resource.prediction
        if resource.action == "hook" or not is_new_and_live(prediction) or is_refused(prediction, facts):
            continue
        assert isinstance(prediction.live, Present)
        marks = wrong_marks(prediction.live.body, facts.release.name, facts.release.namespace)
        if _gets_no_patch(prediction, facts):
            yield from _not_applied(prediction, bool(marks))


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
