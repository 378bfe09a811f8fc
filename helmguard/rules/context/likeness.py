"""How much alike two documents are, and which of many belong together under other names."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator

import msgspec

from helmguard.model.json_value import JSONObject, JSONValue

_MOST_PAIRS = 2500
"""Of more pairs only those are taken that are equal but for the name."""

Leaves = Counter[tuple[str, str]]


class Named(msgspec.Struct, frozen=True):
    """A document's values, and the name of its object."""

    name: str
    leaves: Leaves


def best_pairs(
    old: list[Named], new: list[Named], wanted: float, *, any_name: bool
) -> Iterator[tuple[int, int, float]]:
    """Places in both lists of those that belong together, and how alike they are: at least ``wanted``.

    Charts bring and drop objects of one shape: unless ``any_name``, names must share a word.
    """
    left, right = set(range(len(old))), set(range(len(new)))
    for first, second in _equal_but_for_names(old, new):
        if (
            first in left
            and second in right
            and (any_name or _share_a_word(old[first].name, new[second].name))
        ):
            left.discard(first)
            right.discard(second)
            yield first, second, 1.0
    if len(left) * len(right) > _MOST_PAIRS:
        return
    scored = [
        (likeness(old[first].leaves, old[first].name, new[second].leaves, new[second].name), first, second)
        for first in sorted(left)
        for second in sorted(right)
        if any_name or _share_a_word(old[first].name, new[second].name)
    ]
    scored.sort(key=lambda found: (-found[0], _distance(old[found[1]].name, new[found[2]].name)))
    for alike, first, second in scored:
        if alike >= wanted and first in left and second in right:
            left.discard(first)
            right.discard(second)
            yield first, second, alike


def _equal_but_for_names(old: list[Named], new: list[Named]) -> Iterator[tuple[int, int]]:
    """Those of one content, the nearest names first."""
    groups: dict[frozenset[tuple[str, str]], tuple[list[int], list[int]]] = defaultdict(lambda: ([], []))
    for side, documents in ((0, old), (1, new)):
        for place, one in enumerate(documents):
            groups[frozenset(_nameless(one.leaves, one.name))][side].append(place)
    for before, after in groups.values():
        if len(before) * len(after) > _MOST_PAIRS:
            yield from zip(before, after, strict=False)
            continue
        pairs = [(first, second) for first in before for second in after]
        yield from sorted(pairs, key=lambda pair: _distance(old[pair[0]].name, new[pair[1]].name))


def _share_a_word(old: str, new: str) -> bool:
    return bool(_words(old) & _words(new)) or old in new or new in old


def holds_the_words_of(old: str, new: str) -> bool:
    """Whether one name has every word of the other: ``rel-db`` and ``shop-rel-db``."""
    before, after = _words(old), _words(new)
    return before <= after or after <= before


def _words(name: str) -> set[str]:
    return {word for word in re.split(r"[-._]", name) if len(word) > 1}


def _distance(old: str, new: str) -> int:
    return len(_words(old) ^ _words(new))


def likeness(old: Leaves, old_name: str, new: Leaves, new_name: str) -> float:
    """Equal fields count whole, fields that are on both sides with other values half.

    Fields are equal too where they differ only in the objects' own names.
    """
    as_is = old & new
    equal = as_is.total() + (_nameless(old - as_is, old_name) & _nameless(new - as_is, new_name)).total()
    before, after = _paths(old), _paths(new)
    total = (before | after).total()
    return (equal + ((before & after).total() - equal) / 2) / total if total else 1.0


def leaves_of(body: JSONObject) -> Leaves:
    """The values of a document without its head, by their paths; items of a list have one path."""
    found: Leaves = Counter()
    for field, value in body.items():
        if field not in ("apiVersion", "kind", "metadata", "status"):
            found.update(_leaves(value, field))
    return found


def _leaves(value: JSONValue, path: str) -> Iterator[tuple[str, str]]:
    if isinstance(value, dict):
        for key, item in value.items():
            yield from _leaves(item, f"{path}.{key}")
    elif isinstance(value, list):
        for item in value:
            yield from _leaves(item, f"{path}[]")
    else:
        yield path, str(value)


def _nameless(leaves: Leaves, name: str) -> Leaves:
    """With the object's own name taken out of the values, where it stands as a word."""
    found: Leaves = Counter()
    for (path, value), count in leaves.items():
        found[path, _without(name, value) if name in value else value] += count
    return found


def _without(name: str, value: str) -> str:
    """Found by words, not inside of them: the name `a` is no part of `ReadWriteOnce`."""
    return re.sub(rf"(?<![a-z0-9]){re.escape(name)}(?![a-z0-9])", "\0", value)


def _paths(leaves: Leaves) -> Counter[str]:
    found: Counter[str] = Counter()
    for (path, _), count in leaves.items():
        found[path] += count
    return found


_COUNTER = re.compile(r"v?\d+[a-z]{0,5}\d*|(?:alpha|beta|rc|dev)\d*|[0-9a-f]{5,}|(?=[a-z]*\d)[a-z0-9]{5,}")


def is_counted(old: str, new: str) -> bool:
    """Whether two names differ only in words that count: numbers, versions, hashes."""
    before, after = _differing_words(old, new)
    return bool(before and after) and all(_COUNTER.fullmatch(word) for word in (*before, *after))


def stems(old: str, new: str) -> str:
    """What differs of two names, word by word: ``rel-web`` and ``web`` give ``rel->``."""
    before, after = _differing_words(old, new)
    return f"{'-'.join(before)}->{'-'.join(after)}"


def _differing_words(old: str, new: str) -> tuple[list[str], list[str]]:
    before, after = re.split(r"[-._]", old), re.split(r"[-._]", new)
    while before and after and before[0] == after[0]:
        before, after = before[1:], after[1:]
    while before and after and before[-1] == after[-1]:
        before, after = before[:-1], after[:-1]
    return before, after
