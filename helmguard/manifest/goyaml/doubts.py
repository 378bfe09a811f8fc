"""Where libyaml accepts a text that Go's scanner reads differently.

Go's scanner descends from libyaml 0.1; PyYAML brings 0.2, which has since learnt escapes, tags and plain
scalars in flow collections. A text without the characters concerned needs no check at all.
"""

from __future__ import annotations

import re
from typing import Any

from yaml.events import ScalarEvent

from helmguard.manifest.goyaml.error import Doubt

_BOM = b"\xef\xbb\xbf"
_UTF16_BOMS = (b"\xff\xfe", b"\xfe\xff")
_SLASH_ESCAPE = re.compile(r"(?:[^\\]|\\[^/])*\\/", re.DOTALL)


class Doubts:
    """The checks that one text needs; ``any`` is False for nearly all texts."""

    __slots__ = ("_data", "_question", "_slash", "_text", "any")

    def __init__(self, data: bytes) -> None:
        self._data = data
        self._text: str | None = None
        self._slash = b"\\/" in data
        self._question = b"?" in data and (b"{" in data or b"[" in data)
        self.any = self._slash or self._question

    def check_text(self) -> None:
        """A byte order mark that does not start the text has effects of its own in Go."""
        if self._data.find(_BOM, 1) > 0 or self._data.startswith(_UTF16_BOMS):
            raise Doubt

    def check_document_start(self, event: Any) -> None:
        """Versions other than 1.1 are an error in Go."""
        if event.version is not None and event.version != (1, 1):
            raise Doubt

    def check_properties(self, event: Any, flow: bool, as_key: bool) -> None:
        """A tag between braces may reach further in Go; an empty collection as a key may lose its value."""
        if (flow and event.tag is not None) or (as_key and not isinstance(event, ScalarEvent)):
            raise Doubt

    def check_scalar(self, event: Any, flow: bool) -> None:
        """A question mark ends an unquoted scalar between braces; backslash-slash is no escape."""
        style = event.style
        if not style:
            if flow and self._question and "?" in event.value:
                raise Doubt
        elif self._slash and style == '"' and "/" in event.value:
            start, end = event.start_mark.index, event.end_mark.index
            if _SLASH_ESCAPE.match(self._source()[start:end]):
                raise Doubt

    def check_document_end(self, event: Any) -> None:
        """Something may follow that is no part of the document, and Go looks at the start of it."""
        if not self.any or event.explicit:
            return
        rest = self._source()[event.end_mark.index :]
        if rest and not rest.startswith("---"):
            raise Doubt

    def _source(self) -> str:
        if self._text is None:
            self._text = self._data.decode("utf-8-sig", errors="replace")
        return self._text
