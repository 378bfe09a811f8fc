"""Foreign text on a terminal."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from helmguard.report.escaping import escape_line, escape_text


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("plain text: a=1", "plain text: a=1"),
        ("\x1b[31mred", "\\x1b[31mred"),
        ("\x1b]0;title\x07", "\\x1b]0;title\\x07"),
        ("a\nb\rc\td", "a\\nb\\rc\\td"),
        ("\x9b31m", "\\x9b31m"),
        ("user\u202egnp.exe", "user\\u202egnp.exe"),
        ("\u2066a\u2069", "\\u2066a\\u2069"),
        ("a\u200bb\ufeff", "a\\u200bb\\ufeff"),
        ("a\u2028b\u2029", "a\\u2028b\\u2029"),
        ("no\xa0break", "no\\xa0break"),
        ("\U000e0041", "\\U000e0041"),
        ("x\ufe0f\u3164", "x\\ufe0f\\u3164"),
        ("\ud800", "\\ud800"),
        ("드라이버 é → 🚀", "드라이버 é → 🚀"),
    ],
)
def test_one_line(text: str, shown: str) -> None:
    assert escape_line(text) == shown


def test_ascii_only_has_words_for_common_signs() -> None:
    assert escape_line("a → b … “x” — é", ascii_only=True) == 'a -> b ... "x" - \\xe9'


def test_lines_stay_lines() -> None:
    assert escape_text("a\n\x1bb\r\nc") == "a\n\\x1bb\\r\nc"


@given(st.text())
def test_nothing_dangerous_is_left(text: str) -> None:
    shown = escape_line(text)
    assert shown.isprintable()
    shown.encode()


@given(st.text())
def test_ascii_is_ascii(text: str) -> None:
    assert escape_line(text, ascii_only=True).isascii()
