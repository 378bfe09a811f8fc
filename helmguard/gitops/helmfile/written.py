"""A helmfile's text in parts, with the lines that they begin at."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import Any

from helmguard.gitops.documents import Document
from helmguard.gitops.helmfile import yaml_text
from helmguard.gitops.helmfile.not_read import NotReadError
from helmguard.manifest.yaml import YAMLError, load_with_positions
from helmguard.model.json_value import JSONObject

_SEPARATOR = re.compile(r"^---[ \t]*$", re.MULTILINE)
_BLOCK = r"^{name}:.*(?:\n(?:[ \t#-].*|[ \t]*))*"
_KEY = re.compile(r"^([ \t]+)[\"']?([A-Za-z0-9_.-]+)[\"']?:", re.MULTILINE)


def parts(text: str) -> Iterator[tuple[str, int]]:
    """The parts between lines of ``---``, and how many lines come before each."""
    start, lines = 0, 0
    for match in _SEPARATOR.finditer(text):
        yield text[start : match.start()], lines
        lines = text.count("\n", 0, match.end()) + 1
        start = min(match.end() + 1, len(text))
    yield text[start:], lines


def block(text: str, name: str) -> str:
    """The lines of a key at the top of a part, empty where it has none; the text may be a template yet."""
    match = re.search(_BLOCK.format(name=name), text, re.MULTILINE)
    return match.group() if match else ""


def keys_of_block(text: str) -> list[str]:
    """The keys right below a block's first line."""
    found = _KEY.findall(text)
    return list(dict.fromkeys(name for indent, name in found if indent == found[0][0]))


def document(text: str, written: str, file: str, lines_before: int) -> Document:
    """A part as a document. Where ``text`` is not line by line what is ``written``, it has no lines.

    Raises:
        NotReadError: it is no YAML, or no map.
    """
    body = _map(text, file, lines_before)
    same_lines = text.count("\n") == written.count("\n")
    return Document(body, file, text.encode() if same_lines else b"", lines_before)


def _map(text: str, file: str, lines_before: int) -> JSONObject:
    try:
        body: Any = yaml_text.load(text)
    except YAMLError as error:
        line = f" (line {error.line + lines_before})" if error.line else ""
        raise NotReadError(f"{file} is not YAML{line}") from None
    if body is None:
        return {}
    if not isinstance(body, dict):
        raise NotReadError(f"{file} is no map")
    return body


def item_text(text: bytes, path: tuple[str | int, ...]) -> tuple[bytes, int] | None:
    """An item of a list as a document of its own, and how many lines come before it. What is no item by
    itself (in brackets with others) makes no document, or another one."""
    positions = _positions(text)
    if path not in positions:
        return None
    line, column = positions[path]
    last = max(place[0] for at, place in positions.items() if at[: len(path)] == path)
    after = [place[0] for at, place in positions.items() if place[0] > last and at[: len(path)] != path]
    rows = text.split(b"\n")[line - 1 : min(after) - 1 if after else None]
    indent = len(rows[0].decode("utf-8", errors="replace")[: column - 1])
    return b"\n".join([b" " * indent + rows[0][indent:], *rows[1:]]) + b"\n", line - 1


@lru_cache(maxsize=16)
def _positions(text: bytes) -> dict[tuple[str | int, ...], tuple[int, int]]:
    return load_with_positions(text)[1]


def line_of_release(text: str, name: str) -> int:
    """The line that names a release, 0 where it is not plain."""
    match = re.search(
        rf"^[ \t]*(?:-[ \t]+)?name:[ \t]*[\"']?{re.escape(name)}[\"']?[ \t]*(?:#.*)?$", text, re.M
    )
    return text.count("\n", 0, match.start()) + 1 if match else 0
