"""What the user's configuration did to a plan: ignored, waived, overridden, disabled."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator

import msgspec

from helmguard.model.field_change import FieldChange
from helmguard.model.finding import Finding, Overridden, Waiver
from helmguard.model.plan import IgnoredChange, Plan, ResourceChange
from helmguard.report.field_rows import changes_as_lines
from helmguard.report.layout import wrapped
from helmguard.report.page import Pen
from helmguard.report.plural import plural
from helmguard.report.section import HEADING_WIDTH, counts_line
from helmguard.report.styles import EMPTY, Line, Span, Style


class IgnoredCount(msgspec.Struct, frozen=True):
    """How many field changes one entry of the configuration ignores."""

    file: str
    line: int
    reason: str
    changes: int


def ignored_counts(plan: Plan) -> list[IgnoredCount]:
    """By entry, in the file's order."""
    found: Counter[tuple[str, int, str]] = Counter()
    for item in _ignored(plan.resources):
        found[item.file, item.line, item.reason] += 1
    return [IgnoredCount(*entry, count) for entry, count in sorted(found.items())]


def count_ignored(plan: Plan) -> int:
    """All field changes that the configuration ignores."""
    return sum(1 for _ in _ignored(plan.resources))


def config_use(plan: Plan, pen: Pen) -> Iterator[Line]:
    """One line in sum and one for each entry that took something out of sight; nothing where none did.

    With noise shown, also the fields that are ignored.
    """
    ignored, disabled = ignored_counts(plan), plan.disabled
    if not ignored and not disabled:
        return
    counts: list[tuple[str, Style]] = []
    if ignored:
        counts.append((f"{plural(count_ignored(plan), 'change')} ignored", "dim"))
    if disabled:
        counts.append((f"{plural(len(disabled), 'finding')} disabled", "dim"))
    yield from wrapped(counts_line("Config", counts, pen), pen.page.text_width, HEADING_WIDTH)
    for text in config_texts(plan):
        yield from wrapped([Span("  = ", "dim"), pen.prose(text, "dim")], pen.page.text_width, 6)
    if pen.page.show_noise:
        for resource in plan.resources:
            changes: list[FieldChange] = [item.change for item in resource.ignored]
            if changes:
                name = pen.text(str(resource.prediction.key), "bold")
                yield from wrapped([Span("  = ", "dim"), name, Span("  ignored", "dim")], pen.page.columns)
                yield from changes_as_lines(resource.prediction.key, changes, plan, pen)
    yield EMPTY


def config_texts(plan: Plan) -> Iterator[str]:
    """``2 changes ignored by .helmguard.yaml:12: the autoscaler owns replicas``, not masked."""
    for entry in ignored_counts(plan):
        yield f"{plural(entry.changes, 'change')} ignored by {entry.file}:{entry.line}: {entry.reason}"
    for each in plan.disabled:
        what = f"{each.severity} {each.rule} on {each.name}"
        yield f"{what} disabled by {each.file}:{each.line}: {each.reason}"


def waiver_text(waiver: Waiver) -> str:
    """Reason, who, until when, where it stands."""
    parts = [f"by {waiver.by}"] if waiver.by else []
    parts += [f"until {waiver.expires}"] if waiver.expires else []
    parts += [waiver.ticket] if waiver.ticket else []
    where = f"{waiver.file}:{waiver.line}" if waiver.line else waiver.file
    parts += [where] if where else []
    return f"{waiver.reason} ({', '.join(parts)})" if parts else waiver.reason


def overridden_text(finding: Finding, overridden: Overridden) -> str:
    """``danger, overridden from blocker: why``."""
    where = f" ({overridden.file}:{overridden.line})" if overridden.file else ""
    return f"{finding.severity}, overridden from {overridden.severity}: {overridden.reason}{where}"


def _ignored(resources: Iterable[ResourceChange]) -> Iterator[IgnoredChange]:
    return (item for resource in resources for item in resource.ignored)
