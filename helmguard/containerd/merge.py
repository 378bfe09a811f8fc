"""How containerd merges the ``plugins`` of one file into those of the files before it."""

from __future__ import annotations

import datetime

from helmguard.containerd.fates import Fates
from helmguard.containerd.located import Leaf, Node, Table, plain


class MergePanicError(Exception):
    """mergo takes a date or time without a zone for a structure and cannot merge a table into it."""

    def __init__(self, node: Table) -> None:
        super().__init__("panic: a table cannot be merged into a date")
        self.node = node


def replace_tables(into: Table, more: Table, fates: Fates) -> None:
    """containerd 1.x: a plugin's table takes the place of the one before (``mergeConfig`` of 1.7.29)."""
    for name, node in more.items():
        before = into.get(name)
        if before is not None:
            _tell_replaced(before, node, fates)
        into[name] = node


def merge_deep(into: Table, more: Table, fates: Fates) -> None:
    """containerd 2.x: tables are merged, anything else is replaced, lists too.

    As ``dario.cat/mergo`` 1.0.1 and 1.0.2 do it with ``WithOverride`` for maps of anything; tables of
    ``more`` are copied, those of ``into`` changed in place.

    Raises:
        MergePanicError: mergo panics.
    """
    for name, node in more.items():
        before = into.get(name)
        if isinstance(node, Table) and isinstance(before, Table):
            merge_deep(before, node, fates)
            continue
        if isinstance(node, Table) and isinstance(before, Leaf) and _is_local_time(before.value):
            raise MergePanicError(node)
        if before is not None:
            fates.lost(before, "overridden", node.place)
        into[name] = copied(node)


def _is_local_time(value: object) -> bool:
    return isinstance(value, datetime.date | datetime.time) and getattr(value, "tzinfo", None) is None


def copied(node: Node) -> Node:
    """Tables anew, with the same leaves."""
    if isinstance(node, Leaf):
        return node
    table = Table(node.path, node.place)
    for name, item in node.items():
        table[name] = copied(item)
    return table


def _tell_replaced(before: Node, after: Node, fates: Fates) -> None:
    """What the later table says of its own is overridden, all else is gone with the table."""
    if not isinstance(before, Table) or not isinstance(after, Table):
        fates.lost(before, "replaced", after.place)
        return
    if not before and plain(after) != {}:
        fates.lost(before, "replaced", after.place)
    for name, node in before.items():
        other = after.get(name)
        if other is None:
            fates.lost(node, "replaced", after.place)
        elif isinstance(node, Table) and isinstance(other, Table):
            _tell_replaced(node, other, fates)
        else:
            fates.lost(node, "overridden", other.place)
