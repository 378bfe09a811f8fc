"""What is seen while helm runs and rollouts go on: lines on stderr, and a sign of life on a terminal."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from contextlib import ExitStack
from types import TracebackType

from helmguard.cli.progress import progress
from helmguard.execute.carry_out import Watcher
from helmguard.helm.run_events import RunEvent
from helmguard.masking.masker import Masker
from helmguard.model.verification import Rollout
from helmguard.report.escaping import escape_line
from helmguard.report.run_words import event_words, rollout_words


class RunDisplay:
    """Use as a context manager; each thing is told once, however often it comes."""

    def __init__(self, masker: Masker, *, quiet: bool) -> None:
        self._masker = masker
        self._quiet = quiet
        self._told: set[str] = set()
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
        return Watcher(self._event, self._say, self._step, self._rollouts)

    def _event(self, event: RunEvent) -> None:
        words = event_words(event)
        self._step(words)
        if not self._quiet:
            self._line("helm", words)

    def _rollouts(self, rollouts: Sequence[Rollout]) -> None:
        for rollout in rollouts:
            if not self._quiet:
                self._line("rollout", rollout_words(rollout))

    def _say(self, text: str) -> None:
        """Even when quiet: the user must know."""
        self._told.discard(text)
        self._line("", text)

    def _line(self, who: str, text: str) -> None:
        line = f"  {who:<8}{text}" if who else text
        if line in self._told:
            return
        self._told.add(line)
        shown = escape_line(self._masker.text(line), ascii_only=self._ascii_only)
        # A terminal may still show the sign of life on this line.
        start = "\r\x1b[2K" if sys.stderr.isatty() else ""
        print(f"{start}{shown}", file=sys.stderr, flush=True)
