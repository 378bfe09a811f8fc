"""What the screens look like: pictures under __snapshots__, each looked at when it was made.

Written anew by ``pytest tests/tui/test_snapshots.py --snapshot-update``; look at every one that changed.
"""

from __future__ import annotations

import base64
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from given_histories import SECRET
from stations import NARROW, PLAN, RELEASE, RELEASES, RELEASES_WIDE, STATIONS, WIDE, Station, app_of, go
from textual.pilot import Pilot

_LIGHT: dict[str, object] = {"theme": "textual-light"}
_ASCII: dict[str, object] = {"unicode": False}
_TERMINAL: dict[str, object] = {"theme": "ansi-dark"}

Snapshot = Callable[..., bool]


def _compared(snap_compare: Snapshot, station: Station, size: tuple[int, int], **options: object) -> bool:
    async def there(pilot: Pilot[int]) -> None:
        await go(pilot, station)

    return snap_compare(app_of(station, **options), terminal_size=size, run_before=there)


@pytest.mark.parametrize("station", STATIONS, ids=lambda station: station.name)
def test_narrow(snap_compare: Snapshot, station: Station) -> None:
    """Eighty columns, dark."""
    assert _compared(snap_compare, station, NARROW)


@pytest.mark.parametrize("station", [RELEASES, RELEASE, PLAN], ids=lambda station: station.name)
@pytest.mark.parametrize("options", [_LIGHT, _ASCII, _TERMINAL], ids=["light", "ascii", "terminal"])
def test_other_terminals(snap_compare: Snapshot, station: Station, options: dict[str, object]) -> None:
    """Light; ASCII alone; the terminal's own colours."""
    assert _compared(snap_compare, station, NARROW, **options)


@pytest.mark.parametrize("station", [RELEASES, RELEASE, PLAN], ids=lambda station: station.name)
def test_no_color(snap_compare: Snapshot, station: Station, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without any colour."""
    monkeypatch.setenv("NO_COLOR", "1")
    assert _compared(snap_compare, station, NARROW)


@pytest.mark.parametrize("station", [RELEASES_WIDE, RELEASE, PLAN], ids=lambda station: station.name)
def test_wide(snap_compare: Snapshot, station: Station) -> None:
    """Two hundred columns."""
    assert _compared(snap_compare, station, WIDE)


def test_no_picture_tells_a_secret_or_where_it_was_made() -> None:
    folders = (Path(__file__).parent / "__snapshots__", Path(__file__).parents[2] / "docs" / "screenshots")
    pictures = [picture for folder in folders for picture in folder.rglob("*.svg")]
    assert pictures
    coded = base64.b64encode(SECRET.encode()).decode().rstrip("=")
    private = (SECRET, coded[:20], str(Path.home()), str(Path(__file__).parents[2]), "/tmp/", *_host_names())
    for picture in pictures:
        text = picture.read_text(encoding="utf-8").replace("&#160;", " ")
        assert [word for word in private if word in text] == [], picture.name


def _host_names() -> list[str]:
    import getpass
    import socket

    return [name for name in (socket.gethostname(), getpass.getuser()) if len(name) > 4]


def test_the_pictures_of_the_documentation_can_be_drawn(tmp_path: Path) -> None:
    script = Path(__file__).parents[2] / "tools" / "generate" / "screenshots.py"
    command = [sys.executable, str(script), "--out", str(tmp_path), "three-way"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert "spec.driver.enabled" in (tmp_path / "three-way.svg").read_text(encoding="utf-8")
