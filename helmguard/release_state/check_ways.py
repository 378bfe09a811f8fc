"""Checking ways out: each is planned as helmguard would plan it, with the API server's dry run."""

from __future__ import annotations

from collections.abc import Callable, Iterable

import msgspec
from msgspec.structs import replace

from helmguard.errors import HelmguardError
from helmguard.model.plan import DryRunMode, Plan
from helmguard.model.release import DamagedRecord
from helmguard.model.release_state import WayCheck, WayOut
from helmguard.planner.confirmation import confirm
from helmguard.planner.judge_online import judged_online
from helmguard.planner.rollback_inputs import rollback_inputs
from helmguard.planner.session import Report, Session
from helmguard.release_state.candidates import Candidate
from helmguard.release_state.checked_plan import checked_plan

MOST_PLANS = 4
"""Rollbacks that are planned before the others are left unchecked: each takes as long as a plan."""


class Checked(msgspec.Struct, frozen=True):
    """The ways with what was found out about them, and the secrets that their plans know of."""

    ways: tuple[WayOut, ...]
    known_secrets: frozenset[str] = frozenset()


class WayChecker(msgspec.Struct, frozen=True):
    """``uninstall``, ``delete_record`` and ``clean_up`` check deletions: of the release's objects, of a
    record that stands in the way, of what is left over."""

    session: Session
    dry_run: DryRunMode
    now: str
    uninstall: Callable[[], WayCheck]
    delete_record: Callable[[str], WayCheck]
    clean_up: Callable[[], WayCheck]
    report: Report = lambda _: None

    def check(self, found: Iterable[Candidate]) -> Checked:
        """In order; the first that works is the recommended one, and no other rollback is planned then.

        Where the first is to wait, that is the recommended one.
        """
        ways: list[WayOut] = []
        secrets: frozenset[str] = frozenset()
        planned, done, waits = 0, False, False
        for candidate in found:
            if candidate.kind == "rollback" and (done or planned >= MOST_PLANS):
                if done:
                    continue
                check = WayCheck("not checked", f"not planned: {MOST_PLANS} others were")
            else:
                self.report(f"checking a way out: {candidate.commands[-1] if candidate.commands else ''}")
                check, known = self._check(candidate)
                secrets |= known
                planned += candidate.kind == "rollback"
            works = check.result == "works"
            waits = waits or candidate.kind == "wait"
            first = candidate.kind == "wait" or (works and not done and not waits)
            ways.append(way_out(candidate, check, recommended=first))
            done = done or works
        return Checked(tuple(ways), secrets)

    def _check(self, candidate: Candidate) -> tuple[WayCheck, frozenset[str]]:
        nothing: frozenset[str] = frozenset()
        if candidate.checkable:
            return WayCheck("not checked", candidate.checkable), nothing
        if candidate.kind == "uninstall":
            return self.uninstall(), nothing
        if candidate.kind == "delete":
            return self.clean_up(), nothing
        try:
            if candidate.deletes:
                deletion = self.delete_record(candidate.deletes)
                if deletion.result != "works":
                    return deletion, nothing
            plan = self._plan(candidate)
        except HelmguardError as error:
            return WayCheck("not checked", f"could not be planned: {error.message}"), nothing
        return checked_plan(plan, candidate.accepts), plan.known_secrets or nothing

    def _plan(self, candidate: Candidate) -> Plan:
        """The rollback's plan, as ``helmguard plan --rollback`` makes it."""
        request = replace(self.session.request, rollback=True, rollback_to=candidate.revision or 0)
        history = self.session.history
        damaged = tuple(record for record in history.damaged if not _is_deleted(record, candidate))
        session = replace(self.session, request=request, history=replace(history, damaged=damaged))
        inputs = replace(rollback_inputs(session, self.report), now=self.now)
        confirmed = confirm(inputs, session.connection, self.dry_run, self.report)
        return judged_online(confirmed.inputs, confirmed.prediction, session, self.report)


def way_out(candidate: Candidate, check: WayCheck, *, recommended: bool) -> WayOut:
    """A candidate that was looked into."""
    return WayOut(
        kind=candidate.kind,
        why=candidate.why,
        commands=candidate.commands,
        helm_commands=candidate.helm_commands,
        check=check,
        recommended=recommended,
        revision=candidate.revision,
        accepts=candidate.accepts,
    )


def _is_deleted(record: DamagedRecord, candidate: Candidate) -> bool:
    return record.storage_name == candidate.deletes
