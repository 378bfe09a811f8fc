"""The findings: what is dangerous, what it reaches, what to do instead."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from helmguard.model.finding import SEVERITIES, Finding, Severity
from helmguard.model.plan import Plan
from helmguard.report.config_use import overridden_text, waiver_text
from helmguard.report.display_width import display_width
from helmguard.report.fact_text import facts_text
from helmguard.report.failure import covers_failure, failure_order
from helmguard.report.finding_place import changed_spans, place_text
from helmguard.report.layout import wrapped
from helmguard.report.notes import is_note
from helmguard.report.page import Pen
from helmguard.report.remedies import remedies
from helmguard.report.styles import EMPTY, Line, Span, width_of

_INDENT = 4
_LABEL = 10
_TEXT_LINES = 4
_EFFECTS = 4
_ALIKE = 3
"""Findings of one rule that are shown in full; of those below danger, and of those that share a remedy, the
rest are named in one line."""


def findings(plan: Plan, pen: Pen) -> Iterator[Line]:
    """Every finding that fires and needs a decision, gravest first; waived ones last."""
    fired = [finding for finding in plan.findings if finding.result == "fires" and not is_note(finding, pen)]
    fired.sort(key=lambda finding: (finding.waived is not None, SEVERITIES.index(finding.severity)))
    shown, folded = (fired, {}) if pen.page.show_noise else _folded(fired)
    for index, finding in enumerate(shown):
        yield from _title(finding, plan, pen)
        if finding.waived is not None:
            yield from labelled("waived", [pen.prose(waiver_text(finding.waived), "dim")], pen)
            yield from _configured(finding, pen)
        else:
            yield from _details(finding, plan, pen)
            yield from _configured(finding, pen)
            yield from _remedies(_group_ending_at(index, shown), pen)
        yield EMPTY
    for rule, alike in folded.items():
        names = ", ".join(place_text(finding) for finding in alike)
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
    return finding.remedy == remedy and finding.waived is None


def _remedies(group: Sequence[Finding], pen: Pen) -> Iterator[Line]:
    if not group:
        return
    if group[0].remedy and len(group) > 1:
        yield EMPTY
        these = "both" if len(group) == 2 else f"all {len(group)}"
        yield (Span(" " * _INDENT), Span(f"for {these} of these", "dim"))
    yield from remedies(group[0].remedy, pen, _INDENT, _LABEL)


def _title(finding: Finding, plan: Plan, pen: Pen) -> Iterator[Line]:
    lines = wrapped(
        [_badge(finding, plan, pen), Span("  "), *said_spans(finding, pen)], pen.page.columns, _INDENT
    )
    rule = pen.text(finding.rule, "dim")
    room = min(pen.page.columns, 110) - width_of(lines[-1]) - display_width(rule.text)
    if room >= 2:
        lines[-1] = (*lines[-1], Span(" " * room), rule)
    else:
        lines.append((Span(" " * _INDENT), rule))
    yield from lines


def said_spans(finding: Finding, pen: Pen) -> list[Span]:
    """``driver.enabled  false → true  — your override is lost``."""
    place = pen.text(place_text(finding), "bold")
    return [place, *changed_spans(finding, pen), Span(f"  {pen.symbols.dash} "), pen.prose(finding.title)]


def finding_details(finding: Finding, plan: Plan, pen: Pen) -> Iterator[Line]:
    """What stands below the title of one finding that is shown by itself."""
    if finding.waived is not None:
        yield from labelled("waived", [pen.prose(waiver_text(finding.waived), "dim")], pen)
    yield from _details(finding, plan, pen)
    yield from _configured(finding, pen)
    yield from remedies(finding.remedy, pen, _INDENT, _LABEL)


def labelled(label: str, spans: list[Span], pen: Pen) -> list[Line]:
    """A word that says what it is, and text beside it."""
    head = [Span(" " * _INDENT), Span(label.ljust(_LABEL), "dim")]
    return wrapped([*head, *spans], pen.page.text_width, _INDENT + _LABEL)


def severity_sign(severity: Severity, pen: Pen) -> Span:
    """The sign of a severity."""
    symbols = pen.symbols
    sign = {
        "blocker": symbols.blocker,
        "danger": symbols.danger,
        "warning": symbols.warning,
        "info": symbols.info,
    }[severity]
    return Span(sign, severity)


def _badge(finding: Finding, plan: Plan, pen: Pen) -> Span:
    symbols = pen.symbols
    if finding.waived is not None:
        return Span(f"{symbols.info} WAIVED {finding.severity.upper()}", "dim")
    if covers_failure(finding, plan):
        return Span(f"{symbols.fail} WILL FAIL", "blocker")
    sign = severity_sign(finding.severity, pen).text
    return Span(f"{sign} {finding.severity.upper()}", finding.severity)


def _details(finding: Finding, plan: Plan, pen: Pen) -> Iterator[Line]:
    if finding.consequence:
        lines = wrapped([Span(" " * _INDENT), pen.prose(finding.consequence)], pen.page.text_width, _INDENT)
        yield from _limited(lines, pen)
    effects = [effect for effect in finding.effects if effect != finding.where.name]
    reached = [effect for effect in effects if _is_field(effect, plan)]
    then = [effect for effect in effects if effect not in reached]
    for label, effects in (("reaches", reached), ("then", then)):
        for index, effect in enumerate(effects[:_EFFECTS]):
            yield from labelled("" if index else label, [pen.prose(effect)], pen)
        if len(effects) > _EFFECTS:
            yield from labelled("", [Span(f"and {len(effects) - _EFFECTS} more", "dim")], pen)
    if finding.missing:
        yield from labelled("not read", [pen.prose(facts_text(finding.missing))], pen)
    if covers_failure(finding, plan):
        yield from (_indented(spans) for spans in _order(plan, pen))


def _configured(finding: Finding, pen: Pen) -> Iterator[Line]:
    """What the user's configuration did to the finding, or failed to do."""
    if finding.overridden is not None:
        yield from labelled("severity", [pen.prose(overridden_text(finding, finding.overridden))], pen)
    if finding.config_note:
        yield from labelled("config", [pen.prose(finding.config_note, "warning")], pen)


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


def _limited(lines: list[Line], pen: Pen) -> list[Line]:
    if len(lines) <= _TEXT_LINES or pen.page.show_noise:
        return lines
    return [*lines[: _TEXT_LINES - 1], (*lines[_TEXT_LINES - 1][:-2], Span(f" {pen.symbols.ellipsis}"))]


def _indented(spans: Line) -> Line:
    return (Span(" " * _INDENT), *spans)
