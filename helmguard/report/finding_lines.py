"""The file and line of a repository that a finding comes from."""

from __future__ import annotations

import posixpath
from collections.abc import Iterator
from typing import Final

from msgspec.structs import replace

from helmguard.model.check_report import CheckedRelease
from helmguard.model.declared_release import DeclaredRelease, FileLine, ValuesLayer
from helmguard.model.field_change import FieldChange
from helmguard.model.field_path import format_path
from helmguard.model.finding import Finding
from helmguard.model.plan import Plan
from helmguard.model.value_change import Provenance

_NOWHERE: Final = FileLine()
_TEMPLATES: Final = "templates"


def place_of(finding: Finding, release: CheckedRelease) -> FileLine:
    """Where to look first: the value that causes it, else the template, else the release's declaration.

    Of a chart that is no folder of the repository templates and defaults have no file there: the place is
    where its version is written. The file is empty where nothing is known, as in a plan without a repository.
    """
    declared, plan = release.declared, release.plan
    where = finding.where
    if where.file and not where.file.startswith("-"):
        return FileLine(where.file, where.line)
    for provenance in _provenances(finding, plan) if plan is not None else ():
        found = _value_place(provenance, declared)
        if found.file:
            return found
    if where.on == "object" and plan is not None:
        found = template_place(_template(finding, plan), declared)
        if found.file:
            return found
    if where.on == "chart" or _comes_with_another_chart(finding, release):
        return chart_place(declared)
    return declared.place


def _comes_with_another_chart(finding: Finding, release: CheckedRelease) -> bool:
    """Whether it is about an object whose chart the change exchanges, and no value is its cause."""
    base, head = release.base, release.head
    if finding.where.on != "object" or base is None or head is None:
        return False
    changes = _field_changes(finding, release.plan) if release.plan is not None else ()
    return str(base.chart) != str(head.chart) and all(change.cause == "chart" for change in changes)


def placed(plan: Plan, release: CheckedRelease, *, declared: bool = True) -> Plan:
    """The plan whose findings name the file and line that they come from.

    ``declared`` False: not where that is only the release's own declaration.
    """
    known = release.declared.place
    findings = []
    for finding in plan.findings:
        place = place_of(finding, release)
        if finding.result == "fires" and (declared or place != known):
            finding = replace(finding, where=replace(finding.where, file=place.file, line=place.line))
        findings.append(finding)
    return replace(plan, findings=tuple(findings))


def chart_place(declared: DeclaredRelease) -> FileLine:
    """Where the chart or its version is named: a chart's own file, or the place of the reference to it."""
    chart = declared.chart
    if chart.kind == "path" and not _is_archive(chart.path):
        return FileLine(posixpath.join(chart.path, "Chart.yaml"))
    return chart.place if chart.place.file else declared.place


def template_place(source: str, declared: DeclaredRelease) -> FileLine:
    """The file of a template (``web/templates/service.yaml``), where the chart is a folder of the repository.

    A sub-chart's template is Chart.yaml's: that file names it, while its own may be fetched.
    """
    chart = declared.chart
    _, _, inside = source.partition("/")
    if chart.kind != "path" or not inside or _is_archive(chart.path):
        return _NOWHERE
    if inside.startswith("charts/"):
        return chart_place(declared)
    return FileLine(posixpath.join(chart.path, inside))


def _value_place(provenance: Provenance, declared: DeclaredRelease) -> FileLine:
    """A values file of the repository, or the chart's own values.yaml where that is in the repository."""
    read = [layer for layer in declared.layers if layer.source == provenance.source]
    if read:
        # A value that is gone has a line of the file as it was, which may have been longer.
        last = max(map(_last_line, read))
        return FileLine(provenance.source, min(provenance.line, last) if last else provenance.line)
    chart = declared.chart
    if provenance.kind == "chart default" and chart.kind == "path" and not _is_archive(chart.path):
        return FileLine(posixpath.join(chart.path, "values.yaml"), provenance.line)
    return _NOWHERE


def _last_line(layer: ValuesLayer) -> int:
    """The last line of the file that the layer shows, 0 where it does not hold the text."""
    return layer.lines_before + layer.text.count(b"\n") if layer.text else 0


def _provenances(finding: Finding, plan: Plan) -> Iterator[Provenance]:
    """Where the values come from that the finding is about; of one that goes, where it came from."""
    wanted = set(_value_paths(finding, plan))
    for change in plan.values.changes:
        if format_path(change.path) in wanted:
            yield from (side for side in (change.provenance_after, change.provenance_before) if side)


def _value_paths(finding: Finding, plan: Plan) -> Iterator[str]:
    if finding.where.on == "value":
        yield finding.where.name
    for change in _field_changes(finding, plan):
        if change.value_path:
            yield change.value_path


def _field_changes(finding: Finding, plan: Plan) -> Iterator[FieldChange]:
    """The changes of the field that the finding is about, and of the fields below it."""
    field = finding.where.field
    if finding.where.on != "object" or not field:
        return
    for resource in plan.resources:
        if str(resource.prediction.key) == finding.where.name:
            for change in resource.changes:
                path = format_path(change.path)
                if path == field or path.endswith(f".{field}") or path.startswith((f"{field}.", f"{field}[")):
                    yield change


def _template(finding: Finding, plan: Plan) -> str:
    """The template of the object, a hook's too."""
    for resource in plan.resources:
        if str(resource.prediction.key) == finding.where.name and resource.prediction.source:
            return resource.prediction.source
    for hook in plan.hooks:
        if f"{hook.kind}/{hook.name}" == finding.where.name:
            return hook.source
    return ""


def _is_archive(path: str) -> bool:
    return path.endswith((".tgz", ".tar.gz"))
