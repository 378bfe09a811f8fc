"""What is remembered of filters and theme."""

from __future__ import annotations

import stat
from pathlib import Path

import pytest

from helmguard.report.release_rows import ReleasesView
from helmguard.tui.remembered import Memory, state_file

_VIEW = ReleasesView(search="web", status="failed", sort="updated", namespace="shop")


def test_another_session_finds_it(tmp_path: Path) -> None:
    file = tmp_path / "state" / "helmguard" / "tui.json"
    memory = Memory(file)
    memory.keep_releases("kind-prod", _VIEW)
    memory.keep_theme("textual-light")

    again = Memory(file)

    assert again.releases("kind-prod") == _VIEW
    assert again.releases("kind-test") == ReleasesView()
    assert again.theme == "textual-light"
    assert again.trouble == ""
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert [path.name for path in file.parent.iterdir()] == ["tui.json"]


@pytest.mark.parametrize(
    "text", ["", "{", "[]", '{"releases": {"a": {"sort": "size"}}}', '{"format": 2}', "\0"]
)
def test_a_damaged_file_is_told_and_written_anew(tmp_path: Path, text: str) -> None:
    file = tmp_path / "tui.json"
    file.write_text(text)
    memory = Memory(file)

    assert memory.releases("kind-prod") == ReleasesView()
    assert str(file) in memory.trouble

    memory.keep_releases("kind-prod", _VIEW)
    assert Memory(file).releases("kind-prod") == _VIEW


def test_where_nothing_can_be_written_the_session_goes_on(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    memory = Memory(tmp_path / "file" / "helmguard" / "tui.json")

    memory.keep_releases("kind-prod", _VIEW)

    assert memory.releases("kind-prod") == _VIEW
    assert "not remembered" in memory.trouble


def test_only_the_clusters_used_last_are_kept(tmp_path: Path) -> None:
    memory = Memory(tmp_path / "tui.json")
    for number in range(205):
        memory.keep_releases(f"kind-{number}", _VIEW)

    assert len(memory.found.releases) == 200
    assert memory.releases("kind-204") == _VIEW
    assert memory.releases("kind-0") == ReleasesView()


def test_where_the_file_is() -> None:
    assert state_file({"XDG_STATE_HOME": "/s"}) == Path("/s/helmguard/tui.json")
    assert state_file({"XDG_STATE_HOME": "s"}) == Path.home() / ".local/state/helmguard/tui.json"
