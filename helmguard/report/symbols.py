"""The signs of the page, and their ASCII stand-ins."""

from __future__ import annotations

import msgspec

from helmguard.model.action import Action
from helmguard.report.styles import Span, Style


class Symbols(msgspec.Struct, frozen=True):
    """Every sign also has its word beside it, so each may change with the terminal."""

    arrow: str
    dot: str
    ellipsis: str
    dash: str
    blocker: str
    danger: str
    warning: str
    info: str
    fail: str
    folded: str
    unfolded: str
    eyes: str = "!"
    unknown: str = "?"


UNICODE = Symbols(
    arrow="→",
    dot="·",
    ellipsis="…",
    dash="—",
    blocker="■",
    danger="▲",
    warning="△",
    info="·",
    fail="✗",
    folded="▸",
    unfolded="▾",
)
ASCII = Symbols(
    arrow="->",
    dot="|",
    ellipsis="...",
    dash="-",
    blocker="#",
    danger="!",
    warning="!",
    info="*",
    fail="x",
    folded=">",
    unfolded="\\",
)

_ACTIONS: dict[Action, tuple[str, Style, str]] = {
    "create": ("+", "create", "create"),
    "update": ("~", "update", "update"),
    "replace": ("-/+", "replace", "replace"),
    "delete": ("-", "delete", "delete"),
    "keep": ("=", "dim", "keep"),
    "adopt": ("~", "update", "adopt"),
    "recreate": ("+", "create", "recreate"),
    "unchanged": ("=", "dim", "unchanged"),
    "hook": ("*", "info", "hook"),
    "fail": ("✗", "bad", "will fail"),
    "unknown": ("?", "warning", "not known"),
}


def action_sign(action: Action, symbols: Symbols) -> Span:
    """The sign of an action, as terraform's where it has one."""
    sign, style, _ = _ACTIONS[action]
    return Span(symbols.fail if action == "fail" else sign, style)


def action_word(action: Action) -> Span:
    """The word of an action."""
    _, style, word = _ACTIONS[action]
    return Span(word, style)


def compared_word(action: Action) -> Span:
    """The same where nothing will happen: one of two stored revisions has it otherwise."""
    _, style, word = _ACTIONS[action]
    return Span({"create": "added", "update": "changed", "delete": "removed"}.get(action, word), style)
