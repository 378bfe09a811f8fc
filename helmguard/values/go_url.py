"""What Go's net/url refuses to parse."""

from __future__ import annotations

from helmguard.values.go_format import quote

_SCHEME = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789+-.")
_HEX = frozenset("0123456789abcdefABCDEF")


def url_problem(name: str) -> str:
    """Why net/url refuses a text, empty if it does not: Helm parses every file's name as a URL first."""
    if any(ord(character) < 0x20 or ord(character) == 0x7F for character in name):
        return "net/url: invalid control character in URL"
    scheme, colon, _ = name.partition(":")
    if colon and not scheme:
        return "missing protocol scheme"
    path = name.split("#", 1)[0].split("?", 1)[0]
    plain_scheme = scheme.isascii() and scheme[:1].isalpha() and not set(scheme) - _SCHEME
    if not plain_scheme and ":" in path.split("/", 1)[0]:
        return "first path segment in URL cannot contain colon"
    position = path.find("%")
    while position >= 0:
        escape = path[position : position + 3]
        if len(escape) < 3 or set(escape[1:]) - _HEX:
            return f"invalid URL escape {quote(escape)}"
        position = path.find("%", position + 1)
    return ""
