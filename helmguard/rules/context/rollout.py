"""What this operation does to running pods: rollouts, numbers of pods, budgets, configuration."""

from __future__ import annotations

from typing import Annotated

from helmguard.rules.context.config_uses import ConfigUse, config_uses
from helmguard.rules.context.container_changes import (
    ProbeChange,
    ResourceLoss,
    ShutdownChange,
    pod_changes,
    probe_changes,
    resource_losses,
    shutdown_changes,
)
from helmguard.rules.context.disruption_budgets import Budget, budgets
from helmguard.rules.context.record import Record
from helmguard.rules.context.replica_changes import ReplicaChange, replica_changes
from helmguard.rules.context.rollouts import (
    Downtime,
    EveryNode,
    Restart,
    SharedVolume,
    downtimes,
    every_node,
    restarts_of,
    shared_volumes,
)
from helmguard.rules.context.scalers import Scalers
from helmguard.rules.context.workloads import workloads_of
from helmguard.rules.facts import Facts


class Rollout(Record, frozen=True):
    """Candidates: what changes in the way that a rule asks about, and nothing else."""

    restarts: Annotated[tuple[Restart, ...], "workloads whose pods are replaced, or wait to be"] = ()
    pods_replaced: Annotated[int, "pods of those that are replaced, and more than bookkeeping changes"] = 0
    downtimes: Annotated[tuple[Downtime, ...], "Deployments and StatefulSets that lose all pods at once"] = ()
    shared_volumes: Annotated[tuple[SharedVolume, ...], "rolling Deployments that mount a claim"] = ()
    budgets: Annotated[tuple[Budget, ...], "budgets that are new or allow less than before"] = ()
    daemon_sets: Annotated[tuple[EveryNode, ...], "DaemonSets that come or change"] = ()
    replicas: Annotated[tuple[ReplicaChange, ...], "live workloads that get another number of pods"] = ()
    config_uses: Annotated[tuple[ConfigUse, ...], "changed configuration and pods that do not restart"] = ()
    probes: Annotated[tuple[ProbeChange, ...], "probes that go, or that wait three times as long"] = ()
    resources: Annotated[tuple[ResourceLoss, ...], "containers whose requests or limits change"] = ()
    shutdowns: Annotated[tuple[ShutdownChange, ...], "pods that get another time to end"] = ()


def rollout_of(facts: Facts) -> Rollout:
    """What changes about running pods."""
    scalers = Scalers(facts)
    changed = pod_changes(facts)
    workloads = workloads_of(facts).changed
    restarts = tuple(restarts_of(workloads))
    return Rollout(
        restarts=restarts,
        pods_replaced=sum(one.pods for one in restarts if not one.only_bookkeeping and not one.held),
        downtimes=tuple(downtimes(workloads, facts.resources)),
        shared_volumes=tuple(shared_volumes(workloads, facts)),
        budgets=tuple(budgets(facts, scalers)),
        daemon_sets=tuple(every_node(workloads)),
        replicas=tuple(replica_changes(facts, scalers)),
        config_uses=tuple(config_uses(facts)),
        probes=tuple(probe_changes(changed)),
        resources=tuple(resource_losses(changed, facts)),
        shutdowns=tuple(shutdown_changes(changed)),
    )
