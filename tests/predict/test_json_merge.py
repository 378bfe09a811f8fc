"""Two-way and three-way JSON merge patches."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from helmguard.predict.json_equality import json_equal
from helmguard.predict.json_merge import apply_merge_patch, merge_patch, three_way_merge_patch

SCALARS = st.one_of(st.booleans(), st.integers(-2, 2), st.sampled_from(["", "a"]))
VALUES = st.recursive(
    SCALARS,
    lambda inner: st.one_of(st.lists(inner, max_size=2), st.dictionaries(st.sampled_from("abc"), inner)),
    max_leaves=6,
)
OBJECTS = st.dictionaries(st.sampled_from("abc"), VALUES)


@given(OBJECTS, OBJECTS)
def test_the_patch_leads_from_old_to_new(old: dict[str, Any], new: dict[str, Any]) -> None:
    assert json_equal(apply_merge_patch(old, merge_patch(old, new)), new)


@given(OBJECTS)
def test_no_difference_no_patch(value: dict[str, Any]) -> None:
    assert merge_patch(value, value) == {}


@pytest.mark.parametrize(
    ("old", "new", "patch"),
    [
        ({"a": 1}, {"a": True}, {"a": True}),
        ({"a": [1, 2]}, {"a": [2, 1]}, {"a": [2, 1]}),
        ({"a": {"b": 1, "c": 1}}, {"a": {"c": 1}}, {"a": {"b": None}}),
        ({"a": {"b": 1}}, {"a": 2}, {"a": 2}),
        ({"a": 1}, {"a": None}, {"a": None}),
        ({"a": 1}, {"a": 2**53 + 1}, {"a": 2**53}),
        ({"a": [2**53]}, {"a": [2**53 + 1]}, {}),
        ({}, {"a": {"b": [-(2**53) - 1]}}, {"a": {"b": [-(2**53)]}}),
    ],
)
def test_patches(old: Any, new: Any, patch: Any) -> None:
    assert merge_patch(old, new) == patch


@pytest.mark.parametrize(
    ("old", "new", "live", "after"),
    [
        pytest.param({"a": 1}, {"a": 1}, {"a": 9}, {"a": 1}, id="drift is set back"),
        pytest.param({"a": 1, "b": 1}, {"a": 1}, {"a": 1, "b": 9, "c": 9}, {"a": 1, "c": 9}, id="removal"),
        pytest.param({"a": {}}, {"a": {"x": 1}}, {"a": {"y": 2}}, {"a": {"x": 1, "y": 2}}, id="nested"),
    ],
)
def test_three_way(old: Any, new: Any, live: Any, after: Any) -> None:
    assert apply_merge_patch(live, three_way_merge_patch(old, new, live)) == after
