"""What a check of nodes found: what containerd makes of each node's files, and what the rules say of it."""

from __future__ import annotations

import msgspec

from helmguard.model.finding import FailOn, Finding, Suppressed
from helmguard.model.json_value import JSONValue
from helmguard.model.judged_node import JudgedNode
from helmguard.model.plan import DisabledFinding, Unknown
from helmguard.model.unshown import Unshown


class NodeDifference(msgspec.Struct, frozen=True):
    """What a node has otherwise than most: ``usual`` is the others' value; None where it is not there."""

    what: str
    usual: JSONValue = None
    here: JSONValue = None
    file: str = ""
    line: int = 0


class NodeGroup(msgspec.Struct, frozen=True):
    """Nodes whose configuration comes to the same; ``differences`` are from the first group of the report."""

    names: tuple[str, ...]
    differences: tuple[NodeDifference, ...] = ()


class NodeReport(Unshown, frozen=True):
    """A check of nodes. ``planned`` is the version of containerd that was asked for, empty for none.

    ``groups`` hold every node, those of the most nodes first. ``live``: a cluster's objects were read, too.
    ``unknown`` is what was needed and could not be had, beside what ``findings`` with the result ``unknown``
    lack. ``fail_on`` and ``fail_on_unknown`` are the gate, ``config_file`` is the configuration that was
    used, ``disabled`` what it disabled; ``notes`` are remarks for the reader.
    """

    nodes: tuple[JudgedNode, ...]
    planned: str = ""
    groups: tuple[NodeGroup, ...] = ()
    findings: tuple[Finding, ...] = ()
    suppressed: tuple[Suppressed, ...] = ()
    disabled: tuple[DisabledFinding, ...] = ()
    unknown: tuple[Unknown, ...] = ()
    notes: tuple[str, ...] = ()
    live: bool = False
    fail_on: FailOn = "danger"
    fail_on_unknown: bool = False
    config_file: str = ""
