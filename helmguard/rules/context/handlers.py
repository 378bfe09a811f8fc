"""RuntimeClasses and the nodes that know their handlers."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Annotated

from helmguard.rules.context.handler_classes import HandlerClass, handler_classes, used_classes
from helmguard.rules.context.handler_loaded import NotLoaded, not_loaded
from helmguard.rules.context.handler_names import HandlerName, handler_names
from helmguard.rules.context.handler_nodes import HandlerNode, handler_nodes
from helmguard.rules.context.handler_pools import PoolDifference, pool_differences
from helmguard.rules.context.handler_stuck import StuckPods, stuck_pods
from helmguard.rules.context.record import UNKNOWN, Record, Unknown
from helmguard.rules.node_side import NodeSide


class Handlers(Record, frozen=True):
    """RuntimeClasses and the nodes that know their handlers."""

    wanted: Annotated[
        tuple[str, ...],
        "RuntimeClasses that the operation creates or uses, by name; empty in a check of nodes",
    ] = ()
    classes: Annotated[
        tuple[HandlerClass, ...] | Unknown,
        "RuntimeClasses of concern: those that the operation creates or uses, else all that are live",
    ] = UNKNOWN
    names: Annotated[tuple[HandlerName, ...], "runtimes of the nodes that no RuntimeClass names"] = ()
    not_loaded: Annotated[
        tuple[NotLoaded, ...], "nodes whose files configure other runtimes than containerd has loaded"
    ] = ()
    stuck: Annotated[
        tuple[StuckPods, ...] | Unknown, "pods that hang for want of a layer below; not told in a plan"
    ] = UNKNOWN
    pools: Annotated[
        tuple[PoolDifference, ...] | Unknown, "nodes that differ from their pool; not told in a plan"
    ] = UNKNOWN


def handlers_of(side: NodeSide) -> Handlers:
    """The topic of these nodes."""
    classes, nodes = used_classes(side), handler_nodes(side)
    known = nodes or ()
    named = frozenset(used.handler for _, used in classes or ()) | frozenset(_live_handlers(side))
    by_name = {node.name: node for node in known}
    return Handlers(
        wanted=tuple(one.name for one in side.wanted or ()),
        classes=UNKNOWN if classes is None else handler_classes(classes, nodes, named),
        names=tuple(
            handler_names(
                known,
                [used for _, used in classes or ()],
                named,
                all_classes="runtimeClasses" in side.cluster.lists,
                mistakes_only=side.in_plan,
            )
        ),
        not_loaded=tuple(not_loaded(known, named, only_named=side.in_plan)),
        stuck=() if side.in_plan else stuck_pods(side.cluster, _asks_files(by_name)),
        pools=_pools(side, known),
    )


def _live_handlers(side: NodeSide) -> list[str]:
    return [str(body.get("handler") or "") for body in side.cluster.lists.get("runtimeClasses") or ()]


def _asks_files(nodes: Mapping[str, HandlerNode]) -> Callable[[str, str], bool]:
    def is_configured(node: str, handler: str) -> bool:
        found = nodes.get(node)
        return found is not None and found.installed is not None and handler in found.installed.runtimes

    return is_configured


def _pools(side: NodeSide, nodes: tuple[HandlerNode, ...]) -> tuple[PoolDifference, ...] | Unknown:
    if side.in_plan:
        return ()
    return tuple(pool_differences(nodes)) if "nodes" in side.cluster.lists else UNKNOWN
