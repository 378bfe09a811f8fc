"""What the entries of all lists in ``.helmguard.yaml`` have in common."""

from __future__ import annotations

from helmguard.config.config import Entry
from helmguard.manifest.checked_yaml import Mapping


def refuse_unknown(fields: Mapping, *known: str) -> None:
    """First of all: a field that is misspelt would else be told as missing."""
    for name in known:
        fields.any(name)
    fields.finish()


def entry_of(fields: Mapping) -> Entry:
    """Where the entry stands."""
    return Entry(fields.file, *fields.place())


def optional_text(fields: Mapping, name: str) -> str:
    """A text that may be left out, empty then; where it is given it must not be empty."""
    return fields.text(name) if fields.has(name) else fields.text(name, "")
