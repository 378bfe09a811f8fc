"""The value modes of an upgrade: which one the plan has, and what each would lose."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

import msgspec
from textual.binding import Binding, BindingType
from textual.message import Message

from helmguard.report.layout import padded
from helmguard.report.styles import Line, Span, Style, width_of
from helmguard.tui.widgets.row_list import Row, RowList

_WIDEST_LOSS = 44
"""Wider ones do not push the verdicts of the others to the right."""


class ValueMode(msgspec.Struct, frozen=True):
    """One row: ``key`` chooses it, ``loss`` says what it takes, ``verdict`` what its plan says, if made."""

    key: str
    mode: str
    name: str
    loss: Line
    verdict: Line = ()
    usable: bool = True


class ValueModes(RowList):
    """As high as it has rows; empty, it is not there."""

    DEFAULT_CSS = """
    ValueModes { height: auto; max-height: 5; display: none; background: $surface; overflow-x: hidden; }
    ValueModes.-some { display: block; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [Binding("space", "open", "Choose", show=False)]

    class Chosen(Message):
        """Another mode is wanted."""

        def __init__(self, mode: str) -> None:
            super().__init__()
            self.mode = mode

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._modes: tuple[ValueMode, ...] = ()
        self.chosen = ""

    def show_modes(self, modes: Sequence[ValueMode], chosen: str) -> None:
        """Show these rows; ``chosen`` is the mode of the plan that is shown, or comes."""
        moved = chosen != self.chosen or not self._modes
        self._modes, self.chosen = tuple(modes), chosen
        self.set_class(bool(modes), "-some")
        self.styles.height = max(1, len(self._modes))
        if moved:
            names = [mode.mode for mode in self._modes]
            self.cursor = names.index(chosen) if chosen in names else 0
        self.show(lambda _: _rows(self._modes, chosen))

    def next_mode(self) -> str | None:
        """The next mode that can be used, around the end; None where there is no other."""
        names = [mode.mode for mode in self._modes]
        at = names.index(self.chosen) if self.chosen in names else -1
        for mode in (*self._modes[at + 1 :], *self._modes[: max(at, 0)]):
            if mode.usable:
                return mode.mode
        return None

    def mode_of_key(self, key: str) -> str | None:
        """The mode that a figure stands for, None where no row has it."""
        return next((mode.mode for mode in self._modes if mode.key == key), None)

    def on_row_list_opened(self, event: RowList.Opened) -> None:
        """A row was chosen."""
        event.stop()
        self.post_message(self.Chosen(event.row.item))


def _rows(modes: Sequence[ValueMode], chosen: str) -> list[Row]:
    names = max((len(mode.name) for mode in modes), default=0)
    losses = min(_WIDEST_LOSS, max((width_of(mode.loss) for mode in modes), default=0))
    return [_row(mode, mode.mode == chosen, names, losses) for mode in modes]


def _row(mode: ValueMode, chosen: bool, names: int, losses: int) -> Row:
    style: Style = "bold" if chosen else ""
    head = (Span("(*) " if chosen else "( ) ", style), Span(f"{mode.key} ", "dim"))
    name = Span(f"{mode.name.ljust(names)}  ", style)
    verdict = (Span("  "), *mode.verdict) if mode.verdict else ()
    return Row(((*head, name, *padded(mode.loss, losses), *verdict),), mode.mode, mode.mode or "typed")
