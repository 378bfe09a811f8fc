"""A plan by itself as a check of one release, for the outputs that show checks."""

from __future__ import annotations

from helmguard.model.check_report import CheckedRelease, CheckReport, ReleaseState
from helmguard.model.declared_release import ChartNeed, Controller, DeclaredRelease
from helmguard.model.plan import Plan
from helmguard.report.exit_code import is_uncertain


def check_of_plan(plan: Plan, *, chart_folder: str = "") -> CheckReport:
    """The plan as the one release of a check; there is no file that declares it.

    ``chart_folder`` is the chart's, as seen from where paths begin, empty where it is no folder.
    """
    release = plan.release
    name = f"revision {release.from_revision}" if release.from_revision is not None else "not installed"
    chart = ChartNeed("path", path=chart_folder) if chart_folder else ChartNeed("unknown")
    declared = DeclaredRelease(
        tool="config",
        identity=f"{release.namespace}/{release.name}",
        name=release.name,
        namespace=release.namespace,
        place=chart.place,
        chart=chart,
        controller=Controller("helm"),
    )
    known = plan.known_secrets or frozenset()
    return CheckReport(
        base=name,
        head=f"revision {release.to_revision}",
        releases=(CheckedRelease(_state(plan), declared, declared, plan),),
        read=1,
        live="cluster",
        helm=plan.engine.helm,
        base_helm=plan.engine.helm,
        fail_on=plan.fail_on,
        fail_on_unknown=plan.fail_on_unknown,
        known_secrets=known,
    )


def _state(plan: Plan) -> ReleaseState:
    if plan.failure is None and not plan.has_changes:
        return "unknown" if is_uncertain(plan) else "same"
    return "added" if plan.release.from_revision is None else "changed"
