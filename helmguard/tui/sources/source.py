"""What the terminal interface asks for releases, and the records it gets.

Every method of a source may take seconds, is called off the event loop, and raises ``HelmguardError``. The
given ``report`` takes one line about what is being done; what it raises passes through, and so cancels.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Protocol

import msgspec

from helmguard.cluster.release_list import ListedRelease
from helmguard.masking.masker import Masker
from helmguard.model.plan import Plan
from helmguard.model.release import History
from helmguard.model.revision_changes import ReleaseHistory
from helmguard.model.unshown import Unshown
from helmguard.planner.mode_losses import ModeLoss
from helmguard.planner.session import Report

if TYPE_CHECKING:
    from helmguard.execute.operation import Operation
    from helmguard.model.release_state import ReleaseState, RevisionRef
    from helmguard.model.unread_release import UnreadRelease
    from helmguard.saved_plan.sealing import Sealing
    from helmguard.saved_plan.write import WrittenPlan
    from helmguard.tui.plan_form import PlanForm


class ListedReleases(msgspec.Struct, frozen=True):
    """Sorted by namespace and name. ``left_out`` says in words why these are not all, empty for all."""

    releases: tuple[ListedRelease, ...]
    left_out: str = ""


class OpenRelease(Unshown, frozen=True):
    """One release with all its stored revisions, as they were when it was opened.

    ``history`` are the revisions as stored, ``shown`` the time line of them. ``inside`` is the source's own.
    """

    name: str
    namespace: str
    history: History
    shown: ReleaseHistory
    inside: object = None

    def masker(self, show: bool = False) -> Masker:
        """What masks every text about this release; ``show``: it masks nothing."""
        return Masker(self.shown.known_secrets, public=(self.name, self.namespace), show=show)


class Planned(Unshown, frozen=True):
    """One plan, ready to be shown, saved and executed.

    ``operation`` is None where the source cannot execute. ``form`` is what was asked for, ``losses`` what
    each value mode would lose, empty for a rollback. ``closing`` lets go what the plan holds.
    """

    plan: Plan
    operation: Operation | None
    form: PlanForm
    losses: tuple[ModeLoss, ...] = ()
    closing: Callable[[], None] = lambda: None

    def close(self) -> None:
        """Remove the frozen chart's folder; the plan can still be shown then, and no longer executed."""
        self.closing()


class Source(Protocol):
    """Where releases come from."""

    @property
    def label(self) -> str:
        """What it is called in the title: ``kind-prod``, ``bundle web-bundle``, ``demo``, ``web.hgplan``."""

    @property
    def can_execute(self) -> bool:
        """Whether a cluster is there to execute in."""

    def list_releases(self, report: Report) -> ListedReleases:
        """Every release that the user may see, by the labels of its records."""

    def chart_of(self, release: ListedRelease) -> RevisionRef | None:
        """The last revision in short, from the body of its record; None where it cannot be read."""

    def open_release(self, namespace: str, name: str, report: Report) -> OpenRelease:
        """Read all its revisions, anew with each call."""

    def compare(self, opened: OpenRelease, before: int, after: int) -> Plan:
        """Two stored revisions, as a plan from the one to the other."""

    def against_live(self, opened: OpenRelease, version: int, report: Report) -> Plan:
        """One stored revision and the live objects, as the drift from it."""

    def status(self, opened: OpenRelease, report: Report) -> ReleaseState | None:
        """The release's state and the ways out of it; None where there is no cluster."""

    def drift_of_all(self, namespace: str | None, report: Report) -> Iterator[Plan | UnreadRelease]:
        """The drift of each release of a namespace, of all namespaces for None, as it is found."""

    def plan(self, form: PlanForm, report: Report) -> Planned:
        """Plan what the form asks for."""

    def save(
        self, planned: Planned, path: str, report: Report, sealing: Sealing | None = None
    ) -> WrittenPlan:
        """Write the plan into a file, sealed if asked for."""
