"""A helmfile's text in parts, with the lines that they begin at."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from helmguard.gitops.documents import Document
from helmguard.gitops.helmfile import yaml_text
from helmguard.gitops.helmfile.not_read import NotReadError
from helmguard.manifest.yaml import YAMLError
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


def line_of_release(text: str, name: str) -> int:
    """The line that names a release, 0 where it is not plain."""
    match = re.search(
        rf"^[ \t]*(?:-[ \t]+)?name:[ \t]*[\"']?{re.escape(name)}[\"']?[ \t]*(?:#.*)?$", text, re.M
    )
    return text.count("\n", 0, match.start()) + 1 if match else 0
