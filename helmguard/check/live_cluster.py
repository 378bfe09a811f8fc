"""The cluster as the live side: each release's records and objects are read when its turn comes."""

from __future__ import annotations

import msgspec
from msgspec.structs import replace

from helmguard.check.live_side import LiveRelease
from helmguard.cluster.connect import connect
from helmguard.cluster.connection import Connection
from helmguard.cluster.discovery import read_discovery
from helmguard.cluster.kube_options import KubeOptions
from helmguard.cluster.release_storage import read_history
from helmguard.helm.command import HelmCommand
from helmguard.helm.flags import RenderOptions
from helmguard.model.check_report import LiveSide
from helmguard.model.declared_release import DeclaredRelease
from helmguard.model.discovery import Discovery
from helmguard.model.plan import Plan
from helmguard.planner.clock import clock_time
from helmguard.planner.confirmation import confirm
from helmguard.planner.inputs import PlanInputs
from helmguard.planner.judge_online import judged_online
from helmguard.planner.live_reading import read_live_objects, wanted_definitions, wanted_objects
from helmguard.planner.make_plan import previous_revision
from helmguard.planner.request import PlanRequest
from helmguard.planner.session import Session

_WITHOUT_RECORDS = ("argo", "kustomize")
"""They apply what helm template prints: the cluster holds no revision of theirs."""


class ClusterLive(msgspec.Struct, frozen=True):
    """One connection for all releases."""

    connection: Connection
    cluster: Discovery
    command: HelmCommand

    @classmethod
    def open(cls, kube: KubeOptions, command: HelmCommand) -> ClusterLive:
        """Connect, and read what is served.

        Raises:
            ClusterError: there is no cluster to ask.
        """
        connection = connect(kube)
        return cls(connection, read_discovery(connection), command)

    @property
    def side(self) -> LiveSide:
        """The cluster."""
        return "cluster"

    @property
    def discovery(self) -> Discovery | None:
        """What it serves."""
        return self.cluster

    def of(self, declared: DeclaredRelease) -> LiveRelease | None:
        """The release's records; its objects are read when it is judged.

        Raises:
            ClusterError: the records cannot be read.
        """
        if declared.tool in _WITHOUT_RECORDS:
            return LiveRelease(self._judged_without_dry_run)
        stored = declared.storage_namespace or declared.namespace
        history = read_history(self.connection, stored, declared.name)
        return LiveRelease(self._judged, history if history.last() is not None else None)

    def _judged(self, inputs: PlanInputs) -> Plan:
        inputs = self._completed(inputs)
        confirmed = confirm(inputs, self.connection, "auto")
        return judged_online(confirmed.inputs, confirmed.prediction, self._session(inputs), _silent)

    def _judged_without_dry_run(self, inputs: PlanInputs) -> Plan:
        """The requests would be Helm's, and it is not Helm that writes."""
        inputs = self._completed(inputs)
        return judged_online(inputs, None, self._session(inputs), _silent)

    def _completed(self, inputs: PlanInputs) -> PlanInputs:
        previous = previous_revision(inputs)
        wanted = wanted_objects(
            inputs.new.manifest, inputs.new.hooks, inputs.namespace, self.cluster, inputs.chart_crds
        )
        wanted |= wanted_definitions(inputs.chart_crds)
        if previous is not None:
            before = wanted_objects(previous.manifest, previous.hooks, inputs.namespace, self.cluster)
            wanted = {**before, **wanted}
        live = read_live_objects(self.connection, self.cluster, wanted)
        return replace(
            inputs,
            live=live.states,
            crds=live.crds,
            discovery=self.cluster,
            unknown=(*inputs.unknown, *live.unknown),
            now=clock_time(),
        )

    def _session(self, inputs: PlanInputs) -> Session:
        options = RenderOptions(inputs.release, inputs.new_chart.reference, inputs.namespace)
        request = PlanRequest(options, gate=inputs.gate)
        return Session(
            request,
            options,
            inputs.namespace,
            self.connection,
            self.command,
            inputs.history,
            self.cluster,
        )


def _silent(_: str) -> None:
    """Progress is told release by release."""
