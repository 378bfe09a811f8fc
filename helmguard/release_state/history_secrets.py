"""The secrets of all revisions; a document that several of them hold is looked at once."""

from __future__ import annotations

from helmguard.masking.known_secrets import KnownSecrets
from helmguard.masking.public_names import without_names
from helmguard.model.json_value import JSONObject
from helmguard.release_state.revision_changes import ReadRevision


class HistorySecrets:
    """Holds on to the bodies it has seen, by which they stay the same objects."""

    def __init__(self) -> None:
        self._known = KnownSecrets()
        self._bodies: dict[int, JSONObject] = {}

    def add(self, read: ReadRevision) -> None:
        """Take in one revision: its values, objects and hooks."""
        revision = read.revision
        for tree in (revision.config or {}, revision.chart.get("values") or {}):
            self._known.add_tree(tree)
        for item in (*read.objects.values(), *read.hooks.values()):
            if id(item.body) not in self._bodies:
                self._bodies[id(item.body)] = item.body
                self._known.add_object(item.body)

    def known(self) -> frozenset[str]:
        """All of them, less those that are names of something."""
        return without_names(self._known.texts, self._bodies.values())
