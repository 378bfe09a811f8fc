"""Findings of a check: those of a command line left out, templates named by their files in the tree. Pure."""

from __future__ import annotations

import posixpath

from msgspec.structs import replace

from helmguard.check.rendered_side import RenderedSide
from helmguard.model.declared_release import DeclaredRelease, FileLine
from helmguard.model.finding import Finding
from helmguard.model.plan import Plan

_ABOUT_A_COMMAND = frozenset(["values-mode-notice", "wait-missing"])
"""Rules about the flags that somebody types: a controller types none."""


def with_files(plan: Plan, side: RenderedSide) -> Plan:
    """The plan with places in the repository; ``side`` is the head, or the base of what goes."""
    gone = {str(one.prediction.key) for one in plan.resources if one.prediction.new is None}
    return replace(
        plan,
        findings=tuple(
            _placed(finding, side, gone) for finding in plan.findings if finding.rule not in _ABOUT_A_COMMAND
        ),
    )


def _placed(finding: Finding, side: RenderedSide, gone: set[str]) -> Finding:
    where = finding.where
    if where.on == "object" and where.name in gone and not where.file:
        # Its template may have gone with it: what the change leaves is the declaration.
        return _at(finding, side.declared.place)
    name, _, inside = where.file.partition("/")
    if not inside or name != side.chart.name or not inside.startswith(("templates/", "crds/", "charts/")):
        return finding
    return _at(finding, _chart_file(side.declared, inside, where.line))


def _chart_file(declared: DeclaredRelease, inside: str, line: int) -> FileLine:
    chart = declared.chart
    if chart.kind != "path":
        return chart.place if chart.place.file else declared.place
    if inside.startswith("charts/") or chart.path.endswith(".tgz"):
        return (
            FileLine(posixpath.join(chart.path, "Chart.yaml"))
            if not chart.path.endswith(".tgz")
            else declared.place
        )
    return FileLine(posixpath.join(chart.path, inside), line)


def _at(finding: Finding, place: FileLine) -> Finding:
    return replace(finding, where=replace(finding.where, file=place.file, line=place.line))
