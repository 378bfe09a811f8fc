"""The findings that only inform, folded: they need no decision."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from helmguard.model.finding import Finding
from helmguard.model.plan import Plan
from helmguard.report.finding_place import changed_spans, place_text
from helmguard.report.layout import wrapped
from helmguard.report.page import Pen
from helmguard.report.plural import plural
from helmguard.report.section import HEADING_WIDTH, counts_line
from helmguard.report.styles import EMPTY, Line, Span, Style

TOLD_ELSEWHERE: Final = frozenset(["hooks-will-run", "values-mode-notice", "keep-orphans", "drift-kept"])
"""Rules whose notes say what the page says anyhow: its head, objects, hooks and drift."""

_A_RULE = 3
"""Notes of one rule that have a line each; the rest are named in one."""


def notes(plan: Plan, pen: Pen) -> Iterator[Line]:
    """A line a note; nothing where ``--show-noise`` shows them among the other findings, in full."""
    folded = [finding for finding in plan.findings if is_note(finding, pen)]
    told = [finding for finding in folded if finding.rule in TOLD_ELSEWHERE]
    if len(told) == len(folded):
        return
    counts: list[tuple[str, Style]] = [(plural(len(folded) - len(told), "note"), "")]
    if told:
        counts.append((f"{len(told)} more told by other sections", "dim"))
    counts.append(("--show-noise shows all", "dim"))
    yield from wrapped(counts_line("Info", counts, pen), pen.page.columns, HEADING_WIDTH)
    for alike in _by_rule(finding for finding in folded if finding not in told):
        for finding in alike[:_A_RULE]:
            yield from _note(finding, pen)
        if len(alike) > _A_RULE:
            rest = alike[_A_RULE:]
            names = ", ".join(place_text(finding) for finding in rest)
            text = f"{len(rest)} more of {alike[0].rule}: {names}"
            yield from wrapped([*_sign(pen), pen.text(text, "dim")], pen.page.columns, 6)[:_A_RULE]
    yield EMPTY


def is_note(finding: Finding, pen: Pen) -> bool:
    """Whether it stands among the notes: nothing that somebody's configuration spoke of does."""
    spoken_of = finding.waived is not None or finding.overridden is not None or finding.config_note
    informs = finding.severity == "info" and finding.result == "fires"
    return informs and not spoken_of and not pen.page.show_noise


def _note(finding: Finding, pen: Pen) -> list[Line]:
    spans = [*_sign(pen), pen.text(place_text(finding), "bold"), *changed_spans(finding, pen)]
    return wrapped([*spans, Span(f"  {pen.symbols.dash} "), pen.prose(finding.title)], pen.page.columns, 6)


def _sign(pen: Pen) -> list[Span]:
    return [Span(f"  {pen.symbols.info} ", "dim")]


def _by_rule(findings: Iterator[Finding]) -> list[Sequence[Finding]]:
    found: dict[str, list[Finding]] = {}
    for finding in findings:
        found.setdefault(finding.rule, []).append(finding)
    return list(found.values())
