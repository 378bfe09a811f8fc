"""What holds on every screen: keys, help, palette, themes, the title line, ASCII, no colour, 80 columns."""

from __future__ import annotations

import gc
import inspect
import re
import sys
from collections.abc import Iterator
from importlib import import_module
from pkgutil import iter_modules

import pytest
from given_histories import HOSTILE
from given_source import UNREACHABLE, GivenSource
from settled import press, settled
from stations import POOR, Station, app_of, visit
from textual.pilot import Pilot
from textual.screen import Screen
from textual.widgets import Footer, Input
from textual.widgets._footer import FooterKey

from helmguard.errors import UsageError
from helmguard.masking.masker import Masker
from helmguard.report.escaping import escape_line
from helmguard.report.page import Page, Pen
from helmguard.report.styles import Span, width_of
from helmguard.tui import screens
from helmguard.tui.ascii_only import to_ascii
from helmguard.tui.commands import ReleaseCommands
from helmguard.tui.dialogs.error import ErrorDialog
from helmguard.tui.dialogs.help import key_groups
from helmguard.tui.dialogs.text import TextDialog
from helmguard.tui.help_texts import KeyGroup, KeyHelp, help_lines, purpose_of_class
from helmguard.tui.interpreter import QuickInterpreter
from helmguard.tui.jump import panes_of
from helmguard.tui.remembered import Memory
from helmguard.tui.themes import DARK, LIGHT, THEMES, default_theme, first_theme, next_theme
from helmguard.tui.widgets.search_bar import SearchBar
from helmguard.tui.widgets.title_bar import TitleBar, _cut_left


def _texts(svg: str) -> Iterator[str]:
    """What is written on a screenshot."""
    for text in re.findall(r"<text[^>]*>([^<]*)</text>", svg):
        yield text.replace("&#160;", " ")


@pytest.mark.parametrize("station", POOR, ids=lambda station: station.name)
def test_a_poor_terminal_gets_the_whole_screen(station: Station, monkeypatch: pytest.MonkeyPatch) -> None:
    """Eighty columns, no colour, nothing but ASCII, no mouse."""
    monkeypatch.setenv("NO_COLOR", "1")

    async def look(pilot: Pilot[int]) -> None:
        shown = "\n".join(_texts(pilot.app.export_screenshot()))
        assert shown.isascii()
        assert "helmguard" in shown
        assert _colours(pilot) <= {"default"}
        _check_footer(pilot.app.screen)
        await _check_tab(pilot)

    visit(station, look, unicode=False)


def _texts(svg: str) -> Iterator[str]:
    """What is written on a screenshot."""
    for text in re.findall(r"<text[^>]*>([^<]*)</text>", svg):
        yield text.replace("&#160;", " ")


def _colours(pilot: Pilot[int]) -> set[str]:
    segments = [segment for strip in pilot.app.screen._compositor.render_strips() for segment in strip]
    styles = [segment.style for segment in segments if segment.style is not None]
    return {colour.name for style in styles for colour in (style.color, style.bgcolor) if colour is not None}


def _check_footer(screen: Screen[object]) -> None:
    """All of it can be read; the last blank may be cut."""
    for footer in screen.query(Footer):
        keys = [key for key in footer.query(FooterKey) if not key.has_class("-command-palette")]
        assert max(key.region.right for key in keys) <= 81, [key.description for key in keys]


async def _check_tab(pilot: Pilot[int]) -> None:
    """Tab comes to everything that can have the focus."""
    screen = pilot.app.screen
    wanted = {each for each in screen.query("*") if each.focusable and each.region.area}
    seen = {screen.focused}
    for _ in wanted:
        await press(pilot, ["tab"])
        seen.add(screen.focused)
    assert seen >= wanted


def test_every_screen_says_what_it_is_for() -> None:
    assert {name for name, screen in _screens() if not purpose_of_class(screen)} == set()


def _screens() -> Iterator[tuple[str, type[Screen[object]]]]:
    """Those that are shown, and not only what others are made of."""
    modules = [import_module(f"{screens.__name__}.{each.name}") for each in iter_modules(screens.__path__)]
    for module in modules:
        for name, found in inspect.getmembers(module):
            is_own = inspect.isclass(found) and found.__module__ == module.__name__
            if is_own and issubclass(found, Screen) and not found.__subclasses__():
                yield name, found


def test_help_names_every_key_that_the_screen_has() -> None:
    async def look(pilot: Pilot[int]) -> None:
        await settled(pilot)
        screen = pilot.app.screen
        bound = {
            pilot.app.get_key_display(active.binding)
            for active in screen.active_bindings.values()
            if active.binding.description
        }
        told = {key for group in key_groups(screen) for each in group.keys for key in each.keys}
        assert told == bound
        await press(pilot, ["question_mark"])
        assert isinstance(pilot.app.screen, TextDialog)
        await press(pilot, ["escape"])
        assert pilot.app.screen is screen

    visit(Station("releases", GivenSource.usual), look)


def test_help_fits_a_narrow_terminal() -> None:
    groups = [KeyGroup("On this screen", (KeyHelp(("ctrl+alt+shift+pagedown", "x"), "what it does " * 20),))]
    for unicode in (True, False):
        lines = list(help_lines("what it is for " * 20, groups, Pen(Page(60, unicode=unicode), Masker())))
        assert max(map(width_of, lines)) <= 60
        assert unicode or all(span.text.isascii() for line in lines for span in line)


def test_the_palette_opens_a_release_by_a_few_letters() -> None:
    async def look(pilot: Pilot[int]) -> None:
        await press(pilot, [":", *"gpugpu"])
        await press(pilot, ["enter"])
        assert pilot.app.screen.title.endswith("gpu-operator")
        assert "open_release" in pilot.app.source.asked

    visit(Station("releases", GivenSource.usual), look)


def test_the_palette_does_what_the_keys_do() -> None:
    async def look(pilot: Pilot[int]) -> None:
        await press(pilot, ["ctrl+p", *"filter"])
        await press(pilot, ["enter"])
        assert isinstance(pilot.app.focused, Input)
        await press(pilot, ["escape", ":", *"theme: textual-light"])
        await press(pilot, ["enter"])
        assert pilot.app.theme == LIGHT

    visit(Station("releases", GivenSource.usual), look)


def test_the_palette_is_quick_with_thousands_and_shows_hostile_names_inert() -> None:
    async def look(pilot: Pilot[int]) -> None:
        await settled(pilot)
        provider = ReleaseCommands(pilot.app.screen)
        await provider.startup()
        found = [hit async for hit in provider.search("evil")]
        shown = [hit.match_display.plain for hit in found]
        assert shown == [escape_line(f"shop\u202e/{HOSTILE}")]
        assert shown[0].isprintable()

    visit(Station("hostile", GivenSource.hostile), look)


def test_a_letter_jumps_to_a_pane() -> None:
    async def look(pilot: Pilot[int]) -> None:
        await settled(pilot)
        screen, panes = pilot.app.screen, panes_of(pilot.app.screen)
        assert len(panes) > 1
        await press(pilot, ["ctrl+o", "s"])
        assert (pilot.app.screen, screen.focused) == (screen, panes[1])
        await press(pilot, ["ctrl+o", "a"])
        assert screen.focused is panes[0]
        await press(pilot, ["ctrl+o", "escape"])
        assert (pilot.app.screen, screen.focused) == (screen, panes[0])

    visit(Station("release", GivenSource.usual, options={"release": "web"}), look)


def test_a_pane_can_have_the_whole_screen() -> None:
    async def look(pilot: Pilot[int]) -> None:
        await press(pilot, ["z"])
        assert pilot.app.screen.maximized is pilot.app.screen.focused is not None
        await press(pilot, ["z"])
        assert pilot.app.screen.maximized is None

    visit(Station("release", GivenSource.usual, options={"release": "web"}), look)


def test_ctrl_c_by_habit_loses_nothing_and_tells_the_way_out() -> None:
    async def look(pilot: Pilot[int]) -> None:
        await press(pilot, ["ctrl+c"])
        assert pilot.app.is_running
        assert [note.message for note in pilot.app._notifications] == ["q quits, esc goes back."]

    visit(Station("releases", GivenSource.usual), look)


def test_the_theme_is_switched_and_remembered() -> None:
    async def look(pilot: Pilot[int]) -> None:
        seen = []
        for _ in THEMES:
            await press(pilot, ["ctrl+t"])
            seen.append(pilot.app.theme)
        assert sorted(seen) == sorted(THEMES)
        await press(pilot, ["ctrl+t"])
        assert Memory().theme == pilot.app.theme == LIGHT

    station = Station("releases", GivenSource.empty)
    visit(station, look)
    assert app_of(station).theme == LIGHT
    assert app_of(station, theme="ansi-dark").theme == "ansi-dark"


def test_a_theme_that_does_not_exist_is_an_error_in_words() -> None:
    with pytest.raises(UsageError, match="there is no theme 'purple'") as raised:
        app_of(Station("releases", GivenSource.empty), theme="purple")
    assert "ansi-light" in raised.value.remedy


@pytest.mark.parametrize(
    ("colours", "theme"),
    [("", DARK), ("15;0", DARK), ("0;15", LIGHT), ("0;default;7", LIGHT), ("0;8", DARK), ("nonsense", DARK)],
)
def test_the_background_of_the_terminal_decides_where_it_is_told(colours: str, theme: str) -> None:
    assert default_theme({"COLORFGBG": colours}) == theme


def test_a_remembered_theme_that_is_gone_is_forgotten() -> None:
    assert first_theme("", "gone", THEMES, {}) == DARK
    assert first_theme("", "ansi-light", THEMES, {}) == "ansi-light"
    assert next_theme("gone") == DARK


@pytest.mark.parametrize(
    ("allow", "executes", "mode"),
    [(False, True, "review mode"), (True, True, "CHANGES ALLOWED"), (True, False, "review mode")],
)
def test_the_title_says_whether_anything_can_be_changed(allow: bool, executes: bool, mode: str) -> None:
    async def look(pilot: Pilot[int]) -> None:
        await settled(pilot)
        said = pilot.app.screen.query_one(TitleBar).render().plain
        assert said.endswith(f" {mode} ")
        assert said.startswith(" helmguard ")
        assert "kind-prod" in said

    station = Station("releases", lambda: GivenSource(can_execute=executes))
    visit(station, look, allow_changes=allow)


def test_the_title_is_one_inert_line_that_keeps_its_end() -> None:
    async def look(pilot: Pilot[int]) -> None:
        await settled(pilot)
        pilot.app.screen.title = f"{HOSTILE * 5} the end"
        await settled(pilot)
        said = pilot.app.screen.query_one(TitleBar).render()
        assert said.cell_length == 80
        assert said.plain.isprintable()
        assert "the end" in said.plain

    visit(Station("releases", GivenSource.empty), look)


def test_a_search_is_typed_kept_and_cleared() -> None:
    async def look(pilot: Pilot[int]) -> None:
        bar = pilot.app.screen.query_one(SearchBar)
        await press(pilot, ["slash", *"web"])
        assert (bar.text, bar.display) == ("web", True)
        await press(pilot, ["enter"])
        assert not isinstance(pilot.app.focused, Input)
        assert (bar.text, bar.display) == ("web", True)
        await press(pilot, ["slash", "escape"])
        assert (bar.text, bar.display) == ("", False)
        assert not isinstance(pilot.app.focused, Input)
        assert bar.clear() is False

    visit(Station("releases", GivenSource.usual), look)


def test_an_error_that_nothing_waits_for_can_be_tried_again() -> None:
    answers: list[bool | None] = []

    async def look(pilot: Pilot[int]) -> None:
        for key in ("escape", "ctrl+r"):
            pilot.app.push_screen(ErrorDialog(UNREACHABLE), answers.append)
            await settled(pilot)
            assert "--kube-context" in "".join(_texts(pilot.app.export_screenshot()))
            await press(pilot, [key])

    visit(Station("releases", GivenSource.empty), look)
    assert answers == [False, True]


@pytest.mark.parametrize("sign", ["●", "─", "│", "┌", "▔", "名", "é", "…", "🔎"])
def test_a_sign_becomes_as_many_cells_of_ascii(sign: str) -> None:
    replaced = to_ascii(f"a{sign}b")
    assert replaced.isascii()
    assert width_of([Span(replaced)]) == width_of([Span(f"a{sign}b")])


@pytest.mark.parametrize(
    ("width", "shown"), [(20, "a long way to go"), (10, "..ay to go"), (2, ".."), (1, "."), (0, "")]
)
def test_a_way_is_cut_at_its_start(width: int, shown: str) -> None:
    assert _cut_left("a long way to go", width, "..")[-width or 99 :] == shown[-width or 99 :]


def test_nothing_is_searched_for_garbage_while_somebody_is_there(monkeypatch: pytest.MonkeyPatch) -> None:
    before, collected, clock = (gc.get_threshold(), sys.getswitchinterval()), [], [0.0]
    monkeypatch.setattr("helmguard.tui.interpreter.time.monotonic", lambda: clock[0])
    monkeypatch.setattr("helmguard.tui.interpreter.gc.collect", lambda: collected.append(clock[0]))
    interpreter = QuickInterpreter()
    interpreter.begin()
    try:
        assert gc.get_threshold()[2] > 1_000_000
        for clock[0] in (10.0, 25.0, 60.0):
            interpreter.look()
        assert collected == [25.0]
        interpreter.touched()
        for clock[0] in (70.0, 85.0):
            interpreter.look()
        assert collected == [25.0, 85.0]
    finally:
        interpreter.end()
    assert (gc.get_threshold(), sys.getswitchinterval()) == before
