"""What is told of a run while it goes on: each thing once, however often it comes."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from helmguard.execute.carry_out import Watcher
from helmguard.helm.run_events import RunEvent
from helmguard.model.verification import Rollout
from helmguard.report.run_words import event_words, rollout_words


class ToldOnce:
    """``tell`` gets who does something and what: ``helm`` or ``rollout``, or nobody where the user must read
    it. ``step`` gets what is under way, ``rollouts`` how far the workloads are."""

    def __init__(
        self,
        tell: Callable[[str, str], None],
        step: Callable[[str], None] = lambda _: None,
        rollouts: Callable[[Sequence[Rollout]], None] = lambda _: None,
    ) -> None:
        self._tell = tell
        self._step = step
        self._rollouts = rollouts
        self._told: set[tuple[str, str]] = set()

    def watcher(self) -> Watcher:
        """What the run calls."""
        return Watcher(self._on_event, lambda text: self._tell("", text), self._step, self._on_rollouts)

    def _on_event(self, event: RunEvent) -> None:
        words = event_words(event)
        self._step(words)
        self._once("helm", words)

    def _on_rollouts(self, rollouts: Sequence[Rollout]) -> None:
        self._rollouts(rollouts)
        for rollout in rollouts:
            self._once("rollout", rollout_words(rollout))

    def _once(self, who: str, text: str) -> None:
        if (who, text) not in self._told:
            self._told.add((who, text))
            self._tell(who, text)
