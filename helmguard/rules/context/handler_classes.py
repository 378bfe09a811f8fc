"""RuntimeClasses beside the nodes that may have to run them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Annotated, Any

from msgspec.structs import replace

from helmguard.model.json_value import JSONObject
from helmguard.rules.context.handler_names import similar_names
from helmguard.rules.context.handler_nodes import HandlerNode, name_of
from helmguard.rules.context.handler_uses import UsedClass, nodes_for, uses_by_class, workload_lines
from helmguard.rules.context.manifest_maps import items, mapping
from helmguard.rules.context.record import UNKNOWN, Record, Unknown
from helmguard.rules.node_side import NodeSide, WantedHandler

_MOST = 8
"""So many names are told of nodes that are alike, and lines of workloads."""


class HandlerClass(Record, frozen=True):
    """A RuntimeClass, and which of the nodes that it may be needed on do not know its handler.

    Judged as the nodes are now; once more (`planned`) where a planned version of containerd takes the handler
    away from nodes that have it.
    """

    name: Annotated[str, "its name: `nvidia`"]
    handler: Annotated[str, "its handler: the name of a runtime in the nodes' configuration"]
    ref: Annotated[str, "`RuntimeClass/nvidia`"] = ""
    by: Annotated[str, "who brings it: `live`, `this release`, `ClusterPolicy/cluster-policy`"] = "live"
    configured_by: Annotated[
        str, "what will put the handler into the nodes' configuration, empty for nothing"
    ] = ""
    family: Annotated[str, "`nvidia` for all handlers of NVIDIA's toolkit, else the handler"] = ""
    planned: Annotated[bool, "it is about the planned version of containerd"] = False
    version: Annotated[str, "that version, empty where `planned` is false"] = ""
    nodes: Annotated[int | Unknown, "nodes on which the handler may be needed"] = UNKNOWN
    lacking: Annotated[
        tuple[str, ...] | Unknown,
        "those that are known not to have it; unknown where none is, and some may lack it; in a plan empty "
        "then, where another rule tells of that",
    ] = UNKNOWN
    untold: Annotated[tuple[str, ...], "those of which nobody tells"] = ()
    all_lack: Annotated[bool | Unknown, "there are such nodes, and all of them lack it"] = UNKNOWN
    told: Annotated[tuple[str, ...], "which nodes lack it, and who says so"] = ()
    together: Annotated[
        tuple[str, ...], "handlers of the family that the same nodes lack, this one among them"
    ] = ()
    similar: Annotated[
        bool, "every node that lacks it has a runtime of a similar name that no RuntimeClass names"
    ] = False
    stranded: Annotated[
        tuple[str, ...] | Unknown, "pods (`namespace/name`) that name the class and hang on nodes without it"
    ] = UNKNOWN
    used: Annotated[bool | Unknown, "pods or workloads name it, now or after the operation"] = UNKNOWN
    users: Annotated[tuple[str, ...], "what names it, in words"] = ()
    lacks: Annotated[tuple[str, ...], "facts for want of which something of this is not known"] = ()


def used_classes(side: NodeSide) -> tuple[tuple[WantedHandler, UsedClass], ...] | None:
    """The RuntimeClasses of concern with their uses; None where they are the live ones and were not read."""
    uses = uses_by_class(side.cluster)
    live = {name_of(body): body for body in side.cluster.lists.get("runtimeClasses") or ()}
    wanted = side.wanted
    if wanted is None:
        if "runtimeClasses" not in side.cluster.lists:
            return None
        wanted = tuple(_live(body) for _, body in sorted(live.items()))
    return tuple(
        (
            one,
            UsedClass(
                name=one.name,
                handler=one.handler,
                selector=dict(one.node_selector),
                tolerations=tuple(items(live.get(one.name), "scheduling", "tolerations")),
                uses=None if uses is None else uses.get(one.name, ()),
                used_by=one.used_by,
            ),
        )
        for one in wanted
    )


def handler_classes(
    classes: Sequence[tuple[WantedHandler, UsedClass]],
    nodes: Sequence[HandlerNode] | None,
    named: frozenset[str],
) -> tuple[HandlerClass, ...]:
    """The records; ``named`` are the handlers of all RuntimeClasses."""
    found = [one for wanted, used in classes for one in _of_class(wanted, used, nodes, named)]
    alike: dict[Any, list[str]] = {}
    for one in found:
        alike.setdefault((one.family, one.planned, one.lacking), []).append(one.handler)
    return tuple(
        replace(one, together=tuple(dict.fromkeys(alike[one.family, one.planned, one.lacking])))
        for one in found
    )


def _of_class(
    wanted: WantedHandler, used: UsedClass, nodes: Sequence[HandlerNode] | None, named: frozenset[str]
) -> Iterator[HandlerClass]:
    if not used.handler:
        # A class that the operation uses and that is not to be read: its handler may be any.
        yield replace(_untold(wanted, used), lacking=UNKNOWN, lacks=("cluster.runtimeClasses",))
        return
    if nodes is None:
        yield _untold(wanted, used)
        return
    needed = nodes_for(used, nodes)
    yield _now(wanted, used, needed, named)
    lost = [node for node in needed if node.has(used.handler) and node.loses(used.handler)]
    if lost:
        yield _planned(wanted, used, needed, lost)


def _live(body: JSONObject) -> WantedHandler:
    selector = mapping(body, "scheduling", "nodeSelector")
    return WantedHandler(
        name=name_of(body),
        handler=str(body.get("handler") or ""),
        node_selector=tuple((str(key), str(value)) for key, value in selector.items()),
    )


def _untold(wanted: WantedHandler, used: UsedClass) -> HandlerClass:
    """What is known of a class without any node."""
    return HandlerClass(
        name=wanted.name,
        handler=wanted.handler,
        ref=f"RuntimeClass/{wanted.name}",
        by=wanted.by,
        configured_by=wanted.configured_by,
        family=used.family,
        lacking=() if wanted.told_by else UNKNOWN,
        used=UNKNOWN if used.is_used is None else used.is_used,
        users=_users(used),
        lacks=("cluster.nodes", *_lacked_pods(used)),
    )


def _now(
    wanted: WantedHandler, used: UsedClass, needed: Sequence[HandlerNode], named: frozenset[str]
) -> HandlerClass:
    lacking = [node for node in needed if node.has(used.handler) is False]
    untold = [node.name for node in needed if node.has(used.handler) is None]
    # Of a class that nobody names, nobody needs to know what those nodes have of which nothing is told.
    is_open = bool(untold) and not lacking and used.is_used is not False and not wanted.told_by
    return replace(
        _untold(wanted, used),
        nodes=len(needed),
        lacking=UNKNOWN if is_open else tuple(node.name for node in lacking),
        untold=tuple(untold),
        all_lack=bool(lacking) and len(lacking) == len(needed),
        told=tuple(_evidence(used.handler, lacking)),
        similar=bool(lacking) and all(similar_names(used.handler, node, named) for node in lacking),
        stranded=_stranded(used, lacking),
        lacks=(*_lacked_pods(used), *_lacked_facts(untold)),
    )


def _planned(
    wanted: WantedHandler, used: UsedClass, needed: Sequence[HandlerNode], lost: Sequence[HandlerNode]
) -> HandlerClass:
    version = next(node.planned.containerd for node in lost if node.planned is not None)
    return replace(
        _untold(wanted, used),
        planned=True,
        version=version,
        nodes=len(needed),
        lacking=tuple(node.name for node in lost),
        all_lack=len(lost) == len(needed),
        told=(f"{_nodes(node.name for node in lost)}: it is there now, and containerd {version} drops it",),
        stranded=(),
        lacks=_lacked_pods(used),
    )


def _users(used: UsedClass) -> tuple[str, ...]:
    lines = list(workload_lines(used.uses or ()))
    more = [f"and {len(lines) - _MOST} more workloads name it"] if len(lines) > _MOST else []
    return (*(f"{one} will name it" for one in used.used_by), *lines[:_MOST], *more)


def _stranded(used: UsedClass, lacking: Iterable[HandlerNode]) -> tuple[str, ...] | Unknown:
    if used.uses is None:
        return UNKNOWN
    names = {node.name for node in lacking}
    return tuple(use.ref for use in used.uses if use.hangs and use.node in names)


def _evidence(handler: str, lacking: Iterable[HandlerNode]) -> Iterator[str]:
    """Nodes of which the same is told in one line."""
    alike: dict[str, list[str]] = {}
    for node in lacking:
        alike.setdefault(node.evidence(handler), []).append(node.name)
    for evidence, names in alike.items():
        yield f"{_nodes(names)}: {evidence}"


def _nodes(names: Iterable[str]) -> str:
    every = list(names)
    shown = ", ".join(every[:_MOST]) + (f" and {len(every) - _MOST} more" if len(every) > _MOST else "")
    return f"{'node' if len(every) == 1 else 'nodes'} {shown}"


def _lacked_pods(used: UsedClass) -> tuple[str, ...]:
    return ("cluster.allPods",) if used.uses is None else ()


def _lacked_facts(untold: Sequence[str]) -> tuple[str, ...]:
    return (f"the runtimes of {_nodes(untold)} (helmguard node collect reads them)",) if untold else ()
