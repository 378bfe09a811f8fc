"""One release: its time line and the comparisons, by their keys."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

import pytest
from given_histories import SECRET, web_release
from given_source import NOW, UNREACHABLE, GivenSource
from msgspec.structs import replace
from one_screen import text_of
from settled import press, settled
from textual.pilot import Pilot

from helmguard.model.release import DamagedRecord, History
from helmguard.planner.demo import demo_bundle
from helmguard.planner.session import Report
from helmguard.tui.app import HelmguardApp
from helmguard.tui.dialogs.plan_form import PlanFormDialog
from helmguard.tui.options import TuiOptions
from helmguard.tui.screens.object import ObjectScreen
from helmguard.tui.screens.plan import PlanScreen
from helmguard.tui.screens.release import ReleaseScreen
from helmguard.tui.screens.releases import ReleasesScreen
from helmguard.tui.screens.text import TextScreen
from helmguard.tui.screens.values import ValuesScreen
from helmguard.tui.screens.yaml import YamlScreen
from helmguard.tui.sources.bundle import BundleSource
from helmguard.tui.sources.source import ListedReleases
from helmguard.tui.widgets.review import Review
from helmguard.tui.widgets.row_list import RowList
from helmguard.tui.widgets.stage import Stage
from helmguard.tui.widgets.time_line import TimeLine

Look = Callable[[Pilot[int], ReleaseScreen], Awaitable[None]]


def look_at(
    source: GivenSource | BundleSource,
    look: Look,
    name: str = "web",
    size: tuple[int, int] = (80, 24),
    **options: object,
) -> None:
    """Start with one release."""

    async def run() -> None:
        app = HelmguardApp(source, TuiOptions(release=name, **options), clock=lambda: NOW)  # type: ignore[arg-type]
        async with app.run_test(size=size) as pilot:
            if isinstance(source, BundleSource):
                app.push_screen(ReleaseScreen("", name))
            await settled(pilot, lambda: isinstance(app.screen, ReleaseScreen))
            assert isinstance(app.screen, ReleaseScreen)
            await look(pilot, app.screen)

    asyncio.run(run())


def title(screen: ReleaseScreen) -> str:
    """Of the comparison."""
    return str(screen.query_one(Review).query_one(".review--title").visual)


def test_it_opens_with_the_last_revision_beside_the_one_before() -> None:
    async def look(pilot: Pilot[int], screen: ReleaseScreen) -> None:
        lines = text_of(pilot).split("\n")
        assert lines[1].startswith("  web · namespace shop · revision 6 ✗ failed")
        assert lines[3].startswith("> » 6  ✗ failed") and lines[4].startswith("  » 5  ● deployed")
        assert lines[5].startswith("    4  ? record sh.helm.release.v1.web.v4 cannot be read")
        assert lines[8].startswith("    1  not stored any more")
        assert "revision 5 → 6 (stored)" in text_of(pilot)
        assert "replicas" in text_of(pilot) and "3 → 4" in text_of(pilot)
        assert screen.query_one(TimeLine).version == 6

    look_at(GivenSource.usual(), look)


def test_two_marked_revisions_are_compared_whichever_is_marked_first() -> None:
    source = GivenSource.usual()

    async def look(pilot: Pilot[int], screen: ReleaseScreen) -> None:
        await press(pilot, ["j", "space", "j", "j", "space"])
        assert "revision 2 → 5 (stored)" in text_of(pilot)
        assert screen.query_one(TimeLine).version == 2, "the cursor passes over what is no revision"
        await press(pilot, ["space", "k", "space"])
        assert "revision 2 → 3 (stored)" in text_of(pilot)
        asked = source.asked.count("compare")
        await press(pilot, ["enter"])
        assert source.asked.count("compare") == asked, "it is known already"
        await press(pilot, ["space", "escape"])
        assert pilot.app.screen is screen, "esc takes back the mark first"
        await press(pilot, ["escape"])
        assert isinstance(pilot.app.screen, ReleasesScreen)

    look_at(source, look)


def test_the_first_revision_has_none_before_it() -> None:
    async def look(pilot: Pilot[int], screen: ReleaseScreen) -> None:
        await press(pilot, ["G", "enter"])
        assert "Revision 2 is the first that is stored" in text_of(pilot)
        await press(pilot, ["y"])
        assert pilot.app.screen is screen
        await press(pilot, ["k", "enter"])
        assert "revision 2 → 3 (stored)" in text_of(pilot)

    look_at(GivenSource.usual(), look)


def test_a_revision_and_what_is_live() -> None:
    source = GivenSource.usual()

    async def look(pilot: Pilot[int], screen: ReleaseScreen) -> None:
        await press(pilot, ["j", "l"])
        assert "revision 5 and live" in text_of(pilot)
        assert "drift: " in text_of(pilot).split("\n")[2]
        await press(pilot, ["y"])
        assert "YAML of 5 and live" in text_of(pilot) and "replicas: 7" in text_of(pilot)
        await press(pilot, ["escape"])
        await press(pilot, ["g", "space", "j", "space"])
        assert "revision 6 and live" in text_of(pilot)
        await press(pilot, ["g", "enter"])
        assert source.asked.count("against_live") == 2

    look_at(source, look)


def test_texts_of_a_revision() -> None:
    async def look(pilot: Pilot[int], screen: ReleaseScreen) -> None:
        for keys, name, said in (
            ("t", "notes of revision 6", "2. The database's password is in Secret/web-db."),
            ("jjt", "notes of revision 3", "1. Get the address:"),
            ("Gt", "notes of revision 2", "Revision 2 has no notes"),
            ("h", "hooks of revision 2", "Revision 2 has no hooks."),
            ("i", "status", "a way out was checked: rollback"),
        ):
            await press(pilot, keys)
            assert isinstance(pilot.app.screen, TextScreen)
            assert name in text_of(pilot) and said in text_of(pilot)
            await press(pilot, ["escape"])
            assert pilot.app.screen is screen

    look_at(GivenSource.usual(), look)


def test_hooks_of_the_demo_are_searched_and_copied() -> None:
    async def look(pilot: Pilot[int], screen: ReleaseScreen) -> None:
        assert "Revision 1 is the first that is stored" in text_of(pilot)
        await press(pilot, ["h"])
        text = pilot.app.screen.query_one(RowList)
        await press(pilot, ["/", *"upgrade-crd", "enter", "n"])
        assert text.row is not None
        assert any("upgrade-crd" in span.text for span in text.row.lines[0])
        await press(pilot, ["c"])
        assert "gpu-operator-upgrade-crd" in pilot.app.clipboard
        await press(pilot, ["escape"])
        assert isinstance(pilot.app.screen, TextScreen), "esc clears the search first"
        await press(pilot, ["escape", "i"])
        assert "is asked of a" in text_of(pilot), "a bundle has no cluster"
        await press(pilot, ["escape", "l"])
        assert "revision 1 and live" in text_of(pilot)

    look_at(BundleSource(demo_bundle(), "demo"), look, "gpu-operator")


def test_yaml_objects_and_plans_open() -> None:
    async def look(pilot: Pilot[int], screen: ReleaseScreen) -> None:
        await press(pilot, ["y"])
        assert isinstance(pilot.app.screen, YamlScreen)
        assert "YAML of 5 and 6" in text_of(pilot)
        await press(pilot, ["escape", "V"])
        assert isinstance(pilot.app.screen, ValuesScreen)
        lines = text_of(pilot)
        assert "user-supplied values" in lines and 'tag: "2.1"' in lines and 'tag: "2.2"' in lines
        assert SECRET not in lines
        await press(pilot, ["escape", "o", "j", "enter"])
        assert isinstance(pilot.app.screen, ObjectScreen)
        await press(pilot, ["escape", "p"])
        assert isinstance(pilot.app.screen, PlanFormDialog)
        assert "web 1.5.0" in text_of(pilot)
        await press(pilot, ["escape"])
        screen.query_one(TimeLine).focus()
        await press(pilot, ["j", "j", "r"])
        assert isinstance(pilot.app.screen, PlanScreen)
        await settled(pilot, lambda: "Rollback to " in text_of(pilot))
        await press(pilot, ["escape"])
        assert pilot.app.screen is screen
        await press(pilot, ["g", "r"])
        assert pilot.app.screen is screen, "nothing goes back to what is live"

    look_at(GivenSource.usual(), look)


def test_n_and_v_lead_through_the_comparison() -> None:
    async def look(pilot: Pilot[int], screen: ReleaseScreen) -> None:
        review = screen.query_one(Review)
        await press(pilot, ["n"])
        first = review.selected
        await press(pilot, ["n"])
        assert first is not None and review.selected is not first
        await press(pilot, ["N"])
        assert review.selected is first
        await press(pilot, ["v"])
        row = review.tree_list.row
        assert row is not None and row.key.startswith("value/"), "the first value"

    look_at(GivenSource.usual(), look)


def test_secrets_are_masked_and_revealed_only_where_that_was_allowed() -> None:
    async def masked(pilot: Pilot[int], screen: ReleaseScreen) -> None:
        assert "(secret, changed)" in text_of(pilot)
        await press(pilot, ["x"])
        assert SECRET not in text_of(pilot)
        assert ["--show-secrets" in note.message for note in pilot.app._notifications] == [True]

    async def revealed(pilot: Pilot[int], screen: ReleaseScreen) -> None:
        await press(pilot, ["j", "j", "enter"])
        assert SECRET not in text_of(pilot)
        await press(pilot, ["x"])
        assert SECRET in text_of(pilot)
        await press(pilot, ["x"])
        assert SECRET not in text_of(pilot)

    look_at(GivenSource.usual(), masked, size=(110, 50))
    look_at(GivenSource.usual(), revealed, size=(110, 50), show_secrets=True)


def test_a_comparison_can_be_given_up_and_an_error_tried_again() -> None:
    source = GivenSource.usual()

    async def look(pilot: Pilot[int], screen: ReleaseScreen) -> None:
        source.hold()
        await press(pilot, ["l"])
        await settled(pilot, lambda: "Comparing revision 6 with what is live" in text_of(pilot))
        await press(pilot, ["escape"])
        source.let_go()
        await settled(pilot)
        assert "Not compared" in text_of(pilot) and pilot.app.screen is screen
        assert "»" not in text_of(pilot), "nothing is on the screen that could be marked so"
        source.failing = UNREACHABLE
        await press(pilot, ["l"])
        assert "does not answer" in text_of(pilot)
        source.failing = None
        await press(pilot, ["ctrl+r"])
        assert screen.query_one("#comparison", Stage).state == "content"

    look_at(source, look)


def test_a_release_that_is_not_there_is_told_in_words() -> None:
    async def look(pilot: Pilot[int], screen: ReleaseScreen) -> None:
        assert "release 'nope' is not in namespace" in text_of(pilot)
        await press(pilot, ["l", "t", "h", "i", "y", "p", "r", "space", "n", "v", "escape"])
        assert isinstance(pilot.app.screen, ReleasesScreen)

    look_at(GivenSource.usual(), look, "nope")


@pytest.mark.parametrize("size", [(80, 24), (110, 50), (200, 60)])
def test_it_fits_every_terminal(size: tuple[int, int]) -> None:
    async def look(pilot: Pilot[int], screen: ReleaseScreen) -> None:
        time_line, review = screen.query_one(TimeLine), screen.query_one(Review)
        beside = size[0] >= 160
        assert (time_line.region.y == review.region.y) == beside
        assert time_line.region.height >= 6 and review.region.height >= 12
        assert review.region.right <= size[0] and review.region.bottom <= size[1] - 1
        words = " ".join(text_of(pilot).split())
        assert ("Upgrade complete" in words) == (size[1] > 24)
        await pilot.resize_terminal(80, 24)
        await settled(pilot)
        assert screen.query_one(TimeLine).version == 6

    look_at(GivenSource.usual(), look, size=size)


def test_hostile_texts_are_inert() -> None:
    async def look(pilot: Pilot[int], screen: ReleaseScreen) -> None:
        for keys in (["l"], ["t"], ["escape", "h"], ["escape", "i"], ["escape", "y"], ["escape", "p"]):
            await press(pilot, keys)
            text = text_of(pilot)
            assert not any(ord(character) < 32 and character != "\n" for character in text), keys
            assert "\u202e" not in text and "\x9b" not in text, keys

    source = GivenSource.hostile()
    listed = source.list_releases(lambda _: None).releases[0]
    look_at(source, look, listed.name, size=(120, 40), namespace=listed.namespace)


class Unreadable(GivenSource):
    """One release, whose only record is damaged."""

    def __init__(self) -> None:
        damaged = (DamagedRecord("sh.helm.release.v1.web.v1", 1, "it is no gzip data"),)
        contents = replace(web_release().contents, history=History("web", "shop", (), damaged))
        super().__init__(replace(web_release(), contents=contents))

    def list_releases(self, report: Report) -> ListedReleases:
        return ListedReleases(())


def test_where_no_record_can_be_read_the_keys_say_so() -> None:
    async def look(pilot: Pilot[int], screen: ReleaseScreen) -> None:
        assert "None of the revisions can be read" in text_of(pilot)
        await press(pilot, ["t", "h", "l"])
        assert pilot.app.screen is screen
        told = [note.message for note in pilot.app._notifications]
        assert told == ["None of the revisions can be read."] * 3

    look_at(Unreadable(), look)
