"""The shape of the rule context: records with documented fields, as CEL and ``--show-context`` see them.

A record is a frozen struct that derives from ``Record``; each field is ``Annotated[type, "what it is"]``.
From these, and from nothing else, come the names that rules may use, the check of those names, the defaults
of examples, and docs/rule-context.md.
"""

from __future__ import annotations

import re
import types
from collections.abc import Mapping
from functools import cache
from typing import Annotated, Any, ClassVar, Literal, TypeAlias, Union, get_args, get_origin, get_type_hints

import msgspec

from helmguard.model.field_change import or_null
from helmguard.model.json_value import JSONValue


class Unknown:
    """The value of a fact that is not known: it is left out of the context, so that CEL gives no answer."""

    _instance: ClassVar[Unknown | None] = None

    def __new__(cls) -> Unknown:
        if cls._instance is None:
            cls._instance = super().__new__(cls)
        return cls._instance

    def __repr__(self) -> str:
        return "UNKNOWN"


UNKNOWN = Unknown()


class Record(msgspec.Struct, frozen=True):
    """Base of all records of the context."""


class Scalar(msgspec.Struct, frozen=True):
    """Text, a number, a boolean; ``words`` are the values it may have, empty where any will do."""

    name: str
    words: tuple[str, ...] = ()


class AnyJSON(msgspec.Struct, frozen=True):
    """Whatever an object or a values file holds: fields of it are not checked."""


class ListOf(msgspec.Struct, frozen=True):
    item: Shape


class MapOf(msgspec.Struct, frozen=True):
    item: Shape


class RecordOf(msgspec.Struct, frozen=True):
    record: type[Record]


Shape: TypeAlias = Scalar | AnyJSON | ListOf | MapOf | RecordOf


class Field(msgspec.Struct, frozen=True):
    """One field of a record: its name in CEL and in Python; a ``fact`` may be unknown."""

    name: str
    attribute: str
    shape: Shape
    doc: str
    fact: bool
    nullable: bool
    default: Any


def fields_of(record: type[Record]) -> dict[str, Field]:
    """The record's fields by the names that rules use, in their order."""
    key: Any = record
    return _fields(key)


@cache
def _fields(record: Any) -> dict[str, Field]:
    hints = get_type_hints(record, include_extras=True)
    found = (_field(entry, hints[entry.name]) for entry in msgspec.structs.fields(record))
    return {field.name: field for field in found}


def plain(value: Any) -> JSONValue:
    """A record as JSON, without what is unknown; MISSING is null. JSON inside is passed on, not copied."""
    if isinstance(value, Record):
        return {
            name: plain(item)
            for name, attribute in _names_of(value)
            if (item := getattr(value, attribute)) is not UNKNOWN
        }
    if isinstance(value, tuple):
        return [plain(item) for item in value]
    if isinstance(value, types.MappingProxyType):
        return {name: plain(item) for name, item in value.items()}
    return or_null(value)


def defaults(record: type[Record]) -> dict[str, JSONValue]:
    """What an example that gives nothing has: every field's default; facts without one are absent."""
    found: dict[str, JSONValue] = {}
    for name, field in fields_of(record).items():
        if field.default is msgspec.NODEFAULT:
            if not field.fact:
                found[name] = _empty(field)
        elif field.default is not UNKNOWN:
            found[name] = plain(field.default)
    return found


def _empty(field: Field) -> JSONValue:
    match field.shape:
        case _ if field.nullable:
            return None
        case ListOf():
            return []
        case MapOf():
            return {}
        case RecordOf(record):
            return defaults(record)
        case Scalar(name, words):
            return words[0] if words else {"string": "", "bool": False, "int": 0, "double": 0.0}[name]
        case _:
            return None


def _names_of(value: Record) -> tuple[tuple[str, str], ...]:
    return _names(type(value))


@cache
def _names(record: type[Record]) -> tuple[tuple[str, str], ...]:
    return tuple((_camel(attribute), attribute) for attribute in record.__struct_fields__)


def _field(entry: Any, hint: Any) -> Field:
    hint, doc = get_args(hint)[:2] if get_origin(hint) is Annotated else (hint, "")
    options = get_args(hint) if get_origin(hint) in (Union, types.UnionType) else (hint,)
    fact = Unknown in options
    nullable = type(None) in options
    kept = [option for option in options if option not in (Unknown, type(None))]
    default = entry.default
    if entry.default_factory is not msgspec.NODEFAULT:
        default = entry.default_factory()
    return Field(
        name=_camel(entry.name),
        attribute=entry.name,
        shape=_shape(kept),
        doc=doc,
        fact=fact,
        nullable=nullable,
        default=default,
    )


def _shape(options: list[Any]) -> Shape:
    if len(options) != 1:
        return AnyJSON()
    option = options[0]
    origin, arguments = get_origin(option), get_args(option)
    if origin is tuple:
        return ListOf(_shape([arguments[0]]))
    if origin in (dict, Mapping) or origin is types.MappingProxyType:
        return MapOf(_shape([arguments[1]]))
    if origin is Literal:
        return Scalar("string", tuple(str(word) for word in arguments))
    if isinstance(option, type) and issubclass(option, Record):
        return RecordOf(option)
    names = {str: "string", bool: "bool", int: "int", float: "double"}
    return Scalar(names[option]) if option in names else AnyJSON()


def _camel(name: str) -> str:
    return re.sub(r"_([a-z0-9])", lambda match: match.group(1).upper(), name)
