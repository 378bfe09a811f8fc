"""The sign of life."""

from __future__ import annotations

import io
import threading

from helmguard.report.progress import Progress


class Terminal(io.StringIO):
    """A terminal that tells when it was written to."""

    def __init__(self, encoding: str = "utf-8") -> None:
        super().__init__()
        self.written = threading.Event()
        self._name = encoding

    @property
    def encoding(self) -> str:  # type: ignore[override]
        return self._name

    def isatty(self) -> bool:
        return True

    def write(self, text: str) -> int:
        count = super().write(text)
        if "\x1b" not in text[5:] and len(text) > 6:
            self.written.set()
        return count


def test_a_long_step_is_shown_and_erased() -> None:
    terminal = Terminal()
    with Progress(terminal, delay=0) as progress:
        progress.step("reading 3 objects\x1b[31m")
        terminal.written.clear()
        assert terminal.written.wait(10)
        while "reading" not in terminal.getvalue():
            terminal.written.clear()
            assert terminal.written.wait(10)
    assert "reading 3 objects\\x1b[31m" in terminal.getvalue()
    assert terminal.getvalue().endswith("\r\x1b[2K")


def test_ascii_terminals_get_ascii() -> None:
    terminal = Terminal("ascii")
    with Progress(terminal, delay=0) as progress:
        progress.step("é")
        assert terminal.written.wait(10)
    assert terminal.getvalue().isascii()


def test_what_is_quick_shows_nothing() -> None:
    terminal = Terminal()
    with Progress(terminal, delay=3600) as progress:
        progress.step("quick")
    assert terminal.getvalue() == ""


def test_no_terminal_no_output() -> None:
    pipe = io.StringIO()
    with Progress(pipe, delay=0) as progress:
        progress.step("anything")
    assert pipe.getvalue() == ""
