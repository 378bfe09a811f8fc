"""Plans that were made once, by what was asked for: each is closed as soon as nobody needs it."""

from __future__ import annotations

import threading

from msgspec.structs import replace

from helmguard.tui.plan_form import PlanForm
from helmguard.tui.sources.source import Planned


class KeptPlans:
    """Made in threads, asked for on the event loop. Whatever comes after `close` is closed at once."""

    def __init__(self) -> None:
        self._plans: dict[PlanForm, Planned] = {}
        self._closed = False
        self._lock = threading.Lock()

    def get(self, form: PlanForm) -> Planned | None:
        """The plan for this form, None where none was made."""
        return self._plans.get(form)

    def keep(self, form: PlanForm, planned: Planned) -> None:
        """Keep it, in place of the one that was kept for the form."""
        with self._lock:
            left = planned if self._closed else self._plans.get(form)
            if not self._closed:
                self._plans[form] = planned
        if left is not None:
            left.close()

    def drop_others(self, form: PlanForm) -> None:
        """Keep the plan for this form alone."""
        with self._lock:
            left = [planned for each, planned in self._plans.items() if each != form]
            self._plans = {each: planned for each, planned in self._plans.items() if each == form}
        for planned in left:
            planned.close()

    def lend(self, form: PlanForm) -> Planned | None:
        """Give the plan away: who takes it closes it. What stays here can be shown, no more."""
        with self._lock:
            planned = self._plans.get(form)
            if planned is not None:
                self._plans[form] = replace(planned, closing=lambda: None)
        return planned

    def close(self) -> None:
        """Nothing is needed any more."""
        with self._lock:
            left = list(self._plans.values())
            self._plans = {}
            self._closed = True
        for planned in left:
            planned.close()
