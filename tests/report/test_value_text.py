"""Values on one line, and how one becomes another."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from helmguard.model.field_change import MISSING
from helmguard.report.display_width import display_width
from helmguard.report.symbols import ASCII, UNICODE
from helmguard.report.value_text import ValueWriter

WRITER = ValueWriter(UNICODE)


def change(before: Any, after: Any, writer: ValueWriter = WRITER) -> str:
    return "".join(span.text for span in writer.change(before, after))


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        (True, "true"),
        (None, "null"),
        (3, "3"),
        (1.5, "1.5"),
        ("3", '"3"'),
        ("", '""'),
        ('a"b\\', '"a\\"b\\\\"'),
        (MISSING, "unset"),
        ([], "[]"),
        ({}, "{}"),
        (["a", 1], '["a", 1]'),
        ([1, 2, 3, 4, 5], "[1, 2, 3, 4, 5]"),
        ({"a": [1, 2, 3, 4], "b": {"c": 1}}, "{a: [4 items], b: {1 field}}"),
        ("(secret 0123abcd)", "(secret)"),
        ("pw (secret 0123abcd)!", '"pw (secret)!"'),
        ("a\x1bb", '"a\\x1bb"'),
    ],
)
def test_values(value: Any, shown: str) -> None:
    assert WRITER.value(value) == shown


LONG = "registry.example.com/a/quite/long/path/to/the/image"


@pytest.mark.parametrize(
    ("before", "after", "shown"),
    [
        (False, True, "false → true"),
        (MISSING, 3, "unset → 3"),
        (3, MISSING, "3 → unset"),
        ("1", 1, '"1" → 1'),
        ("", "(secret 0123abcd)", '"" → (secret)'),
        ("(secret 0123abcd)", "(secret 89abcdef)", "(secret, changed)"),
        ("(secret 0123abcd)", "(secret 0123abcd)", "(secret, unchanged)"),
        ("u:(secret 0123abcd)@h", "u:(secret 89abcdef)@h", '"u:(secret)@h" (secret, changed)'),
        ("u:(secret 0123abcd)@h", "u:(secret 89abcdef)@i", '"u:(secret)@h" → "u:(secret)@i"'),
        (f"{LONG}/nginx:1.27", f"{LONG}/nginx:1.28", '…"nginx:1.27" → …"nginx:1.28"'),
        (f"nginx:1.27/{LONG}", f"nginx:1.28/{LONG}", '"nginx:1.27"… → "nginx:1.28"…'),
        (f"{LONG}/a/{LONG}", f"{LONG}/b/{LONG}", '…"a"… → …"b"…'),
        (
            "x" * 100 + "a" + "y" * 100,
            "x" * 100 + "b" + "y" * 100,
            '…"xxxxxxxxayyyyyyyy"… → …"xxxxxxxxbyyyyyyyy"…',
        ),
        (LONG, f"{LONG}/more", '…"image" → …"image/more"'),
    ],
)
def test_changes(before: Any, after: Any, shown: str) -> None:
    assert change(before, after) == shown


def test_ascii() -> None:
    assert change("é", "→", ValueWriter(ASCII, ascii_only=True)) == '"\\xe9" -> "->"'


def test_changed_lines_of_a_text() -> None:
    before = "".join(f"line {number}\n" for number in range(30))
    after = before.replace("line 7\n", "line seven\n").replace("line 20\n", "")
    lines = [span.text for span in WRITER.line_changes(before, after)]
    assert lines == [
        " line 6",
        "-line 7",
        "+line seven",
        " line 8",
        " line 19",
        "-line 20",
        " line 21",
    ]


@pytest.mark.parametrize(
    ("before", "after", "shown"),
    [
        ("a", "b", []),
        ("a\n", "b\n", []),
        (1, "a\nb", []),
        ("a\nb\n", "a\nb\n\n", [" ", "+"]),
        ("a\nb\n", "a\r\nb\n", ["-a", "+a\\r", " b"]),
        ("a\n(secret 0123abcd)\n", "a\n(secret 89abcdef)\n", ["(secret, changed)"]),
    ],
)
def test_lines_that_are_and_are_not_diffed(before: Any, after: Any, shown: list[str]) -> None:
    lines = [span.text for span in WRITER.line_changes(before, after)]
    assert lines[-len(shown) :] == shown if shown else lines == []


def test_many_changed_lines_are_counted() -> None:
    before, after = ("".join(f"{sign}{number}\n" for number in range(50)) for sign in "ab")
    lines = [span.text for span in WRITER.line_changes(before, after)]
    assert len(lines) == 13
    assert lines[-1] == "… 89 more lines"


@given(st.text(), st.text(), st.integers(24, 64))
def test_both_sides_fit_and_differ(before: str, after: str, width: int) -> None:
    writer = ValueWriter(UNICODE, width=width)
    left, right = (writer.change(before, after)[index].text for index in (0, 2))
    assert display_width(left) <= width + 2 and display_width(right) <= width + 2
    if before != after and max(len(before), len(after)) < 20:
        assert left != right
