"""Text from charts and clusters made safe for a terminal, a log and a review comment."""

from __future__ import annotations

from functools import lru_cache

_SHORT = {"\n": "\\n", "\r": "\\r", "\t": "\\t"}
_TYPOGRAPHY = {
    "—": "-",
    "–": "-",
    "→": "->",
    "…": "...",
    "·": "|",
    "‘": "'",
    "’": "'",
    "“": '"',
    "”": '"',
    "×": "x",
}
"""Signs of ordinary prose that ASCII has a word for."""
_BLANK_LETTERS = frozenset("\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0")
"""Letters and symbols that Unicode calls printable and that show nothing."""


def escape_line(text: str, *, ascii_only: bool = False) -> str:
    """One line: control characters, ANSI sequences, bidi overrides, zero-width and unassigned characters and
    line breaks as visible escapes (``\\x1b``, ``\\u202e``, ``\\n``). ``ascii_only`` escapes all but ASCII."""
    if text.isprintable() and text.isascii():
        return text
    return "".join(_escaped(character, ascii_only) for character in text)


def escape_text(text: str, *, ascii_only: bool = False) -> str:
    """As `escape_line` for each line; line feeds stay."""
    return "\n".join(escape_line(line, ascii_only=ascii_only) for line in text.split("\n"))


@lru_cache(maxsize=4096)
def _escaped(character: str, ascii_only: bool) -> str:
    if character in _SHORT:
        return _SHORT[character]
    if ascii_only and character in _TYPOGRAPHY:
        return _TYPOGRAPHY[character]
    code = ord(character)
    if character.isprintable() and not _is_invisible(character) and (code < 128 or not ascii_only):
        return character
    if code < 0x100:
        return f"\\x{code:02x}"
    return f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"


def _is_invisible(character: str) -> bool:
    """Variation selectors and blank letters; the other invisible ones are not printable to Python."""
    code = ord(character)
    return character in _BLANK_LETTERS or 0xFE00 <= code <= 0xFE0F or 0xE0100 <= code <= 0xE01EF
