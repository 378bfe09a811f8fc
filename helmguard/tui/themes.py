"""Which colours the interface starts with."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Final

from helmguard.errors import UsageError

DARK, LIGHT = "textual-dark", "textual-light"
THEMES: Final = (DARK, LIGHT, "ansi-dark", "ansi-light")
"""What ctrl+t goes through; the last two take the terminal's own sixteen colours and its background."""

_READABLE: Final = {
    DARK: {"text-error": "#E79BAC", "text-secondary": "#7FB0D4"},
    LIGHT: {"text-warning": "#6B3E00", "text-success": "#17562F"},
}
"""Colours of words that have too little contrast there (below 4.5 on the page, 3 below the cursor)."""

_LIGHT_BACKGROUNDS = frozenset({"7", "15"})


def default_theme(environment: Mapping[str, str]) -> str:
    """By the terminal's background where it tells (``COLORFGBG=0;15``, the last part), else dark."""
    background = environment.get("COLORFGBG", "").rpartition(";")[2]
    return LIGHT if background in _LIGHT_BACKGROUNDS else DARK


def first_theme(
    asked_for: str, remembered: str, known: Collection[str], environment: Mapping[str, str]
) -> str:
    """The one asked for, else the remembered one where it is known still, else by the background.

    Raises:
        UsageError: there is no theme of the name asked for.
    """
    if asked_for and asked_for not in known:
        raise UsageError(
            f"--theme: there is no theme {asked_for!r}",
            remedy=f"Take one of {', '.join(THEMES)}; the command palette (ctrl+p) shows all of them.",
        )
    if asked_for:
        return asked_for
    return remembered if remembered in known else default_theme(environment)


def next_theme(theme: str) -> str:
    """The one after it, around the end; the first after one that is none of them."""
    return THEMES[(THEMES.index(theme) + 1) % len(THEMES)] if theme in THEMES else THEMES[0]


def readable_words(theme: str) -> Mapping[str, str]:
    """Variables of the theme to take in place of its own."""
    return _READABLE.get(theme, {})
