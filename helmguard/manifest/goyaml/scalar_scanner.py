"""Plain, quoted and block scalars: where they end and what text they stand for.

Source: go.yaml.in/yaml v2.4.2 scannerc.go.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from helmguard.manifest.goyaml.reader import BREAKS, END, Mark
from helmguard.manifest.goyaml.tokens import Token, TokenKind

if TYPE_CHECKING:
    from helmguard.manifest.goyaml.scanner import Scanner

_BLANKS = " \t"
_BLANK_OR_END = _BLANKS + BREAKS + END
_BLANK_RUN = re.compile("[ \t]+")
_SPACE_RUN = re.compile(" +")
_LINE = re.compile(f"[^{BREAKS}{END}]+")
_PLAIN_RUN = re.compile(f"(?:[^:{_BLANK_OR_END}]|:(?![{_BLANK_OR_END}]))+")
_FLOW_PLAIN_RUN = re.compile(rf"(?:[^:,?\[\]{{}}{_BLANK_OR_END}]|:(?![{_BLANK_OR_END}]))+")
_SINGLE_QUOTED_RUN = re.compile(f"(?:[^'{_BLANK_OR_END}]|'')+")
_DOUBLE_QUOTED_RUN = re.compile(rf'[^"\\{_BLANK_OR_END}]+')

_ESCAPES = {
    "0": "\0",
    "a": "\a",
    "b": "\b",
    "t": "\t",
    "\t": "\t",
    "n": "\n",
    "v": "\v",
    "f": "\f",
    "r": "\r",
    "e": "\x1b",
    " ": " ",
    '"': '"',
    "'": "'",
    "\\": "\\",
    "N": "\x85",
    "_": "\xa0",
    "L": "\u2028",
    "P": "\u2029",
}
_CODE_LENGTHS = {"x": 2, "u": 4, "U": 8}
_HEX_DIGITS = frozenset("0123456789abcdefABCDEF")


class _Folding:
    """White space inside a scalar: a single line break becomes a space, of more all but one are kept."""

    def __init__(self) -> None:
        self.blanks = ""
        self.first_break = ""
        self.more_breaks = ""
        self.broken = False

    def pass_blanks(self, scanner: Scanner) -> None:
        """Pass a run of blanks; at the start of a line they do not count."""
        text = scanner.reader.take(_BLANK_RUN)
        if not self.broken:
            self.blanks += text

    def pass_break(self, scanner: Scanner) -> None:
        scanner.reader.need(2)
        text = scanner.reader.take_break()
        if self.broken:
            self.more_breaks += text
        else:
            self.blanks = ""
            self.first_break = text
            self.broken = True

    def joined(self) -> str:
        """The white space as it counts in the scalar."""
        if not self.broken:
            return self.blanks
        if self.first_break.startswith("\n"):
            return self.more_breaks or " "
        return self.first_break + self.more_breaks


def scan_plain_scalar(scanner: Scanner, indent: int, in_flow: bool) -> tuple[Token, bool]:
    """The token, and whether the scalar was followed by a line break."""
    reader = scanner.reader
    start = end = reader.mark
    run = _FLOW_PLAIN_RUN if in_flow else _PLAIN_RUN
    parts: list[str] = []
    folding = _Folding()
    while True:
        reader.need(4)
        if _at_document_indicator(scanner) or reader.peek() == "#":
            break
        text = reader.take(run)
        if text:
            parts += (folding.joined(), text)
            folding = _Folding()
            end = reader.mark
        if reader.peek() not in _BLANKS + BREAKS:
            break
        while reader.peek() in _BLANKS + BREAKS:
            if reader.peek() in BREAKS:
                folding.pass_break(scanner)
            else:
                _refuse_tab_indentation(scanner, folding, indent, start)
                folding.pass_blanks(scanner)
        if not in_flow and reader.column < indent + 1:
            break
    return Token(TokenKind.SCALAR, start, end, "".join(parts)), folding.broken


def _refuse_tab_indentation(scanner: Scanner, folding: _Folding, indent: int, start: Mark) -> None:
    reader = scanner.reader
    if not folding.broken or reader.column > indent:
        return
    spaces = reader.match(_SPACE_RUN)
    if reader.column + len(spaces) < indent + 1 and reader.peek(len(spaces)) == "\t":
        reader.skip(len(spaces))
        raise scanner.error("found a tab character that violates indentation", start)


def scan_quoted_scalar(scanner: Scanner) -> Token:
    """A scalar in single or double quotes."""
    reader = scanner.reader
    start = reader.mark
    quote = reader.peek()
    reader.skip()
    parts: list[str] = []
    while True:
        reader.need(4)
        if _at_document_indicator(scanner):
            raise scanner.error("found unexpected document indicator", start)
        if reader.peek() == END:
            raise scanner.error("found unexpected end of stream", start)
        folding = _Folding()
        if quote == "'":
            parts.append(reader.take(_SINGLE_QUOTED_RUN).replace("''", "'"))
        else:
            _take_double_quoted(scanner, parts, folding, start)
        if reader.peek() == quote:
            break
        while reader.peek() in _BLANKS + BREAKS:
            if reader.peek() in BREAKS:
                folding.pass_break(scanner)
            else:
                folding.pass_blanks(scanner)
        parts.append(folding.joined())
    reader.skip()
    return Token(TokenKind.SCALAR, start, reader.mark, "".join(parts), style=quote)


def _take_double_quoted(scanner: Scanner, parts: list[str], folding: _Folding, start: Mark) -> None:
    """Everything up to white space or the closing quote; an escaped line break joins lines without space."""
    reader = scanner.reader
    while True:
        parts.append(reader.take(_DOUBLE_QUOTED_RUN))
        if reader.peek() != "\\":
            return
        reader.need(3)
        if reader.peek(1) in BREAKS:
            reader.skip()
            reader.take_break()
            folding.broken = True
            return
        parts.append(_take_escape(scanner, start))


def _take_escape(scanner: Scanner, start: Mark) -> str:
    reader = scanner.reader
    code = reader.peek(1)
    if code in _ESCAPES:
        reader.skip(2)
        return _ESCAPES[code]
    length = _CODE_LENGTHS.get(code)
    if length is None:
        raise scanner.error("found unknown escape character", start)
    reader.skip(2)
    reader.need(length)
    digits = ""
    for ahead in range(length):
        digit = reader.peek(ahead)
        if digit not in _HEX_DIGITS:
            raise scanner.error("did not find expected hexdecimal number", start)
        digits += digit
    value = int(digits, 16)
    if 0xD800 <= value <= 0xDFFF or value > 0x10FFFF:
        raise scanner.error("found invalid Unicode character escape code", start)
    reader.skip(length)
    return chr(value)


def scan_block_scalar(scanner: Scanner, parent_indent: int) -> Token:
    """A literal (``|``) or folded (``>``) scalar; ``parent_indent`` is -1 at the top of the document."""
    reader = scanner.reader
    start = reader.mark
    style = reader.peek()
    reader.skip()
    chomping, increment = _scan_block_header(scanner, start)
    indent = 0
    if increment:
        indent = parent_indent + increment if parent_indent >= 0 else increment

    indent, more_breaks, end = _scan_block_breaks(scanner, indent, parent_indent, start)
    parts: list[str] = []
    line_break = ""
    was_blank = False
    while reader.column == indent and reader.peek() != END:
        is_blank = reader.peek() in _BLANKS
        if style == ">" and line_break.startswith("\n") and not was_blank and not is_blank:
            parts.append("" if more_breaks else " ")
        else:
            parts.append(line_break)
        parts.append(more_breaks)
        was_blank = is_blank
        parts.append(reader.take(_LINE))
        reader.need(2)
        line_break = reader.take_break() if reader.peek() in BREAKS else ""
        _, more_breaks, end = _scan_block_breaks(scanner, indent, parent_indent, start)
    if chomping != "-":
        parts.append(line_break)
    if chomping == "+":
        parts.append(more_breaks)
    return Token(TokenKind.SCALAR, start, end, "".join(parts), style=style)


def _scan_block_header(scanner: Scanner, start: Mark) -> tuple[str, int]:
    """The indicators for chomping (``+``, ``-`` or nothing) and indentation (0: none)."""
    reader = scanner.reader
    chomping, increment = "", 0
    if reader.peek() in "+-":
        chomping = reader.peek()
        reader.skip()
        increment = _scan_indentation_indicator(scanner, start)
    elif reader.peek() in "0123456789":
        increment = _scan_indentation_indicator(scanner, start)
        if reader.peek() in "+-":
            chomping = reader.peek()
            reader.skip()
    reader.take(_BLANK_RUN)
    if reader.peek() == "#":
        reader.take(_LINE)
    if reader.peek() not in BREAKS + END:
        raise scanner.error("did not find expected comment or line break", start)
    if reader.peek() != END:
        reader.need(2)
        reader.take_break()
    return chomping, increment


def _scan_indentation_indicator(scanner: Scanner, start: Mark) -> int:
    digit = scanner.reader.peek()
    if digit not in "0123456789":
        return 0
    if digit == "0":
        raise scanner.error("found an indentation indicator equal to 0", start)
    scanner.reader.skip()
    return int(digit)


def _scan_block_breaks(
    scanner: Scanner, indent: int, parent_indent: int, start: Mark
) -> tuple[int, str, Mark]:
    """Pass indentation and empty lines; an ``indent`` of 0 is found from the deepest line."""
    reader = scanner.reader
    breaks: list[str] = []
    deepest = 0
    end = reader.mark
    while True:
        spaces = len(reader.match(_SPACE_RUN))
        reader.skip(spaces if not indent else max(0, min(spaces, indent - reader.column)))
        deepest = max(deepest, reader.column)
        if (not indent or reader.column < indent) and reader.peek() == "\t":
            raise scanner.error("found a tab character where an indentation space is expected", start)
        if reader.peek() not in BREAKS:
            break
        reader.need(2)
        breaks.append(reader.take_break())
        end = reader.mark
    if not indent:
        indent = max(deepest, parent_indent + 1, 1)
    return indent, "".join(breaks), end


def _at_document_indicator(scanner: Scanner) -> bool:
    reader = scanner.reader
    if reader.column or not (reader.startswith("---") or reader.startswith("...")):
        return False
    return reader.peek(3) in _BLANK_OR_END
