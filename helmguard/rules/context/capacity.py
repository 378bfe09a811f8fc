"""What the release asks of the cluster: room, nodes, volumes, and objects that others define."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from helmguard.rules.context.missing_references import MissingReference, missing_references
from helmguard.rules.context.placements import Placement, placements
from helmguard.rules.context.quotas import Demand, demands
from helmguard.rules.context.record import Record
from helmguard.rules.context.storage_classes import DefaultClass, NewClaim, default_classes, new_claims
from helmguard.rules.context.workloads import workloads_of
from helmguard.rules.facts import Facts


@dataclass(frozen=True, slots=True)
class Capacity(Record):
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
    workloads = workloads_of(facts).changed
    return Capacity(
        demands=tuple(demands(workloads, facts)),
        placements=tuple(placements(workloads, facts)),
        claims=tuple(new_claims(facts)),
        default_classes=tuple(default_classes(facts)),
        missing=tuple(missing_references(facts)),
    )
