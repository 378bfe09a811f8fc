"""The CEL library as the engine sees it: values are JSON, everything else is a failure, nothing is raised."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from helmguard.rules.engine.cel import CelError, CelFailure
from helmguard.rules.packs import new_engine

ENGINE = new_engine()


def value_of(text: str, item: Any = None) -> Any:
    return ENGINE.compile(text).evaluate(ENGINE.scope({"it": item, "data": {}}))


@pytest.mark.parametrize(
    ("text", "item", "value"),
    [
        ("it.a", {"a": [1, {"b": None}]}, [1, {"b": None}]),
        ("it.a + 1", {"a": 1}, 2),
        ("it.a == 1.0", {"a": 1}, True),
        ("'ü'.size()", None, 1),
        ("it.?a.orValue(7)", {}, 7),
        ("cel.bind(x, it.a, x + x)", {"a": "z"}, "zz"),
        ("math.greatest(1, 2)", None, 2),
        ("'A'.lowerAscii()", None, "a"),
        ("false && it.gone", {}, False),
        ("it.gone && false", {}, False),
        ("true || it.gone", {}, True),
        ("it.gone || true", {}, True),
        ("it.exists(x, x.k == 1)", [{}, {"k": 1}], True),
        ("it.all(x, x.k == 1)", [{}, {"k": 2}], False),
        ("has(it.gone)", {}, False),
    ],
)
def test_a_value(text: str, item: Any, value: Any) -> None:
    assert value_of(text, item) == value


@pytest.mark.parametrize(
    ("text", "item", "key"),
    [
        ("it.gone", {}, "gone"),
        ("it.a.gone.b", {"a": {}}, "gone"),
        ('it["example.com/x"]', {}, "example.com/x"),
        ("it.gone == it.gone", {}, "gone"),
        ("!it.gone", {}, "gone"),
        ("it.gone ? 1 : 2", {}, "gone"),
        ("text(it.gone)", {}, "gone"),
        ("[it.gone].size()", {}, "gone"),
        ("it.exists(x, x.k == 2)", [{"k": 1}, {}], "k"),
        ("it.gone && true", {}, "gone"),
        ("it.gone || false", {}, "gone"),
        ("1 / 0", None, ""),
        ("9223372036854775807 + 1", None, ""),
        ("it.a > 1", {"a": "x"}, ""),
        ("it.a.b", {"a": None}, ""),
        ("it[3]", [1], ""),
        ("'a'.matches('(')", None, ""),
    ],
)
def test_a_failure_names_the_key_that_is_not_there(text: str, item: Any, key: str) -> None:
    found = value_of(text, item)
    assert isinstance(found, CelFailure)
    assert found.missing_key == key


@pytest.mark.parametrize(
    "text",
    ["b'x'", "duration('1s')", "timestamp('2026-01-01T00:00:00Z')", "type(1)", "{1: 2}", "[{1: 2}]",
     "optional.of(1)", "optional.none()", "1.0 / 0.0", "[b'x']"],
)  # fmt: skip
def test_what_is_no_json_is_a_failure(text: str) -> None:
    assert isinstance(value_of(text), CelFailure)


def test_loops_beyond_the_librarys_limit_are_a_failure() -> None:
    many = [{"n": number} for number in range(2000)]
    assert value_of("it.exists(a, a.n == -1)", many) is False
    found = value_of("it.all(a, it.exists(b, b.n == a.n))", many)
    assert found == CelFailure("the loops of the expression take more than 10,000 steps")


@pytest.mark.parametrize("huge", [2**64, -(2**63) - 1, 10**400, -(10**400)])
def test_an_integer_that_cel_cannot_hold_spoils_nothing_beside_it(huge: int) -> None:
    item = {"big": [huge], "small": 1}
    assert value_of("it.small", item) == 1
    assert value_of("it.big[0] > 1.0", item) is (huge > 0)
    assert item["big"] == [huge]


def test_text_that_is_no_utf_8_spoils_nothing_beside_it() -> None:
    assert value_of("it.a", {"a": 1, "b": "\ud800"}) == 1
    assert value_of("it.b", {"a": 1, "b": "\ud800"}) == "?"


def test_a_failure_about_a_value_does_not_hold_it() -> None:
    assert "36893488147419103232" not in str(value_of("it.gone", {"password": 2**65}))


def test_deep_values_raise_nothing() -> None:
    deep: dict[str, Any] = {}
    for _ in range(3000):
        deep = {"a": deep}
    assert isinstance(value_of("it", deep), CelFailure | dict)


@pytest.mark.parametrize(
    ("text", "offset", "words"),
    [
        ("it.", 3, "Syntax error"),
        ("it.a &&\n  nope", 10, "undeclared reference to 'nope'"),
        ("1 == 'a'", 2, "no matching overload"),
        ("", 0, "Syntax error"),
        ("size(1)", 4, "no matching overload for 'size'"),
        ("+".join(["1"] * 100), 0, "recursion"),
        ("(" * 5000 + "1" + ")" * 5000, 0, "recursion"),
        (f"'{'x' * 200_000}'", 0, "size exceeds"),
    ],
)
def test_what_does_not_compile_is_told_with_its_place(text: str, offset: int, words: str) -> None:
    with pytest.raises(CelError, match=words) as raised:
        ENGINE.compile(text)
    assert raised.value.offset == offset


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("true", "bool"),
        ("it.a == 1", "bool"),
        ("it.a", "dyn"),
        ("'a'", "string"),
        ("[1]", "list"),
        ("{}", "map"),
    ],
)
def test_the_type_of_a_result_is_known_as_far_as_the_text_tells(text: str, name: str) -> None:
    assert ENGINE.compile(text).result_type() == name


# The library ends a text at its first NUL.
_TEXT = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"))
_JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**63), 2**63 - 1) | _TEXT,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(_TEXT, inner, max_size=4),
    max_leaves=12,
)


@given(_JSON)
def test_json_comes_back_as_it_went_in(value: Any) -> None:
    assert value_of("it", value) == value
