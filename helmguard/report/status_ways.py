"""The ways out of a release's state, each with its commands and what its dry run said."""

from __future__ import annotations

from collections.abc import Iterator

from helmguard.model.release_state import ReleaseState, WayOut
from helmguard.report.layout import wrapped
from helmguard.report.page import Pen
from helmguard.report.section import HEADING_WIDTH, counts_line
from helmguard.report.shell_lines import command_lines
from helmguard.report.styles import EMPTY, Line, Span, Style

_LABEL = 10
_RESULTS: dict[str, tuple[str, Style]] = {
    "works": ("checked", "good"),
    "refused": ("refused", "danger"),
    "fails": ("fails", "bad"),
    "not checked": ("not checked", "dim"),
}


def ways_out(state: ReleaseState, pen: Pen) -> Iterator[Line]:
    """The recommended one first, as it is listed; those that the check refuses without commands."""
    if not state.ways_out:
        return
    name = "Way out" if state.exit_code == 3 else "Ways on"
    likely = state.running is not None and state.running.verdict in ("likely", "perhaps")
    several = "one of these" if len(state.ways_out) > 1 else ""
    hint = "only when you know that no helm is at work on it" if likely else several
    style: Style = "warning" if likely else "dim"
    yield from wrapped(counts_line(name, [(hint, style)], pen), pen.page.text_width, HEADING_WIDTH)
    for way in state.ways_out:
        yield from _way(way, pen)
    yield EMPTY


def _way(way: WayOut, pen: Pen) -> Iterator[Line]:
    refused = way.check.result in ("refused", "fails")
    sign = Span("  x ", "bad") if refused else Span("  > " if way.recommended else "  - ", "good")
    title = f"recommended: {way.why}" if way.recommended else way.why
    yield from wrapped([sign, pen.prose(title, "bold" if way.recommended else "")], pen.page.text_width, 4)
    if not refused:
        yield from _commands(way, pen)
    if way.kind == "wait":
        return
    label, style = _RESULTS[way.check.result]
    asked = " (by the API server's dry run)" if way.check.by_server and way.check.result == "works" else ""
    text = way.check.text + asked
    yield from wrapped([Span(f"    {label}: ", style), pen.prose(text)], pen.page.text_width, 6)
    if way.kind == "rollback" and way.check.result == "refused":
        yield from command_lines("accept", pen.command(_accepting(way)).text, pen.page.columns, 4, _LABEL)


def _accepting(way: WayOut) -> str:
    """The command of one who accepts what refuses it; the reasons are the reader's to give."""
    return " ".join([way.commands[-1], *(f"--accept {rule}=REASON" for rule in way.check.findings)])


def _commands(way: WayOut, pen: Pen) -> Iterator[Line]:
    for index, command in enumerate(way.commands):
        label = "run" if index == 0 else "then"
        yield from command_lines(label, pen.command(command).text, pen.page.columns, 4, _LABEL)
    others = [command for command in way.helm_commands if command not in way.commands]
    for command in others:
        yield from command_lines("or", pen.command(command).text, pen.page.columns, 4, _LABEL)
