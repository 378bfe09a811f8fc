"""How the API server reads a document into its types: what it drops, what it rewrites, what it refuses.

Built-in kinds: unknown fields are dropped (with a warning), null counts as absent, empty values of plain
fields are not stored, quantities get their canonical form. Custom kinds: fields outside the structural
schema are pruned, the schema's defaults are filled in.
"""

from __future__ import annotations

import base64
import re
from functools import cache
from typing import TypeAlias, Union

import msgspec

from helmguard.model.json_value import JSONObject, JSONValue
from helmguard.predict.api_server.quantity import canonical
from helmguard.predict.json_equality import copy_json
from helmguard.predict.schema.builtin_types import struct_type
from helmguard.predict.schema.value_type import ValueType

_Path: TypeAlias = Union["tuple[_Path, str | int]", None]
"""The way down so far and the last step; put in words only where something is to be said."""

_TEXTS = frozenset(["string", "bytes", "time"])
_BASE64 = re.compile(r"(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?[\r\n]*")
_QUANTITY_TEXT = "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'"
_ZEROS: dict[str, JSONValue] = {
    "string": "",
    "int": 0,
    "float": 0,
    "bool": False,
    "intstr": 0,
    "quantity": "0",
}


class Decoded(msgspec.Struct):
    """The document as stored, the unknown fields that went, and what makes the server refuse it."""

    body: JSONObject
    dropped: list[str] = []
    errors: list[str] = []


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
    for name, zero in _always_there(type_.name):
        if name not in stored:
            stored[name] = copy_json(zero)
    return stored


@cache
def _always_there(type_name: str) -> tuple[tuple[str, JSONValue], ...]:
    """The fields of a struct that are stored where a document lacks them, with their zero."""
    type_ = struct_type(type_name)
    found: list[tuple[str, JSONValue]] = []
    for name in type_.field_names():
        child = type_.field(name)
        if child is None or not child.always_written or child.pointer:
            continue
        if child.shape == "struct":
            found.append((name, _struct({}, child, None, Decoded({}))))
        elif child.shape == "scalar" and child.scalar in _ZEROS:
            found.append((name, _ZEROS[child.scalar]))
    return tuple(found)


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
        if scalar == "bytes" and value and not _BASE64.fullmatch(value):
            result.errors.append(f"illegal base64 data at input byte {_illegal_byte(value)}")
        elif scalar == "bytes" and value.endswith(("=", "\n", "\r")):
            # Bits beyond the last byte, and line ends, are not kept.
            return base64.b64encode(base64.b64decode(value)).decode()
        return value
    if scalar == "quantity":
        text = None if isinstance(value, bool | dict | list) else canonical(str(value))
        if text is None:
            result.errors.append(_QUANTITY_TEXT)
        return value if text is None else text
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
            if scalar == "float":
                return value
            return int(value) if float(value).is_integer() else _refuse(value, path, "int32", result)
        return _refuse(value, path, "number", result)
    if scalar == "bool":
        return value if isinstance(value, bool) else _refuse(value, path, "bool", result)
    return value if isinstance(value, str) else _refuse(value, path, "string", result)


def _illegal_byte(text: str) -> int:
    """Where Go's decoder stops reading."""
    match = re.match(r"[A-Za-z0-9+/\r\n]*", text)
    good = match.end() if match else 0
    return good if good < len(text) and text[good] != "=" else max(len(text) - len(text) % 4, 0)


def _refuse(value: JSONValue, path: _Path, wanted: str, result: Decoded) -> JSONValue:
    got = {bool: "bool", str: "string", int: "number", float: "number", dict: "object", list: "array"}
    found, place = got.get(type(value), "null"), _text(path)
    if isinstance(value, float):
        found = f"number {value}"
    result.errors.append(f"json: cannot unmarshal {found} into Go struct field {place} of type {wanted}")
    return value


def _zero(type_: ValueType) -> JSONValue:
    if type_.shape == "struct":
        return _struct({}, type_, None, Decoded({}))
    if type_.shape == "map":
        return {}
    if type_.shape == "list":
        return []
    return _ZEROS.get(type_.scalar, "")
