"""What the command palette offers: the actions of the screen, the releases, the themes."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import TYPE_CHECKING, TypeAlias, cast

from textual.app import App
from textual.command import DiscoveryHit, Hit, Hits, Provider
from textual.content import Content
from textual.screen import Screen

from helmguard.report.escaping import escape_line
from helmguard.report.release_rows import ReleasesView, release_row, shown_releases
from helmguard.tui.help_texts import is_textuals_own, words_of

if TYPE_CHECKING:
    from textual.binding import ActiveBinding

    from helmguard.tui.app import HelmguardApp

Command: TypeAlias = tuple[str, str, Callable[[], object]]
"""What is shown and matched, a line of help, what is done."""

_MOST_RELEASES = 50
_SCORE = 0.5


class ScreenCommands(Provider):
    """What the keys of the screen do, and what is the same everywhere."""

    async def discover(self) -> Hits:
        """All of it."""
        for name, said, run in self._commands():
            yield DiscoveryHit(name, run, help=said)

    async def search(self, query: str) -> Hits:
        """What matches."""
        matcher = self.matcher(query)
        for name, said, run in self._commands():
            score = matcher.match(name)
            if score > 0:
                yield Hit(score, matcher.highlight(name), run, help=said)

    def _commands(self) -> Iterator[Command]:
        seen = set[str]()
        bindings = [each for each in self.screen.active_bindings.values() if _is_command(each)]
        for node, binding, _, tooltip in sorted(bindings, key=_is_general):
            if binding.action in seen:
                continue
            seen.add(binding.action)
            said = tooltip or binding.tooltip
            key = f"key: {self.app.get_key_display(binding)}"
            name = words_of(binding.action, binding.description)
            run = partial(self.app.run_action, binding.action, node)
            yield name, f"{said}  ({key})" if said else key, run


class ReleaseCommands(Provider):
    """Every release that was listed, by ``namespace/name``: found as the list's own filter finds them."""

    async def startup(self) -> None:
        """Once for all that is typed."""
        self._rows = [release_row(release) for release in cast("HelmguardApp", self.app).listed]

    async def search(self, query: str) -> Hits:
        """The first of those that match."""
        app = cast("HelmguardApp", self.app)
        found = shown_releases(self._rows, ReleasesView(search=query))
        for index, row in enumerate(found[:_MOST_RELEASES]):
            shown = Content(escape_line(row.key, ascii_only=not app.unicode))
            run = partial(app.open_release, row.release.namespace, row.release.name)
            yield Hit(_SCORE / (index + 1), shown, run, text=row.key, help="open the release")


class ThemeCommands(Provider):
    """``theme: NAME``."""

    async def discover(self) -> Hits:
        """None unless asked for: there are many."""
        return
        yield

    async def search(self, query: str) -> Hits:
        """What matches."""
        app = cast("HelmguardApp", self.app)
        matcher = self.matcher(query)
        for theme in sorted(app.available_themes):
            name = f"theme: {theme}"
            score = matcher.match(name)
            if score > 0:
                yield Hit(score, matcher.highlight(name), partial(app.take_theme, theme), help="colours")


def _is_command(active: ActiveBinding) -> bool:
    """Not the keys that move the cursor of what has the focus, nor what cannot be done now."""
    node, binding = active.node, active.binding
    if not active.enabled or not binding.description or binding.action == "command_palette":
        return False
    return binding.show or isinstance(node, (App, Screen))


def _is_general(active: ActiveBinding) -> bool:
    """What is the same everywhere comes last."""
    return isinstance(active.node, App) or is_textuals_own(active.binding.action)
