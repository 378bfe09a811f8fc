"""Fields of a document that the server's schema does not have: it drops them, or refuses the document."""

from __future__ import annotations

from collections.abc import Iterator

from helmguard.model.json_value import JSONObject, JSONValue
from helmguard.predict.schema.value_type import ValueType


def undeclared_fields(document: JSONObject, root: ValueType) -> Iterator[str]:
    """The paths, ``spec.items[0].size``; nothing below one that is undeclared itself. Nulls say nothing."""
    if root.shape == "struct":
        yield from _walk(document, root, "")


def refused_nulls(document: JSONObject, root: ValueType) -> Iterator[str]:
    """The paths of nulls where the schema of a custom resource wants a value; metadata is left out."""
    for name, below in document.items():
        child = root.child(name)
        if name not in ("apiVersion", "kind", "metadata") and child is not None:
            yield from _nulls(below, child, name)


def _nulls(value: JSONValue, type_: ValueType, path: str) -> Iterator[str]:
    if value is None:
        if not type_.nullable and type_.shape != "any" and type_.default is None:
            yield path
    elif isinstance(value, dict):
        for name, below in value.items():
            child = type_.child(name)
            if child is not None and (below is None or isinstance(below, dict | list)):
                yield from _nulls(below, child, f"{path}.{name}")
    elif isinstance(value, list) and type_.shape == "list":
        for index, item in enumerate(value):
            if item is None or isinstance(item, dict | list):
                yield from _nulls(item, type_.element(), f"{path}[{index}]")


def _walk(value: JSONValue, type_: ValueType, path: str) -> Iterator[str]:
    if isinstance(value, dict):
        if type_.shape == "map":
            element = type_.element()
            for name, below in value.items():
                if isinstance(below, dict | list):
                    yield from _walk(below, element, f"{path}.{name}" if path else name)
        if type_.shape != "struct":
            return
        for name, below in value.items():
            child = type_.child(name)
            here = f"{path}.{name}" if path else name
            if child is None or child.known_to == "helm":
                if below is not None:
                    yield here
            elif isinstance(below, dict | list):
                yield from _walk(below, child, here)
    elif isinstance(value, list) and type_.shape == "list":
        element = type_.element()
        for index, item in enumerate(value):
            if isinstance(item, dict | list):
                yield from _walk(item, element, f"{path}[{index}]")
