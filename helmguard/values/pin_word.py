"""The flag that sets a value as it was, to paste into a shell."""

from __future__ import annotations

import json
import re
import shlex

from helmguard.model.field_path import FieldPath
from helmguard.model.json_value import JSONValue

_TYPED_BY_SET = re.compile(r"true|false|null|0|-?[1-9]\d*")


def pin_word(path: FieldPath, value: JSONValue) -> str:
    """``--set driver.enabled=false``: the shortest flag that gives exactly this value and type."""
    name = _set_path(path)
    if isinstance(value, str):
        flag = "--set-string" if _TYPED_BY_SET.fullmatch(value) else "--set"
        return f"{flag} {shlex.quote(f'{name}={_escaped(value)}')}"
    if isinstance(value, bool) or value is None:
        return f"--set {shlex.quote(f'{name}={json.dumps(value)}')}"
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    if isinstance(value, int):
        return f"--set {shlex.quote(f'{name}={value}')}"
    return f"--set-json {shlex.quote(f'{name}={json.dumps(value, ensure_ascii=False)}')}"


def _set_path(path: FieldPath) -> str:
    text = ""
    for step in path:
        if isinstance(step, str):
            key = re.sub(r"([\\.,=\[\]{}])", r"\\\1", step)
            text += f".{key}" if text else key
        else:
            text += f"[{step}]"
    return text


def _escaped(value: str) -> str:
    """A text as the value of ``--set``: commas end it, braces at its start make a list."""
    text = value.replace("\\", "\\\\").replace(",", "\\,")
    return f"\\{text}" if text.startswith("{") else text
