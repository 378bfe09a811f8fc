"""The one error that reading YAML can raise."""

from __future__ import annotations

from helmguard.errors import ManifestError


class YAMLError(ManifestError):
    """Text that Go's YAML reader refuses.

    ``message`` is Go's own text (``yaml: line 2: mapping values are not allowed in this context``), which
    may name the line before the one at fault. ``line`` and ``column`` count from 1 and are exact; 0 when
    unknown.
    """

    def __init__(self, message: str, *, line: int = 0, column: int = 0, remedy: str = "") -> None:
        super().__init__(message, remedy=remedy)
        self.line = line
        self.column = column


class Doubt(Exception):
    """libyaml's reading of the text may differ from Go's; read it with the exact scanner."""


class Unusual(Exception):
    """The document has an anchor, alias, tag, merge key or odd key: build nodes first."""
