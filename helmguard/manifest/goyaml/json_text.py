"""The text Go's ``encoding/json`` (1.26) writes: sorted keys, HTML characters escaped, Go's numbers.

Nothing here recurses, so depth is no danger.
"""

from __future__ import annotations

import math
import re

from helmguard.manifest.goyaml.error import YAMLError
from helmguard.manifest.numbers import json_number
from helmguard.model.json_value import JSONValue

_ESCAPED = re.compile('[\x00-\x1f"\\\\<>&\u2028\u2029]')
_SHORT_ESCAPES = {'"': '\\"', "\\": "\\\\", "\b": "\\b", "\f": "\\f", "\n": "\\n", "\r": "\\r", "\t": "\\t"}


def go_json(value: JSONValue) -> str:
    """``value`` as Go's ``json.Marshal`` writes it.

    Raises:
        YAMLError: NaN or an infinity, which JSON has not.
    """
    parts: list[str] = []
    # What is still to be written, last first: a value, or text ready to go out.
    pending: list[tuple[bool, JSONValue]] = [(True, value)]
    while pending:
        is_value, item = pending.pop()
        if not is_value:
            parts.append(item)
        elif isinstance(item, dict):
            pending += reversed(_object_steps(item))
        elif isinstance(item, list):
            pending += reversed(_array_steps(item))
        else:
            parts.append(_scalar(item))
    return "".join(parts)


def _object_steps(value: dict[str, JSONValue]) -> list[tuple[bool, JSONValue]]:
    steps: list[tuple[bool, JSONValue]] = [(False, "{")]
    for count, key in enumerate(sorted(value)):
        steps.append((False, ("," if count else "") + _string(key) + ":"))
        steps.append((True, value[key]))
    steps.append((False, "}"))
    return steps


def _array_steps(value: list[JSONValue]) -> list[tuple[bool, JSONValue]]:
    steps: list[tuple[bool, JSONValue]] = [(False, "[")]
    for count, item in enumerate(value):
        if count:
            steps.append((False, ","))
        steps.append((True, item))
    steps.append((False, "]"))
    return steps


def _scalar(value: JSONValue) -> str:
    if value is None:
        return "null"
    if value is True:
        return "true"
    if value is False:
        return "false"
    if isinstance(value, str):
        return _string(value)
    if isinstance(value, float) and not math.isfinite(value):
        raise YAMLError("json: unsupported value: " + ("NaN" if math.isnan(value) else "an infinity"))
    return json_number(value)


def _string(text: str) -> str:
    return '"' + _ESCAPED.sub(_escape, text) + '"'


def _escape(match: re.Match[str]) -> str:
    character = match.group()
    return _SHORT_ESCAPES.get(character) or f"\\u{ord(character):04x}"
