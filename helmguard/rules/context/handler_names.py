"""Runtimes that nodes configure, and that no RuntimeClass names as they are written."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Annotated, Final

from msgspec.structs import replace

from helmguard.rules.context.handler_nodes import HandlerNode
from helmguard.rules.context.handler_uses import UsedClass, nodes_for
from helmguard.rules.context.record import UNKNOWN, Record, Unknown

_HANDLER: Final = re.compile(r"[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?")
"""What a RuntimeClass may name: kubernetes/kubernetes@v1.36.3 pkg/apis/node/validation (a DNS label)."""
_OF_ITSELF: Final = ("", "runc")
_LIKE = 0.8


class HandlerName(Record, frozen=True):
    """A runtime that no RuntimeClass names: nobody wants it, or a letter is wrong.

    Runtimes that nodes have of themselves (`runc`, the default one) are not told.
    """

    name: Annotated[str, "its name in the configuration"]
    nodes: Annotated[
        tuple[str, ...], "the nodes that have it, among them all that lack the handler meant"
    ] = ()
    node: Annotated[str, "the first of them"] = ""
    file: Annotated[str, "the file that defines it there, empty where only the node reports it"] = ""
    line: Annotated[int, "where"] = 0
    nameable: Annotated[bool, "a RuntimeClass may name it: small letters, digits and hyphens"] = True
    meant: Annotated[str, "the handler that a RuntimeClass names and these nodes lack, empty for none"] = ""
    class_ref: Annotated[str, "that RuntimeClass: `RuntimeClass/nvidia`"] = ""
    used: Annotated[bool | Unknown, "pods or workloads name that class"] = UNKNOWN
    stranded: Annotated[bool | Unknown, "pods that name that class hang on these nodes"] = UNKNOWN
    planned: Annotated[bool, "always false: names are the same under every version"] = False
    lacks: Annotated[tuple[str, ...], "facts for want of which something of this is not known"] = ()


def similar_names(handler: str, node: HandlerNode, named: frozenset[str]) -> tuple[str, ...]:
    """Runtimes of a node that may be meant by a handler it lacks: alike, and named by no RuntimeClass."""
    return tuple(
        name
        for name in node.names
        if name not in named and name not in _OF_ITSELF and is_similar(handler, name)
    )


def is_similar(handler: str, name: str) -> bool:
    """Whether one may be written for the other: ``Nvidia``, ``nvida``, ``nvidia-experimental``."""
    one, other = _plain(handler), _plain(name)
    if not one or not other:
        return False
    if one == other or name.startswith(f"{handler}-") or handler.startswith(f"{name}-"):
        return True
    return difflib.SequenceMatcher(None, one, other).ratio() >= _LIKE


def handler_names(
    nodes: Sequence[HandlerNode],
    classes: Iterable[UsedClass],
    named: frozenset[str],
    *,
    all_classes: bool,
    mistakes_only: bool,
) -> Iterator[HandlerName]:
    """``all_classes``: every RuntimeClass is known, so that what none of them names is named by none.

    ``mistakes_only`` leaves out what is merely unused.
    """
    told: set[tuple[str, str]] = set()
    for used in classes:
        lacking = [node for node in nodes_for(used, nodes) if node.has(used.handler) is False]
        by_name: dict[str, list[HandlerNode]] = {}
        for node in lacking:
            for name in similar_names(used.handler, node, named):
                by_name.setdefault(name, []).append(node)
        for name, found in by_name.items():
            told |= {(name, node.name) for node in found}
            yield _meant(name, found, used)
    unused: dict[str, list[HandlerNode]] = {}
    for node in nodes:
        for name in node.names:
            if (name, node.name) not in told and name not in named and not _of_itself(name, node):
                unused.setdefault(name, []).append(node)
    for name, found in sorted(unused.items()):
        if not mistakes_only and (all_classes or not _HANDLER.fullmatch(name)):
            yield replace(_runtime(name, found), used=False, stranded=False)


def _meant(name: str, found: Sequence[HandlerNode], used: UsedClass) -> HandlerName:
    here = {node.name for node in found}
    hangs = UNKNOWN if used.uses is None else any(use.hangs and use.node in here for use in used.uses)
    return replace(
        _runtime(name, found),
        meant=used.handler,
        class_ref=f"RuntimeClass/{used.name}",
        used=UNKNOWN if used.is_used is None else used.is_used,
        stranded=hangs,
        lacks=("cluster.allPods",) if used.uses is None else (),
    )


def _runtime(name: str, found: Sequence[HandlerNode]) -> HandlerName:
    place = found[0].place(name)
    return HandlerName(
        name=name,
        nodes=tuple(node.name for node in found),
        node=found[0].name,
        file=place.file,
        line=place.line,
        nameable=bool(_HANDLER.fullmatch(name)),
    )


def _of_itself(name: str, node: HandlerNode) -> bool:
    default = node.installed.default_runtime_name if node.installed is not None else ""
    return name in _OF_ITSELF or name == default


def _plain(name: str) -> str:
    return re.sub(r"[^a-z0-9]", "", name.casefold())
