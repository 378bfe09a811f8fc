"""From libyaml's events straight to Python values, for documents that use nothing unusual.

One flat loop: this is where a manifest of megabytes spends its time.
"""

from __future__ import annotations

import math
from typing import Any

from yaml.events import (
    AliasEvent,
    MappingStartEvent,
    ScalarEvent,
    SequenceStartEvent,
    StreamEndEvent,
)

from helmguard.manifest.goyaml.doubts import Doubts
from helmguard.manifest.goyaml.error import Unusual
from helmguard.manifest.goyaml.keys import key_text
from helmguard.manifest.goyaml.libyaml import new_parser
from helmguard.manifest.goyaml.scalars import resolve_plain
from helmguard.manifest.numbers import Scalar, object_number
from helmguard.model.json_value import JSONValue

# Values of plain scalars and texts of plain keys already met. Both are pure functions of the text, so all
# documents share them; long texts are rarely met twice, and a full table is simply started afresh.
_VALUES: dict[str, Scalar] = {}
_OBJECT_VALUES: dict[str, Scalar] = {}
_KEYS: dict[str, str] = {}
_TABLE_SIZE = 50_000
_LONGEST = 64

_NO_KEY: Any = object()
_UNKNOWN: Any = object()


def build(data: bytes, doubts: Doubts, *, as_object: bool = False) -> JSONValue:
    """The value of the first document of ``data``; with ``as_object`` its numbers are an API object's.

    Raises:
        Unusual: the document needs nodes.
        Doubt: the document may mean something else to Go.
        yaml.YAMLError: libyaml refuses the text; Go need not agree.
    """
    doubts.check_text()
    next_event = new_parser(data).get_event
    next_event()
    start = next_event()
    if type(start) is StreamEndEvent:
        return None
    doubts.check_document_start(start)

    values = _OBJECT_VALUES if as_object else _VALUES
    keys = _KEYS
    root: list[JSONValue] = []
    stack: list[tuple[Any, Any, bool]] = []
    # The open collection: a list has no key, a map waits for one or holds one. flow: between braces or
    # brackets.
    container: Any = root
    key: Any = None
    in_map = False
    flow = False

    while True:
        event = next_event()
        kind = type(event)
        value: JSONValue
        if kind is ScalarEvent:
            if event.anchor is not None or event.tag is not None:
                raise Unusual
            text = event.value
            plain = event.implicit[0]
            if doubts.any:
                doubts.check_scalar(event, flow)
            if in_map and key is _NO_KEY:
                if not plain:
                    key = text
                else:
                    key = keys.get(text) or _learn_key(text)
                continue
            if plain:
                value = values.get(text, _UNKNOWN)
                if value is _UNKNOWN:
                    value = _learn_value(text, values)
            else:
                value = text
        elif kind is MappingStartEvent or kind is SequenceStartEvent:
            if event.anchor is not None or event.tag is not None or key is _NO_KEY:
                raise Unusual
            stack.append((container, key, flow))
            flow = event.flow_style
            in_map = kind is MappingStartEvent
            if in_map:
                container, key = {}, _NO_KEY
            else:
                container, key = [], None
            continue
        elif kind is AliasEvent:
            raise Unusual
        elif not stack:
            doubts.check_document_end(event)
            return root[0]
        else:
            value = container
            container, key, flow = stack.pop()
            in_map = type(container) is dict

        if in_map:
            container[key] = value
            key = _NO_KEY
        else:
            container.append(value)


def _learn_value(text: str, values: dict[str, Scalar]) -> Scalar:
    value = resolve_plain(text)
    if isinstance(value, float) and not math.isfinite(value):
        raise Unusual
    if values is _OBJECT_VALUES:
        value = object_number(value)
    if len(text) <= _LONGEST:
        if len(values) >= _TABLE_SIZE:
            values.clear()
        values[text] = value
    return value


def _learn_key(text: str) -> str:
    if text == "<<":
        raise Unusual
    key = key_text(resolve_plain(text))
    if key is None:
        raise Unusual
    if len(text) <= _LONGEST:
        if len(_KEYS) >= _TABLE_SIZE:
            _KEYS.clear()
        _KEYS[text] = key
    return key
