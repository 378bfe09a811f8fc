"""What server-side apply refuses before it merges: undeclared fields, wrong types, duplicate list keys.

Follows sigs.k8s.io/structured-merge-diff v6 typed/validate.go.
"""

from __future__ import annotations

from helmguard.model.json_value import JSONObject, JSONValue
from helmguard.predict.field_set import format_fields_path
from helmguard.predict.schema.value_type import ValueType
from helmguard.predict.typed_value import item_key

_EXPECTED = {"string": str, "bytes": str, "time": str, "bool": bool, "int": int | float, "float": int | float}


def apply_schema_errors(applied: JSONObject, type_: ValueType) -> list[str]:
    """The errors in the API server's words, each with its path; empty for a valid document."""
    errors: list[str] = []
    _check(applied, type_, "", errors)
    return errors


def schema_error_text(namespace: str, name: str, api_version: str, kind: str, errors: list[str]) -> str:
    """The message the API server refuses the document with."""
    group_version = api_version if "/" in api_version else f"/{api_version}"
    text = errors[0] if len(errors) == 1 else "errors:\n" + "\n".join(f"  {error}" for error in errors)
    return f"failed to create typed patch object ({namespace}/{name}; {group_version}, Kind={kind}): {text}"


def _check(value: JSONValue, type_: ValueType, path: str, errors: list[str]) -> None:
    if value is None or type_.shape == "any":
        return
    if type_.shape == "scalar":
        _check_scalar(value, type_, path, errors)
    elif type_.shape == "list":
        if not isinstance(value, list):
            errors.append(f"{path}: expected list, got {_go_type(value)}")
            return
        _check_items(value, type_, path, errors)
    elif not isinstance(value, dict):
        errors.append(f"{path}: expected map, got {_go_type(value)}")
    else:
        for key, below in value.items():
            child = type_.child(key)
            if child is None or child.known_to == "helm":
                errors.append(f"{path}.{key}: field not declared in schema")
                # The API server stops at the first undeclared field of a map.
                return
            _check(below, child, f"{path}.{key}", errors)


def _check_items(items: list[JSONValue], type_: ValueType, path: str, errors: list[str]) -> None:
    seen: set[str] = set()
    for index, item in enumerate(items):
        if type_.list_type == "atomic":
            here = f"{path}[{index}]"
        else:
            problem = _key_problem(item, type_)
            if problem:
                errors.append(f"{path}: element {index}: {problem}")
                return
            key = item_key(item, type_)
            here = path + format_fields_path((key,))
            if key in seen:
                errors.append(f"{path}: duplicate entries for key {format_fields_path((key,))}")
            seen.add(key)
        _check(item, type_.element(), here, errors)


def _key_problem(item: JSONValue, type_: ValueType) -> str:
    if type_.list_type == "set":
        if item is None:
            return "associative list without keys has an element that's an explicit null"
        return (
            "associative list without keys has an element that's a map type" if isinstance(item, dict) else ""
        )
    if item is None:
        return "associative list with keys may not have a null element"
    if not isinstance(item, dict):
        return "associative list with keys may not have non-map elements"
    if item_key(item, type_) == "k:{}":
        keys = " ".join(f'"{key}"' for key in type_.list_keys)
        return (
            f"associative list with keys has an element that omits all key fields [{keys}] "
            "(and doesn't have default values for any key fields)"
        )
    return ""


def _check_scalar(value: JSONValue, type_: ValueType, path: str, errors: list[str]) -> None:
    if type_.scalar in ("intstr", "quantity"):
        if isinstance(value, dict | list | bool):
            errors.append(f"{path}: expected any scalar, got {_go_value(value)}")
        return
    expected = _EXPECTED.get(type_.scalar)
    if expected is None:
        return
    if isinstance(value, expected) and isinstance(value, bool) == (type_.scalar == "bool"):
        return
    if type_.scalar in ("int", "float"):
        errors.append(f"{path}: expected numeric (int or float), got {_go_type(value)}")
    elif type_.scalar == "bool":
        errors.append(f"{path}: expected boolean, got {_go_value(value)}")
    else:
        errors.append(f"{path}: expected string, got {_go_value(value)}")


def _go_type(value: JSONValue) -> str:
    if isinstance(value, bool):
        return "bool"
    names = {
        str: "string",
        int: "int64",
        float: "float64",
        dict: "map[string]interface {}",
        list: "[]interface {}",
    }
    return names.get(type(value), "nil")


def _go_value(value: JSONValue) -> str:
    if isinstance(value, bool):
        return f"&value.valueUnstructured{{Value:{str(value).lower()}}}"
    return f"&value.valueUnstructured{{Value:{value!r}}}"
