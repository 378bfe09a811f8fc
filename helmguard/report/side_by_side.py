"""Two texts beside each other, line by line: which lines go together, and what is the same around them.

Lines may hold masks with digests (`helmguard.masking.secret_marks`): here they tell a changed secret from an
unchanged one, and where lines are written they are left out.
"""

from __future__ import annotations

import difflib
import re
from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Literal, TypeAlias

import msgspec

from helmguard.masking.secret_marks import MARK, without_digest

RowKind = Literal["same", "changed", "left", "right", "head"]
Pair: TypeAlias = tuple[int, int]
Piece: TypeAlias = tuple[str, bool]
"""A part of a line, and whether the other side has it otherwise."""

_EXACT = 20_000
"""Up to so many pairs of lines a part is compared exactly; larger parts are divided by their rare lines."""
_WORK = 2_000_000
"""Lines looked at in all before the rest is taken for changed: keeps texts without any rare line bounded."""
_MANY_WORDS = 300
_KEY = re.compile(r"\s*(?:- )*[^\s:][^:]*:(?=\s|$)")
_WORDS = re.compile(rf"{MARK.pattern}|\w+|\s+|.")


class SideRow(msgspec.Struct, frozen=True):
    """One line of either side, or of both; numbers count from 1, 0 where a side has no line here.

    ``changed`` are two lines that stand for each other. A ``head`` is no line of a text: its ``left`` names
    what follows.
    """

    kind: RowKind
    left: str = ""
    right: str = ""
    left_number: int = 0
    right_number: int = 0


class Fold(msgspec.Struct, frozen=True):
    """Rows that are not shown: from ``start`` to before ``end``."""

    start: int
    end: int


def side_rows(left: Sequence[str], right: Sequence[str]) -> list[SideRow]:
    """The rows of two texts. All left lines, and all right ones, are there, in their order."""
    rows: list[SideRow] = []
    at, beside = 0, 0
    for one, other in [*matched_lines(left, right), (len(left), len(right))]:
        rows += _between(left, right, (at, one), (beside, other))
        if one < len(left):
            rows.append(SideRow("same", left[one], right[other], one + 1, other + 1))
        at, beside = one + 1, other + 1
    return rows


def matched_lines(left: Sequence[str], right: Sequence[str]) -> list[Pair]:
    """The places of equal lines that go together, both ascending."""
    found: list[Pair] = []
    waiting = [(0, len(left), 0, len(right))]
    work = 0
    while waiting:
        low, high, start, end = waiting.pop()
        while low < high and start < end and left[low] == right[start]:
            found.append((low, start))
            low, start = low + 1, start + 1
        while low < high and start < end and left[high - 1] == right[end - 1]:
            high, end = high - 1, end - 1
            found.append((high, end))
        if low == high or start == end:
            continue
        if (high - low) * (end - start) <= _EXACT:
            found += _exact(left, right, (low, high), (start, end))
            continue
        work += high - low + end - start
        anchors = _anchors(left[low:high], right[start:end]) if work <= _WORK else []
        if not anchors:
            continue
        previous = (low, start)
        for one, other in [(low + one, start + other) for one, other in anchors]:
            found.append((one, other))
            waiting.append((previous[0], one, previous[1], other))
            previous = (one + 1, other + 1)
        waiting.append((previous[0], high, previous[1], end))
    return sorted(found)


def _exact(left: Sequence[str], right: Sequence[str], lefts: Pair, rights: Pair) -> Iterator[Pair]:
    matcher = difflib.SequenceMatcher(None, left[slice(*lefts)], right[slice(*rights)], autojunk=False)
    for block in matcher.get_matching_blocks():
        for step in range(block.size):
            yield lefts[0] + block.a + step, rights[0] + block.b + step


def _anchors(left: Sequence[str], right: Sequence[str]) -> list[Pair]:
    """Lines that are there once on both sides; where none is, the nth of those that are as often on both."""
    lefts, rights = Counter(left), Counter(right)
    once = {text for text, count in lefts.items() if count == 1 and rights[text] == 1}
    if once:
        places = {text: index for index, text in enumerate(right) if text in once}
        return _ascending([(index, places[text]) for index, text in enumerate(left) if text in once])
    often = {text for text, count in lefts.items() if rights[text] == count}
    return _ascending(_nth_of(left, right, often))


def _nth_of(left: Sequence[str], right: Sequence[str], texts: set[str]) -> list[Pair]:
    seen: Counter[str] = Counter()
    places: dict[tuple[str, int], int] = {}
    for index, text in enumerate(right):
        if text in texts:
            places[text, seen[text]] = index
            seen[text] += 1
    seen.clear()
    pairs = []
    for index, text in enumerate(left):
        if text in texts:
            pairs.append((index, places[text, seen[text]]))
            seen[text] += 1
    return pairs


def _ascending(pairs: Sequence[Pair]) -> list[Pair]:
    """The most pairs whose right places ascend as their left ones do."""
    ends: list[int] = []
    last: list[int] = []
    before: list[int] = []
    for index, (_, place) in enumerate(pairs):
        at = bisect_left(ends, place)
        before.append(last[at - 1] if at else -1)
        if at == len(ends):
            ends.append(place)
            last.append(index)
        else:
            ends[at], last[at] = place, index
    found: list[Pair] = []
    index = last[-1] if last else -1
    while index >= 0:
        found.append(pairs[index])
        index = before[index]
    return found[::-1]


def _between(left: Sequence[str], right: Sequence[str], lefts: Pair, rights: Pair) -> Iterator[SideRow]:
    """Lines without a partner that is equal: those of one key are the same line changed."""
    keys = [_key(text) for text in left[slice(*lefts)]], [_key(text) for text in right[slice(*rights)]]
    at, beside = lefts[0], rights[0]
    pairs = [(lefts[0] + one, rights[0] + other) for one, other in matched_lines(*keys)]
    for one, other in [*pairs, (lefts[1], rights[1])]:
        if one - at == other - beside:
            yield from (_changed(left, right, at + step, beside + step) for step in range(one - at))
        else:
            yield from (SideRow("left", left[index], "", index + 1, 0) for index in range(at, one))
            yield from (SideRow("right", "", right[index], 0, index + 1) for index in range(beside, other))
        if one < lefts[1] and other < rights[1]:
            yield _changed(left, right, one, other)
        at, beside = one + 1, other + 1


def _changed(left: Sequence[str], right: Sequence[str], one: int, other: int) -> SideRow:
    kind: RowKind = "same" if left[one] == right[other] else "changed"
    return SideRow(kind, left[one], right[other], one + 1, other + 1)


def _key(text: str) -> str:
    """The field that a line of YAML sets, with its indent; other lines are themselves."""
    found = _KEY.match(text)
    return found.group() if found else text


def folded(rows: Sequence[SideRow], context: int, unfolded: frozenset[int]) -> list[int | Fold]:
    """The places of the rows to show, and folds for the equal ones farther than ``context`` from a change.

    ``unfolded`` are the starts of folds that are shown all the same.
    """
    shown: list[int | Fold] = []
    index = 0
    while index < len(rows):
        if rows[index].kind != "same":
            shown.append(index)
            index += 1
            continue
        end = index
        while end < len(rows) and rows[end].kind == "same":
            end += 1
        first = index + (0 if index == 0 or rows[index - 1].kind == "head" else context)
        last = end - (0 if end == len(rows) or rows[end].kind == "head" else context)
        if last - first > 1 and first not in unfolded:
            shown += [*range(index, first), Fold(first, last), *range(last, end)]
        else:
            shown += range(index, end)
        index = end
    return shown


class SideText(msgspec.Struct, frozen=True):
    """Rows, and what is found out about them once: ``starts`` are the places where runs of changes begin,
    ``numbers`` the columns of the longest line number."""

    rows: Sequence[SideRow] = ()
    starts: Sequence[int] = ()
    numbers: int = 2

    def next_change(self, at: int, step: int) -> int | None:
        """Where the next run of changes that way begins, around the end; None where nothing differs."""
        if not self.starts:
            return None
        if step > 0:
            found = bisect_right(self.starts, at)
            return self.starts[found if found < len(self.starts) else 0]
        return self.starts[bisect_left(self.starts, at) - 1]


def side_text(rows: Sequence[SideRow]) -> SideText:
    """Find it out."""
    starts = []
    before = False
    for index, row in enumerate(rows):
        differs = row.kind in ("changed", "left", "right")
        if differs and not before:
            starts.append(index)
        before = differs
    last = max((max(row.left_number, row.right_number) for row in rows), default=0)
    return SideText(rows, starts, max(2, len(str(last))))


def pieces(row: SideRow) -> tuple[list[Piece], list[Piece]]:
    """Both lines of a changed row in parts, those that differ marked; digests are left out."""
    left, right = _WORDS.findall(row.left), _WORDS.findall(row.right)
    start = 0
    while start < min(len(left), len(right)) and left[start] == right[start]:
        start += 1
    end = 0
    while end < min(len(left), len(right)) - start and left[-1 - end] == right[-1 - end]:
        end += 1
    lefts, rights = left[start : len(left) - end], right[start : len(right) - end]
    if len(lefts) + len(rights) > _MANY_WORDS:
        blocks = [(0, 0, 0)]
    else:
        matcher = difflib.SequenceMatcher(None, lefts, rights, autojunk=False)
        blocks = [tuple(block) for block in matcher.get_matching_blocks()]  # type: ignore[misc]
    tail = left[len(left) - end :] if end else []
    return (
        _marked(left[:start], lefts, [(one, size) for one, _, size in blocks], tail),
        _marked(right[:start], rights, [(other, size) for _, other, size in blocks], tail),
    )


def _marked(
    head: Sequence[str], words: Sequence[str], same: Sequence[tuple[int, int]], tail: Sequence[str]
) -> list[Piece]:
    found: list[Piece] = [("".join(head), False)]
    at = 0
    for start, size in same:
        found.append(("".join(words[at:start]), True))
        found.append(("".join(words[start : start + size]), False))
        at = start + size
    found += [("".join(words[at:]), True), ("".join(tail), False)]
    return [(without_digest(text), differs) for text, differs in found if text]
