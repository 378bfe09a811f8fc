"""libyaml with our builder, and our own scanner, grammar and decoder: two readers that must agree."""

from __future__ import annotations

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from yaml_fragments import FRAGMENTS, random_text

from helmguard.manifest.goyaml import libyaml
from helmguard.manifest.goyaml.decode import decode
from helmguard.manifest.goyaml.events import events
from helmguard.manifest.goyaml.nodes import compose
from helmguard.manifest.yaml import YAMLError, dump, go_json, load, load_object, load_with_positions

texts = st.text(st.characters(exclude_categories=["Cs"]), max_size=12)
awkward_words = (
    *("yes", "~", "null", "1e3", "0x1", "<<", "=", "---", "...", "1:30", "2001-01-01", "--flag=a", "a: b"),
    *("a #b", "y", ".inf", "- a", "k" * 1100, "\ufeff", "\u2028", "a\n\n", "a\n b\n", " a\nb", "\ta\nb"),
    *("\n a\nb\n", "\x7f"),
)
awkward_texts = st.text(" \n\t:#-?|>'\"a1,[]{}&*!%@`~=.<\\/", max_size=12) | st.sampled_from(awkward_words)
keys = texts | awkward_texts
numbers = st.integers(-(2**63), 2**64 - 1) | st.floats(allow_nan=False, allow_infinity=False)


def values(keys: st.SearchStrategy[str]) -> st.SearchStrategy[object]:
    """Anything JSON can hold."""
    return st.recursive(
        st.none() | st.booleans() | numbers | keys,
        lambda children: st.lists(children, max_size=4) | st.dictionaries(keys, children, max_size=4),
        max_leaves=12,
    )


def outcome(read: object, text: str) -> tuple[str, str]:
    """The JSON of what was read, or the error."""
    assert callable(read)
    try:
        return "value", go_json(read(text))
    except YAMLError as error:
        return "error", error.message


def read_exactly(text: str) -> object:
    root = compose(events(text.encode()))
    return None if root is None else decode(root).value


@settings(max_examples=400, deadline=None)
@given(st.lists(st.sampled_from(FRAGMENTS), min_size=1, max_size=12).map("".join))
def test_fragments(text: str) -> None:
    assert outcome(load, text) == outcome(read_exactly, text)


def test_many_fragments() -> None:
    chance = random.Random(20260701)
    differing = [
        text
        for text in (random_text(chance) for _ in range(6000))
        if outcome(load, text) != outcome(read_exactly, text)
    ]
    assert differing == []


@settings(max_examples=300, deadline=None)
@given(values(keys), st.booleans())
def test_dump_is_read_back(value: object, sort_keys: bool) -> None:
    text = dump(value, sort_keys=sort_keys)
    assert load(text) == value
    assert go_json(load(text)) == go_json(value)
    assert load(text, strict=True) == value
    assert load_with_positions(text)[0] == value
    assert outcome(read_exactly, text) == ("value", go_json(value))


@settings(max_examples=100, deadline=None)
@given(values(st.text(st.characters(codec="latin-1", exclude_categories=["Cc"]), max_size=12)))
def test_json_is_read_back(value: object) -> None:
    value = without_negative_zero(value)
    text = go_json(value)
    assert go_json(load(text)) == text
    assert go_json(load_object(text)) == go_json(load_object(dump(value)))


@pytest.mark.parametrize(
    "text", ["%YAML 1.2\n--- a", '{"a": "\\/"}', "[!!str, a]", "[a?b]", "{}: 1", "a\n\ufeffb: 1"]
)
def test_where_libyaml_is_not_trusted(text: str) -> None:
    assert outcome(load, text) == outcome(read_exactly, text)


def test_without_libyaml(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(libyaml, "CParser", None)
    text = "a: [1, 2.0]\nb: &x {c: yes}\nd: *x\n"
    assert load(text) == load_with_positions(text)[0] == {"a": [1, 2.0], "b": {"c": True}, "d": {"c": True}}
    assert [type(number) for number in load_object(text)["a"]] == [int, int]


def without_negative_zero(value: object) -> object:
    """YAML reads JSON's -0 as the integer 0."""
    if isinstance(value, dict):
        return {key: without_negative_zero(item) for key, item in value.items()}
    if isinstance(value, list):
        return [without_negative_zero(item) for item in value]
    return 0.0 if isinstance(value, float) and value == 0 else value
