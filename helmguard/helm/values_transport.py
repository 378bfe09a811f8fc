"""Values on their way into helm: Helm holds exactly these, number types included, and nobody else sees them.

Everything goes through one values document on stdin, where Go makes every number a float64. The integers that
Helm holds as int64 (only ``--set`` makes them) follow as ``--set path=number`` on top: a number is all that
the list of processes ever shows of a value, and only one that the user typed with ``--set``, too.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

from helmguard.model.json_value import JSONObject
from helmguard.values.table import ValuePath

_MAX_NESTING = 30
_MAX_INDEX = 65536
_LONGEST_KEY = 900
"""YAML limits a key written in quotes on one line to 1,024 characters."""

# What YAML does not take as it is, or reads as a line break, inside double quotes.
_UNPRINTABLE = re.compile("[\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff\ud800-\udfff]")
_SPECIAL_IN_SET = re.compile(r"([\\.,=\[\]])")


class NotTransportableError(Exception):
    """The values cannot be handed over exactly; the text says why."""


def values_document(values: JSONObject) -> bytes:
    """The values as a document that Helm reads from a values file or from chart defaults.

    A Python int becomes a number that Go reads as float64.

    Raises:
        NotTransportableError: a key is too long for YAML.
    """
    _check_keys(values)
    text = json.dumps(values, ensure_ascii=False, allow_nan=False)
    return _UNPRINTABLE.sub(_escaped, text).encode()


def value_words(values: JSONObject) -> tuple[list[str], bytes | None]:
    """The words of a helm command that hand the values over, and what goes to its stdin.

    Raises:
        NotTransportableError: as `values_document` and `integer_words`.
    """
    if not values:
        return [], None
    return ["--values=-", *integer_words(values)], values_document(values)


def integer_words(values: JSONObject) -> list[str]:
    """``--set path=number`` for every Python int among the values.

    Raises:
        NotTransportableError: a path that ``--set`` cannot express.
    """
    words: list[str] = []
    for path, number in _integers(values, ()):
        words += ["--set", f"{_set_path(path)}={number}"]
    return words


def _escaped(match: re.Match[str]) -> str:
    return f"\\u{ord(match[0]):04x}"


def _check_keys(value: Any) -> None:
    if isinstance(value, dict):
        for key, item in value.items():
            if len(key) > _LONGEST_KEY:
                raise NotTransportableError("a key of the values is too long for a values file")
            _check_keys(item)
    elif isinstance(value, list):
        for item in value:
            _check_keys(item)


def _integers(value: Any, path: ValuePath) -> Iterator[tuple[ValuePath, int]]:
    if isinstance(value, dict):
        for key, item in value.items():
            yield from _integers(item, (*path, key))
    elif isinstance(value, list):
        for index, item in enumerate(value):
            yield from _integers(item, (*path, index))
    elif isinstance(value, int) and not isinstance(value, bool):
        yield path, value


def _set_path(path: ValuePath) -> str:
    if sum(isinstance(step, str) for step in path) > _MAX_NESTING:
        raise NotTransportableError("an integer lies too deep for --set")
    text = ""
    for step in path:
        if isinstance(step, int):
            if step > _MAX_INDEX:
                raise NotTransportableError("an integer stands too far back in a list for --set")
            text += f"[{step}]"
        elif step == "":
            raise NotTransportableError("an integer stands under an empty key, which --set cannot name")
        else:
            text += ("." if text else "") + _SPECIAL_IN_SET.sub(r"\\\1", step)
    return text
