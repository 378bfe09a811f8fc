"""Values in words: ``false``, ``"nginx:1.27"``, ``{3 fields}``, and how one becomes another."""

from __future__ import annotations

import difflib
import json

import msgspec

from helmguard.masking.secret_marks import holds_masked, is_masked, without_digest
from helmguard.model.field_change import MISSING
from helmguard.model.json_value import JSONValue
from helmguard.report.display_width import display_width, split_at
from helmguard.report.escaping import escape_line
from helmguard.report.plural import plural
from helmguard.report.styles import Span
from helmguard.report.symbols import Symbols

_SHORTENED_FROM = 48
"""Texts that are longer than this many columns are shown by their differing part."""
_TOKEN_ENDS = frozenset("/,;=@?& \t\n")
_AROUND = 8
"""Characters shown beside the difference inside a token that does not fit."""
_DIFF_LINES = 12


class ValueWriter(msgspec.Struct, frozen=True):
    """Writes masked values; ``width`` is the room for one value, ``line_width`` for a line of a text."""

    symbols: Symbols
    ascii_only: bool = False
    width: int = _SHORTENED_FROM
    line_width: int = 80

    def value(self, value: JSONValue) -> str:
        """One value on one line."""
        if value is MISSING:
            return "unset"
        if is_masked(value):
            return "(secret)"
        return self._cut(self._plain(value))

    def change(self, before: JSONValue, after: JSONValue) -> list[Span]:
        """``before → after``; long texts by the part that differs, secrets as ``(secret, changed)``."""
        hidden = self._hidden(before, after)
        if hidden:
            return [Span(hidden)]
        if isinstance(before, str) and isinstance(after, str) and not (is_masked(before) or is_masked(after)):
            left, right = self._differing(without_digest(before), without_digest(after))
        else:
            left, right = self.value(before), self.value(after)
        return [
            Span(left, "dim" if before is MISSING else ""),
            Span(f" {self.symbols.arrow} "),
            Span(right, "dim" if after is MISSING else "bold"),
        ]

    def line_changes(self, before: JSONValue, after: JSONValue) -> list[Span]:
        """The changed lines of a text of several lines, as a small unified diff; empty for other values."""
        if not (isinstance(before, str) and isinstance(after, str)):
            return []
        if "\n" not in before.rstrip("\n") and "\n" not in after.rstrip("\n"):
            return []
        left, right = without_digest(before), without_digest(after)
        if left == right:
            return [Span("(secret, changed)")]
        lines = list(_unified(left, right))
        shown = [self._diff_line(text) for text in lines[:_DIFF_LINES]]
        if len(lines) > _DIFF_LINES:
            shown.append(Span(f"{self.symbols.ellipsis} {len(lines) - _DIFF_LINES} more lines", "dim"))
        return shown

    def _hidden(self, before: JSONValue, after: JSONValue) -> str:
        """What to say where the masks would hide the change."""
        if is_masked(before) and is_masked(after):
            return "(secret, changed)" if before != after else "(secret, unchanged)"
        if not (holds_masked(before) and holds_masked(after)):
            return ""
        if self._bare(before) == self._bare(after) and before != after:
            return f"{self.value(after)} (secret, changed)"
        return ""

    def _bare(self, value: JSONValue) -> str:
        return without_digest(json.dumps(value, sort_keys=True))

    def _plain(self, value: JSONValue) -> str:
        if isinstance(value, str):
            return self._quoted(without_digest(value))
        if isinstance(value, dict):
            inner = ", ".join(f"{self._key(key)}: {self._short(item)}" for key, item in value.items())
            return f"{{{inner}}}"
        if isinstance(value, list):
            return f"[{', '.join(self._short(item) for item in value)}]"
        return json.dumps(value)

    def _short(self, value: JSONValue) -> str:
        """A value inside another: containers only by their size."""
        if isinstance(value, dict) and value:
            name = value.get("name")
            return (
                f"name={self._key(name)}" if isinstance(name, str) else f"{{{plural(len(value), 'field')}}}"
            )
        if isinstance(value, list) and value:
            scalars = not any(isinstance(item, dict | list) for item in value)
            return self._plain(value) if scalars and len(value) < 4 else f"[{plural(len(value), 'item')}]"
        return self._plain(value)

    def _key(self, key: str) -> str:
        return escape_line(without_digest(key), ascii_only=self.ascii_only)

    def _quoted(self, text: str) -> str:
        escaped = text.replace("\\", "\\\\").replace('"', '\\"')
        return f'"{escape_line(escaped, ascii_only=self.ascii_only)}"'

    def _cut(self, text: str) -> str:
        if display_width(text) <= self.width:
            return text
        closing = text[-1] if text[-1] in ']}"' else ""
        head, _ = split_at(text, self.width - len(closing) - len(self.symbols.ellipsis))
        return f"{head}{self.symbols.ellipsis}{closing}"

    def _differing(self, before: str, after: str) -> tuple[str, str]:
        """Both texts quoted; the common beginning and end of long ones left out."""
        left, right = self._quoted(before), self._quoted(after)
        if max(display_width(left), display_width(right)) <= self.width:
            return left, right
        start, end = _common_ends(before, after, self.width - 6)
        ellipsis = self.symbols.ellipsis
        opening = ellipsis if start else ""
        closing = ellipsis if end else ""
        left = self._cut(self._quoted(before[start : len(before) - end]))
        right = self._cut(self._quoted(after[start : len(after) - end]))
        return f"{opening}{left}{closing}", f"{opening}{right}{closing}"

    def _diff_line(self, text: str) -> Span:
        style = {"+": "create", "-": "delete"}.get(text[:1], "dim")
        return Span(self._cut_line(escape_line(text, ascii_only=self.ascii_only)), style)  # type: ignore[arg-type]

    def _cut_line(self, text: str) -> str:
        if display_width(text) <= self.line_width:
            return text
        return split_at(text, self.line_width - len(self.symbols.ellipsis))[0] + self.symbols.ellipsis


def _common_ends(before: str, after: str, longest: int) -> tuple[int, int]:
    """Lengths of the common beginning and end to leave out; a token that fits is kept whole."""
    shorter = min(len(before), len(after))
    start = next((index for index in range(shorter) if before[index] != after[index]), shorter)
    rest = shorter - start
    end = next((index for index in range(rest) if before[-1 - index] != after[-1 - index]), rest)
    return _back_to_token(before, start, longest), _back_to_token(before[::-1], end, longest)


def _back_to_token(text: str, length: int, longest: int) -> int:
    """``length`` moved back to where the token at that place starts, or a few characters into a long one."""
    for position in range(length, max(0, length - longest) - 1, -1):
        if position == 0 or text[position - 1] in _TOKEN_ENDS:
            return position
    return max(0, length - _AROUND)


def _unified(before: str, after: str) -> list[str]:
    """Lines of a unified diff with one line around each change, without headers; long texts by plain ends."""
    left, right = before.split("\n"), after.split("\n")
    if len(left) + len(right) > 4000:
        return [f"-{len(left)} lines", f"+{len(right)} lines"]
    lines = list(difflib.unified_diff(left, right, n=1, lineterm=""))[2:]
    return [line for line in lines if not line.startswith("@@")]
