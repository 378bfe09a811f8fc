"""Every cause has a sign of its own."""

from __future__ import annotations

from typing import get_args

import pytest

from helmguard.model.field_change import Cause
from helmguard.report.cause_marks import CAUSE_MARKS, cause_letter

CAUSES: tuple[Cause, ...] = get_args(Cause)


@pytest.mark.parametrize("cause", CAUSES)
def test_every_cause_has_a_letter_and_a_word(cause: Cause) -> None:
    letter, mark = cause_letter(cause), CAUSE_MARKS[cause]
    assert len(letter.text) == 1
    assert letter.text.isascii()
    assert letter.text.islower()
    assert len(mark.word) > 1
    assert letter.style == mark.style != ""


def test_no_two_are_alike() -> None:
    assert len({mark.letter for mark in CAUSE_MARKS.values()}) == len(CAUSES) == len(CAUSE_MARKS)
    assert len({mark.word for mark in CAUSE_MARKS.values()}) == len(CAUSES)
