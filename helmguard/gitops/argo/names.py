"""Names as Argo CD makes them (applicationset/utils/template_functions.go and utils.go)."""

from __future__ import annotations

import re

_LONGEST = 253


def sanitized(name: str) -> str:
    """``normalize``: lower-case letters, digits, ``-`` and ``.``."""
    return re.sub(r"[^-a-z0-9.]", "-", name.lower())[:_LONGEST].strip("-.")


def slug(*arguments: object) -> str:
    """``slugify [length] [cut at words] name``: 50 characters, cut at words, unless it says otherwise."""
    *options, name = arguments or ("",)
    length = options[0] if options and isinstance(options[0], int) else 50
    at_words = options[1] is True if len(options) > 1 else True
    text = re.sub(r"-+", "-", re.sub(r"[^a-z0-9_-]", "-", sanitized(str(name)))).strip("-_")
    if len(text) <= length:
        return text
    if not at_words:
        return text[:length]
    kept = ""
    for word in text.split("-"):
        longer = f"{kept}-{word}" if kept else word
        if len(longer) > length:
            break
        kept = longer
    return kept or text[:length]
