"""One concerned release: rendered on both sides, planned, and put in words."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec
from msgspec.structs import replace

from helmguard.check.concerned import Concerned
from helmguard.check.finding_files import with_files
from helmguard.check.live_side import Live
from helmguard.check.other_world import unseen_changes
from helmguard.check.plan_release import plan_release
from helmguard.check.release_notes import notes_on, stale_definitions
from helmguard.check.release_state import state_of
from helmguard.check.render_side import SideRenderer
from helmguard.check.rendered_side import RenderedSide
from helmguard.config.gate import Gate
from helmguard.errors import HelmguardError
from helmguard.model.check_report import CheckedRelease
from helmguard.model.declared_release import DeclaredRelease
from helmguard.model.live_state import Unreadable
from helmguard.model.plan import Plan, ResourceChange
from helmguard.model.value_facts import ValueFacts

if TYPE_CHECKING:
    from helmguard.model.judged_node import JudgedNode

_NOT_KEPT = Unreadable("not kept: it stays as it is")


class ReleaseCheck(msgspec.Struct, frozen=True):
    """What the checks of all releases share."""

    base: SideRenderer
    head: SideRenderer
    live: Live
    gate: Gate
    nodes: tuple[JudgedNode, ...] = ()

    def run(self, concerned: Concerned) -> list[CheckedRelease]:
        """The release as it is checked; two where it gets another name or namespace: one goes, one comes."""
        before, after = concerned.base, concerned.head
        if concerned.unread and (before is None or after is None):
            return [unknown_release(concerned, concerned.unread, "")]
        if before is not None and after is not None and _is_another(before, after):
            return [
                self._one(replace(concerned, base=_left(before), head=None)),
                self._one(replace(concerned, base=None)),
            ]
        return [self._one(concerned)]

    def _one(self, concerned: Concerned) -> CheckedRelease:
        before, after = concerned.base, concerned.head
        if before is not None and after is None and before.controller.deletes is False:
            why = f"{before.controller.name} leaves its objects in the cluster"
            return CheckedRelease("removed", before, None, why=why, because=concerned.because)
        try:
            old = self.base.render(before) if before is not None else None
        except HelmguardError as error:
            return unknown_release(concerned, f"the base's chart: {error.message}", error.remedy)
        try:
            new = self.head.render(after) if after is not None else None
            return self._compared(concerned, old, new)
        except HelmguardError as error:
            return unknown_release(concerned, error.message, error.remedy)

    def _compared(
        self, concerned: Concerned, old: RenderedSide | None, new: RenderedSide | None
    ) -> CheckedRelease:
        blocked = _not_comparable(old, new)
        if blocked:
            return unknown_release(concerned, blocked, "")
        if old is not None and old.error is not None:
            # What does not render is not in the cluster by this repository's doing.
            note = f"the base does not render ({old.error.message}): shown as an install"
            plan = self._plan(None, new)
            return _checked(concerned, replace(plan, notes=(note, *plan.notes)), None, new)
        return _checked(concerned, self._plan(old, new), old, new)

    def _plan(self, old: RenderedSide | None, new: RenderedSide | None) -> Plan:
        side = new or old
        assert side is not None
        live = self.live.of(side.declared)
        if old is not None and live is not None and live.history is None and _has_records(side.declared):
            # Held against a cluster that never had it, all its objects would seem to be deleted by hand.
            live = None
        why = self._why_not_live(side.declared)
        return plan_release(old, new, self.head, self.gate, live, why, self.nodes)

    def _why_not_live(self, declared: DeclaredRelease) -> str:
        if self.live.side == "none":
            return ""
        where = "the cluster" if self.live.side == "cluster" else "the bundle"
        return f"{where} holds no release {declared.name} in namespace {declared.namespace}"


def unknown_release(concerned: Concerned, why: str, remedy: str) -> CheckedRelease:
    """A release that could not be compared."""
    return CheckedRelease(
        "unknown", concerned.base, concerned.head, why=why, remedy=remedy, because=concerned.because
    )


def _slim(plan: Plan) -> Plan:
    """Without what only rules look at, and without the objects that stay as they are: a check holds many."""
    return replace(
        plan,
        context={},
        values=replace(plan.values, facts=ValueFacts(), previous_config=None, config=None),
        resources=tuple(map(_without_body, plan.resources)),
    )


def _without_body(resource: ResourceChange) -> ResourceChange:
    if resource.action != "unchanged" or resource.drift or resource.latent:
        return resource
    bare = replace(resource.prediction, previous=None, new=None, predicted=None, live=_NOT_KEPT)
    return replace(resource, prediction=bare)


def _is_another(before: DeclaredRelease, after: DeclaredRelease) -> bool:
    """Whether it is another release to Helm; where Helm only renders, the name is one more value."""
    if before.namespace != after.namespace:
        return True
    return before.name != after.name and _has_records(before)


def _has_records(declared: DeclaredRelease) -> bool:
    """Whether Helm installs it; else helm template alone renders it."""
    return declared.tool not in ("argo", "kustomize")


def _left(before: DeclaredRelease) -> DeclaredRelease:
    """What becomes of it where its declaration stays: Argo CD prunes what an Application no longer has."""
    if _has_records(before):
        return before
    controller = replace(before.controller, deletes=before.controller.prunes)
    return replace(before, controller=controller)


def _not_comparable(old: RenderedSide | None, new: RenderedSide | None) -> str:
    """Why nothing can be said, empty where something can.

    Where values are missing that only the cluster has, that a chart does not render says nothing about it.
    """
    for side, when in ((new, "after"), (old, "before")):
        if side is None or side.error is None:
            continue
        missing = [layer.source for layer in side.declared.layers if layer.kind == "unknown"]
        if missing:
            values = ", ".join(dict.fromkeys(missing))
            return f"does not render {when} the change without the values of {values}: {side.error.message}"
    if old is not None and new is not None and old.error is not None and new.error is not None:
        return f"renders neither before the change nor after it: {new.error.message}"
    if new is None and old is not None and old.error is not None:
        return f"its base does not render: {old.error.message}"
    return ""


def _checked(
    concerned: Concerned, plan: Plan, old: RenderedSide | None, new: RenderedSide | None
) -> CheckedRelease:
    side = new or old
    assert side is not None
    plan = with_files(plan, side)
    plan = replace(plan, notes=(*plan.notes, *notes_on(old, new)))
    found = CheckedRelease("changed", concerned.base, concerned.head, _slim(plan), because=concerned.because)
    if concerned.head is None:
        return replace(found, state="removed")
    if concerned.base is None:
        return replace(found, state="added")
    if old is None or new is None:
        return found
    state = "changed" if stale_definitions(old, new) else state_of(plan, old, new)
    unseen = unseen_changes(plan, old, new)
    if state == "same" and concerned.unread:
        return replace(found, state="unknown", why=concerned.unread)
    if not unseen:
        return replace(found, state=state)
    why = unseen[0].why if state == "same" else ""
    told = replace(found.plan, unknown=(*plan.unknown, *unseen)) if found.plan else None
    return replace(found, state=state, why=why, plan=told)
