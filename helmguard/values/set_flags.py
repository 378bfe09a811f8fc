"""The flag that sets one value: the way back from a path and a value to a word that Helm reads so."""

from __future__ import annotations

import json
import re
from typing import Any

from helmguard.values.set_words import typed_value
from helmguard.values.table import ValuePath, to_json

_ESCAPED_IN_KEYS = re.compile(r"[\\=\[,.]")
_ESCAPED_IN_VALUES = re.compile(r"[\\,]")


def set_flag(path: ValuePath, value: Any) -> tuple[str, str]:
    """The flag and its word: ``("--set", "driver.enabled=false")``.

    Texts that ``--set`` would type (``"true"``, ``"8080"``) get ``--set-string``; fractions, lists and
    tables ``--set-json``. An empty key cannot be set with a flag; it is left out, as Helm leaves it out.
    """
    key = _key(path)
    value = to_json(value)
    if value is None:
        return "--set", f"{key}=null"
    if isinstance(value, bool):
        return "--set", f"{key}={'true' if value else 'false'}"
    if isinstance(value, int) and -(2**63) <= value < 2**63:
        return "--set", f"{key}={value}"
    if not isinstance(value, str):
        return "--set-json", f"{key}={json.dumps(value, ensure_ascii=False)}"
    word = f"{key}={_ESCAPED_IN_VALUES.sub(_escape, value)}"
    if value.startswith("{"):
        return "--set-json", f"{key}={json.dumps(value, ensure_ascii=False)}"
    return ("--set" if typed_value(value) == value else "--set-string"), word


def _key(path: ValuePath) -> str:
    text = ""
    for step in path:
        if isinstance(step, int):
            text += f"[{step}]"
        else:
            text += ("." if text else "") + _ESCAPED_IN_KEYS.sub(_escape, step)
    return text


def _escape(match: re.Match[str]) -> str:
    return "\\" + match.group()
