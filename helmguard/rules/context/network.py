"""Who can reach the pods, before against after: NetworkPolicies, Services, Ingresses."""

from __future__ import annotations

from typing import Annotated

from helmguard.rules.context.network_policies import LoosenedPolicy, loosened_policies
from helmguard.rules.context.outside import Opening, openings
from helmguard.rules.context.record import Record
from helmguard.rules.facts import Facts


class Network(Record, frozen=True):
    """Candidates: ways to and from pods that are open after Helm and were closed before."""

    loosened: Annotated[tuple[LoosenedPolicy, ...], "NetworkPolicies that hold less back"] = ()
    openings: Annotated[tuple[Opening, ...], "ways from outside the cluster that come or lose a lock"] = ()


def network_of(facts: Facts) -> Network:
    """What changes about who can reach whom."""
    return Network(loosened=tuple(loosened_policies(facts)), openings=tuple(openings(facts)))
