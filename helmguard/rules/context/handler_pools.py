"""Nodes of one pool, compared by what the API server knows of them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import Annotated, Final

from helmguard.rules.context.handler_nodes import HandlerNode
from helmguard.rules.context.manifest_maps import mapping
from helmguard.rules.context.record import Record

POOL_LABELS: Final = (
    "cloud.google.com/gke-nodepool",
    "eks.amazonaws.com/nodegroup",
    "kubernetes.azure.com/agentpool",
    "karpenter.sh/nodepool",
    "kops.k8s.io/instancegroup",
)
"""Which label says the pool on managed nodes (documentation of GKE, EKS, AKS, Karpenter, kOps)."""
GPU_POOL: Final = "nodes with GPUs"

_VERSIONS: Final = {
    "container runtime": "containerRuntimeVersion",
    "kernel": "kernelVersion",
    "operating system": "osImage",
}
_DRIVER_LABEL: Final = "nvidia.com/cuda.driver-version.full"


class PoolDifference(Record, frozen=True):
    """A node that has something otherwise than most nodes of its pool."""

    pool: Annotated[str, "`eks.amazonaws.com/nodegroup=gpu`, or `nodes with GPUs` where no label tells"]
    what: Annotated[str, "`runtime handlers`, `container runtime`, `kernel`, `operating system`, `driver`"]
    usual: Annotated[str, "what most nodes of the pool have"] = ""
    here: Annotated[str, "what these have"] = ""
    nodes: Annotated[tuple[str, ...], "the nodes that have it so"] = ()
    others: Annotated[int, "nodes of the pool that have the usual"] = 0
    collected: Annotated[
        bool, "the facts of these nodes and of others of the pool were collected: they tell more"
    ] = False


def pool_differences(nodes: Iterable[HandlerNode]) -> Iterator[PoolDifference]:
    """Where most nodes of a pool agree: each group of those that do not.

    Pools are told by the labels of managed nodes; else nodes with GPUs are one pool. Nodes without either are
    not compared: they may be anything. A pool in which no value is that of more than half the nodes has no
    usual one.
    """
    pools: dict[str, list[HandlerNode]] = {}
    for node in nodes:
        pool = pool_of(node)
        if pool:
            pools.setdefault(pool, []).append(node)
    for pool, members in sorted(pools.items()):
        for what in ("runtime handlers", *_VERSIONS, "driver"):
            yield from _differences(pool, what, members)


def pool_of(node: HandlerNode) -> str:
    """The pool's label, or ``nodes with GPUs``; empty for none."""
    for label in POOL_LABELS:
        if node.labels.get(label):
            return f"{label}={node.labels[label]}"
    return GPU_POOL if node.gpu else ""


def _differences(pool: str, what: str, members: Sequence[HandlerNode]) -> Iterator[PoolDifference]:
    values = {node.name: value for node in members if (value := _value(node, what))}
    counts = Counter(values.values())
    if len(counts) < 2:
        return
    usual, most = counts.most_common(1)[0]
    if most * 2 <= len(values):
        return
    collected = sum(node.judged is not None for node in members) > 1
    odd: dict[str, list[HandlerNode]] = {}
    for node in members:
        value = values.get(node.name, usual)
        if value != usual:
            odd.setdefault(value, []).append(node)
    for value, found in sorted(odd.items()):
        yield PoolDifference(
            pool=pool,
            what=what,
            usual=usual,
            here=value,
            nodes=tuple(node.name for node in found),
            others=most,
            collected=collected and all(node.judged is not None for node in found),
        )


def _value(node: HandlerNode, what: str) -> str:
    """What the node has, in words; empty where nobody tells."""
    if what == "runtime handlers":
        return ", ".join(sorted(node.reported - {""})) if node.reported is not None else ""
    if what == "driver":
        return node.labels.get(_DRIVER_LABEL, "")
    return str(mapping(node.body, "status", "nodeInfo").get(_VERSIONS[what]) or "")
