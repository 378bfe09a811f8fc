"""Completes paths as they are typed; the right arrow key takes the suggestion."""

from __future__ import annotations

import asyncio
import os
from itertools import islice
from pathlib import Path

from textual.suggester import Suggester

_MOST_ENTRIES = 5000


class PathSuggester(Suggester):
    """``separator``: several paths stand in the field, and the last one is completed."""

    def __init__(self, separator: str = "") -> None:
        super().__init__(use_cache=False, case_sensitive=True)
        self._separator = separator

    async def get_suggestion(self, value: str) -> str | None:
        """The first entry in order that begins so; a folder ends with a slash."""
        head, separator, typed = value.rpartition(self._separator) if self._separator else ("", "", value)
        if not typed.strip():
            return None
        found = await asyncio.to_thread(completed, typed)
        return f"{head}{separator}{found}" if found is not None else None


def completed(typed: str) -> str | None:
    """The path that ``typed`` begins, None where there is none; hidden entries only where a dot asks."""
    blanks = typed[: len(typed) - len(typed.lstrip())]
    folder, slash, start = typed[len(blanks) :].rpartition("/")
    if "://" in typed:
        return None
    try:
        with os.scandir(Path(f"{folder}{slash}").expanduser()) as entries:
            names = [
                f"{entry.name}/" if entry.is_dir() else entry.name
                for entry in islice(entries, _MOST_ENTRIES)
                if _fits(entry.name, start)
            ]
    except (OSError, RuntimeError):
        return None
    return f"{blanks}{folder}{slash}{min(names)}" if names else None


def _fits(name: str, start: str) -> bool:
    return name.isprintable() and name.startswith(start) and (start != "" or not name.startswith("."))
