"""Releases of a cluster."""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import TYPE_CHECKING

from msgspec.structs import replace

from helmguard.cluster.connect import connect
from helmguard.cluster.connection import Connection
from helmguard.cluster.kube_options import KubeOptions, with_environment
from helmguard.cluster.kubeconfig import load_kubeconfig
from helmguard.cluster.release_list import ListedRelease
from helmguard.config.gate import DEFAULT_GATE, Gate
from helmguard.errors import HelmguardError
from helmguard.helm.flags import RenderOptions
from helmguard.model.plan import Plan
from helmguard.planner.request import PlanRequest
from helmguard.planner.session import Report, Session, open_session
from helmguard.tui.sources.source import ListedReleases, OpenRelease, Planned

if TYPE_CHECKING:
    from helmguard.model.release_state import ReleaseState, RevisionRef
    from helmguard.model.unread_release import UnreadRelease
    from helmguard.saved_plan.sealing import Sealing
    from helmguard.saved_plan.write import WrittenPlan
    from helmguard.tui.plan_form import PlanForm


class ClusterSource:
    """A ``Source``; sends nothing but reads. ``common_words`` are flags that every plan gets, as typed."""

    can_execute = True

    def __init__(
        self,
        kube: KubeOptions,
        *,
        gate: Gate = DEFAULT_GATE,
        helm_binary: str = "",
        common_words: tuple[str, ...] = (),
        all_namespaces: bool = True,
    ) -> None:
        self.label = cluster_name(kube)
        self._kube = kube
        self._gate = gate
        self._helm_binary = helm_binary
        self._common_words = common_words
        self._all_namespaces = all_namespaces
        self._connection: Connection | None = None

    def list_releases(self, report: Report) -> ListedReleases:
        """Of all namespaces, unless one was named or the user may list no other."""
        from helmguard.release_state.releases_online import list_online

        report("listing the releases")
        found = list_online(self._kube, all_namespaces=self._all_namespaces)
        self._connection = found.connection
        return ListedReleases(found.releases, found.left_out)

    def chart_of(self, release: ListedRelease) -> RevisionRef | None:
        """Reads that one record."""
        from helmguard.release_state.releases_online import last_revision

        if self._connection is None:
            self._connection = connect(self._kube)
        return last_revision(self._connection, release)

    def open_release(self, namespace: str, name: str, report: Report) -> OpenRelease:
        """Finds helm and reads the records and the served kinds, anew."""
        from helmguard.release_state.history_online import history_in

        session = open_session(self._request(namespace, name), report)
        return OpenRelease(
            name=name,
            namespace=session.namespace,
            history=session.history,
            shown=history_in(session, report),
            inside=session,
        )

    def compare(self, opened: OpenRelease, before: int, after: int) -> Plan:
        """Reads nothing."""
        from helmguard.release_state.compare_online import compare_in

        return compare_in(_session(opened), before, after)

    def against_live(self, opened: OpenRelease, version: int, report: Report) -> Plan:
        """Reads the live objects of all stored revisions."""
        from helmguard.release_state.compare_online import drift_from

        return drift_from(_session(opened), version, report)

    def status(self, opened: OpenRelease, report: Report) -> ReleaseState | None:
        """Reads all anew, and asks the API server about the ways out by dry runs."""
        from helmguard.release_state.status_online import StatusRequest, status_online

        return status_online(StatusRequest(_session(opened).request), report)

    def drift_of_all(self, namespace: str | None, report: Report) -> Iterator[Plan | UnreadRelease]:
        """Reads the records that say what should be live, and lists the live objects by kind."""
        from helmguard.planner.drift_many import ReleasesRequest, drift_of_releases

        request = self._request(namespace or "", "")
        return drift_of_releases(ReleasesRequest(request, all_namespaces=namespace is None), report)

    def plan(self, form: PlanForm, report: Report) -> Planned:
        """As ``helmguard plan`` with the form's words."""
        from helmguard.tui.sources.planning import plan_in_cluster

        return plan_in_cluster(form, self._common_words, report)

    def save(
        self, planned: Planned, path: str, report: Report, sealing: Sealing | None = None
    ) -> WrittenPlan:
        """As ``helmguard plan --out``."""
        from helmguard.tui.sources.planning import save

        return save(planned, path, report, sealing)

    def _request(self, namespace: str, name: str) -> PlanRequest:
        return PlanRequest(
            options=RenderOptions(release=name, chart="", namespace=namespace),
            kube=replace(self._kube, namespace=namespace or self._kube.namespace),
            helm_binary=self._helm_binary,
            gate=self._gate,
        )


def cluster_name(kube: KubeOptions) -> str:
    """The kubeconfig's context, else the server that a flag names, else ``cluster``; sends nothing."""
    known = with_environment(kube, os.environ)
    if known.kube_context:
        return known.kube_context
    try:
        context = load_kubeconfig(known.kubeconfig, os.environ).current_context
    except HelmguardError:
        context = ""  # Whoever connects is told.
    return context or known.kube_apiserver or "cluster"


def _session(opened: OpenRelease) -> Session:
    assert isinstance(opened.inside, Session)
    return opened.inside
