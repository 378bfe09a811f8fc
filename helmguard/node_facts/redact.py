"""Takes credentials out of a node's text files before they are kept, without moving their lines."""

from __future__ import annotations

import re
from collections.abc import Iterator

from helmguard.model.node_facts import NodeFile
from helmguard.node_facts.redact_toml import redact_toml
from helmguard.node_facts.secret_keys import DROPPED, holds_credentials, line_ends, without_credentials

_JSON_PAIR = re.compile(r'("((?:\\.|[^"\\])*)"\s*:\s*)("(?:\\.|[^"\\])*"|-?\d[\d.eE+-]*)')
_YAML_PAIR = re.compile(
    r"(?P<indent>[ \t]*(?:-[ \t]+)*)(?P<key>[\"']?[\w./-]+[\"']?)(?P<mark>:(?:[ \t]+|$))(?P<value>.*)"
)
_ITEM = re.compile(r"(?P<indent>[ \t]*(?:-[ \t]+)*)(?P<value>\S.*)")


def redacted_file(path: str, content: bytes) -> NodeFile:
    """The text of a file by its kind, without credentials."""
    text = content.decode("utf-8", "surrogateescape")
    redacted, count = redact(path, text)
    return NodeFile(text=redacted, dropped=count)


def redact(path: str, text: str) -> tuple[str, int]:
    """A file's text without credentials, and how many values were taken out.

    TOML (and templates of it) by its keys, YAML and JSON by theirs, anything else by what credentials look
    like. In the place of a text stands ``dropped by helmguard``, in that of a number 0.
    """
    if path.endswith((".toml", ".tmpl")):
        return redact_toml(text)
    if path.endswith((".yaml", ".yml", ".json", ".conf", ".part")):
        return _redact_yaml(text)
    return without_credentials(text)


def _redact_yaml(text: str) -> tuple[str, int]:
    count = 0

    def dropped(found: re.Match[str]) -> str:
        nonlocal count
        if not holds_credentials((found[2],)) or found[3] == f'"{DROPPED}"':
            return found.group()
        count += 1
        value = f'"{DROPPED}"' if found[3].startswith('"') else "0"
        return found[1] + value + line_ends(found[3])

    text = _JSON_PAIR.sub(dropped, text)
    lines = _YamlLines()
    text = "".join(lines.read(text))
    text, more = without_credentials(text)
    return text, count + lines.count + more


class _YamlLines:
    """Takes out what stands behind a key, on its line and on those below it that are indented deeper."""

    def __init__(self) -> None:
        self.count = 0
        self._inside: int | None = None

    def read(self, text: str) -> Iterator[str]:
        for line in text.splitlines(keepends=True):
            content = line.rstrip("\r\n")
            yield self._line(content) + line[len(content) :]

    def _line(self, line: str) -> str:
        if not line.strip() or line.lstrip().startswith("#"):
            return line
        indent = len(line) - len(line.lstrip())
        # The items of a list may stand as deep as the key that they belong to.
        deeper = self._inside is not None and (
            indent > self._inside or (indent == self._inside and line.lstrip().startswith("- "))
        )
        if deeper:
            return self._drop(_YAML_PAIR.fullmatch(line) or _ITEM.fullmatch(line), line)
        self._inside = None
        pair = _YAML_PAIR.fullmatch(line)
        if pair is None or not holds_credentials((pair["key"].strip("\"'"),)):
            return line
        if pair["key"].strip("\"'").lower() == "authorization" and not pair["value"]:
            return line  # how the kubelet authorizes: a block of settings
        self._inside = len(pair["indent"])
        return self._drop(pair, line)

    def _drop(self, found: re.Match[str] | None, line: str) -> str:
        if found is None or not found["value"].strip():
            return line
        value = found["value"].strip()
        if value in ("true", "false", "|", ">", "|-", ">-", "|+", ">+", "{}", "[]") or DROPPED in value:
            return line
        self.count += 1
        head = line[: found.start("value")]
        return f'{head}"{DROPPED}"' if value[:1] in "\"'[{" else f"{head}{DROPPED}"
