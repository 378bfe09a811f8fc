"""One document as a tree of nodes, from libyaml's events or from the exact grammar's.

Source: go.yaml.in/yaml v2.4.2 decode.go, its ``parser``.
"""

from __future__ import annotations

from collections.abc import Iterable
from enum import Enum, auto
from typing import Any

import msgspec
from yaml.events import AliasEvent, DocumentEndEvent, MappingStartEvent, ScalarEvent, SequenceStartEvent

from helmguard.manifest.goyaml.doubts import Doubts
from helmguard.manifest.goyaml.error import YAMLError

DEEPEST = 1000  # libyaml's own limit; Go allows ten times that, no chart comes near either


class NodeKind(Enum):
    """What a node is."""

    SCALAR = auto()
    SEQUENCE = auto()
    MAPPING = auto()
    ALIAS = auto()


class Node(msgspec.Struct):
    """``children`` of a mapping: key, value, key, value. ``line`` and ``column`` count from 1.

    ``plain``: an unquoted scalar without a tag, or one with the tag ``!``. ``target``: what an alias names.
    """

    kind: NodeKind
    line: int
    column: int
    tag: str | None = None
    text: str = ""
    plain: bool = False
    children: list[Node] = []
    target: Node | None = None


def compose(events: Iterable[Any], doubts: Doubts | None = None) -> Node | None:
    """The root of the document; None if there is no event at all.

    ``doubts`` are asked about every node when the events are libyaml's.

    Raises:
        Doubt: see ``Doubts``.
        YAMLError: an alias without its anchor, or collections nested deeper than ``DEEPEST``.
    """
    root: list[Node] = []
    siblings = root
    open_collections: list[tuple[list[Node], bool, bool]] = []
    in_mapping = flow = False
    anchors: dict[str, Node] = {}
    for event in events:
        kind = type(event)
        mark = event.start_mark
        place = (mark.line + 1, mark.column + 1)
        if kind is ScalarEvent:
            plain = event.implicit[0]
            if doubts:
                doubts.check_scalar(event, flow)
            node = Node(NodeKind.SCALAR, *place, event.tag, event.value, plain)
        elif kind is AliasEvent:
            target = anchors.get(event.anchor)
            if target is None:
                raise YAMLError(
                    f"yaml: unknown anchor '{event.anchor}' referenced", line=place[0], column=place[1]
                )
            node = Node(NodeKind.ALIAS, *place, text=event.anchor, target=target)
        elif kind is MappingStartEvent or kind is SequenceStartEvent:
            node_kind = NodeKind.MAPPING if kind is MappingStartEvent else NodeKind.SEQUENCE
            node = Node(node_kind, *place, event.tag)
        elif kind is DocumentEndEvent:
            if doubts:
                doubts.check_document_end(event)
            break
        else:
            siblings, in_mapping, flow = open_collections.pop()
            continue
        if doubts and kind is not AliasEvent:
            doubts.check_properties(event, flow, as_key=in_mapping and len(siblings) % 2 == 0)
        siblings.append(node)
        if kind is not AliasEvent and event.anchor is not None:
            anchors[event.anchor] = node
        if node.kind in (NodeKind.MAPPING, NodeKind.SEQUENCE):
            if len(open_collections) == DEEPEST:
                raise YAMLError(
                    f"nested deeper than {DEEPEST} levels, which helmguard does not read",
                    line=place[0],
                    column=place[1],
                )
            open_collections.append((siblings, in_mapping, flow))
            siblings, in_mapping, flow = node.children, node.kind is NodeKind.MAPPING, event.flow_style
    return root[0] if root else None
