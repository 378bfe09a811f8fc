"""Which fields of two objects differ."""

from __future__ import annotations

import copy
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from helmguard.compare.differences import Difference, differences
from helmguard.compare.equal_trees import same_tree
from helmguard.compare.find_field import find_field
from helmguard.model.field_change import MISSING
from helmguard.model.field_path import format_path
from helmguard.predict.schema.builtin_types import builtin_type
from helmguard.predict.schema.value_type import ANY


def found(before: Any, after: Any, kind: str = "") -> dict[str, tuple[Any, Any]]:
    schema = builtin_type(*kind.rsplit("/", 1)) if kind else None
    return {
        format_path(item.path) + ("[order]" if item.order_only else ""): (
            "-" if item.before is MISSING else item.before,
            "-" if item.after is MISSING else item.after,
        )
        for item in differences(before, after, schema or ANY)
    }


@pytest.mark.parametrize(
    ("before", "after", "expected"),
    [
        ({"a": 1}, {"a": 1.0}, {}),
        ({"a": 1}, {"a": True}, {"a": (1, True)}),
        ({"a": {"b": 1}}, {"a": {"b": True}}, {"a.b": (1, True)}),
        ({"a": [0, 1]}, {"a": [False, 1]}, {"a[0]": (0, False)}),
        ({"a": "1"}, {"a": 1}, {"a": ("1", 1)}),
        ({"a": None}, {}, {}),
        ({"a": None}, {"a": {"b": 1}}, {"a.b": ("-", 1)}),
        ({}, {"a": {"b": 1, "c": {"d": 2}}}, {"a.b": ("-", 1), "a.c.d": ("-", 2)}),
        ({"a": {"b": 1}}, {}, {"a.b": (1, "-")}),
        ({}, {"a": {}}, {"a": ("-", {})}),
        ({"a": []}, {"a": {}}, {"a": ([], {})}),
        ({"a": {"b": 1}}, {"a": "x"}, {"a": ({"b": 1}, "x")}),
        ({"k.y/x": "a"}, {"k.y/x": "b"}, {'["k.y/x"]': ("a", "b")}),
    ],
)
def test_maps_and_scalars(before: Any, after: Any, expected: dict[str, Any]) -> None:
    assert found(before, after) == expected


@pytest.mark.parametrize(
    ("before", "after", "expected"),
    [
        (["a", "b"], ["a", "x", "b"], {"[1]": ("-", "x")}),
        (["a", "x", "b"], ["a", "b"], {"[1]": ("x", "-")}),
        (["a", "b"], ["b", "a"], {"[0]": ("a", "b"), "[1]": ("b", "a")}),
        (["a", "b", "c", "d"], ["z", "b", "c", "d", "e"], {"[0]": ("a", "z"), "[4]": ("-", "e")}),
        ([], ["a"], {"[0]": ("-", "a")}),
        ([[1], [2]], [[1], [3]], {"[1][0]": (2, 3)}),
        (
            [{"name": "a", "v": 1}, {"name": "b", "v": 2}],
            [{"name": "new", "v": 0}, {"name": "b", "v": 3}, {"name": "a", "v": 1}],
            {
                "[name=b].v": (2, 3),
                "[name=new]": ("-", {"name": "new", "v": 0}),
                "[order]": (["a", "b"], ["b", "a"]),
            },
        ),
        # the same name twice: no key, so by position
        ([{"name": "a", "v": 1}, {"name": "a"}], [{"name": "a", "v": 2}, {"name": "a"}], {"[0].v": (1, 2)}),
    ],
)
def test_lists_without_schema(before: Any, after: Any, expected: dict[str, Any]) -> None:
    assert found(before, after) == expected


def test_merge_keys_tell_ports_of_one_number_apart() -> None:
    udp, tcp = {"port": 53, "protocol": "UDP", "name": "u"}, {"port": 53, "name": "t"}
    before = {"spec": {"ports": [tcp]}}
    after = {"spec": {"ports": [udp, {**tcp, "protocol": "TCP", "name": "x"}]}}
    assert found(before, after, "v1/Service") == {
        "spec.ports[port=53,protocol=TCP].name": ("t", "x"),
        "spec.ports[port=53,protocol=TCP].protocol": ("-", "TCP"),
        "spec.ports[port=53,protocol=UDP]": ("-", udp),
    }


def test_quantities_of_built_in_kinds_are_equal_by_amount() -> None:
    def pod(cpu: Any, text: str) -> Any:
        container = {
            "name": "c",
            "resources": {"limits": {"cpu": cpu}},
            "env": [{"name": "A", "value": text}],
        }
        return {"spec": {"containers": [container]}}

    assert found(pod("1000m", "1Gi"), pod(1, "1Gi"), "v1/Pod") == {}
    # an environment variable is text, and so is every field of a custom resource
    assert list(found(pod(1, "1Gi"), pod(1, "1024Mi"), "v1/Pod")) == [
        "spec.containers[name=c].env[name=A].value"
    ]
    assert len(found(pod("1000m", ""), pod("1", ""))) == 1


def test_long_lists_are_compared_by_position() -> None:
    before = [str(index) for index in range(20_000)]
    assert found(before, ["x", *before[1:-1]]) == {"[0]": ("0", "x"), "[19999]": ("19999", "-")}


JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-2, 2) | st.sampled_from(["", "a", "b", "1"]) | st.just(1.0),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(st.sampled_from(["name", "a", "b.c", "d"]), inner, max_size=4)
    ),
    max_leaves=12,
)


@given(JSON)
def test_a_copy_does_not_differ(tree: Any) -> None:
    assert list(differences(tree, copy.deepcopy(tree))) == []


@given(JSON, JSON)
def test_differences_lead_to_what_they_say(before: Any, after: Any) -> None:
    for item in differences(before, after):
        if item.order_only or any(isinstance(step, int) for step in item.path):
            continue
        for tree, value in ((before, item.before), (after, item.after)):
            there = find_field(tree, item.path)
            assert same_tree(there, value) or (value is MISSING and there is None)


@given(JSON, JSON)
def test_same_trees_and_no_difference_agree(before: Any, after: Any) -> None:
    if same_tree(before, after):
        assert list(differences(before, after)) == []
    assert {(item.path, item.order_only) for item in differences(before, after)} == {
        (item.path, item.order_only) for item in differences(after, before)
    } or _has_positions([*differences(before, after)])


def _has_positions(items: list[Difference]) -> bool:
    return any(isinstance(step, int) for item in items for step in item.path)
