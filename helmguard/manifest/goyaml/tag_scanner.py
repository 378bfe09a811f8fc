"""Tags (``!!str``, ``!e!name``, ``!<uri>``) and the directives ``%YAML`` and ``%TAG``.

Source: go.yaml.in/yaml v2.4.2 scannerc.go.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from helmguard.manifest.goyaml.reader import BREAKS, END, Mark
from helmguard.manifest.goyaml.tokens import Token, TokenKind

if TYPE_CHECKING:
    from helmguard.manifest.goyaml.scanner import Scanner

_BLANKS = re.compile("[ \t]+")
_BLANK_OR_END = " \t" + BREAKS + END
_COMMENT = re.compile(f"#[^{BREAKS}{END}]*")
_NAME = re.compile("[0-9A-Za-z_-]+")
_DIGITS = re.compile("[0-9]+")
_HANDLE = re.compile("![0-9A-Za-z_-]*!?")
_URI = re.compile(r"[0-9A-Za-z_\-;/?:@&=+$,.!~*'()\[\]]+")
_OCTET = re.compile("%[0-9A-Fa-f]{2}")


def scan_directive(scanner: Scanner) -> Token:
    """``%YAML 1.1`` (text ``1.1``) or ``%TAG !e! prefix`` (text the handle, suffix the prefix)."""
    reader = scanner.reader
    start = reader.mark
    reader.skip()
    name = reader.take(_NAME)
    if not name:
        raise scanner.error("could not find expected directive name", start)
    if reader.peek() not in _BLANK_OR_END:
        raise scanner.error("found unexpected non-alphabetical character", start)
    if name == "YAML":
        token = _scan_version(scanner, start)
    elif name == "TAG":
        token = _scan_tag_directive(scanner, start)
    else:
        raise scanner.error("found unknown directive name", start)
    reader.take(_BLANKS)
    reader.take(_COMMENT)
    if reader.peek() not in BREAKS + END:
        raise scanner.error("did not find expected comment or line break", start)
    if reader.peek() != END:
        reader.take_break()
    return token


def _scan_version(scanner: Scanner, start: Mark) -> Token:
    reader = scanner.reader
    reader.take(_BLANKS)
    major = _scan_version_number(scanner, start)
    if reader.peek() != ".":
        raise scanner.error("did not find expected digit or '.' character", start)
    reader.skip()
    minor = _scan_version_number(scanner, start)
    return Token(TokenKind.VERSION_DIRECTIVE, start, reader.mark, f"{major}.{minor}")


def _scan_version_number(scanner: Scanner, start: Mark) -> int:
    digits = scanner.reader.match(_DIGITS)
    scanner.reader.skip(min(len(digits), 2))
    if len(digits) > 2:
        raise scanner.error("found extremely long version number", start)
    if not digits:
        raise scanner.error("did not find expected version number", start)
    return int(digits)


def _scan_tag_directive(scanner: Scanner, start: Mark) -> Token:
    reader = scanner.reader
    reader.take(_BLANKS)
    handle = _scan_handle(scanner, start)
    if handle != "!" and (len(handle) < 2 or handle[-1] != "!"):
        raise scanner.error("did not find expected '!'", start)
    if reader.peek() not in " \t":
        raise scanner.error("did not find expected whitespace", start)
    reader.take(_BLANKS)
    prefix = _scan_uri(scanner, start, "")
    if reader.peek() not in _BLANK_OR_END:
        raise scanner.error("did not find expected whitespace or line break", start)
    return Token(TokenKind.TAG_DIRECTIVE, start, reader.mark, handle, prefix)


def scan_tag(scanner: Scanner) -> Token:
    """``text`` is the handle, empty for a verbatim tag and for ``!`` alone."""
    reader = scanner.reader
    start = reader.mark
    if reader.startswith("!<"):
        reader.skip(2)
        handle, suffix = "", _scan_uri(scanner, start, "")
        if reader.peek() != ">":
            raise scanner.error("did not find the expected '>'", start)
        reader.skip()
    else:
        handle = _scan_handle(scanner, start)
        if len(handle) > 1 and handle[-1] == "!":
            suffix = _scan_uri(scanner, start, "")
        else:
            suffix = _scan_uri(scanner, start, handle)
            handle = "!"
            if not suffix:
                handle, suffix = "", "!"
    if reader.peek() not in _BLANK_OR_END:
        raise scanner.error("did not find expected whitespace or line break", start)
    return Token(TokenKind.TAG, start, reader.mark, handle, suffix)


def _scan_handle(scanner: Scanner, start: Mark) -> str:
    handle = scanner.reader.take(_HANDLE)
    if not handle:
        raise scanner.error("did not find expected '!'", start)
    return handle


def _scan_uri(scanner: Scanner, start: Mark, head: str) -> str:
    """The rest of a tag; ``head`` is what looked like a handle (its first mark is dropped)."""
    reader = scanner.reader
    parts = [head[1:]]
    found = bool(head)
    while True:
        if reader.peek() == "%":
            part = _scan_escapes(scanner, start)
        else:
            part = reader.take(_URI)
        if not part:
            break
        parts.append(part)
        found = True
    if not found:
        raise scanner.error("did not find expected tag URI", start)
    return "".join(parts)


def _scan_escapes(scanner: Scanner, start: Mark) -> str:
    """One character, written as %-escaped octets."""
    octets = bytearray()
    width = 1
    while len(octets) < width:
        text = scanner.reader.match(_OCTET)
        if not text:
            raise scanner.error("did not find URI escaped octet", start)
        octet = int(text[1:], 16)
        if not octets:
            width = _width(octet)
            if not width:
                raise scanner.error("found an incorrect leading UTF-8 octet", start)
        elif octet & 0xC0 != 0x80:
            raise scanner.error("found an incorrect trailing UTF-8 octet", start)
        octets.append(octet)
        scanner.reader.skip(3)
    return octets.decode("utf-8", errors="replace")


def _width(octet: int) -> int:
    """How many octets a character takes that starts with this one; 0 if none does."""
    for width, (mask, lead) in enumerate(((0x80, 0x00), (0xE0, 0xC0), (0xF0, 0xE0), (0xF8, 0xF0)), start=1):
        if octet & mask == lead:
            return width
    return 0
