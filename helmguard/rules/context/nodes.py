"""The nodes whose facts were collected, and how they differ."""

from __future__ import annotations

from typing import Annotated

from helmguard.rules.context.nodes_divergence import DifferingNodes, differing_nodes
from helmguard.rules.context.nodes_managed import ManagedNode, managed_nodes
from helmguard.rules.context.record import Record
from helmguard.rules.node_side import NodeSide


class Nodes(Record, frozen=True):
    """The nodes whose facts were collected, and how they differ."""

    collected: Annotated[tuple[str, ...], "their names"] = ()
    differing: Annotated[
        tuple[DifferingNodes, ...], "nodes that are configured otherwise than most of their pool"
    ] = ()
    managed: Annotated[
        tuple[ManagedNode, ...], "nodes whose containerd configuration something else writes"
    ] = ()


def nodes_of(side: NodeSide) -> Nodes:
    """The topic of these nodes."""
    return Nodes(
        collected=tuple(node.facts.name for node in side.nodes),
        differing=tuple(differing_nodes(side)),
        managed=tuple(managed_nodes(side.nodes)),
    )
