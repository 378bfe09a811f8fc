"""Checks that go by Go type, wherever in an object a value of that type stands."""

from __future__ import annotations

from collections.abc import Iterator

from helmguard.model.json_value import JSONObject, JSONValue
from helmguard.predict.api_server.validation.field_rules import (
    EMPTY_IS_FINE,
    EMPTY_IS_REQUIRED,
    ENUMERATIONS,
    IDS,
    MODES,
    NAMES,
    NOT_NEGATIVE,
    REQUIRED,
    UNINDEXED_LISTS,
)
from helmguard.predict.api_server.validation.struct_rules import STRUCT_RULES
from helmguard.predict.api_server.validation.words import invalid, required, unsupported
from helmguard.predict.schema.value_type import ValueType

_LARGEST_ID = 2147483647
_LARGEST_MODE = 0o777
_MAY_BE_EMPTY = frozenset({"ingressClassName"})
"""Fields whose empty text is a value, and a bad one."""
_SKIPPED = frozenset({"status", "apiVersion", "kind"})


def typed_errors(body: JSONObject, type_: ValueType) -> Iterator[str]:
    """The objections to a stored object's fields, from the top down."""
    yield from _struct(body, type_, "")


def _walk(value: JSONValue, type_: ValueType, path: str) -> Iterator[str]:
    if isinstance(value, list):
        element = type_.element()
        if element.shape != "scalar":
            for index, item in enumerate(value):
                yield from _walk(item, element, f"{path}[{index}]")
    elif isinstance(value, dict) and type_.shape == "struct":
        yield from _struct(value, type_, path)
    elif isinstance(value, dict) and type_.shape == "map" and type_.element().shape != "scalar":
        for key, below in value.items():
            yield from _walk(below, type_.element(), f"{path}[{key}]")


def _struct(value: JSONObject, type_: ValueType, path: str) -> Iterator[str]:
    name = type_.name
    prefix = f"{path}." if path else ""
    for field in REQUIRED.get(name, ()):
        if not value.get(field):
            yield required(f"{prefix}{field}")
    for field, allowed in ENUMERATIONS.get(name, {}).items():
        if field in value:
            yield from _enumeration(value[field], allowed, (name, field), f"{prefix}{field}")
    for field in NOT_NEGATIVE.get(name, ()):
        if _number(value.get(field)) < 0:
            yield invalid(f"{prefix}{field}", value[field], "must be greater than or equal to 0")
    for field in IDS.get(name, ()):
        if not 0 <= _number(value.get(field)) <= _LARGEST_ID:
            yield invalid(f"{prefix}{field}", value[field], "must be between 0 and 2147483647, inclusive")
    for field in MODES.get(name, ()):
        if not 0 <= _number(value.get(field)) <= _LARGEST_MODE:
            detail = "must be a number between 0 and 0777 (octal), both inclusive"
            yield invalid(f"{prefix}{field}", value[field], detail)
    for field, rule in NAMES.get(name, {}).items():
        given = value.get(field)
        if given or (given == 0 and _counts_at_zero(name, field)) or (given == "" and field in _MAY_BE_EMPTY):
            yield from (invalid(f"{prefix}{field}", given, problem) for problem in rule(given))
    check = STRUCT_RULES.get(name)
    if check is not None:
        yield from check(value, path)
    for field, below in value.items():
        if (type(below) is dict or type(below) is list) and not (not path and field in _SKIPPED):
            child = type_.field(field)
            if child is not None:
                yield from _walk(below, child, f"{prefix}{field}")


def _counts_at_zero(type_name: str, field: str) -> bool:
    """Whether a zero port is a mistake rather than an absent value."""
    if type_name == "core/v1.ContainerPort":
        return False
    return field in ("port", "targetPort")


def _enumeration(
    given: JSONValue, allowed: tuple[str, ...], where: tuple[str, str], path: str
) -> Iterator[str]:
    if isinstance(given, list):
        for index, item in enumerate(given):
            if item not in allowed:
                here = path if path.rpartition(".")[2] in UNINDEXED_LISTS else f"{path}[{index}]"
                yield unsupported(here, item, allowed)
        return
    if given in allowed or given is None or (given == "" and where in EMPTY_IS_FINE):
        return
    if given == "" and where in EMPTY_IS_REQUIRED:
        yield required(path)
        return
    yield unsupported(path, given, allowed)


def _number(value: JSONValue) -> float:
    return value if isinstance(value, int | float) and not isinstance(value, bool) else 0
