"""A saved plan: reviewed as it was made, and made anew where a cluster is to execute it."""

# ruff: noqa: ARG002 - the methods of a Source

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack
from typing import TYPE_CHECKING

from msgspec.structs import replace

from helmguard.cluster.kube_options import KubeOptions
from helmguard.cluster.release_list import ListedRelease
from helmguard.config.gate import DEFAULT_GATE, Gate
from helmguard.errors import HelmguardError, UsageError
from helmguard.execute.approval import not_accepted
from helmguard.execute.operation import Operation
from helmguard.model.plan import Plan
from helmguard.model.plan_difference import PlanDifference
from helmguard.planner.session import Report
from helmguard.saved_plan.read import read_saved_plan
from helmguard.saved_plan.request import refuse_other_namespace, request_of
from helmguard.saved_plan.staleness import what_differs
from helmguard.tui.plan_form import PlanForm, from_words
from helmguard.tui.sources.source import ListedReleases, OpenRelease, Planned

if TYPE_CHECKING:
    from helmguard.model.release_state import ReleaseState, RevisionRef
    from helmguard.model.saved_plan_header import SavedPlanHeader
    from helmguard.model.unread_release import UnreadRelease
    from helmguard.saved_plan.sealing import Keys, Sealing
    from helmguard.saved_plan.write import WrittenPlan


class SavedPlanSource:
    """A ``Source`` of one plan. `review` shows it as it was saved; `plan` makes it anew, to be executed.

    ``kube`` names the cluster to execute it in; of ``gate`` the day and the project's own packs count.
    """

    def __init__(
        self,
        path: str,
        keys: Keys | None = None,
        *,
        kube: KubeOptions | None = None,
        gate: Gate = DEFAULT_GATE,
        helm_binary: str = "",
    ) -> None:
        """Raises:
        SavedPlanError: the file is missing, no saved plan, damaged, or sealed to other keys.
        UsageError: ``kube`` names another namespace than the plan's.
        """
        self._saved = read_saved_plan(path, keys)
        self._kube = kube or KubeOptions()
        refuse_other_namespace(self._saved, self._kube.namespace)
        self._gate = gate
        self._helm_binary = helm_binary
        self.label = self._saved.path.name
        self.form = _form(self.header)

    @property
    def header(self) -> SavedPlanHeader:
        """What the file says of itself."""
        return self._saved.header

    @property
    def can_execute(self) -> bool:
        """Whether everything to execute it is in the file; the cluster is found out by `plan`."""
        return self._saved.is_complete

    def review(self, report: Report) -> Planned:
        """The plan as it was saved, with its secrets where the key was given; nothing executes it.

        Raises:
            SavedPlanError: it was written by a helmguard that is too different.
        """
        report("reading the plan")
        plan = self._saved.secret_plan() or self._saved.masked_plan()
        return Planned(plan, None, self.form)

    def plan(self, form: PlanForm, report: Report) -> Planned:
        """The same plan made anew against the cluster, from what the file holds; see `stale`.

        Raises:
            UsageError: the form asks for anything else.
            SavedPlanError: something is sealed, needed again, or not what the file shows.
            HelmguardError: what a plan needs cannot be had.
        """
        if form != self.form:
            raise UsageError(
                f"{self.label} holds one plan, which cannot be changed",
                remedy="Make another in helmguard tui RELEASE, or with helmguard plan.",
            )
        from helmguard.planner.online import plan_with_session

        with ExitStack() as stack:
            report("reading the plan")
            request = stack.enter_context(
                request_of(self._saved, self._kube, gate=self._gate, helm_binary=self._helm_binary)
            )
            plan, session = plan_with_session(request, report)
            operation = Operation(plan, request, session)
            return Planned(plan, operation, form, closing=stack.pop_all().close)

    def stale(self, planned: Planned) -> tuple[PlanDifference, ...]:
        """What of the saved plan no longer holds, given the one that `plan` made; empty where it holds."""
        return what_differs(self._saved, not_accepted(planned.plan))

    def save(
        self, planned: Planned, path: str, report: Report, sealing: Sealing | None = None
    ) -> WrittenPlan:
        """Refused: the file is there."""
        raise UsageError(f"this plan is saved already, in {self._saved.path}", remedy="Copy that file.")

    def list_releases(self, report: Report) -> ListedReleases:
        """The release that the plan is for, as it was then."""
        from helmguard.report.ages import seconds_between

        header, release = self.header, self._saved.masked_plan().release
        changed = int(seconds_between("1970-01-01T00:00:00Z", header.created) or 0)
        version = release.from_revision or 0
        return ListedReleases(
            (ListedRelease(header.namespace, header.release, version, release.status or "", changed),)
        )

    def chart_of(self, release: ListedRelease) -> RevisionRef | None:
        """None: the file holds no revision."""
        return None

    def open_release(self, namespace: str, name: str, report: Report) -> OpenRelease:
        """Refused: the file holds no revision."""
        raise self._no_revisions()

    def compare(self, opened: OpenRelease, before: int, after: int) -> Plan:
        """Refused: the file holds no revision."""
        raise self._no_revisions()

    def against_live(self, opened: OpenRelease, version: int, report: Report) -> Plan:
        """Refused: the file holds no revision."""
        raise self._no_revisions()

    def status(self, opened: OpenRelease, report: Report) -> ReleaseState | None:
        """None: the state of a release is asked of a cluster."""
        return None

    def drift_of_all(self, namespace: str | None, report: Report) -> Iterator[Plan | UnreadRelease]:
        """Refused: drift is between a release and its cluster."""
        raise self._no_revisions()

    def _no_revisions(self) -> HelmguardError:
        header = self.header
        return HelmguardError(
            f"{self.label} holds a plan, and no revisions of the release",
            remedy=f"Open the release in its cluster: helmguard tui {header.release} -n {header.namespace}",
        )


def _form(header: SavedPlanHeader) -> PlanForm:
    """What was asked for, secrets masked, out of the helm command that the plan is."""
    verb, release, *words = header.command
    if verb != "rollback":
        return from_words([release, *words])
    number = words.pop(0) if words and words[0].isdecimal() else "0"
    form = from_words([release, *words])
    return replace(form, rollback_to=int(number))
