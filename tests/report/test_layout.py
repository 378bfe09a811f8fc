"""Lines that fit."""

from __future__ import annotations

import shlex

from hypothesis import given
from hypothesis import strategies as st

from helmguard.report.display_width import display_width
from helmguard.report.layout import columns, wrapped
from helmguard.report.shell_lines import command_lines
from helmguard.report.styles import Line, Span, to_text, width_of

WORDS = st.text(st.characters(min_codepoint=33, max_codepoint=0x3000, categories=["L", "N", "P"]), min_size=1)


def texts(lines: list[Line]) -> list[str]:
    return to_text(lines, colour=False).splitlines()


def test_wrapping_keeps_words_and_hangs_the_rest() -> None:
    lines = wrapped([Span("Values   ", "bold"), Span("one two three four five six")], 20, 9)
    assert texts(lines) == ["Values   one two", "         three four", "         five six"]


def test_no_line_begins_with_a_comma() -> None:
    spans = [Span("objects: "), Span("~ConfigMap/web"), Span(", "), Span("~Deployment/web")]
    for width in range(20, 45):
        lines = texts(wrapped(spans, width))
        assert not any(line.startswith(",") for line in lines)
        assert all(len(line) <= width for line in lines)
        assert " ".join(lines) == "objects: ~ConfigMap/web, ~Deployment/web"


def test_a_long_path_breaks_at_its_separators() -> None:
    lines = wrapped([Span("  ~ spec.template.spec.containers[name=web].resources.limits.memory")], 40, 6)
    assert texts(lines) == ["  ~ spec.template.spec.containers[name=", "      web].resources.limits.memory"]


@given(st.lists(WORDS, min_size=1, max_size=20), st.integers(30, 120), st.integers(0, 10))
def test_no_line_is_too_wide_and_no_word_is_lost(words: list[str], width: int, hanging: int) -> None:
    lines = wrapped([Span(" ".join(words))], width, hanging)
    assert all(width_of(line) <= width for line in lines)
    assert "".join(texts(lines)).replace(" ", "") == "".join(words)


@given(
    st.lists(st.tuples(WORDS, WORDS, st.just("") | WORDS), min_size=1, max_size=6),
    st.integers(60, 200),
)
def test_columns_fit(cells: list[tuple[str, str, str]], width: int) -> None:
    rows = [[(Span("~"),), (Span(name),), (Span(value),), (Span(remark),)] for name, value, remark in cells]
    lines = columns(rows, width, 4)
    assert all(width_of(line) <= width for line in lines)
    shown = "".join(texts(lines)).replace(" ", "")
    assert shown == "".join("~" + "".join(row) for row in cells)


def test_columns_align_and_a_wide_row_goes_below() -> None:
    rows: list[list[Line]] = [
        [(Span("~"),), (Span("a"),), (Span("1 -> 2"),), (Span("chart"),)],
        [(Span("!"),), (Span("bcd"),), (Span("1 -> 222"),), (Span("lost"),)],
        [(Span("~"),), (Span("x" * 50),), (Span("1 -> 2"),), (Span("chart"),)],
    ]
    assert texts(columns(rows, 60, 2)) == [
        "  ~ a    1 -> 2    chart",
        "  ! bcd  1 -> 222  lost",
        "  ~ " + "x" * 50,
        "        1 -> 2  chart",
    ]


def test_a_long_command_can_still_be_pasted() -> None:
    command = (
        "helmguard upgrade web ./charts/web -n shop --reuse-values --set image.tag=1.28 --set replicas=3"
    )
    lines = texts(command_lines("instead", command, 60, 4, 10))
    assert all(len(line) <= 60 for line in lines)
    pasted = "\n".join(line[14:] for line in lines).replace("\\\n", " ")
    assert pasted.split() == command.split()
    assert not any(line.rstrip(" \\").endswith("--set") for line in lines)


def test_widths() -> None:
    assert display_width("드라") == 4
    assert display_width("e\u0301") == 1


@given(st.lists(st.text("ab-= '\"$\\", min_size=1, max_size=12), min_size=1, max_size=12))
def test_a_broken_command_is_the_same_command(words: list[str]) -> None:
    lines = texts(command_lines("next", shlex.join(["helm", *words]), 60, 2, 8))
    pasted = "\n".join([lines[0].removeprefix("  next    "), *lines[1:]])
    assert shlex.split(pasted.replace("\\\n", "")) == ["helm", *words]
