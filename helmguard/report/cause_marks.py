"""A letter, a word and a colour for each cause: no meaning by colour alone, however little room there is."""

from __future__ import annotations

from typing import Final

import msgspec

from helmguard.model.field_change import Cause
from helmguard.report.styles import Span, Style


class CauseMark(msgspec.Struct, frozen=True):
    """``letter`` is no other cause's; ``word`` fits a legend."""

    letter: str
    word: str
    style: Style


CAUSE_MARKS: Final[dict[Cause, CauseMark]] = {
    "lost override": CauseMark("l", "lost override", "bad"),
    "values": CauseMark("v", "values", "update"),
    "default": CauseMark("d", "chart default", "info"),
    "chart": CauseMark("c", "chart", "info"),
    "conflict": CauseMark("x", "conflict", "bad"),
    "drift reverted": CauseMark("r", "drift reverted", "warning"),
    "drift kept": CauseMark("k", "drift kept", "warning"),
    "latent owner": CauseMark("o", "another owner, equal now", "warning"),
    "unstable": CauseMark("u", "differs at each rendering", "dim"),
    "server": CauseMark("s", "server", "dim"),
    "converged": CauseMark("e", "equal already", "dim"),
}
"""The gravest first."""


def cause_letter(cause: Cause) -> Span:
    """The cause's letter in its colour."""
    mark = CAUSE_MARKS[cause]
    return Span(mark.letter, mark.style)
