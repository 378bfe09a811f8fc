"""A run while it goes on: its phases, what was told, the workloads. For the terminal interface."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Literal, TypeAlias

import msgspec

from helmguard.model.execution import Execution
from helmguard.model.plan import Plan
from helmguard.model.verification import Verification
from helmguard.report.cut_line import cut_line
from helmguard.report.execution_page import execution_lines
from helmguard.report.execution_verdict import execution_verdict
from helmguard.report.layout import wrapped
from helmguard.report.page import Pen
from helmguard.report.styles import EMPTY, Line, Span, Style
from helmguard.report.verification_page import verification_header, verification_lines

PhaseName: TypeAlias = Literal["plan", "helm", "verification"]
PhaseState: TypeAlias = Literal[
    "not yet", "running", "stopping", "done", "failed", "stopped", "killed", "refused", "not run"
]

_NAMES: dict[PhaseName, str] = {"plan": "plan again", "helm": "helm", "verification": "verification"}
_STATES: dict[PhaseState, tuple[str, Style]] = {
    "not yet": (".", "dim"),
    "running": ("~", "warning"),
    "stopping": ("~", "danger"),
    "done": ("=", "good"),
    "failed": ("", "bad"),
    "stopped": ("", "bad"),
    "killed": ("", "bad"),
    "refused": ("", "bad"),
    "not run": ("-", "dim"),
}
"""The sign and the colour; no sign is that of failure."""
_NAME_WIDTH, _STATE_WIDTH, _TIME_WIDTH = 14, 10, 9


class RunPhase(msgspec.Struct, frozen=True):
    """``seconds`` is how long it has taken, None before it begins; ``text`` is what is under way.

    ``most`` is how long it may wait, in seconds, None where it has no end of its own.
    """

    name: PhaseName
    state: PhaseState = "not yet"
    seconds: float | None = None
    text: str = ""
    most: float | None = None


def phase_lines(phases: Sequence[RunPhase], pen: Pen) -> Iterator[Line]:
    """A line a phase: ``~ helm  running  0:12  waits for hook Job/migrate``."""
    for phase in phases:
        sign, style = _STATES[phase.state]
        head = [
            Span(f"{sign or pen.symbols.fail} ", style),
            Span(_NAMES[phase.name].ljust(_NAME_WIDTH), "" if phase.state == "not yet" else "bold"),
            Span(phase.state.ljust(_STATE_WIDTH), style),
            Span(elapsed(phase.seconds).rjust(_TIME_WIDTH - 2) + "  ", "dim"),
        ]
        if phase.most is not None and phase.state == "running":
            head.append(Span(f"waits up to {elapsed(phase.most)}  ", "dim"))
        yield cut_line([*head, pen.prose(phase.text)], pen.page.columns, pen)


def elapsed(seconds: float | None) -> str:
    """``0:07``, ``1:02:11``; empty where nothing has begun."""
    if seconds is None:
        return ""
    minutes, rest = divmod(int(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"


def told_lines(who: str, text: str, seconds: float, pen: Pen) -> list[Line]:
    """What was told, and when; what nobody did is for the user to read."""
    time = Span(elapsed(seconds).rjust(_TIME_WIDTH - 2) + "  ", "dim")
    said = pen.prose(text) if who else pen.prose(text, "warning")
    head = [time, Span(f"{who:<9}", "dim")] if who else [time, Span("! ", "warning")]
    return wrapped([*head, said], pen.page.columns, _TIME_WIDTH + 2)


def stop_words(phase: PhaseName, *, is_rollback: bool, asked: int) -> str:
    """What asking to stop does now."""
    if phase == "plan":
        return "ends before helm is started: nothing is changed"
    if phase == "verification":
        return "ends the verification: helm has done its work"
    if asked:
        return "kills helm where it is; the release stays pending until status shows the way out"
    if is_rollback:
        return "helm rollback has no clean way to stop: its end is waited for, and once more kills helm"
    return "asks helm to stop: it marks the revision as failed and ends; once more kills it"


def leave_words(phase: PhaseName) -> str:
    """What leaving does now."""
    if phase == "plan":
        return "as stopping"
    if phase == "verification":
        return "helm has done its work; what came of it is not compared with the plan"
    return "helm goes on by itself; the command that shows what came of it is printed"


def outcome_lines(
    plan: Plan, execution: Execution, verification: Verification | None, unverified: str, code: int, pen: Pen
) -> Iterator[Line]:
    """What came of it, as ``helmguard upgrade`` prints it, but the verdict first: the page may be long."""
    yield from wrapped(
        execution_verdict(execution, verification, pen.masker.text(unverified), code), pen.page.columns
    )
    yield from execution_lines(plan, execution, pen)
    if verification is not None:
        yield from verification_header(verification, pen)
        yield EMPTY
        yield from verification_lines(verification, pen)
