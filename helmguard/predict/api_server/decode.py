"""How the API server reads a document into its types: what it drops, what it rewrites, what it refuses.

Built-in kinds: unknown fields are dropped (with a warning), null counts as absent, empty values of plain
fields are not stored, quantities get their canonical form. Custom kinds: fields outside the structural
schema are pruned, the schema's defaults are filled in.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from helmguard.model.json_value import JSONObject, JSONValue
from helmguard.predict.api_server.quantity import canonical
from helmguard.predict.json_equality import copy_json
from helmguard.predict.schema.value_type import ValueType


@dataclass(slots=True)
class Decoded:
    """The document as stored, the unknown fields that went, and what makes the server refuse it."""

    body: JSONObject
    dropped: list[str] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)


def decode_builtin(document: JSONObject, type_: ValueType) -> Decoded:
    """Read a document of a built-in kind."""
    result = Decoded({})
    result.body = _struct(document, type_, "", result)
    return result


def _struct(value: JSONObject, type_: ValueType, path: str, result: Decoded) -> JSONObject:
    stored: JSONObject = {}
    for key, below in value.items():
        child = type_.field(key)
        here = f"{path}.{key}" if path else key
        if child is None or child.known_to == "helm":
            result.dropped.append(here)
            continue
        if below is None:
            continue
        decoded = _value(below, child, here, result)
        if child.always_written or child.pointer or not _is_empty(decoded):
            # An empty list comes back from storage as null.
            stored[key] = None if decoded == [] and not child.pointer else decoded
    for name in type_.field_names():
        child = type_.field(name)
        if child is not None and child.shape == "struct" and child.always_written and not child.pointer:
            stored.setdefault(name, {})
    return stored


def _value(value: JSONValue, type_: ValueType, path: str, result: Decoded) -> JSONValue:
    if type_.shape == "any":
        return copy_json(value)
    if type_.shape == "scalar":
        return _scalar(value, type_, path, result)
    if type_.shape == "list":
        if not isinstance(value, list):
            return _refuse(value, path, "list", result)
        element = type_.element()
        return [
            _value(item, element, f"{path}[{index}]", result) if item is not None else _zero(element)
            for index, item in enumerate(value)
        ]
    if not isinstance(value, dict):
        return _refuse(value, path, "object", result)
    if type_.shape == "map":
        element = type_.element()
        return {
            key: _value(below, element, f"{path}.{key}", result) if below is not None else _zero(element)
            for key, below in value.items()
        }
    return _struct(value, type_, path, result)


def _scalar(value: JSONValue, type_: ValueType, path: str, result: Decoded) -> JSONValue:
    scalar = type_.scalar
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


def _refuse(value: JSONValue, path: str, wanted: str, result: Decoded) -> JSONValue:
    got = {bool: "bool", str: "string", int: "number", float: "number", dict: "object", list: "array"}
    result.errors.append(
        f"json: cannot unmarshal {got.get(type(value), 'null')} into Go struct field {path} of type {wanted}"
    )
    return value


def _zero(type_: ValueType) -> JSONValue:
    if type_.shape in ("struct", "map"):
        return {}
    if type_.shape == "list":
        return []
    return {"int": 0, "float": 0, "intstr": 0, "bool": False, "quantity": "0"}.get(type_.scalar, "")


def _is_empty(value: JSONValue) -> bool:
    return (
        value is None or value is False or value in ("", 0) or (isinstance(value, dict | list) and not value)
    )
