"""How the API server stores a custom resource: pruned, defaulted and validated by its structural schema.

Source: k8s.io/apiextensions-apiserver@v0.36.3 pkg/apiserver/schema (pruning, defaulting, listtype) and the
validation messages of k8s.io/kube-openapi pkg/validation.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator

from helmguard.model.json_value import JSONObject, JSONValue
from helmguard.predict.json_equality import copy_json, json_equal
from helmguard.predict.schema.value_type import ValueType


def prune_and_default(
    body: JSONObject, root: ValueType, *, keep_nulls: bool, dropped: list[str]
) -> JSONObject:
    """The object without undeclared fields and with the schema's defaults.

    Nulls of fields that are not nullable go too, unless ``keep_nulls``. The paths of undeclared fields are
    added to ``dropped``.
    """
    stored: JSONObject = {}
    for key, value in body.items():
        if key in ("apiVersion", "kind", "metadata"):
            stored[key] = copy_json(value)
        elif (child := root.child(key)) is None:
            dropped.append(key)
        elif value is not None or keep_nulls or child.nullable or child.shape == "any":
            stored[key] = _prune(value, child, key, keep_nulls, dropped)
    _fill(stored, root)
    return stored


def _prune(value: JSONValue, type_: ValueType, path: str, keep_nulls: bool, dropped: list[str]) -> JSONValue:
    if isinstance(value, dict) and type_.shape in ("struct", "map"):
        kept = {}
        for key, below in value.items():
            child, here = type_.child(key), f"{path}.{key}"
            if child is None:
                dropped.append(here)
            elif below is not None or keep_nulls or child.nullable or child.shape == "any":
                kept[key] = _prune(below, child, here, keep_nulls, dropped)
        return kept
    if isinstance(value, list) and type_.shape == "list":
        element = type_.element()
        return [
            _prune(item, element, f"{path}[{index}]", keep_nulls, dropped) for index, item in enumerate(value)
        ]
    return copy_json(value)


def _fill(value: JSONValue, type_: ValueType) -> None:
    if isinstance(value, dict) and type_.shape == "struct":
        for name in type_.field_names():
            child = type_.field(name)
            if child is None or child.default is None or name in ("apiVersion", "kind", "metadata"):
                continue
            if name not in value or (value[name] is None and not child.nullable):
                value[name] = copy_json(child.default)
    if isinstance(value, dict):
        for name, below in value.items():
            child = type_.child(name)
            if child is not None and isinstance(below, dict | list):
                _fill(below, child)
    elif isinstance(value, list) and type_.shape == "list":
        for item in value:
            _fill(item, type_.element())


def validation_errors(body: JSONObject, root: ValueType) -> list[str]:
    """The errors in the API server's words, ``spec.x: Invalid value: ...``."""
    errors: list[str] = []
    for key, value in body.items():
        if key not in ("apiVersion", "kind", "metadata") and (child := root.child(key)) is not None:
            errors.extend(_errors(value, child, key))
    errors.extend(
        f"{name}: Required value" for name in (root.schema or {}).get("required", []) if name not in body
    )
    return errors


def _errors(value: JSONValue, type_: ValueType, path: str) -> Iterator[str]:
    schema = type_.schema or {}
    if value is None:
        if not type_.nullable and type_.shape != "any":
            wanted = "integer,string" if type_.scalar == "intstr" else schema.get("type", "object")
            yield f'{path}: Invalid value: "null": {path} in body must be of type {wanted}: "null"'
        return
    if not _has_type(value, type_):
        got = _json_type(value)
        wanted = schema.get("type", "object")
        yield f'{path}: Invalid value: "{got}": {path} in body must be of type {wanted}: "{got}"'
        return
    yield from _constraint_errors(value, schema, path)
    if isinstance(value, dict):
        for name in schema.get("required") or []:
            if name not in value:
                yield f"{path}.{name}: Required value"
        for key, below in value.items():
            child = type_.child(key)
            if child is not None:
                yield from _errors(below, child, f"{path}.{key}")
    elif isinstance(value, list):
        element = type_.element()
        for index, item in enumerate(value):
            yield from _errors(item, element, f"{path}[{index}]")
        yield from _list_errors(value, type_, path)


def _constraint_errors(value: JSONValue, schema: JSONObject, path: str) -> Iterator[str]:
    if "enum" in schema and not any(json_equal(value, allowed) for allowed in schema["enum"]):
        allowed = ", ".join(_shown(one) for one in schema["enum"])
        yield f"{path}: Unsupported value: {_shown(value)}: supported values: {allowed}"
    if isinstance(value, int | float) and not isinstance(value, bool):
        if "minimum" in schema and value < schema["minimum"]:
            low = schema["minimum"]
            yield (f"{path}: Invalid value: {value}: {path} in body should be greater than or equal to {low}")
        if "maximum" in schema and value > schema["maximum"]:
            high = schema["maximum"]
            yield f"{path}: Invalid value: {value}: {path} in body should be less than or equal to {high}"
    if isinstance(value, str):
        if "pattern" in schema and not _matches(schema["pattern"], value):
            shown = _shown(value)
            yield f"{path}: Invalid value: {shown}: {path} in body should match '{schema['pattern']}'"
        form = _FORMATS.get(schema.get("format", ""))
        if form is not None and not re.fullmatch(form, value):
            kind = schema["format"]
            shown = _shown(value)
            yield f"{path}: Invalid value: {shown}: {path} in body must be of type {kind}: {shown}"
        if "minLength" in schema and len(value) < schema["minLength"]:
            yield (
                f"{path}: Invalid value: {_shown(value)}: {path} in body should be at least "
                f"{schema['minLength']} chars long"
            )
        if "maxLength" in schema and len(value) > schema["maxLength"]:
            yield f"{path}: Too long: may not be more than {schema['maxLength']} bytes"
    if isinstance(value, list):
        if "minItems" in schema and len(value) < schema["minItems"]:
            yield (
                f"{path}: Invalid value: {len(value)}: {path} in body should have at least "
                f"{schema['minItems']} items"
            )
        if "maxItems" in schema and len(value) > schema["maxItems"]:
            yield f"{path}: Too many: {len(value)}: must have at most {schema['maxItems']} items"


_FORMATS = {
    "date-time": r"\d{4}-\d{2}-\d{2}[Tt ]\d{2}:\d{2}:\d{2}(\.\d+)?([Zz]|[+-]\d{2}:\d{2})",
    "date": r"\d{4}-\d{2}-\d{2}",
    "uuid": r"(?i)[0-9a-f]{8}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{12}",
    "ipv4": r"(\d{1,3}\.){3}\d{1,3}",
}


def _shown(value: JSONValue) -> str:
    return json.dumps(value, ensure_ascii=False)


def _matches(pattern: str, value: str) -> bool:
    try:
        return re.search(pattern, value) is not None
    except re.error:
        # A Go pattern that Python cannot read decides nothing.
        return True


def _list_errors(items: list[JSONValue], type_: ValueType, path: str) -> Iterator[str]:
    if type_.list_type not in ("set", "map"):
        return
    seen: list[JSONValue] = []
    for index, item in enumerate(items):
        if type_.list_type == "map":
            if not isinstance(item, dict):
                continue
            key: JSONValue = {name: item[name] for name in type_.list_keys if name in item}
        else:
            key = item
        if any(json_equal(key, other) for other in seen):
            yield f"{path}[{index}]: Duplicate value: {json.dumps(key, separators=(',', ':'))}"
        seen.append(key)


def _has_type(value: JSONValue, type_: ValueType) -> bool:
    if type_.shape == "any":
        return True
    if type_.shape in ("struct", "map"):
        return isinstance(value, dict)
    if type_.shape == "list":
        return isinstance(value, list)
    if isinstance(value, bool):
        return type_.scalar == "bool"
    if type_.scalar == "int":
        return isinstance(value, int) or (isinstance(value, float) and value.is_integer())
    wanted = {"string": str, "float": int | float, "intstr": int | str, "bool": bool}.get(
        type_.scalar, object
    )
    return isinstance(value, wanted)


def _json_type(value: JSONValue) -> str:
    if isinstance(value, bool):
        return "boolean"
    names = {str: "string", int: "integer", float: "number", dict: "object", list: "array"}
    return names.get(type(value), "null")
