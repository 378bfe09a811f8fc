"""Two texts beside each other: nothing is lost, what goes together stands together, in bounded time."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from helmguard.report.side_by_side import (
    Fold,
    SideRow,
    folded,
    matched_lines,
    pieces,
    side_rows,
    side_text,
)

LINES = st.lists(st.sampled_from(["a: 1", "a: 2", "b:", "  c: x", "- d", "text", ""]), max_size=40)


@given(LINES, LINES)
def test_cells_give_the_texts(left: list[str], right: list[str]) -> None:
    rows = side_rows(left, right)
    assert [row.left for row in rows if row.left_number] == left
    assert [row.right for row in rows if row.right_number] == right
    assert [row.left_number for row in rows if row.left_number] == list(range(1, len(left) + 1))
    assert [row.right_number for row in rows if row.right_number] == list(range(1, len(right) + 1))
    for row in rows:
        assert (row.kind == "same") == (row.left == row.right and bool(row.left_number and row.right_number))


@given(LINES, LINES)
def test_pieces_give_the_lines(left: list[str], right: list[str]) -> None:
    for row in side_rows(left, right):
        if row.kind == "changed":
            before, after = pieces(row)
            assert "".join(text for text, _ in before) == row.left
            assert "".join(text for text, _ in after) == row.right


@given(LINES, LINES, st.integers(0, 3))
def test_folds_hide_equal_rows_only(left: list[str], right: list[str], context: int) -> None:
    rows = side_rows(left, right)
    shown = folded(rows, context, frozenset())
    places = [
        place
        for item in shown
        for place in (range(item.start, item.end) if isinstance(item, Fold) else [item])
    ]
    assert places == list(range(len(rows)))
    for item in shown:
        if isinstance(item, Fold):
            assert all(row.kind == "same" for row in rows[item.start : item.end])


def test_a_changed_field_stands_beside_itself() -> None:
    left = ["spec:", "  replicas: 3", "  image: nginx:1.27", "  gone: true", "status: x"]
    right = ["spec:", "  image: nginx:1.28", "  replicas: 3", "status: x"]
    kinds = [(row.kind, row.left.strip(), row.right.strip()) for row in side_rows(left, right)]
    assert ("same", "  replicas: 3".strip(), "replicas: 3") in kinds
    swapped = side_rows(["a: 1", "b: 2", "c: 3"], ["a: 9", "c: 8"])
    assert [(row.kind, row.left, row.right) for row in swapped] == [
        ("changed", "a: 1", "a: 9"),
        ("left", "b: 2", ""),
        ("changed", "c: 3", "c: 8"),
    ]


def test_marks_within_a_line() -> None:
    row = SideRow("changed", "image: nginx:1.27", "image: nginx:1.28", 1, 1)
    before, after = pieces(row)
    assert [text for text, differs in before if differs] == ["27"]
    assert [text for text, differs in after if differs] == ["28"]


def test_a_changed_secret_is_marked_and_not_shown() -> None:
    left, right = ["password: (secret 00000001)"], ["password: (secret 00000002)"]
    [row] = side_rows(left, right)
    assert row.kind == "changed"
    before, after = pieces(row)
    assert before == after == [("password: ", False), ("(secret)", True)]
    [same] = side_rows(left, left)
    assert same.kind == "same"


def test_a_fold_can_be_unfolded_and_n_goes_from_run_to_run() -> None:
    left = [f"line {number}" for number in range(100)]
    right = list(left)
    right[50] = "other"
    right[80:82] = ["x", "y", "z"]
    rows = side_rows(left, right)
    shown = folded(rows, 3, frozenset())
    assert shown[0] == Fold(0, 47)
    assert len(side_text(rows).starts) == 2
    assert side_text(rows).next_change(0, 1) == 50
    assert side_text(rows).next_change(50, 1) == 80
    assert side_text(rows).next_change(80, 1) == 50, "around the end"
    assert side_text(rows).next_change(0, -1) == 80
    assert len(folded(rows, 3, frozenset([0]))) == len(shown) + 46


def test_large_texts_without_rare_lines_are_bounded() -> None:
    """The work is counted, not the time: each part is gone over a bounded number of times."""
    looked = 0

    class Counting(str):
        def __eq__(self, other: object) -> bool:
            nonlocal looked
            looked += 1
            return str.__eq__(self, other)

        __hash__ = str.__hash__

    left = [Counting(f"{'  ' * (number % 7)}type: string") for number in range(20_000)]
    right = [Counting(f"{'  ' * (number % 5)}type: string") for number in range(20_000)]
    rows = side_rows(left, right)
    assert sum(bool(row.left_number) for row in rows) == 20_000
    assert looked < 20_000_000


def test_lines_that_are_there_once_hold_a_large_text_together() -> None:
    left = [f"key{number}: {number}" for number in range(10_000)]
    right = [*left[:3000], *(f"new{number}: 1" for number in range(500)), *left[3500:]]
    right[9000] = "key9000: changed"
    assert len(matched_lines(left, right)) == 9499
    assert len(side_text(side_rows(left, right)).starts) == 2
