"""What one can do on a screen, from the keys that are bound there at this moment."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from textual.app import App
from textual.screen import Screen

from helmguard.masking.masker import Masker
from helmguard.tui.dialogs.text import TextDialog
from helmguard.tui.help_texts import (
    KeyGroup,
    KeyHelp,
    help_lines,
    is_textuals_own,
    name_of,
    purpose_of_class,
    words_of,
)

if TYPE_CHECKING:
    from helmguard.tui.app import HelmguardApp


def help_dialog(screen: Screen[object]) -> TextDialog:
    """For the screen as it is: with the keys of what has the focus."""
    app = cast("HelmguardApp", screen.app)
    name, purpose, groups = name_of(screen), purpose_of_class(type(screen)), key_groups(screen)

    return TextDialog(
        f"Help: {name}",
        lambda width: help_lines(purpose, groups, app.pen(Masker(()), width)),
    )


def key_groups(screen: Screen[object]) -> list[KeyGroup]:
    """The screen's keys first, then those of what has the focus, then those that are the same everywhere.

    Keys that cannot be used now are told with the others.
    """
    found: dict[str, dict[tuple[str, str], list[str]]] = {}
    titles = {"screen": "On this screen", "focus": "In what has the focus", "app": "Everywhere"}
    for node, binding, _, tooltip in screen.active_bindings.values():
        where = "screen" if isinstance(node, Screen) else "app" if isinstance(node, App) else "focus"
        words = words_of(binding.action, tooltip or binding.tooltip or binding.description)
        if not words:
            continue
        where = "app" if is_textuals_own(binding.action) else where
        keys = found.setdefault(where, {}).setdefault((binding.action, words), [])
        shown = screen.app.get_key_display(binding)
        if shown not in keys:
            keys.append(shown)
    return [
        KeyGroup(title, tuple(KeyHelp(tuple(keys), words) for (_, words), keys in found[where].items()))
        for where, title in titles.items()
        if where in found
    ]
