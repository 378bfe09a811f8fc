"""Fields of the files of packs that hold expressions, or texts with expressions in them."""

from __future__ import annotations

from helmguard.manifest.checked_yaml import Mapping as Fields
from helmguard.rules.engine.source import Place, Source, Template, read_template


def source_of(fields: Fields, name: str) -> Source:
    return Source(fields.text(name), place_of_text(fields, name))


def optional_source(fields: Fields, name: str) -> Source | None:
    return source_of(fields, name) if fields.has(name) else None


def template_of(fields: Fields, name: str) -> Template:
    return read_template(fields.text(name), place_of_text(fields, name))


def optional_template(fields: Fields, name: str) -> Template | None:
    return template_of(fields, name) if fields.has(name) else None


def place_of_text(fields: Fields, name: str) -> Place:
    """Where a field's text begins; that of a block of several lines is below its key."""
    line, column = fields.place(name)
    value = fields.value.get(name)
    return Place(fields.file, line + 1 if isinstance(value, str) and "\n" in value else line, column)
