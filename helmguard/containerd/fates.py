"""What became of settings that do not hold, remembered while files are merged, migrated and decoded."""

from __future__ import annotations

from collections.abc import Iterator

from helmguard.containerd.located import Leaf, Node, Table
from helmguard.model.containerd_settings import ConfigPlace, IgnoredWhy


class Fates:
    """The first thing that happens to a leaf is its fate; tables without leaves are remembered, too."""

    def __init__(self) -> None:
        self._fates: dict[int, tuple[Node, IgnoredWhy, ConfigPlace | None]] = {}
        self.used: set[int] = set()

    def lost(self, node: Node, why: IgnoredWhy, by: ConfigPlace | None = None) -> None:
        """A setting, or all of a table, that has no effect, and what holds instead."""
        if isinstance(node, Table):
            for item in node.values():
                self.lost(item, why, by)
            if node:
                return
        self._fates.setdefault(id(node), (node, why, by))

    def holds(self, leaf: Leaf) -> None:
        """A setting that containerd takes."""
        self.used.add(id(leaf))

    def all(self) -> Iterator[tuple[Node, IgnoredWhy, ConfigPlace | None]]:
        """Every node that does not hold."""
        for key, fate in self._fates.items():
            if key not in self.used:
                yield fate
