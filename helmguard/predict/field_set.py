"""Sets of fields as ``metadata.managedFields`` holds them (FieldsV1).

A path is a tuple of FieldsV1 keys: ``("f:spec", "f:containers", 'k:{"name":"web"}', "f:image")``. A set of
fields is a frozenset of paths. Format: k8s.io/apimachinery pkg/apis/meta/v1 FieldsV1, written by
sigs.k8s.io/structured-merge-diff fieldpath/serialize.go.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from functools import lru_cache
from typing import TypeAlias

import msgspec

from helmguard.model.json_value import JSONObject, JSONValue
from helmguard.predict.schema.value_type import ValueType

FieldsPath: TypeAlias = tuple[str, ...]
FieldSet: TypeAlias = frozenset[FieldsPath]
EMPTY: FieldSet = frozenset()

_COMPACT = json.JSONEncoder(sort_keys=True, separators=(",", ":"), ensure_ascii=False)
_STEPS_KEPT = 10_000
"""Steps whose spelling is remembered: the same few names occur in all objects of a kind."""


class ManagerId(msgspec.Struct, frozen=True, order=True):
    """One entry of managedFields: who wrote, how (Apply or Update), in which version and subresource.

    An applier is the same one in every version: ``api_version`` is empty for Apply.
    """

    manager: str
    operation: str
    api_version: str
    subresource: str = ""


def read_managers(body: JSONObject) -> dict[ManagerId, FieldSet]:
    """The owners of an object's fields; entries without fields are left out, as the server does."""
    managers: dict[ManagerId, FieldSet] = {}
    for entry in (body.get("metadata") or {}).get("managedFields") or []:
        identity = ManagerId(
            entry.get("manager", ""),
            entry.get("operation", ""),
            "" if entry.get("operation") == "Apply" else entry.get("apiVersion", ""),
            entry.get("subresource", ""),
        )
        fields = read_fields(entry.get("fieldsV1") or {})
        if fields:
            managers[identity] = managers.get(identity, EMPTY) | fields
    return managers


def write_managers(managers: dict[ManagerId, FieldSet], api_version: str) -> list[JSONObject]:
    """The entries for ``metadata.managedFields``, without times; appliers' in the given version."""
    entries = []
    for manager, fields in managers.items():
        entry: JSONObject = {
            "manager": manager.manager,
            "operation": manager.operation,
            "apiVersion": manager.api_version or api_version,
            "fieldsType": "FieldsV1",
            "fieldsV1": write_fields(fields),
        }
        if manager.subresource:
            entry["subresource"] = manager.subresource
        entries.append(entry)
    return entries


def read_fields(fields_v1: JSONObject) -> FieldSet:
    """The paths in a FieldsV1 document."""
    paths: set[FieldsPath] = set()
    _collect(fields_v1, (), paths)
    return frozenset(paths)


def _collect(node: JSONObject, path: FieldsPath, paths: set[FieldsPath]) -> None:
    for key, below in node.items():
        if key == ".":
            paths.add(path)
            continue
        here = (*path, _canonical(key))
        if below:
            _collect(below, here, paths)
        else:
            paths.add(here)


def write_fields(fields: FieldSet) -> JSONObject:
    """The FieldsV1 document of a set of paths."""
    root: JSONObject = {}
    for path in sorted(fields):
        node = root
        for step in path:
            node = node.setdefault(step, {})
        node["."] = {}
    return _collapse(root)


def _collapse(node: JSONObject) -> JSONObject:
    if set(node) == {"."}:
        return {}
    return {key: _collapse(below) if key != "." else {} for key, below in node.items()}


@lru_cache(maxsize=_STEPS_KEPT)
def _canonical(key: str) -> str:
    if key.startswith(("k:", "v:")):
        return key[:2] + compact_json(json.loads(key[2:]))
    return key


def compact_json(value: JSONValue) -> str:
    """JSON without blanks, keys sorted, as the API server writes list keys."""
    return _COMPACT.encode(value)


def with_named_parents(fields: FieldSet, type_: ValueType) -> FieldSet:
    """The set with the declared fields (not map keys, not list items) that lead to its members added."""
    parents: set[FieldsPath] = set()
    for path in fields:
        here: ValueType | None = type_
        for depth, step in enumerate(path[:-1], start=1):
            if here is None:
                break
            if step.startswith("f:"):
                if here.shape == "struct" and here.field(step[2:]) is not None:
                    parents.add(path[:depth])
                here = here.child(step[2:])
            else:
                here = here.element()
    return fields | parents


def under(fields: Iterable[FieldsPath], prefix: FieldsPath) -> FieldSet:
    """The members at or below a path."""
    return frozenset(path for path in fields if path[: len(prefix)] == prefix)


@lru_cache(maxsize=_STEPS_KEPT)
def format_fields_path(path: FieldsPath) -> str:
    """``.spec.containers[name="web"].image``, as the API server writes paths in conflicts."""
    text = ""
    for step in path:
        kind, _, value = step.partition(":")
        if kind == "f":
            text += f".{value}"
        elif kind == "k":
            pairs = json.loads(value)
            text += "[" + ",".join(f"{name}={compact_json(below)}" for name, below in pairs.items()) + "]"
        elif kind == "v":
            text += f"[={value}]"
        else:
            text += f"[{value}]"
    return text
