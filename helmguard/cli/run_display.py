"""What is seen while helm runs and rollouts go on: lines on stderr, and a sign of life on a terminal."""

from __future__ import annotations

import sys
from contextlib import ExitStack
from types import TracebackType

from helmguard.cli.progress import progress
from helmguard.execute.carry_out import Watcher
from helmguard.execute.told_once import ToldOnce
from helmguard.masking.masker import Masker
from helmguard.report.escaping import escape_line


class RunDisplay:
    """Use as a context manager."""

    def __init__(self, masker: Masker, *, quiet: bool) -> None:
        self._masker = masker
        self._quiet = quiet
        self._stack = ExitStack()
        self._ascii_only = not (sys.stderr.encoding or "ascii").lower().replace("-", "").startswith("utf")

    def __enter__(self) -> RunDisplay:
        self._step = self._stack.enter_context(progress(quiet=self._quiet))
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self._stack.close()

    def watcher(self) -> Watcher:
        """What the run calls."""
        return ToldOnce(self._tell, self._step).watcher()

    def _tell(self, who: str, text: str) -> None:
        """Even when quiet the user must read what nobody is named for."""
        if self._quiet and who:
            return
        line = f"  {who:<8}{text}" if who else text
        shown = escape_line(self._masker.text(line), ascii_only=self._ascii_only)
        # A terminal may still show the sign of life on this line.
        start = "\r\x1b[2K" if sys.stderr.isatty() else ""
        print(f"{start}{shown}", file=sys.stderr, flush=True)
