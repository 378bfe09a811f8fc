"""The list of releases, by its keys."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable
from pathlib import Path

from given_source import NOW, UNREACHABLE, GivenSource
from one_screen import text_of
from settled import press, settled
from textual import events
from textual.pilot import Pilot

from helmguard.errors import ClusterError
from helmguard.tui.app import HelmguardApp
from helmguard.tui.dialogs.namespace import NamespaceDialog
from helmguard.tui.options import TuiOptions
from helmguard.tui.screens.release import ReleaseScreen
from helmguard.tui.screens.releases import ReleasesScreen
from helmguard.tui.widgets.release_list import ReleaseList
from helmguard.tui.widgets.row_list import RowList
from helmguard.tui.widgets.search_bar import SearchBar
from helmguard.tui.widgets.stage import Stage

Look = Callable[[Pilot[int], ReleasesScreen], Awaitable[None]]


def look_at(source: GivenSource, look: Look, size: tuple[int, int] = (80, 24), **options: object) -> None:
    """Start with the list of releases."""

    async def run() -> None:
        app = HelmguardApp(source, TuiOptions(**options), clock=lambda: NOW)  # type: ignore[arg-type]
        async with app.run_test(size=size) as pilot:
            await settled(pilot, lambda: isinstance(app.screen, ReleasesScreen))
            assert isinstance(app.screen, ReleasesScreen)
            await look(pilot, app.screen)

    asyncio.run(run())


def names(screen: ReleasesScreen) -> list[str]:
    """Of the releases in the list."""
    return [row.key for row in screen.query_one(ReleaseList).rows]


def test_the_list_says_what_needs_eyes_and_reads_the_charts_of_what_is_in_view() -> None:
    source = GivenSource.many(300)

    async def look(pilot: Pilot[int], screen: ReleasesScreen) -> None:
        await settled(pilot, lambda: "prometheus-27.1.0" in text_of(pilot))
        lines = text_of(pilot).split("\n")
        assert "304 releases · by namespace" in lines[1]
        assert "monitoring" in lines[5] and "◌ pending-upgrade" in lines[5] and "19 min ago" in lines[5]
        assert "shop" in lines[6] and "✗ failed" in lines[6] and "web-1.5.0" in lines[6]
        assert source.asked.count("chart_of") < 60
        read = source.asked.count("chart_of")
        await press(pilot, ["G"])
        await settled(pilot, lambda: source.asked.count("chart_of") > read)
        assert "team-99" in text_of(pilot)

    look_at(source, look, (118, 24))


def test_the_list_grows_older_while_it_is_looked_at() -> None:
    now = [NOW]

    async def run() -> None:
        app = HelmguardApp(GivenSource.usual(), TuiOptions(), clock=lambda: now[0])
        async with app.run_test(size=(118, 24)) as pilot:
            await settled(pilot, lambda: "19 min ago" in text_of(pilot))
            now[0] = "2026-11-30T09:00:00Z"
            app.screen.post_message(events.ScreenResume())
            await settled(pilot, lambda: "19 min ago" not in text_of(pilot))

    asyncio.run(run())


def test_filter_sort_and_status_by_keys() -> None:
    async def look(pilot: Pilot[int], screen: ReleasesScreen) -> None:
        await press(pilot, ["/", *"s/w"])
        assert names(screen) == ["shop/web"]
        assert "4 releases, 1 shown · like s/w" in text_of(pilot)
        await press(pilot, ["enter"])
        assert isinstance(screen.focused, ReleaseList)
        await press(pilot, ["escape"])
        assert len(names(screen)) == 4
        await press(pilot, ["s"])
        assert names(screen)[0] == "cert-manager/cert-manager" and "by name" in text_of(pilot)
        await press(pilot, ["s"])
        assert names(screen)[:2] == ["shop/web", "monitoring/prom"]
        await press(pilot, ["f"])
        assert names(screen) == ["shop/web", "monitoring/prom"]
        await press(pilot, ["f"])
        assert names(screen) == ["monitoring/prom"]
        await press(pilot, ["f"])
        assert names(screen) == ["shop/web"]
        await press(pilot, ["f"])
        assert names(screen) == [] and "d compares" in text_of(pilot)
        await press(pilot, ["f"])
        assert len(names(screen)) == 4 and isinstance(screen.focused, ReleaseList)

    look_at(GivenSource.usual(), look)


def test_one_namespace_and_all_again() -> None:
    async def look(pilot: Pilot[int], screen: ReleasesScreen) -> None:
        await press(pilot, ["N"])
        assert isinstance(pilot.app.screen, NamespaceDialog)
        await press(pilot, ["G", "enter"])
        assert names(screen) == ["shop/web"] and "namespace shop" in text_of(pilot)
        await press(pilot, ["N", "escape"])
        assert names(screen) == ["shop/web"]
        await press(pilot, ["0"])
        assert len(names(screen)) == 4

    look_at(GivenSource.usual(), look)


def test_drift_marks_the_releases_as_it_is_found() -> None:
    source = GivenSource.usual()

    async def look(pilot: Pilot[int], screen: ReleasesScreen) -> None:
        await press(pilot, ["d"])
        await settled(pilot, lambda: "DRIFT" in text_of(pilot))
        by_name = {row.key: row.item for row in screen.query_one(ReleaseList).rows}
        assert by_name["shop/web"].drift.counts["objectsAdrift"] == 2
        assert by_name["cert-manager/cert-manager"].drift.counts["objectsAdrift"] == 0
        lines = {line.split()[1]: line for line in text_of(pilot).split("\n")[3:7] if line.split()[1:]}
        assert "~2" in text_of(pilot) and "none" in next(line for line in lines.values() if "cert" in line)
        assert "drift in 1 of 4" in text_of(pilot)
        await press(pilot, ["f"] * 4)
        assert names(screen) == ["shop/web"]

    look_at(source, look)


def test_drift_can_be_given_up() -> None:
    source = GivenSource.usual()

    async def look(pilot: Pilot[int], screen: ReleasesScreen) -> None:
        source.hold()
        await press(pilot, ["d"])
        await settled(pilot, lambda: "reading live objects  (esc cancels)" in text_of(pilot))
        await press(pilot, ["escape"])
        source.let_go()
        await settled(pilot)
        assert "esc cancels" not in text_of(pilot)
        assert all(row.item.drift is None for row in screen.query_one(ReleaseList).rows)

    look_at(source, look)


def test_the_next_session_shows_it_the_same_way(plain_terminal: Path) -> None:
    async def narrow(pilot: Pilot[int], screen: ReleasesScreen) -> None:
        await press(pilot, ["/", *"web", "enter", "s", "s", "s"])

    async def again(pilot: Pilot[int], screen: ReleasesScreen) -> None:
        assert names(screen) == ["shop/web"]
        assert "like web" in text_of(pilot) and "by updated" in text_of(pilot)
        assert screen.query_one(SearchBar).text == "web"
        await press(pilot, ["escape"])
        assert names(screen)[0] == "monitoring/prom"

    async def elsewhere(pilot: Pilot[int], screen: ReleasesScreen) -> None:
        assert len(names(screen)) == 1

    look_at(GivenSource.usual(), narrow)
    kept = json.loads((plain_terminal / "helmguard" / "tui.json").read_text())
    assert kept["releases"]["kind-prod"]["search"] == "web"
    look_at(GivenSource.usual(), again)
    look_at(GivenSource.of_demo(), elsewhere)


def test_a_damaged_memory_is_told_once(plain_terminal: Path) -> None:
    file = plain_terminal / "helmguard" / "tui.json"
    file.parent.mkdir()
    file.write_text("{")

    async def look(pilot: Pilot[int], screen: ReleasesScreen) -> None:
        assert [note.severity for note in pilot.app._notifications] == ["warning"]
        assert len(names(screen)) == 4
        await press(pilot, ["s", "f"])
        assert len(pilot.app._notifications) == 1

    look_at(GivenSource.usual(), look)


def test_an_empty_list_says_what_to_do() -> None:
    async def look(pilot: Pilot[int], screen: ReleasesScreen) -> None:
        assert screen.query_one("#stage", Stage).state == "empty"
        assert "HELM_DRIVER" in text_of(pilot) and "namespace shop" in text_of(pilot)

    look_at(GivenSource.empty("only namespace shop: you may not list secrets in all namespaces"), look)


def test_an_error_is_in_words_and_can_be_tried_again() -> None:
    source = GivenSource.usual()
    source.failing = UNREACHABLE

    async def look(pilot: Pilot[int], screen: ReleasesScreen) -> None:
        assert "does not answer" in text_of(pilot) and "--kube-context" in text_of(pilot)
        source.failing = None
        await press(pilot, ["ctrl+r"])
        assert len(names(screen)) == 4 and isinstance(screen.focused, ReleaseList)
        source.failing = ClusterError("no drift", remedy="try later")
        await press(pilot, ["d"])
        assert [note.message for note in pilot.app._notifications] == ["no drift try later"]

    look_at(source, look)


def test_what_was_read_before_does_not_cover_an_error() -> None:
    """Nor what is being read: sorting, filters, drift and the clock lay the list out anew."""
    source, now = GivenSource.usual(), [NOW]

    async def run() -> None:
        app = HelmguardApp(source, TuiOptions(), clock=lambda: now[0])
        async with app.run_test(size=(80, 24)) as pilot:
            await settled(pilot)
            source.failing = UNREACHABLE
            await press(pilot, ["ctrl+r", "s", "f"])
            assert "does not answer" in text_of(pilot)
            now[0] = "2026-11-30T09:00:00Z"
            app.screen.post_message(events.ScreenResume())
            await settled(pilot)
            assert "does not answer" in text_of(pilot)
            source.failing = None
            source.hold()
            await press(pilot, ["ctrl+r", "s"])
            assert "Listing the releases" in text_of(pilot)
            source.let_go()
            await settled(pilot, lambda: "not deployed" in text_of(pilot) and "web" in text_of(pilot))

    asyncio.run(run())


def test_loading_can_be_given_up() -> None:
    source = GivenSource.usual()
    source.hold()

    async def look(pilot: Pilot[int], screen: ReleasesScreen) -> None:
        assert "Listing the releases" in text_of(pilot)
        await press(pilot, ["escape"])
        source.let_go()
        await settled(pilot)
        assert names(screen) == [] and "ctrl+r reads them" in text_of(pilot)
        await press(pilot, ["ctrl+r"])
        assert len(names(screen)) == 4

    look_at(source, look)


def test_a_wide_terminal_has_a_preview_of_where_the_cursor_rests() -> None:
    source = GivenSource.usual()

    async def look(pilot: Pilot[int], screen: ReleasesScreen) -> None:
        await settled(pilot, lambda: source.asked.count("open_release") == 1)
        await press(pilot, ["G"])
        await settled(pilot, lambda: "web · namespace shop" in text_of(pilot))
        assert "sh.helm.release.v1.web.v4 cannot be read" in text_of(pilot)
        assert source.asked.count("open_release") == 2
        assert "SECRET" not in text_of(pilot)
        await press(pilot, ["g"])
        await settled(pilot, lambda: "cert-manager · namespace" in text_of(pilot))
        assert source.asked.count("open_release") == 2
        await pilot.resize_terminal(100, 30)
        await settled(pilot)
        assert not screen.query_one("#preview").display

    look_at(source, look, (160, 30))


def test_enter_opens_and_esc_comes_back_to_the_same_row() -> None:
    async def look(pilot: Pilot[int], screen: ReleasesScreen) -> None:
        await press(pilot, ["G", "k", "enter"])
        assert isinstance(pilot.app.screen, ReleaseScreen)
        assert "prom · namespace monitoring" in text_of(pilot)
        await press(pilot, ["escape"])
        assert pilot.app.screen is screen
        release = screen.query_one(ReleaseList).release
        assert release is not None and release.key == "monitoring/prom"

    look_at(GivenSource.usual(), look)


def test_hostile_names_are_inert() -> None:
    async def look(pilot: Pilot[int], screen: ReleasesScreen) -> None:
        await press(pilot, ["N"])
        assert isinstance(pilot.app.screen.query_one(RowList), RowList)
        texts = [text_of(pilot)]
        await press(pilot, ["escape"])
        texts.append(text_of(pilot))
        for text in texts:
            assert not any(ord(character) < 32 and character != "\n" for character in text)
            assert "\u202e" not in text and "\x9b" not in text
        assert r"\x1b[31m" in text_of(pilot)

    look_at(GivenSource.hostile(), look)
