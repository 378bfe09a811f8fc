"""What Go's string functions count as white space: not quite what Python does."""

from __future__ import annotations

SPACE = (
    "\t\n\v\f\r \x85\xa0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a"
    "\u2028\u2029\u202f\u205f\u3000"
)


def trim_space(text: str) -> str:
    """``strings.TrimSpace``."""
    return text.strip(SPACE)


def trim_left_space(text: str) -> str:
    """``strings.TrimLeftFunc(text, unicode.IsSpace)``."""
    return text.lstrip(SPACE)
