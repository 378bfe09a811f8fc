"""What the release asks of the cluster: room, nodes, volumes, and objects that others define."""

from __future__ import annotations

from typing import Annotated

from helmguard.model.plan import ResourceChange
from helmguard.rules.context.missing_references import MissingReference, missing_references
from helmguard.rules.context.placements import Placement, placements
from helmguard.rules.context.pod_templates import is_workload
from helmguard.rules.context.quotas import Demand, demands
from helmguard.rules.context.record import Record
from helmguard.rules.context.scalers import Scalers
from helmguard.rules.context.storage_classes import DefaultClass, NewClaim, default_classes, new_claims
from helmguard.rules.context.workloads import STAYS, Workload, workload_of
from helmguard.rules.facts import Facts


class Capacity(Record, frozen=True):
    """Candidates: new demands, and nothing else."""

    demands: Annotated[tuple[Demand, ...], "namespaces whose pods ask for more"] = ()
    placements: Annotated[tuple[Placement, ...], "workloads with new demands on nodes"] = ()
    claims: Annotated[tuple[NewClaim, ...], "claims for volumes that come"] = ()
    default_classes: Annotated[
        tuple[DefaultClass, ...], "StorageClasses that become the default or stop"
    ] = ()
    missing: Annotated[tuple[MissingReference, ...], "what pods need by name and nobody brings"] = ()


def capacity_of(facts: Facts) -> Capacity:
    """What is asked of the cluster anew."""
    workloads = _asking(facts)
    return Capacity(
        demands=tuple(demands(workloads, facts)),
        placements=tuple(placements(workloads, facts)),
        claims=tuple(new_claims(facts)),
        default_classes=tuple(default_classes(facts)),
        missing=tuple(missing_references(facts)),
    )


def _asking(facts: Facts) -> tuple[Workload, ...]:
    """Workloads that may ask for more or for other nodes; all that change where quotas are there."""
    limited = any(facts.cluster.lists.get(name) for name in ("resourceQuotas", "limitRanges"))
    found = [
        resource
        for resource in facts.resources
        if resource.action not in STAYS
        and is_workload(resource.prediction.key)
        and (limited or _asks_anew(resource))
    ]
    scalers = Scalers(facts)
    return tuple(workload_of(one, scalers, config_changes=False) for one in found)


def _asks_anew(resource: ResourceChange) -> bool:
    """Whether its requests, its number of pods, its containers, or what it wants of nodes change."""
    if resource.action not in ("update", "adopt"):
        return True
    return any(
        not _ASKING.isdisjoint(change.path) or change.path[-2:-1] in _LISTS for change in resource.changes
    )


_ASKING = frozenset(
    [
        "replicas",
        "parallelism",
        "resources",
        "nodeSelector",
        "affinity",
        "tolerations",
        "runtimeClassName",
        "priorityClassName",
        "overhead",
    ]
)
_LISTS = (("containers",), ("initContainers",))
