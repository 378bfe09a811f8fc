"""The findings: what is dangerous, what it reaches, what to do instead."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from helmguard.model.field_change import MISSING
from helmguard.model.finding import SEVERITIES, Finding
from helmguard.model.json_value import JSONValue
from helmguard.model.plan import Plan
from helmguard.report.config_use import overridden_text, waiver_text
from helmguard.report.display_width import display_width
from helmguard.report.failure import covers_failure, failure_order
from helmguard.report.layout import wrapped
from helmguard.report.page import Pen
from helmguard.report.shell_lines import command_lines
from helmguard.report.styles import EMPTY, Line, Span, width_of

_INDENT = 4
_LABEL = 10
_TEXT_LINES = 3
_EFFECTS = 4
_REMEDIES = 3
_ALIKE = 3
"""Findings of one rule that are shown in full; of those below danger, and of those that share a remedy, the
rest are named in one line."""


def findings(plan: Plan, pen: Pen) -> Iterator[Line]:
    """Every finding that fires, gravest first; informational ones without details; waived ones last."""
    fired = [finding for finding in plan.findings if finding.result == "fires"]
    fired.sort(key=lambda finding: (finding.waived is not None, SEVERITIES.index(finding.severity)))
    shown, folded = (fired, {}) if pen.page.show_noise else _folded(fired)
    for index, finding in enumerate(shown):
        yield from _title(finding, plan, pen)
        if finding.waived is not None:
            yield from _labelled("waived", [pen.prose(waiver_text(finding.waived), "dim")], pen)
            yield from _configured(finding, pen)
        elif finding.severity != "info":
            yield from _details(finding, plan, pen)
            yield from _configured(finding, pen)
            yield from _remedies(_group_ending_at(index, shown), pen)
        else:
            yield from _configured(finding, pen)
        if finding.severity != "info" or index == len(shown) - 1:
            yield EMPTY
    for rule, alike in folded.items():
        names = ", ".join(_place(finding) for finding in alike)
        text = f"{len(alike)} more of {rule}: {names} (--show-noise shows them in full)"
        yield from _limited(wrapped([Span("  "), pen.text(text, "dim")], pen.page.text_width, _INDENT), pen)
        yield EMPTY


def _folded(fired: Sequence[Finding]) -> tuple[list[Finding], dict[str, list[Finding]]]:
    """The findings to show in full, and by rule those that only repeat what others of the rule said."""
    shown: list[Finding] = []
    folded: dict[str, list[Finding]] = {}
    counts: Counter[tuple[str, tuple[str, ...]]] = Counter()
    for finding in fired:
        minor = finding.severity in ("warning", "info")
        # Graver ones are only alike where one and the same remedy helps against all of them.
        alike = (finding.rule, () if minor else finding.remedy)
        counts[alike] += 1
        foldable = minor or (finding.severity == "danger" and finding.remedy)
        if foldable and finding.waived is None and counts[alike] > _ALIKE:
            folded.setdefault(finding.rule, []).append(finding)
        else:
            shown.append(finding)
    return shown, folded


def _group_ending_at(index: int, shown: Sequence[Finding]) -> Sequence[Finding]:
    """The findings in a row that end here and share a remedy, to say it once; empty within a row."""
    remedy = shown[index].remedy
    if index + 1 < len(shown) and _has_remedy(shown[index + 1], remedy):
        return ()
    start = index
    while start and _has_remedy(shown[start - 1], remedy):
        start -= 1
    return shown[start : index + 1]


def _has_remedy(finding: Finding, remedy: tuple[str, ...]) -> bool:
    return finding.remedy == remedy and finding.waived is None and finding.severity != "info"


def _remedies(group: Sequence[Finding], pen: Pen) -> Iterator[Line]:
    if not group:
        return
    remedies = group[0].remedy[:_REMEDIES]
    if remedies and len(group) > 1:
        yield EMPTY
        these = "both" if len(group) == 2 else f"all {len(group)}"
        yield (Span(" " * _INDENT), Span(f"for {these} of these", "dim"))
    for index, remedy in enumerate(remedies):
        command = pen.command(remedy).text
        yield from command_lines("" if index else "instead", command, pen.page.columns, _INDENT, _LABEL)


def _title(finding: Finding, plan: Plan, pen: Pen) -> Iterator[Line]:
    masked_before, masked_after = pen.masker.finding(finding)
    spans = [_badge(finding, plan, pen), Span("  "), pen.text(_place(finding), "bold")]
    if masked_before is not None or masked_after is not None:
        spans += [Span("  "), *pen.change(*_sides(finding, masked_before, masked_after))]
    spans += [Span(f"  {pen.symbols.dash} "), pen.prose(finding.title)]
    lines = wrapped(spans, pen.page.columns, _INDENT)
    rule = pen.text(finding.rule, "dim")
    room = min(pen.page.columns, 110) - width_of(lines[-1]) - display_width(rule.text)
    if room >= 2:
        lines[-1] = (*lines[-1], Span(" " * room), rule)
    else:
        lines.append((Span(" " * _INDENT), rule))
    yield from lines


def _sides(finding: Finding, before: JSONValue, after: JSONValue) -> tuple[JSONValue, JSONValue]:
    """Of a value that is on one side only, the other is not there: null would be something else."""
    if finding.where.on != "value":
        return before, after
    return (MISSING if before is None else before), (MISSING if after is None else after)


def _badge(finding: Finding, plan: Plan, pen: Pen) -> Span:
    symbols = pen.symbols
    if finding.waived is not None:
        return Span(f"{symbols.info} WAIVED {finding.severity.upper()}", "dim")
    if covers_failure(finding, plan):
        return Span(f"{symbols.fail} WILL FAIL", "blocker")
    sign = {
        "blocker": symbols.blocker,
        "danger": symbols.danger,
        "warning": symbols.warning,
        "info": symbols.info,
    }[finding.severity]
    return Span(f"{sign} {finding.severity.upper()}", finding.severity)


def _place(finding: Finding) -> str:
    place = finding.where
    name = f"{place.name}  {place.field}" if place.field else place.name
    if place.file:
        name += f" ({place.file}:{place.line})" if place.line else f" ({place.file})"
    return name


def _details(finding: Finding, plan: Plan, pen: Pen) -> Iterator[Line]:
    if finding.consequence:
        lines = wrapped([Span(" " * _INDENT), pen.prose(finding.consequence)], pen.page.text_width, _INDENT)
        yield from _limited(lines, pen)
    reached = [effect for effect in finding.effects if _is_field(effect, plan)]
    then = [effect for effect in finding.effects if effect not in reached]
    for label, effects in (("reaches", reached), ("then", then)):
        for index, effect in enumerate(effects[:_EFFECTS]):
            yield from _labelled("" if index else label, [pen.prose(effect)], pen)
        if len(effects) > _EFFECTS:
            yield from _labelled("", [Span(f"and {len(effects) - _EFFECTS} more", "dim")], pen)
    if finding.missing:
        yield from _labelled("not known", [pen.prose(", ".join(finding.missing))], pen)
    if covers_failure(finding, plan):
        yield from (_indented(spans) for spans in _order(plan, pen))


def _configured(finding: Finding, pen: Pen) -> Iterator[Line]:
    """What the user's configuration did to the finding, or failed to do."""
    if finding.overridden is not None:
        yield from _labelled("severity", [pen.prose(overridden_text(finding, finding.overridden))], pen)
    if finding.config_note:
        yield from _labelled("config", [pen.prose(finding.config_note, "warning")], pen)


def _order(plan: Plan, pen: Pen) -> list[Line]:
    """What is already changed by then, unless an effect of this finding or another says it."""
    if any(
        "already changed" in effect or "nothing will have been changed" in effect
        for finding in plan.findings
        for effect in finding.effects
    ):
        return []
    return wrapped([pen.text(failure_order(plan))], pen.page.text_width - _INDENT)


def _is_field(effect: str, plan: Plan) -> bool:
    """Whether the effect names an object of the plan, so that the label ``reaches`` reads well."""
    name = effect.split(" ", 1)[0]
    return any(str(resource.prediction.key) == name for resource in plan.resources)


def _labelled(label: str, spans: list[Span], pen: Pen) -> list[Line]:
    head = [Span(" " * _INDENT), Span(label.ljust(_LABEL), "dim")]
    return wrapped([*head, *spans], pen.page.text_width, _INDENT + _LABEL)


def _limited(lines: list[Line], pen: Pen) -> list[Line]:
    if len(lines) <= _TEXT_LINES:
        return lines
    return [*lines[: _TEXT_LINES - 1], (*lines[_TEXT_LINES - 1][:-2], Span(f" {pen.symbols.ellipsis}"))]


def _indented(spans: Line) -> Line:
    return (Span(" " * _INDENT), *spans)
