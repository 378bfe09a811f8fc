"""All that the rules' context is built from."""

from __future__ import annotations

import msgspec

from helmguard.model.cluster_facts import ClusterFacts
from helmguard.model.discovery import Discovery
from helmguard.model.plan import Engine, HookRun, PlanOperation, ReleaseSummary, ResourceChange, ValuesReport
from helmguard.model.prediction import Failure
from helmguard.model.surroundings import Surroundings
from helmguard.rules.node_side import NodeSide


class Facts(msgspec.Struct, frozen=True):
    """A plan without its findings, and what was read around it.

    ``keep_command`` is the command that keeps every override, empty where nothing is lost or none does.
    ``failure_remedy`` says what to do about a rendering that fails. ``around`` is what the plan knows
    around the objects, ``cluster`` what was read around the release. ``now`` is an ISO date and time, empty
    where no clock was asked. ``node_side`` is what is known of the nodes below Kubernetes.
    """

    operation: PlanOperation
    release: ReleaseSummary
    engine: Engine
    values: ValuesReport
    resources: tuple[ResourceChange, ...]
    hooks: tuple[HookRun, ...] = ()
    failure: Failure | None = None
    failure_remedy: str = ""
    keep_command: str = ""
    around: Surroundings = msgspec.field(default_factory=Surroundings)
    cluster: ClusterFacts = msgspec.field(default_factory=ClusterFacts)
    discovery: Discovery | None = None
    unstable: tuple[str, ...] = ()
    now: str = ""
    node_side: NodeSide = msgspec.field(default_factory=NodeSide)
