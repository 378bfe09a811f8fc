"""The functions that rules have beside CEL's own, each as CEL calls it."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from small_rules import ENGINE

from helmguard.model.field_path import ItemKey, format_path
from helmguard.rules.engine.functions import FUNCTIONS, at, glob, is_quantity, listed, quantity, text, under


def called(expression: str, item: Any = None) -> Any:
    return ENGINE.compile(expression).evaluate(ENGINE.scope({"it": item, "data": {}}))


SPEC = {
    "a": {"b": [{"name": "x", "n": 1}, {"name": "y", "n": None}], "c.d/e": 5, "0": "zero"},
    "none": None,
    "list": [[1, 2], "s"],
    "flag": False,
}


@pytest.mark.parametrize(
    ("path", "value"),
    [
        ("a.b[0].n", 1),
        ("a.b[name=x].n", 1),
        ("a.b[name=x]", {"name": "x", "n": 1}),
        ("a.b[name=y].n", "DEFAULT"),
        ("a.b[name=z].n", "DEFAULT"),
        ("a.b[name=x,n=1].name", "x"),
        ("a.b[name=x,n=2].name", "DEFAULT"),
        ("a.b[n=null].name", "y"),
        ("a.b[gone=null].name", "DEFAULT"),
        ("a.b[2].n", "DEFAULT"),
        ("a.b[-1]", "DEFAULT"),
        ("a.b[²]", "DEFAULT"),
        ("a.b[٠]", "DEFAULT"),
        ("a.b.n", "DEFAULT"),
        ("a[c.d/e]", 5),
        ('a["c.d/e"]', 5),
        ("a.0", "zero"),
        ("a.c.d/e", "DEFAULT"),
        ("none", "DEFAULT"),
        ("none.x", "DEFAULT"),
        ("flag", False),
        ("flag.x", "DEFAULT"),
        ("list[0][1]", 2),
        ("list[1]", "s"),
        ("list[1].x", "DEFAULT"),
        ("gone", "DEFAULT"),
        ("", SPEC),
    ],
)
def test_at(path: str, value: Any) -> None:
    assert called(f"at(it, {path!r}, 'DEFAULT')", SPEC) == value


_KEYS = st.text('abcXYZ019-_/."\\[] ü', min_size=1, max_size=6)
_ITEM_KEYS = st.tuples(st.text("abc.-", min_size=1), st.integers() | st.booleans()).map(
    lambda pair: ItemKey((("name", pair[0]), ("port", pair[1])))
)
_STEPS = st.lists(_KEYS | st.integers(0, 3) | _ITEM_KEYS, max_size=5)


@given(_STEPS, st.integers() | st.text() | st.booleans())
def test_at_finds_what_stands_at_a_path_that_helmguard_writes(given_steps: list[Any], leaf: Any) -> None:
    value: Any = leaf
    steps: list[Any] = []
    for step in reversed(given_steps):
        if isinstance(step, ItemKey):
            # What follows an item is one of its fields.
            value = [{"name": "?"}, {**dict(step.fields), "spec": value}]
            steps = [step, "spec", *steps]
        else:
            value = [*range(step), value] if isinstance(step, int) else {step: value}
            steps = [step, *steps]
    assert at(value, format_path(tuple(steps)), "DEFAULT") == leaf


_JSON = st.recursive(
    st.none() | st.integers() | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
)


@given(_JSON, st.text())
def test_at_never_fails(value: Any, path: str) -> None:
    at(value, path, 0)


@pytest.mark.parametrize(
    ("written", "number"),
    [
        ("'1500m'", 1.5), ("'1Gi'", 2.0**30), ("'1G'", 1e9), ("'0.5'", 0.5), ("'100n'", 1e-7), ("'-2'", -2.0),
        ("'1e3'", 1000.0), ("'1E'", 1e18), ("2", 2.0), ("2.5", 2.5), ("'10Ei'", float(2**63 - 1)),
        ("''", 0.0), ("'x'", 0.0), ("'1 Gi'", 0.0), ("'1gi'", 0.0), ("'nan'", 0.0), ("'inf'", 0.0),
        ("'0x10'", 0.0),
        ("'1\\n'", 0.0), ("'\u0661'", 0.0), ("true", 0.0), ("null", 0.0), ("{}", 0.0), ("[1]", 0.0),
    ],
)  # fmt: skip
def test_quantity(written: str, number: float) -> None:
    assert called(f"quantity({written})") == pytest.approx(number)
    assert called(f"isQuantity({written})") is (number != 0.0)


_SUFFIXES = {
    "": 1,
    "m": Fraction(1, 1000),
    "k": 1000,
    "M": 10**6,
    "G": 10**9,
    "Ki": 1024,
    "Mi": 2**20,
    "Gi": 2**30,
}


_UNITS = st.sampled_from(sorted(_SUFFIXES))


@given(st.integers(0, 10**6), _UNITS, st.integers(0, 10**6), _UNITS)
def test_quantities_compare_like_what_they_stand_for(a: int, unit: str, b: int, other: str) -> None:
    left, right = a * Fraction(_SUFFIXES[unit]), b * Fraction(_SUFFIXES[other])
    assert (quantity(f"{a}{unit}") < quantity(f"{b}{other}")) == (left < right)


@given(
    st.text() | st.from_regex(r"[+-]?\d{1,9}(\.\d{0,9})?([eE][+-]?\d{1,9}|[numkMGTPE]i?)?", fullmatch=True)
)
def test_quantity_never_fails(written: str) -> None:
    assert is_quantity(written) or quantity(written) == 0.0


@pytest.mark.parametrize(
    ("expression", "value"),
    [
        ("compareVersions('1.2.3', '1.10.0')", -1),
        ("compareVersions('v1.2', '1.2.0')", 0),
        ("compareVersions('2.0.0', '2.0.0-rc.1')", 1),
        ("compareVersions('2.0.0+a', '2.0.0+b')", 0),
        ("compareVersions('x', '1.0.0')", 0),
        ("compareVersions('1.0.0', '')", 0),
        ("isVersion('v26.3.3')", True),
        ("isVersion('1')", True),
        ("isVersion('latest')", False),
        ("isVersion('')", False),
        ("major('v26.3.1')", 26),
        ("minor('v26.3.1')", 3),
        ("major('latest')", -1),
        ("minor('latest')", -1),
        ("minor('7')", 0),
        ("inRange('1.27.3', '>=1.25.0-0 <2')", True),
        ("inRange('1.24.9', '>=1.25')", False),
        ("inRange('1.24.9', 'not a range')", False),
        ("inRange('x', '>=1')", False),
        ("glob('kube-system', 'kube-*')", True),
        ("glob('kube-system', 'kube')", False),
        ("glob('a.b', 'a?b')", True),
        ("glob('Kube', 'kube')", False),
        ("glob('ab', '[xa]b')", True),
        ("glob('', '*')", True),
        ("glob('a\\nb', 'a*')", True),
        ("lastKey('driver.enabled')", "enabled"),
        ("lastKey('a[name=web]')", "web"),
        ("lastKey('a[3]')", "3"),
        ("lastKey('a')", "a"),
        ("lastKey(r'a[\"example.com/x\"]')", "example.com/x"),
        ("lastKey('')", ""),
        ("text('a')", "a"),
        ("text(1)", "1"),
        ("text(1.0)", "1"),
        ("text(1.5)", "1.5"),
        ("text(true)", "true"),
        ("text(null)", "null"),
        ("text([1, 'a'])", '[1, "a"]'),
        ("text({'a': {}})", '{"a": {}}'),
        ("text('ü')", "ü"),
        ("listed([])", "nothing"),
        ("listed(null)", "nothing"),
        ("listed(['a'])", "a"),
        ("listed('abc')", "abc"),
        ("listed(3)", "3"),
        ("listed(['a', 'b'])", "a and b"),
        ("listed(['a', 'b', 'a'])", "a and b"),
        ("listed([1, 2, 3, 4, 5])", "1, 2, 3, 4 and 5"),
        ("listed([1, 2, 3, 4, 5, 6, 7])", "1, 2, 3, 4, 5 and 2 more"),
        ("labelled([{'metadata': {'labels': {'a': 'b', 'c': 'd'}}}], {'a': 'b'}).size()", 1),
        ("labelled([{'metadata': {'labels': {'a': 'b', 'c': 'd'}}}], {}).size()", 1),
        ("labelled([{'metadata': {'labels': {'a': 'b'}}}, {'metadata': {}}, 3], {'a': 'c'}).size()", 0),
        ("labelled(null, {'a': 'c'}).size()", 0),
        ("counted(1, 'pod')", "1 pod"),
        ("counted(0, 'pod')", "0 pods"),
        ("counted(2, 'policy')", "2 policies"),
        ("counted(2, 'key')", "2 keys"),
        ("counted(2, 'class')", "2 classes"),
        ("counted(2, 'box')", "2 boxes"),
        ("counted(2, 'patch')", "2 patches"),
    ],
)
def test_a_function(expression: str, value: Any) -> None:
    assert called(expression) == value


@pytest.mark.parametrize(
    ("path", "parent", "inside"),
    [
        ("spec.template.spec", "spec.template", True),
        ("spec.template", "spec.template", True),
        ("spec.templates", "spec.template", False),
        ("spec", "spec.template", False),
        ("spec.a[0].b", "spec.a", True),
        ("spec.a[0]", "spec.a[0]", True),
        ("spec.a[01]", "spec.a[0]", False),
        ("", "spec", False),
        ("spec", "", False),
    ],
)
def test_under(path: str, parent: str, inside: bool) -> None:
    assert called(f"under({path!r}, {parent!r})") is inside


_PLAIN_STEPS = st.lists(st.text("abc", min_size=1, max_size=3) | st.integers(0, 12), min_size=1, max_size=4)


@given(_PLAIN_STEPS, _PLAIN_STEPS)
def test_under_agrees_with_the_steps(path: list[Any], parent: list[Any]) -> None:
    expected = path[: len(parent)] == parent
    assert under(format_path(tuple(path)), format_path(tuple(parent))) is expected


@given(st.text())
def test_text_is_at_most_a_line_long(written: str) -> None:
    shown = text(written)
    assert len(shown) <= 80
    assert shown == written or (len(written) > 80 and shown == written[:79] + "…")


@given(st.text(), st.text())
def test_a_text_without_wildcards_matches_itself_only(one: str, other: str) -> None:
    plain = one.translate(str.maketrans("", "", "*?["))
    assert glob(plain, plain)
    assert glob(other, plain) is (other == plain)


@given(st.lists(st.integers() | st.text()))
def test_listed_names_or_counts_each(items: list[Any]) -> None:
    shown = listed(items)
    assert shown == "nothing" or all(text(item) in shown for item in items[:5])


def test_every_function_is_documented_where_rules_are() -> None:
    from pathlib import Path

    page = (Path(__file__).parents[3] / "docs" / "writing-rules.md").read_text()
    assert [one.name for one in FUNCTIONS if f"`{one.name}(" not in page] == []
