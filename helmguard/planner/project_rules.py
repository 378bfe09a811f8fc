"""Where a project keeps packs of rules of its own."""

from __future__ import annotations

from pathlib import Path

PROJECT_FOLDER = Path(".helmguard", "rules")
"""Where a project keeps its own packs; looked for from the working directory upward."""


def project_folder(start: Path) -> Path | None:
    """The nearest ``.helmguard/rules`` in or above the working directory, ``start``."""
    found = (folder / PROJECT_FOLDER for folder in (start, *start.parents))
    place = next((folder for folder in found if folder.is_dir()), None)
    return place.relative_to(start) if place is not None and place.is_relative_to(start) else place
