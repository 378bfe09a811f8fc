"""Where an Application is written, for the lines of what it says."""

from __future__ import annotations

import re
from functools import cached_property

from msgspec.structs import replace

from helmguard.gitops.documents import Document, value_at
from helmguard.manifest import yaml
from helmguard.model.declared_release import FileLine, ValuesLayer
from helmguard.model.json_value import JSONObject, JSONValue

Path = tuple[str | int, ...]

_LITERAL_BLOCK = re.compile(rb"\|[-+0-9]*[ \t]*(?:#.*)?\r?$")


class Origin:
    """A document, and ``prefix``: what an Application's paths begin with in it (``spec.template``)."""

    def __init__(self, document: Document, prefix: Path = ()) -> None:
        self.document = document
        self.prefix = prefix

    @cached_property
    def _written(self) -> tuple[JSONValue, dict[Path, tuple[int, int]]]:
        """What the text says, whatever became of it, and where; nothing of a rendered document."""
        if self.document.rendered_by or not self.document.text:
            return None, {}
        return yaml.load_with_positions(self.document.text)

    @property
    def _positions(self) -> dict[Path, tuple[int, int]]:
        return self._written[1]

    def line(self, *path: str | int) -> int:
        """The line in the file, of the nearest known place above it; 0 when unknown."""
        whole = (*self.prefix, *path)
        for length in range(len(whole), -1, -1):
            if whole[:length] in self._positions:
                return self._positions[whole[:length]][0] + self.document.lines_before
        return 0

    def place(self, *path: str | int) -> FileLine:
        """The line with its file."""
        return FileLine(self.document.file, self.line(*path))

    def map_layer(self, path: Path, values: JSONObject) -> ValuesLayer:
        """A layer of values that are a map of the Application."""
        source, whole = self.document.file, (*self.prefix, *path)
        line = self.line(*path)
        if whole not in self._positions:
            return ValuesLayer("data", source, data=values, line=line)
        before = self.document.lines_before
        is_same = value_at(self._written[0], *whole) == values
        if not any(isinstance(step, int) for step in whole):
            inside = tuple(str(step) for step in whole)
            layer = ValuesLayer("yaml", source, text=self.document.text, lines_before=before, inside=inside)
            return layer if is_same else replace(layer, kind="data", data=values, line=line)
        cut = self._cut(whole, values) if is_same else None
        if cut is not None:
            return ValuesLayer("yaml", source, text=cut[0], lines_before=cut[1])
        return ValuesLayer("data", source, data=values, line=line)

    def text_layer(self, path: Path, text: str) -> ValuesLayer:
        """A layer of values that are a text of the Application. Unknown where the text is no map."""
        source, line = self.document.file, self.line(*path)
        try:
            values = yaml.load(text)
        except yaml.YAMLError as error:
            return ValuesLayer("unknown", source, line=line, why=f"the values are not YAML: {error.message}")
        if values is None:
            values = {}
        if not isinstance(values, dict):
            return ValuesLayer("unknown", source, line=line, why="the values are no map")
        if self._is_block(line, (*self.prefix, *path), text):
            return ValuesLayer("yaml", source, text=text.encode(), lines_before=line)
        return ValuesLayer("data", source, data=values, line=line)

    def _is_block(self, line: int, whole: Path, text: str) -> bool:
        """Whether the text is written line by line as it is, below ``line``."""
        if whole not in self._positions:
            return False
        written = value_at(self._written[0], *whole)
        same_lines = isinstance(written, str) and written.count("\n") == text.count("\n")
        row = self.document.text.split(b"\n")[line - self.document.lines_before - 1]
        return same_lines and _LITERAL_BLOCK.search(row) is not None

    def _cut(self, whole: Path, values: JSONValue) -> tuple[bytes, int] | None:
        """The lines of a map as a document of their own, and how many lines of the file come before."""
        size = len(whole)
        inside = [
            place[0] for path, place in self._positions.items() if path[:size] == whole and path != whole
        ]
        if not inside:
            return None
        first = min(inside)
        after = [place[0] for path, place in self._positions.items() if path[:size] != whole]
        end = min((line for line in after if line > max(inside)), default=None)
        rows = self.document.text.split(b"\n")
        cut = b"\n".join(rows[first - 1 : None if end is None else end - 1]).rstrip(b"\n") + b"\n"
        try:
            same = yaml.load(cut) == values
        except yaml.YAMLError:
            return None
        return (cut, first - 1 + self.document.lines_before) if same else None
