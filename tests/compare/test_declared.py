"""Whether an object holds what a manifest declares."""

from __future__ import annotations

from typing import Any

import pytest

from helmguard.compare.declared import undelivered
from helmguard.model.field_path import format_path
from helmguard.predict.schema.builtin_types import builtin_type
from helmguard.predict.schema.value_type import ANY


def missing(declared: Any, actual: Any, kind: str = "") -> list[str]:
    schema = builtin_type(*kind.rsplit("/", 1)) if kind else None
    return [format_path(item.path) for item in undelivered(declared, actual, schema or ANY)]


@pytest.mark.parametrize(
    ("declared", "actual", "found"),
    [
        ({"a": 1}, {"a": 1, "b": 2}, []),
        ({"a": None}, {"a": 1}, []),
        ({"a": ""}, {}, []),
        ({"a": {"b": {}}}, {}, ["a"]),
        ({"a": False}, {}, ["a"]),
        ({"a": [1, 2]}, {"a": [1, 2, 3]}, ["a"]),
        # no schema: the list is the manifest's, an item more is a difference
        ({"a": [{"name": "x"}]}, {"a": [{"name": "x"}, {"name": "y"}]}, ["a"]),
        ({"a": [{"name": "x"}]}, {"a": [{"name": "x", "v": 1}]}, []),
        ({"a": [{"name": "x"}, {"name": "y"}]}, {"a": [{"name": "y"}, {"name": "z"}]}, ["a[name=x]"]),
        ({"a": [{"b": 1}]}, {"a": [{"b": 1, "c": 2}]}, []),
        ({"a": "1"}, {"a": 1}, ["a"]),
    ],
)
def test_without_schema(declared: Any, actual: Any, found: list[str]) -> None:
    assert missing(declared, actual) == found


@pytest.mark.parametrize(
    ("declared", "actual", "found"),
    [
        # replicas is a pointer: an explicit 0 is stored, so an object without it does not hold it
        ({"spec": {"replicas": 0}}, {"spec": {}}, ["spec.replicas"]),
        ({"spec": {"paused": False, "minReadySeconds": 0}}, {"spec": {}}, []),
        (
            {"spec": {"template": {"spec": {"containers": [{"name": "a"}]}}}},
            {"spec": {"template": {"spec": {"containers": [{"name": "b"}, {"name": "a", "image": "i"}]}}}},
            [],
        ),
    ],
)
def test_with_the_schema_of_deployments(declared: Any, actual: Any, found: list[str]) -> None:
    assert missing(declared, actual, "apps/v1/Deployment") == found
