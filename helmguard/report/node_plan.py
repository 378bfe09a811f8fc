"""The findings of a check of nodes as a plan that does nothing, for the sections that show a plan's."""

from __future__ import annotations

from helmguard.model.node_report import NodeReport
from helmguard.model.plan import ChartRef, Engine, Plan, ReleaseSummary, ValuesReport


def plan_of_nodes(report: NodeReport) -> Plan:
    """A plan without release, values and objects, that has the report's findings and its gate."""
    return Plan(
        operation="comparison",
        release=ReleaseSummary("", "", None, None, None, "", None, ChartRef("", "")),
        engine=Engine("", "csa", "", "given"),
        values=ValuesReport("", ""),
        resources=(),
        findings=report.findings,
        suppressed=report.suppressed,
        unknown=report.unknown,
        notes=report.notes,
        fail_on=report.fail_on,
        fail_on_unknown=report.fail_on_unknown,
        config_file=report.config_file,
        disabled=report.disabled,
        known_secrets=frozenset(),
    )
