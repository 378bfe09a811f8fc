"""Keys that all come at once do what they do one by one."""

from __future__ import annotations

from collections.abc import Iterable

import pytest
from given_source import GivenSource
from settled import settled
from stations import Station, visit
from textual import events
from textual.keys import _character_to_key
from textual.pilot import Pilot
from textual.widgets import Input, TextArea

from helmguard.tui.dialogs.plan_form import PlanFormDialog
from helmguard.tui.screens.releases import ReleasesScreen
from helmguard.tui.widgets.search_bar import SearchBar

RELEASES = Station("releases", GivenSource.usual)


def at_once(pilot: Pilot[int], keys: Iterable[str]) -> None:
    """As from a terminal that was stalled."""
    for key in keys:
        name = _character_to_key(key) if len(key) == 1 else key
        pilot.app.post_message(events.Key(name, key if len(key) == 1 else None))


def test_letters_behind_a_slash_are_no_commands() -> None:
    async def look(pilot: Pilot[int]) -> None:
        at_once(pilot, "/sfN0")
        await settled(pilot)
        screen = pilot.app.screen
        assert isinstance(screen, ReleasesScreen)
        assert screen.query_one(SearchBar).text == "sfN0"
        assert (screen.view.sort, screen.view.status) == ("namespace", "all")

    visit(RELEASES, look)


def test_a_form_gets_what_is_typed_before_it_is_there() -> None:
    async def look(pilot: Pilot[int]) -> None:
        at_once(pilot, ["p", *"./web", "tab", *"1.2", "tab", "tab", *"a=b"])
        pilot.app.post_message(events.Paste(",c=d"))
        await settled(pilot)
        form = pilot.app.screen
        assert isinstance(form, PlanFormDialog)
        shown = [form.query_one(f"#{field}", Input).value for field in ("chart", "version", "files")]
        assert shown == ["./web", "1.2", ""]
        assert form.query_one("#sets", TextArea).text == "a=b,c=d"

    visit(Station("release", GivenSource.usual, options={"release": "web"}), look)


@pytest.mark.parametrize("way", ["closed", "removed"])
def test_a_key_that_nobody_answers_holds_up_none(way: str) -> None:
    """What had the focus is gone before it has read the key."""

    async def look(pilot: Pilot[int]) -> None:
        app = pilot.app
        at_once(pilot, "N")
        await settled(pilot)
        focused = app.screen.focused
        assert focused is not None
        if way == "closed":
            app.pop_screen()
        else:
            focused.remove()
        at_once(pilot, ["j", "escape", "escape", *"/web"])
        await settled(pilot, lambda: app.screen_stack[1].query_one(SearchBar).text == "web")

    visit(RELEASES, look)


def test_what_fails_behind_the_end_is_no_error() -> None:
    async def look(pilot: Pilot[int]) -> None:
        app = pilot.app
        app.exit(return_code=3)
        app._handle_exception(KeyError("a screen that is gone"))
        assert (app.return_code, app.failure) == (3, None)  # type: ignore[attr-defined]

    visit(RELEASES, look)
