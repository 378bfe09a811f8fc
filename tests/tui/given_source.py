"""A source of releases in memory, which can be slow, empty or broken as a test needs it."""

from __future__ import annotations

import threading
from collections.abc import Iterable, Iterator

from given_histories import (
    NOW,
    GivenRelease,
    demo_release,
    hostile_release,
    large_release,
    long_map_release,
    pending_release,
    quiet_release,
    web_release,
)
from given_state import given_state
from msgspec.structs import replace

from helmguard.cluster.release_list import ListedRelease
from helmguard.config.gate import Gate
from helmguard.errors import BundleError, ClusterError, HelmguardError, ReleaseNotFoundError
from helmguard.manifest.objects import read_objects
from helmguard.model.live_state import Absent, LiveState
from helmguard.model.plan import ChartRef, Plan, ValuesReport
from helmguard.model.release import Revision
from helmguard.model.release_state import ReleaseState, RevisionRef
from helmguard.model.resource_key import ResourceKey
from helmguard.model.unread_release import UnreadRelease
from helmguard.planner.drift_offline import drift_of_contents
from helmguard.planner.inputs import NewRevision, PlanInputs
from helmguard.planner.judge_offline import judged_offline
from helmguard.planner.mode_losses import ModeLoss
from helmguard.planner.offline import inputs_of_bundle
from helmguard.planner.request import BundleOverrides
from helmguard.planner.session import Report
from helmguard.planner.upgrade_values import MODE_FLAGS
from helmguard.release_state.compare_revisions import compare_revisions, configs_of, named_revision
from helmguard.release_state.condition import revision_ref
from helmguard.release_state.history_entries import history_of
from helmguard.release_state.revision_changes import told_values
from helmguard.report.ages import seconds_between
from helmguard.saved_plan.sealing import Sealing
from helmguard.saved_plan.write import WrittenPlan
from helmguard.tui.plan_form import PlanForm
from helmguard.tui.sources.source import ListedReleases, OpenRelease, Planned

__all__ = ["NOW", "UNREACHABLE", "GivenSource"]

UNREACHABLE = ClusterError(
    "the API server at https://127.0.0.1:6443 does not answer (timed out)",
    remedy="See whether the cluster runs and whether --kube-context names the right one.",
)


class GivenSource:
    """A ``Source``. ``failing`` is raised by whatever is asked next, until it is None again.

    `hold` keeps every answer back until `let_go`; a cancelled question ends at once. ``asked`` are the names
    of the methods called, oldest first.
    """

    def __init__(
        self,
        *releases: GivenRelease,
        label: str = "kind-prod",
        left_out: str = "",
        more: Iterable[ListedRelease] = (),
        can_execute: bool = False,
    ) -> None:
        self.label = label
        self.can_execute = can_execute
        self.left_out = left_out
        self.failing: HelmguardError | None = None
        self.asked: list[str] = []
        self._releases = {(each.history.namespace, each.history.name): each for each in releases}
        self._more = tuple(more)
        self._may_answer = threading.Event()
        self._may_answer.set()

    @classmethod
    def usual(cls) -> GivenSource:
        """One release of each state."""
        return cls(demo_release(), web_release(), pending_release(), quiet_release())

    @classmethod
    def of_demo(cls) -> GivenSource:
        """The demo's release alone."""
        return cls(demo_release(), label="demo")

    @classmethod
    def empty(cls, left_out: str = "") -> GivenSource:
        """No release."""
        return cls(left_out=left_out)

    @classmethod
    def many(cls, count: int = 5000) -> GivenSource:
        """So many releases in a hundred namespaces; those of `usual` can be opened."""
        states = ("deployed", "deployed", "deployed", "failed", "pending-upgrade", "superseded")
        now = _seconds(NOW)
        more = (
            ListedRelease(
                f"team-{number % 100:02}", f"service-{number:04}", number % 12 + 1,
                "deployed" if number % 7 else states[number % 6], now - number * 61,
            )
            for number in range(count)
        )  # fmt: skip
        return cls(demo_release(), web_release(), pending_release(), quiet_release(), more=more)

    @classmethod
    def large(cls, objects: int = 2000, changed: int = 400) -> GivenSource:
        """A release of so many objects, and one with a ConfigMap of 10,000 lines."""
        return cls(large_release(objects, changed), long_map_release())

    @classmethod
    def hostile(cls) -> GivenSource:
        """Names and texts that a terminal would obey."""
        return cls(hostile_release())

    def hold(self) -> None:
        """Answer nothing until `let_go`."""
        self._may_answer.clear()

    def let_go(self) -> None:
        """Answer what was asked."""
        self._may_answer.set()

    @property
    def is_held(self) -> bool:
        """Whether `hold` is in force."""
        return not self._may_answer.is_set()

    def list_releases(self, report: Report) -> ListedReleases:
        self._step("list_releases", "listing the releases", report)
        own = [_listed(each) for each in self._releases.values()]
        found = sorted([*own, *self._more], key=lambda each: (each.namespace, each.name))
        return ListedReleases(tuple(found), self.left_out)

    def chart_of(self, release: ListedRelease) -> RevisionRef | None:
        self._step("chart_of", "", lambda _: None)
        given = self._releases.get((release.namespace, release.name))
        last = given.history.last() if given else None
        if last is not None:
            return revision_ref(last)
        return RevisionRef(release.version, release.status, "", "Upgrade complete", "service-2.4.1", "2.4")

    def open_release(self, namespace: str, name: str, report: Report) -> OpenRelease:
        self._step("open_release", "reading the release", report)
        given = self._given(namespace, name)
        contents = given.contents
        history = given.history
        shown = history_of(history, history.namespace, contents.discovery, contents.request.helm)
        return OpenRelease(history.name, history.namespace, history, shown, given)

    def compare(self, opened: OpenRelease, before: int, after: int) -> Plan:
        self._step("compare", "", lambda _: None)
        given = self._given(opened.namespace, opened.name)
        return compare_revisions(
            named_revision(given.history, before),
            named_revision(given.history, after),
            namespace=opened.namespace,
            discovery=given.contents.discovery,
            helm=given.contents.request.helm,
            crds=given.contents.crds,
            configs=configs_of(given.history),
        )

    def against_live(self, opened: OpenRelease, version: int, report: Report) -> Plan:
        self._step("against_live", "reading live objects", report)
        given = self._given(opened.namespace, opened.name)
        return drift_of_contents(given.contents, Gate(), named_revision(given.history, version))

    def status(self, opened: OpenRelease, report: Report) -> ReleaseState | None:
        self._step("status", "reading the status", report)
        return given_state(self._given(opened.namespace, opened.name).history)

    def drift_of_all(self, namespace: str | None, report: Report) -> Iterator[Plan | UnreadRelease]:
        self._step("drift_of_all", "reading live objects", report)
        for each, given in self._releases.items():
            if namespace not in (None, each[0]):
                continue
            report(f"comparing {each[1]}")
            try:
                yield drift_of_contents(given.contents, Gate())
            except BundleError as error:
                yield UnreadRelease(*each, error.message)

    def plan(self, form: PlanForm, report: Report) -> Planned:
        """The demo's is real. The others' upgrade to what was given, whatever the form says."""
        self._step("plan", "rendering the chart", report)
        given = self._given(form.namespace, form.release)
        contents = given.contents
        if form.is_rollback:
            overrides = BundleOverrides(rollback=True, rollback_to=form.rollback_to or 0)
            return Planned(judged_offline(inputs_of_bundle(contents, overrides)), None, form)
        if given.following is None and contents.chart_path is not None:
            from helmguard.tui.sources.planning import plan_in_bundle

            return plan_in_bundle(contents.folder, form, (), report)
        losses = tuple(ModeLoss(mode) for mode in MODE_FLAGS)
        return Planned(judged_offline(_upgrade(given, form)), None, form, losses)

    def save(
        self, planned: Planned, path: str, report: Report, sealing: Sealing | None = None
    ) -> WrittenPlan:
        self._step("save", "writing the plan", report)
        raise BundleError(
            "a plan made without the cluster cannot be saved", remedy="Plan it with the cluster."
        )

    def _given(self, namespace: str, name: str) -> GivenRelease:
        for each, given in self._releases.items():
            if each[1] == name and namespace in ("", each[0]):
                return given
        raise ReleaseNotFoundError(f"release {name!r} is not in namespace {namespace!r}")

    def _step(self, method: str, what: str, report: Report) -> None:
        self.asked.append(method)
        report(what)
        while not self._may_answer.wait(0.2):
            report(what)
        if self.failing is not None:
            raise self.failing


def _listed(given: GivenRelease) -> ListedRelease:
    last = given.history.last()
    assert last is not None
    return ListedRelease(
        last.namespace, last.name, last.version, last.label_status, _seconds(last.last_deployed)
    )


def _seconds(time: str) -> int:
    return seconds_between("1970-01-01T00:00:00Z", time) or 0


def _upgrade(given: GivenRelease, form: PlanForm) -> PlanInputs:
    """From the last revision that helm would build on to the one that follows."""
    contents, history = given.contents, given.history
    current = history.current_for_upgrade() or history.revisions[-1]
    after: Revision = given.following or replace(current, version=current.version + 1)
    return PlanInputs(
        operation="upgrade",
        release=history.name,
        namespace=history.namespace,
        helm=contents.request.helm,
        options=contents.request.options,
        history=history,
        new=NewRevision(manifest=after.manifest, hooks=after.hooks),
        new_chart=ChartRef(after.chart_name, after.chart_version, after.app_version, form.chart, "sha256:0"),
        values=ValuesReport(
            form.mode or "given: reset",
            "because --set was given without a reuse flag",
            tuple(told_values(current, after, contents.request.helm)),
            previous_config=current.config,
            config=after.config,
        ),
        live={**_absent(after), **contents.live},
        discovery=contents.discovery,
        kubernetes="v1.36.3",
        now=NOW,
        config=after.config,
    )


def _absent(after: Revision) -> dict[ResourceKey, LiveState]:
    """All that it names, as if none of it were live."""
    objects = read_objects(after.manifest, after.namespace, lambda *_: True)
    return {each.key: Absent() for each in objects}
