"""Where kustomize reads a document otherwise than Helm does.

``yes``, ``no``, ``on``, ``off``, ``y`` and ``n`` are texts to kustomize (go-yaml v3), truth values to Helm.
And a merge patch drops the entries of an object that have no value written (``key:``), wherever in it they
stand outside of lists; it keeps those that say ``null``. Both were found by running kustomize 5.5.
"""

from __future__ import annotations

import re

from helmguard.gitops.documents import Document
from helmguard.manifest import yaml
from helmguard.model.json_value import JSONObject, JSONValue

_WORD = re.compile(r"(?:y|Y|n|N|yes|Yes|YES|no|No|NO|on|On|ON|off|Off|OFF)(?=[\s,\]}:]|\Z)")
_MAY_HAVE_WORDS = re.compile(
    rb"(?:^|[\s\[{,])(?:[yYnN]|yes|Yes|YES|no|No|NO|on|On|ON|off|Off|OFF)[ \t]*(?:[,\]}:#]|$)", re.M
)
_KEY = re.compile(r"(?:\"(?:\\.|[^\"\\])*\"|'(?:''|[^'])*'|[^:\n]+?)[ \t]*:(?=\s|\Z)")
_PROPERTIES = re.compile(r"[ \t]*(?:[&!][^\s]*[ \t]+)*")
_NOTHING = re.compile(r"(?:[ \t]*[&!][^\s]*)*[ \t]*(?:#.*)?")

Path = tuple[str | int, ...]


class _Written:
    """How a document's scalars are written."""

    def __init__(self, text: bytes) -> None:
        self._lines = text.decode("utf-8", errors="replace").split("\n")
        self._places = yaml.load_with_positions(text)[1]

    def at(self, path: Path) -> str:
        """The rest of the line from a map's key or a list's item on."""
        line, column = self._places.get(path, (0, 0))
        return self._lines[line - 1][column - 1 :] if 0 < line <= len(self._lines) else ""

    def value_at(self, path: Path) -> str:
        """The rest of the line after the key, or from the item on."""
        rest = self.at(path)
        if path and isinstance(path[-1], str):
            key = _KEY.match(rest)
            return rest[key.end() :] if key else rest
        return rest


def as_kustomize_reads(document: Document) -> Document:
    """The document with the words that are texts to kustomize as texts."""
    if not _MAY_HAVE_WORDS.search(document.text):
        return document
    body = _with_words(document.body, (), _Written(document.text))
    return document if body == document.body else document.altered_to(body)


def _with_words(value: JSONValue, path: Path, written: _Written) -> JSONValue:
    if isinstance(value, dict):
        fields = {}
        for key, item in value.items():
            name = key
            if key in ("true", "false"):
                word = _WORD.match(written.at((*path, key)))
                name = word[0] if word else key
            fields[name] = _with_words(item, (*path, key), written)
        return fields
    if isinstance(value, list):
        return [_with_words(item, (*path, index), written) for index, item in enumerate(value)]
    if isinstance(value, bool):
        rest = written.value_at(path)
        start = _PROPERTIES.match(rest)
        word = _WORD.match(rest, start.end() if start else 0)
        return word[0] if word else value
    return value


def without_empty_entries(body: JSONObject, document: Document) -> JSONObject:
    """``body`` without the entries that have no value in the document's text."""
    if not document.text or not _has_nulls(body):
        return body
    return _without_empty(body, (), _Written(document.text))


def _has_nulls(value: JSONValue) -> bool:
    return isinstance(value, dict) and any(item is None or _has_nulls(item) for item in value.values())


def _without_empty(value: JSONObject, path: Path, written: _Written) -> JSONObject:
    kept: JSONObject = {}
    for key, item in value.items():
        inside = (*path, key)
        if item is None and written.at(inside) and _NOTHING.fullmatch(written.value_at(inside)):
            continue
        kept[key] = _without_empty(item, inside, written) if isinstance(item, dict) else item
    return kept
