"""Charts that tests write for themselves."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path


def write_chart(
    place: Path, files: Mapping[str, str], *, name: str = "trial", version: str = "1.0.0"
) -> Path:
    """A chart folder of these files, by path; Chart.yaml and an empty values.yaml are added if they lack."""
    plain = f"apiVersion: v2\nname: {name}\nversion: {version}\n"
    for path, text in {"Chart.yaml": plain, "values.yaml": "", **files}.items():
        (place / path).parent.mkdir(parents=True, exist_ok=True)
        (place / path).write_text(text, newline="")
    return place
