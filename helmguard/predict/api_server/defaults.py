"""Fill in the defaults of a built-in object, from the top down."""

from __future__ import annotations

from helmguard.model.json_value import JSONObject, JSONValue
from helmguard.predict.api_server.conditional_defaults import CONDITIONAL_DEFAULTS
from helmguard.predict.api_server.constant_defaults import CONSTANT_DEFAULTS
from helmguard.predict.json_equality import copy_json
from helmguard.predict.schema.value_type import ValueType


def fill_defaults(body: JSONObject, type_: ValueType) -> None:
    """Complete a decoded object in place."""
    _fill(body, type_)


def _fill(value: JSONValue, type_: ValueType) -> None:
    if isinstance(value, list):
        element = type_.element()
        for item in value:
            _fill(item, element)
    elif isinstance(value, dict) and type_.shape == "map":
        element = type_.element()
        if element.shape != "scalar":
            for below in value.values():
                _fill(below, element)
    elif isinstance(value, dict) and type_.shape == "struct":
        _fill_struct(value, type_)


def _fill_struct(value: JSONObject, type_: ValueType) -> None:
    for name, default in CONSTANT_DEFAULTS.get(type_.name, {}).items():
        given = value.get(name)
        if given is None or (given == "" and not _is_pointer(type_, name)):
            value[name] = copy_json(default)
    complete = CONDITIONAL_DEFAULTS.get(type_.name)
    if complete is not None:
        complete(value)
    for name, below in value.items():
        if type(below) is dict or type(below) is list:
            child = type_.field(name)
            if child is not None:
                _fill(below, child)


def _is_pointer(type_: ValueType, name: str) -> bool:
    """Whether an empty text is a value of its own."""
    child = type_.field(name)
    return child is not None and child.pointer
