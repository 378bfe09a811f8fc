"""Remedies that name a flag of helm, for a repository that has a file of values. Pure."""

from __future__ import annotations

import json
import re
import shlex

from helmguard.manifest import yaml

_SET = re.compile(
    r"(?P<verb>(?:add|give) )?--set(?P<kind>-string|-json)? (?P<word>'[^']*'(?:\"'\"'[^']*')*|\S+)"
)
_ESCAPED = re.compile(r"\\(.)", re.DOTALL)
_TYPED = re.compile(r"true|false|null|0|-?[1-9][0-9]*")
"""What ``--set`` takes for more than a text (strvals ``typedVal``)."""


def in_file(text: str, file: str) -> str:
    """``add --set a.b='x y'`` as ``set a.b: x y in FILE``: each flag of the text that sets a value."""

    def said(found: re.Match[str]) -> str:
        word = found["word"]
        path, equals, value = (shlex.split(word)[0] if word.startswith("'") else word).partition("=")
        if not equals:
            return found[0]
        verb = "set " if found["verb"] else ""
        return f"{verb}{path}: {_as_yaml(found['kind'], value)} in {file}"

    return _SET.sub(said, text)


def _as_yaml(kind: str | None, value: str) -> str:
    if kind == "-json" or (kind is None and (value.startswith("{") or _TYPED.fullmatch(value))):
        return value
    text = _ESCAPED.sub(r"\1", value)
    try:
        is_plain = yaml.load(f"value: {text}") == {"value": text}
    except yaml.YAMLError:
        is_plain = False
    return text if is_plain else json.dumps(text, ensure_ascii=False)
