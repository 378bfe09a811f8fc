"""How the API server reads a document into its types: what it drops, what it rewrites, what it refuses.

Built-in kinds: unknown fields are dropped (with a warning), null counts as absent, empty values of plain
fields are not stored, quantities get their canonical form. Custom kinds: fields outside the structural
schema are pruned, the schema's defaults are filled in.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cache
from typing import TypeAlias, Union

from helmguard.model.json_value import JSONObject, JSONValue
from helmguard.predict.api_server.quantity import canonical
from helmguard.predict.json_equality import copy_json
from helmguard.predict.schema.builtin_types import struct_type
from helmguard.predict.schema.value_type import ValueType

_Path: TypeAlias = Union["tuple[_Path, str | int]", None]
"""The way down so far and the last step; put in words only where something is to be said."""

_TEXTS = frozenset(["string", "bytes", "time"])


@dataclass(slots=True)
class Decoded:
    """The document as stored, the unknown fields that went, and what makes the server refuse it."""

    body: JSONObject
    dropped: list[str] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)


def decode_builtin(document: JSONObject, type_: ValueType) -> Decoded:
    """Read a document of a built-in kind."""
    result = Decoded({})
    result.body = _struct(document, type_, None, result)
    return result


def _struct(value: JSONObject, type_: ValueType, path: _Path, result: Decoded) -> JSONObject:
    stored: JSONObject = {}
    for key, below in value.items():
        child = type_.field(key)
        if child is None or child.known_to == "helm":
            result.dropped.append(_text((path, key)))
            continue
        if below is None:
            continue
        decoded = _value(below, child, (path, key), result)
        if decoded or child.always_written or child.pointer:
            # An empty list comes back from storage as null.
            stored[key] = None if decoded == [] and not child.pointer else decoded
    for name in _always_there(type_.name):
        stored.setdefault(name, {})
    return stored


@cache
def _always_there(type_name: str) -> tuple[str, ...]:
    """The fields of a struct that are stored as an empty map where a document lacks them."""
    type_ = struct_type(type_name)
    fields = ((name, type_.field(name)) for name in type_.field_names())
    return tuple(
        name
        for name, child in fields
        if child is not None and child.shape == "struct" and child.always_written and not child.pointer
    )


def _value(value: JSONValue, type_: ValueType, path: _Path, result: Decoded) -> JSONValue:
    shape = type_.shape
    if shape == "scalar":
        return _scalar(value, type_, path, result)
    if shape == "any":
        return copy_json(value)
    if shape == "list":
        if not isinstance(value, list):
            return _refuse(value, path, "list", result)
        element = type_.element()
        return [
            _value(item, element, (path, index), result) if item is not None else _zero(element)
            for index, item in enumerate(value)
        ]
    if not isinstance(value, dict):
        return _refuse(value, path, "object", result)
    if shape == "map":
        element = type_.element()
        return {
            key: _value(below, element, (path, key), result) if below is not None else _zero(element)
            for key, below in value.items()
        }
    return _struct(value, type_, path, result)


def _text(path: _Path) -> str:
    """``spec.containers[0].image``."""
    parts: list[str] = []
    while path is not None:
        path, step = path
        parts.append(f"[{step}]" if isinstance(step, int) else f".{step}")
    return "".join(reversed(parts)).removeprefix(".")


def _scalar(value: JSONValue, type_: ValueType, path: _Path, result: Decoded) -> JSONValue:
    scalar = type_.scalar
    if scalar in _TEXTS and isinstance(value, str):
        return value
    if scalar == "quantity":
        text = None if isinstance(value, bool | dict | list) else canonical(str(value))
        return text if text is not None else _refuse(value, path, "quantity", result)
    if scalar == "intstr":
        if isinstance(value, float) and value.is_integer():
            return int(value)
        return (
            value
            if isinstance(value, int | str) and not isinstance(value, bool)
            else _refuse(value, path, "int or string", result)
        )
    if scalar in ("int", "float"):
        if isinstance(value, int | float) and not isinstance(value, bool):
            return int(value) if scalar == "int" and float(value).is_integer() else value
        return _refuse(value, path, "number", result)
    if scalar == "bool":
        return value if isinstance(value, bool) else _refuse(value, path, "bool", result)
    return value if isinstance(value, str) else _refuse(value, path, "string", result)


def _refuse(value: JSONValue, path: _Path, wanted: str, result: Decoded) -> JSONValue:
    got = {bool: "bool", str: "string", int: "number", float: "number", dict: "object", list: "array"}
    found, place = got.get(type(value), "null"), _text(path)
    result.errors.append(f"json: cannot unmarshal {found} into Go struct field {place} of type {wanted}")
    return value


def _zero(type_: ValueType) -> JSONValue:
    if type_.shape in ("struct", "map"):
        return {}
    if type_.shape == "list":
        return []
    return {"int": 0, "float": 0, "intstr": 0, "bool": False, "quantity": "0"}.get(type_.scalar, "")
