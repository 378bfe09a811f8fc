"""``crd-not-upgraded``: what is in the chart's ``crds/`` and an upgrade does not apply."""

from __future__ import annotations

from collections.abc import Iterator

from helmguard.model.finding import Finding, Place, Severity
from helmguard.model.surroundings import DefinitionState
from helmguard.rules.facts import Facts
from helmguard.rules.kubectl import listed


def stale_definitions(facts: Facts) -> Iterator[Finding]:
    """Quiet where the definitions agree, where the live one only knows more, where only texts differ, and
    where a hook seems to apply them."""
    for state in facts.around.definitions:
        news = state.differences.added or state.differences.changed
        if not state.applied_by and (state.status == "missing" or (state.status == "differs" and news)):
            yield _finding(state, facts)


def apply_command(facts: Facts, force: bool = False) -> str:
    """The command that brings the chart's definitions in; a folder's sub-charts are covered too."""
    chart = facts.release.new_chart
    version = ""
    reference = chart.reference or chart.name
    if not reference.startswith((".", "/")) and not reference.endswith(".tgz") and chart.version:
        version = f" --version {chart.version}"
    take = " --force-conflicts" if force else ""
    return f"helm show crds {reference}{version} | kubectl apply --server-side{take} -f -"


def _finding(state: DefinitionState, facts: Facts) -> Finding:
    differences = state.differences
    never = "will NOT be applied by helm upgrade"
    if facts.operation == "install":
        skipped = "--skip-crds was given" if facts.around.options.skip_crds else "it exists, so Helm skips it"
        never = f"will NOT be applied by helm install: {skipped}"
    severity: Severity = "danger"
    if state.status == "missing":
        title = f"is in the chart's crds/, not in the cluster, and {never}"
        effects = [f"{state.kind} is not served: what needs it fails"]
    else:
        title = f"differs from the chart's crds/, and {never}"
        effects = []
        if differences.added:
            effects.append(f"the chart adds {listed(differences.added)}")
        if differences.changed:
            effects.append(f"the chart changes {listed(differences.changed)}")
        if differences.removed:
            effects.append(f"the chart lacks {listed(differences.removed)}")
        if not differences.added:
            severity = "warning"
    others = [manager for manager in state.managers if manager != "kubectl"]
    owner = f" The live one bears the marks of release {state.release}." if state.release else ""
    return Finding(
        rule="crd-not-upgraded",
        severity=severity,
        title=title,
        where=Place("object", f"CustomResourceDefinition/{state.name}", file=state.source),
        effects=tuple(effects),
        consequence=(
            "Helm installs what is in crds/ once and never looks at it again; fields that the live "
            f"definition does not know are dropped or refused.{owner}"
        ),
        remedy=(apply_command(facts, force=bool(others)),),
        evidence=("NVIDIA/gpu-operator#602", "NVIDIA/gpu-operator#139"),
    )
