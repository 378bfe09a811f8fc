"""YAML as Helm and kubectl read it. The only place in helmguard where YAML is read.

::

    load("replicas: 010\\nn: 1e3\\n")        {"replicas": 8, "false": 1000.0}
    load_object(document)                    the same with numbers as the API machinery sees them
    load_with_positions(text)                the value, and line and column of every key and item
    dump(value)                              text that Go and ``load`` read back as the same value
    go_json(value)                           the JSON text Go writes for it
"""

from __future__ import annotations

from contextlib import suppress
from typing import Any, TypeAlias

import yaml

from helmguard.manifest.goyaml import fast
from helmguard.manifest.goyaml.decode import Decoded, decode
from helmguard.manifest.goyaml.doubts import Doubts
from helmguard.manifest.goyaml.dump import dump
from helmguard.manifest.goyaml.error import Doubt, Unusual, YAMLError
from helmguard.manifest.goyaml.events import events as exact_events
from helmguard.manifest.goyaml.json_text import go_json
from helmguard.manifest.goyaml.libyaml import new_parser
from helmguard.manifest.goyaml.nodes import Node, compose
from helmguard.manifest.numbers import object_number
from helmguard.model.json_value import JSONValue

__all__ = ["YAMLError", "dump", "go_json", "load", "load_object", "load_with_positions"]

Path: TypeAlias = tuple[str | int, ...]


def load(text: str | bytes, *, strict: bool = False) -> JSONValue:
    """The first document of ``text``; None if there is none, or an empty one.

    Integers are ints (int64, then uint64; larger ones are floats), other numbers floats; dates stay text.
    Each call builds its own containers, also where aliases repeat a value.

    Args:
        text: characters, or bytes in UTF-8 or (with a byte order mark) UTF-16.
        strict: refuse keys that are set twice in one map, as ``YAMLToJSONStrict`` does.

    Raises:
        YAMLError: Go refuses the text.
    """
    data = _data(text)
    if not strict:
        with suppress(Doubt, Unusual, yaml.YAMLError):
            return fast.build(data, Doubts(data))
    return _decode(data, strict=strict).value


def load_object(text: str | bytes) -> JSONValue:
    """The first document with numbers as the API machinery holds them (``object_number``): ``1.0`` is 1.

    For what is compared with live objects or sent to the API server. Raises as ``load`` does.
    """
    data = _data(text)
    with suppress(Doubt, Unusual, yaml.YAMLError):
        return fast.build(data, Doubts(data), as_object=True)
    return _with_object_numbers(_decode(data, strict=False).value)


def load_with_positions(
    text: str | bytes, *, strict: bool = False
) -> tuple[JSONValue, dict[Path, tuple[int, int]]]:
    """The first document, and where its parts stand: path -> (line, column), both from 1.

    The place of a map entry is that of its key, the place of a list item that of the item, the place of
    ``()`` that of the whole. What comes from an alias or a merge key stands where it is written out.
    ``strict``: see ``load``.

    Raises:
        YAMLError: Go refuses the text.
    """
    decoded = _decode(_data(text), strict=strict)
    positions: dict[Path, tuple[int, int]] = {(): decoded.place}
    pending: list[tuple[Path, Decoded]] = [((), decoded)]
    while pending:
        path, item = pending.pop()
        if isinstance(item.positions, dict):
            children: Any = ((key, place, child) for key, (place, child) in item.positions.items())
        else:
            children = ((index, child.place, child) for index, child in enumerate(item.positions or ()))
        for step, place, child in children:
            positions[(*path, step)] = place
            if child.positions:
                pending.append(((*path, step), child))
    return decoded.value, positions


def _decode(data: bytes, *, strict: bool) -> Decoded:
    """By way of nodes: libyaml's where they can be trusted; the exact scanner's have the last word."""
    with suppress(Doubt, yaml.YAMLError, YAMLError):
        return _decode_tree(_libyaml_tree(data), strict)
    return _decode_tree(compose(exact_events(data)), strict)


def _decode_tree(root: Node | None, strict: bool) -> Decoded:
    return Decoded(None, (1, 1)) if root is None else decode(root, strict=strict)


def _libyaml_tree(data: bytes) -> Node | None:
    doubts = Doubts(data)
    doubts.check_text()
    parser = new_parser(data)
    parser.get_event()
    start = parser.get_event()
    if isinstance(start, yaml.StreamEndEvent):
        return None
    doubts.check_document_start(start)
    return compose(iter(parser.get_event, None), doubts)


def _with_object_numbers(value: JSONValue) -> JSONValue:
    """Change the numbers inside ``value``, without recursion."""
    root = [value]
    pending: list[Any] = [root]
    while pending:
        container = pending.pop()
        for key, item in list(container.items() if isinstance(container, dict) else enumerate(container)):
            if isinstance(item, dict | list):
                pending.append(item)
            else:
                container[key] = object_number(item)
    return root[0]


def _data(text: str | bytes) -> bytes:
    return text if isinstance(text, bytes) else text.encode("utf-8", errors="surrogatepass")
