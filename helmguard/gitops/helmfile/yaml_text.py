"""YAML as helmfile reads it, which is not as Helm does.

helmfile 1 takes go.yaml.in/yaml/v3: ``yes``, ``no``, ``on``, ``off``, ``y`` and ``n`` are text, and a field
that is text keeps what is written (``version: 1.10``). Among values a day is a moment, which helm gets as
``2020-01-01T00:00:00Z``. Files of values go to helm as they are.
"""

from __future__ import annotations

import re
from contextlib import suppress
from datetime import date
from functools import lru_cache

from helmguard.manifest.goyaml.decode import decode
from helmguard.manifest.goyaml.events import events
from helmguard.manifest.goyaml.nodes import Node, NodeKind, compose
from helmguard.model.json_value import JSONValue

_WORD = re.compile(r"y|Y|yes|Yes|YES|n|N|no|No|NO|on|On|ON|off|Off|OFF")
_DAY = re.compile(r"(\d{4})-(\d{1,2})-(\d{1,2})")
_NULL = frozenset(["", "~", "null", "Null", "NULL"])
_TEXT_FIELDS = frozenset(
    [
        *("name", "namespace", "chart", "directory", "version", "url", "path", "template", "value", "file"),
        *("condition", "conditionTemplate", "installedTemplate", "kubeContext", "kubeVersion"),
        *("missingFileHandler", "updateStrategy", "valuesPathPrefix"),
    ]
)
_VALUES = frozenset(["values", "valuesTemplate", "environments", "jsonPatches", "strategicMergePatches"])
"""Below these stands what has no types."""


def load(text: str) -> JSONValue:
    """A part of a helmfile. What is given is kept, and not to be changed: parts are read once a side.

    Raises:
        YAMLError: it is no YAML.
    """
    return _load(text, is_values=False)


def load_values(text: str) -> JSONValue:
    """A file of an environment's values.

    Raises:
        YAMLError: it is no YAML.
    """
    return _load(text, is_values=True)


@lru_cache(maxsize=2000)
def _load(text: str, *, is_values: bool) -> JSONValue:
    root = compose(events(text.encode("utf-8", errors="surrogatepass")))
    if root is None:
        return None
    pending = [(root, is_values)]
    while pending:
        pending += _below(*pending.pop())
    return decode(root).value


def _to_text(node: Node, untyped: bool) -> None:
    if _WORD.fullmatch(node.text):
        node.plain = False
    elif untyped and (day := _DAY.fullmatch(node.text)):
        year, month, of_month = map(int, day.groups())
        with suppress(ValueError):
            node.text, node.plain = f"{date(year, month, of_month)}T00:00:00Z", False


def _below(node: Node, untyped: bool) -> list[tuple[Node, bool]]:
    """Turns words into text; gives what stands below, and whether it is values."""
    if node.kind is NodeKind.SCALAR and node.plain:
        _to_text(node, untyped)
    if node.kind is not NodeKind.MAPPING:
        return [(child, untyped) for child in node.children]
    found = []
    for key, value in zip(node.children[::2], node.children[1::2], strict=True):
        if not untyped and key.text in _TEXT_FIELDS and value.plain and value.text not in _NULL:
            value.plain = False
        found += [(key, untyped), (value, untyped or key.text in _VALUES)]
    return found
