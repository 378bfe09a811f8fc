"""Plans that were made once, by what was asked for: each is closed as soon as nobody needs it."""

from __future__ import annotations

import threading
from collections.abc import Callable

from msgspec.structs import replace

from helmguard.masking.masker import Masker
from helmguard.model.unshown import Unshown
from helmguard.tui.plan_form import PlanForm
from helmguard.tui.sources.source import Planned


class KeptPlan(Unshown, frozen=True):
    """A plan and what masks it, which takes a while to be made of one that knows many secrets."""

    planned: Planned
    masker: Masker


class KeptPlans:
    """Made in threads, asked for on the event loop. Whatever comes after `close` is closed at once.

    What comes late takes the place of nothing newer: ``round`` is noted where the making of a plan begins,
    and one that was begun before the last `begin_anew` is closed when it comes.
    """

    def __init__(self) -> None:
        self.round = 0
        self._plans: dict[PlanForm, KeptPlan] = {}
        self._closed = False
        self._lock = threading.Lock()

    def get(self, form: PlanForm) -> Planned | None:
        """The plan for this form, None where none was made."""
        kept = self._plans.get(form)
        return kept.planned if kept is not None else None

    def masker(self, form: PlanForm) -> Masker:
        """What masks the plan that is kept for the form."""
        return self._plans[form].masker

    def begin_anew(self) -> None:
        """What is being made by now is wanted no more, for whatever form."""
        with self._lock:
            self.round += 1

    def keep(
        self, form: PlanForm, kept: KeptPlan, round_: int, is_wanted: Callable[[], bool] = lambda: True
    ) -> bool:
        """Keep it in place of the one that was kept for the form, or close it: False.

        One that is not wanted any more, as far as ``is_wanted`` knows, is kept where the form has none yet.
        """
        with self._lock:
            late = self._closed or round_ != self.round
            if not late and form in self._plans:
                late = not is_wanted()
            left = kept if late else self._plans.get(form)
            if not late:
                self._plans[form] = kept
        if left is not None:
            left.planned.close()
        return not late

    def drop_others(self, form: PlanForm) -> None:
        """Keep the plan for this form alone."""
        with self._lock:
            left = [kept for each, kept in self._plans.items() if each != form]
            self._plans = {each: kept for each, kept in self._plans.items() if each == form}
        for kept in left:
            kept.planned.close()

    def lend(self, form: PlanForm) -> Planned | None:
        """Give the plan away: who takes it closes it. What stays here can be shown, no more."""
        with self._lock:
            kept = self._plans.get(form)
            if kept is None:
                return None
            self._plans[form] = replace(kept, planned=replace(kept.planned, closing=lambda: None))
        return kept.planned

    def close(self) -> None:
        """Nothing is needed any more."""
        with self._lock:
            left = list(self._plans.values())
            self._plans = {}
            self._closed = True
        for kept in left:
            kept.planned.close()
