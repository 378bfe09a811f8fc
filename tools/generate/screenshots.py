#!/usr/bin/env python3
"""Draws docs/screenshots/*.svg from releases in memory and the shipped demo, no cluster needed.

tools/generate/screenshots.py [--out FOLDER]
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
from collections.abc import Iterable
from pathlib import Path

_ROOT = Path(__file__).parents[2]
sys.path[:0] = [str(_ROOT), str(_ROOT / "tests" / "tui")]


def main() -> int:
    """Draw all, or those that are named."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--out", type=Path, default=_ROOT / "docs" / "screenshots")
    parser.add_argument("names", nargs="*", help="only these")
    options = parser.parse_args()
    for name in ("NO_COLOR", "COLORFGBG"):
        os.environ.pop(name, None)
    with tempfile.TemporaryDirectory() as state:
        os.environ["XDG_STATE_HOME"] = state  # Nothing remembered here, and no trace left.
        draw(options.out, options.names)
    return 0


def draw(out: Path, names: Iterable[str] = ()) -> None:
    """Write the pictures into a folder."""
    from stations import PICTURES, Station, app_of, go
    from textual._doc import take_svg_screenshot

    out.mkdir(parents=True, exist_ok=True)
    wanted = set(names)

    def one(station: Station, size: tuple[int, int]) -> str:
        async def there(pilot: object) -> None:
            await go(pilot, station)  # type: ignore[arg-type]

        return take_svg_screenshot(app=app_of(station), terminal_size=size, run_before=there)

    for station, size in PICTURES:
        if wanted and station.name not in wanted:
            continue
        (out / f"{station.name}.svg").write_text(one(station, size), encoding="utf-8")
        print(out / f"{station.name}.svg")


if __name__ == "__main__":
    sys.exit(main())
