"""Paths into objects and values, and how they are written."""

from __future__ import annotations

import json
import re
from typing import TypeAlias

import msgspec

_PLAIN_KEY = re.compile(r"[A-Za-z0-9_$][A-Za-z0-9_$/-]*$")


class ItemKey(msgspec.Struct, frozen=True):
    """A list item found by its merge key: ``(("port", 53), ("protocol", "UDP"))``."""

    fields: tuple[tuple[str, str | int | float | bool | None], ...]

    def __str__(self) -> str:
        return ",".join(f"{name}={value}" for name, value in self.fields)


PathStep: TypeAlias = str | int | ItemKey
FieldPath: TypeAlias = tuple[PathStep, ...]


def format_path(path: FieldPath) -> str:
    """``spec.containers[name=web].ports[0]``; keys that would be read otherwise are quoted in brackets."""
    text = ""
    for step in path:
        if isinstance(step, str):
            if _PLAIN_KEY.match(step):
                text += f".{step}" if text else step
            else:
                text += f"[{json.dumps(step, ensure_ascii=False)}]"
        else:
            text += f"[{step}]"
    return text
