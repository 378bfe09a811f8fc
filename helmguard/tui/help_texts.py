"""What each screen is for, and what the signs mean. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Final, get_args

import msgspec

from helmguard.model.action import Action
from helmguard.report.cause_marks import CAUSE_MARKS
from helmguard.report.display_width import display_width
from helmguard.report.layout import wrapped
from helmguard.report.page import Pen
from helmguard.report.styles import EMPTY, Line, Span, line
from helmguard.report.symbols import action_sign, action_word

_NAMES: Final = {
    "ReleasesScreen": "releases",
    "ReleaseScreen": "one release",
    "PlanScreen": "a plan",
    "ObjectScreen": "one object",
    "YamlScreen": "YAML side by side",
    "ExecutionScreen": "a run of helm",
}

_PURPOSES: Final = {
    "ReleasesScreen": (
        "Every release that you may see. Failed, pending and drifted ones stand out. Open one to see its"
        " revisions; the chart of a release is read when its row comes into sight."
    ),
    "ReleaseScreen": (
        "The stored revisions of a release, the newest first, each with what it changed against the one"
        " before. Below is a comparison: of the marked revisions, of a revision and the one before, or of a"
        " revision and what is live."
    ),
    "PlanScreen": (
        "What an upgrade or rollback will do, before it is done. Findings come first: what is dangerous about"
        " it. Switching the value mode plans again at once and shows what the mode would lose. Nothing is"
        " changed by looking at a plan."
    ),
    "ObjectScreen": (
        "One object, field by field: what the previous manifest says, what is live, what the new manifest"
        " says, and what will be there after. The letter beside a field tells why it changes."
    ),
    "PlanningScreen": "A plan is being made.",
    "SavedPlanScreen": (
        "A plan that was saved, as it was made then. To apply it, it is made anew, and the two must agree."
    ),
    "OpeningScreen": "The bundle is being opened.",
    "TextScreen": "A text to be read, searched and copied.",
    "YamlScreen": "Whole documents side by side, folded to what differs.",
    "ExecutionScreen": (
        "Helm runs. What it does is shown as it happens; then the outcome is read back from the cluster and"
        " verified. Leaving this screen does not stop helm unless you say so."
    ),
}

_NOTES: Final = (
    "Secrets are masked everywhere. x shows them where helmguard was started with --show-secrets.",
    "Without --allow-changes nothing here can change anything (review mode).",
    "Hold shift to select text with the mouse where the terminal gives its clicks to helmguard.",
)

_TEXTUALS_OWN: Final = {
    "app.focus_next": "Next pane",
    "app.focus_previous": "Pane before",
    "app.help_quit": "How to quit",
    "screen.copy_text": "Copy what is selected with the mouse",
    "screen.minimize": "Back to all panes",
    "quit": "Quit",
    "command_palette": "All commands, by name",
}
"""What Textual binds by itself, in this program's words."""


class KeyHelp(msgspec.Struct, frozen=True):
    """Keys that do the same, as they are shown, and what they do."""

    keys: tuple[str, ...]
    words: str


class KeyGroup(msgspec.Struct, frozen=True):
    """Keys that belong together."""

    title: str
    keys: tuple[KeyHelp, ...]


def name_of(screen: object) -> str:
    """What a screen is called."""
    name = type(screen).__name__
    return _NAMES.get(name) or name.removesuffix("Screen").removesuffix("Dialog").lower()


def purpose_of_class(screen: type[object]) -> str:
    """What such a screen is for, empty where nobody said; its own ``HELP`` goes first."""
    return getattr(screen, "HELP", None) or _PURPOSES.get(screen.__name__, "")


def words_of(action: str, words: str) -> str:
    """What is said about a bound action; ``words`` is what its binding says."""
    return _TEXTUALS_OWN.get(action) or words


def is_textuals_own(action: str) -> bool:
    """Whether no screen of this program binds it."""
    return action in _TEXTUALS_OWN


def help_lines(purpose: str, groups: Sequence[KeyGroup], pen: Pen) -> Iterator[Line]:
    """The whole page."""
    width = pen.page.text_width
    if purpose:
        yield EMPTY
        yield from wrapped([Span(purpose)], width)
    for group in groups:
        yield EMPTY
        yield line(Span(group.title, "bold"))
        yield from _key_lines(group.keys, pen)
    yield EMPTY
    yield line(Span("Beside a line", "bold"))
    yield from _two_columns(_beside(pen), 4)
    yield EMPTY
    yield line(Span("What happens to an object", "bold"))
    yield from _two_columns([(action_sign(each, pen.symbols), action_word(each)) for each in _actions()], 4)
    yield EMPTY
    yield line(Span("Why a field differs: the letter beside it", "bold"))
    marks = [(Span(mark.letter, mark.style), Span(mark.word, mark.style)) for mark in CAUSE_MARKS.values()]
    yield from _two_columns(marks, 4)
    yield EMPTY
    yield line(Span("How grave a finding is", "bold"))
    yield from _two_columns(_severities(pen), 4)
    yield EMPTY
    for note in _NOTES:
        yield from wrapped([Span(note, "dim")], width)


def _beside(pen: Pen) -> list[tuple[Span, Span]]:
    signs = (
        (">", "the cursor"),
        ("|", "the cursor of a pane without the focus"),
        (f"{pen.symbols.unfolded} {pen.symbols.folded}", "unfolded, folded"),
        ("+", "a revision that is marked (beside its number)"),
        ("»" if pen.page.unicode else "}", "a revision that is compared"),
        ("csa", "how a revision was applied: client-side"),
        ("ssa", "how a revision was applied: server-side"),
    )
    return [(Span(sign), Span(words)) for sign, words in signs]


def _key_lines(keys: Iterable[KeyHelp], pen: Pen) -> Iterator[Line]:
    rows = [(", ".join(each.keys), each.words) for each in keys]
    room = min(24, max((display_width(shown) for shown, _ in rows), default=0))
    for shown, words in rows:
        blanks = " " * max(1, room - display_width(shown) + 2)
        said = Span(pen.escape(words[:1].lower() + words[1:] if words[1:2].islower() else words))
        spans = [Span("  "), Span(pen.escape(shown), "info"), Span(blanks), said]
        yield from wrapped(spans, pen.page.columns, room + 4)


def _two_columns(rows: Iterable[tuple[Span, Span]], room: int) -> Iterator[Line]:
    for sign, word in rows:
        yield line("  ", sign, " " * (room - display_width(sign.text)), word)


def _actions() -> Iterator[Action]:
    """Those with a sign and word of their own."""
    yield from (action for action in get_args(Action) if action != "hook")


def _severities(pen: Pen) -> list[tuple[Span, Span]]:
    symbols = pen.symbols
    return [
        (Span(symbols.blocker, "blocker"), Span("blocker: the gate refuses it", "blocker")),
        (
            Span(symbols.danger, "danger"),
            Span("danger: so it does, unless --fail-on says otherwise", "danger"),
        ),
        (Span(symbols.warning, "warning"), Span("warning: look before you go on", "warning")),
        (Span(symbols.info, "info"), Span("info: good to know", "info")),
    ]
