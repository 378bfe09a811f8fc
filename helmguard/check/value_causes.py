"""Why a value of a repository changes: an edit is meant, a file that is no longer read is not. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec.structs import replace

from helmguard.check.rendered_side import RenderedSide
from helmguard.model.field_path import FieldPath, ItemKey
from helmguard.model.plan import ValuesReport
from helmguard.model.value_change import Provenance, ValueChange, ValueWarning
from helmguard.report.provenance_text import NO_LONGER_SET
from helmguard.values.provenance import origin_of
from helmguard.values.table import ValuePath


def repository_values(
    report: ValuesReport, base: RenderedSide, head: RenderedSide, old_warnings: Sequence[ValueWarning]
) -> ValuesReport:
    """The report with each side's own file and line; a removed line is the author's change, not a loss.

    It stays a lost override where the whole file is no longer read that set the value. ``old_warnings``
    hold of the base already and are left out.
    """
    old = {(warning.kind, warning.path) for warning in old_warnings}
    warnings = tuple(
        replace(warning, message="is no longer set, and equals the chart's default")
        if warning.kind == "override dropped without effect"
        else warning
        for warning in report.warnings
        if (warning.kind, warning.path) not in old
    )
    return replace(
        report,
        mode_why="because the repository gives all values",
        changes=tuple(_changes(report, base, head)),
        warnings=warnings,
    )


def _changes(report: ValuesReport, base: RenderedSide, head: RenderedSide) -> Iterator[ValueChange]:
    provenances = base.values.provenance if base.values else {}
    declared = head.declared
    read = {declared.place.file, *declared.reads, *(layer.source for layer in declared.layers)}
    hidden = _newly_unread(base, head)
    for change in report.changes:
        before = change.provenance_before
        if before is not None and before.kind == "previous revision":
            before = origin_of(_plain(change.path), provenances) or before
        elif before is not None:
            before = Provenance("chart default")
        change = replace(change, provenance_before=before)
        if change.cause == "lost override" and before is not None and (hidden or _is_edit(before, read)):
            where = f"{before.source}:{before.line}" if before.line else before.source
            perhaps = f"; whether {hidden} sets it is not known" if hidden else ""
            change = replace(change, cause="values", note=f"{NO_LONGER_SET}; it was in {where}{perhaps}")
        yield change


def _newly_unread(base: RenderedSide, head: RenderedSide) -> str:
    """What the head alone takes values from that cannot be read: a value may have been moved there."""
    known = {(layer.source, layer.why) for layer in base.declared.layers}
    layers = [layer for layer in head.declared.layers if layer.kind == "unknown"]
    return ", ".join(dict.fromkeys(one.source for one in layers if (one.source, one.why) not in known))


def _plain(path: FieldPath) -> ValuePath:
    """Values have no keyed list items."""
    return tuple(step for step in path if not isinstance(step, ItemKey))


def _is_edit(before: Provenance, read: set[str]) -> bool:
    """Whether the file that set it is still read; flags stand in the declaration itself."""
    return before.kind != "values file" or before.source in read
