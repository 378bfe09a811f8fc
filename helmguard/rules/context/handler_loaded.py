"""Nodes whose files configure other runtimes than containerd has loaded."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Annotated

from helmguard.rules.context.handler_nodes import HandlerNode
from helmguard.rules.context.record import Record


class NotLoaded(Record, frozen=True):
    """A node that lists other handlers than its files configure: containerd reads them when it starts."""

    node: Annotated[str, "its name"]
    file: Annotated[str, "the file that defines the first runtime that is not loaded, else empty"] = ""
    line: Annotated[int, "where"] = 0
    only_in_files: Annotated[tuple[str, ...], "runtimes that the files configure and it does not list"] = ()
    only_loaded: Annotated[tuple[str, ...], "runtimes that it lists and the files do not configure"] = ()
    named: Annotated[tuple[str, ...], "those of either that a RuntimeClass names"] = ()
    collected: Annotated[str, "when the facts were collected, empty for just now"] = ""
    other_version: Annotated[
        str, "the version that the node reports where the facts are of another one: they are old"
    ] = ""


def not_loaded(
    nodes: Iterable[HandlerNode], named: frozenset[str], *, only_named: bool
) -> Iterator[NotLoaded]:
    """The nodes that differ; ``only_named`` leaves out runtimes that no RuntimeClass of concern names."""
    for node in nodes:
        effective = node.judged.installed if node.judged is not None else None
        if node.reported is None or node.installed is None or effective is None or effective.unread:
            continue
        configured, loaded = frozenset(effective.runtimes), node.reported - {""}
        differing = configured ^ loaded
        if only_named:
            differing &= named
        if effective.cri != "ok" or not differing:
            continue
        in_files = tuple(sorted(differing & configured))
        place = node.place(in_files[0]) if in_files else None
        yield NotLoaded(
            node=node.name,
            file=place.file if place is not None else "",
            line=place.line if place is not None else 0,
            only_in_files=in_files,
            only_loaded=tuple(sorted(differing & loaded)),
            named=tuple(sorted(differing & named)),
            collected=node.judged.facts.collected if node.judged is not None else "",
            other_version=_other_version(node),
        )


def _other_version(node: HandlerNode) -> str:
    """What the node runs by its own word, where the facts tell of another version."""
    from helmguard.containerd.version import read_version

    told = node.runtime.removeprefix("containerd://")
    collected = node.judged.facts.containerd.version if node.judged is not None else ""
    one, other = read_version(told), read_version(collected)
    return told if one is not None and other is not None and one != other else ""
