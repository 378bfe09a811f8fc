"""The server's turns of phrase (k8s.io/apimachinery pkg/util/validation/field)."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator

from helmguard.model.json_value import JSONValue


def required(path: str, detail: str = "") -> str:
    """``path: Required value``."""
    return f"{path}: Required value: {detail}" if detail else f"{path}: Required value"


def invalid(path: str, value: JSONValue, detail: str) -> str:
    """``path: Invalid value: ...: detail``."""
    return f"{path}: Invalid value: {compact(value)}: {detail}"


def forbidden(path: str, detail: str) -> str:
    """``path: Forbidden: detail``."""
    return f"{path}: Forbidden: {detail}"


def unsupported(path: str, value: JSONValue, supported: Iterable[str]) -> str:
    """``path: Unsupported value: ...: supported values: ...``."""
    return f"{path}: Unsupported value: {compact(value)}: supported values: " + ", ".join(
        f'"{one}"' for one in supported
    )


def duplicates(path: str, values: Iterable[JSONValue], suffix: str = "") -> Iterator[str]:
    """One refusal for each value that was there before; ``None`` and empty ones do not count."""
    seen: list[JSONValue] = []
    for index, value in enumerate(values):
        if value in (None, ""):
            continue
        if value in seen:
            yield f"{path}[{index}]{suffix}: Duplicate value: {compact(value)}"
        seen.append(value)


def compact(value: JSONValue) -> str:
    """JSON as Go prints it in messages."""
    return json.dumps(value, separators=(",", ":"), ensure_ascii=False)
