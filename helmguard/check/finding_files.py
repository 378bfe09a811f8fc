"""Findings of a check: in words about a repository, not a command, and with its files. Pure."""

from __future__ import annotations

import posixpath

from msgspec.structs import replace

from helmguard.check.rendered_side import RenderedSide
from helmguard.check.value_remedies import in_file
from helmguard.model.declared_release import DeclaredRelease, FileLine
from helmguard.model.finding import Finding
from helmguard.model.plan import Plan

_ABOUT_A_COMMAND = frozenset(["values-mode-notice", "wait-missing"])
"""Rules about the flags that somebody types: a controller types none."""


_WORDS = (
    ("Nothing in this command asks for it", "Nothing in the repository asks for it any more"),
    ("This command asks for it", "The values in the repository ask for it"),
    ("nothing in this command repeats it", "nothing in the repository repeats it"),
    ("You set it in revision 1", "It was set before the change"),
    ("You set it in an earlier revision", "It was set before the change"),
)
"""What rules say of a command, and what it is called where a repository gives the values."""


def with_files(plan: Plan, side: RenderedSide) -> Plan:
    """The plan with places in the repository; ``side`` is the head, or the base of what goes."""
    gone = {str(one.prediction.key) for one in plan.resources if one.prediction.new is None}
    return replace(
        plan,
        findings=tuple(
            _placed(_in_words(finding, side.declared), side, gone)
            for finding in plan.findings
            if finding.rule not in _ABOUT_A_COMMAND
        ),
    )


def _in_words(finding: Finding, declared: DeclaredRelease) -> Finding:
    consequence = finding.consequence
    for before, after in _WORDS:
        consequence = consequence.replace(before, after)
    remedy = tuple(_remedy(text, declared) for text in finding.remedy)
    return replace(finding, consequence=consequence, remedy=remedy)


def _remedy(text: str, declared: DeclaredRelease) -> str:
    """Values are set in a file; a command to run stays one."""
    if text.startswith(("helm ", "helmguard ")):
        return text
    files = [layer.source for layer in declared.layers if layer.kind in ("yaml", "data")]
    file = (files or [declared.place.file])[-1]
    return in_file(text, file)


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
