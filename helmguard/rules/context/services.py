"""How clients reach the release's pods: Services, ports, labels, classes of Ingresses, load balancers."""

from __future__ import annotations

from typing import Annotated

from helmguard.rules.context.dropped_labels import DroppedLabel, dropped_labels
from helmguard.rules.context.exposures import (
    BalancerChange,
    IngressClassUse,
    PortClaim,
    balancer_changes,
    ingress_class_uses,
    port_claims,
)
from helmguard.rules.context.record import Record
from helmguard.rules.context.service_targets import (
    BrokenPort,
    EmptyService,
    broken_ports,
    empty_services,
    pods_of,
)
from helmguard.rules.facts import Facts


class Services(Record, frozen=True):
    """Candidates: ways to the pods that change or lead nowhere, and nothing else."""

    empty: Annotated[tuple[EmptyService, ...], "Services that find no pod of the release after Helm"] = ()
    ports: Annotated[tuple[BrokenPort, ...], "ports that are not where they lead"] = ()
    dropped_labels: Annotated[tuple[DroppedLabel, ...], "pods that lose labels"] = ()
    ingress_classes: Annotated[tuple[IngressClassUse, ...], "Ingresses with a new or another class"] = ()
    balancers: Annotated[tuple[BalancerChange, ...], "changes of live load balancers"] = ()
    port_claims: Annotated[tuple[PortClaim, ...], "ports of nodes that are asked for anew"] = ()


def services_of(facts: Facts) -> Services:
    """What changes about the ways to the pods."""
    pods = pods_of(facts)
    return Services(
        empty=tuple(empty_services(facts, pods)),
        ports=tuple(broken_ports(facts, pods)),
        dropped_labels=tuple(dropped_labels(facts)),
        ingress_classes=tuple(ingress_class_uses(facts)),
        balancers=tuple(balancer_changes(facts)),
        port_claims=tuple(port_claims(facts)),
    )
