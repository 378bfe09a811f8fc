"""A release's history: each stored revision, and what changed from the one before."""

from __future__ import annotations

from typing import Literal

import msgspec

from helmguard.model.field_path import FieldPath
from helmguard.model.release_state import RevisionRef
from helmguard.model.resource_key import ResourceKey
from helmguard.model.unshown import Unshown
from helmguard.model.value_change import ValueChange

ObjectChangeKind = Literal["added", "changed", "removed"]


class ObjectChange(msgspec.Struct, frozen=True):
    """An object or hook whose document differs. ``paths`` are its fields that do, where both sides have it.

    ``bookkeeping``: only labels and annotations that carry the chart's version differ.
    """

    key: ResourceKey
    api_version: str
    change: ObjectChangeKind
    paths: tuple[FieldPath, ...] = ()
    bookkeeping: bool = False


class RevisionChanges(Unshown, frozen=True):
    """One revision against an earlier one, ``compared_with``.

    ``values`` are leaves of the effective values, those that the user lost first. ``idle`` are values that
    the user set or unset and that are what they were. ``chart`` and ``app_version`` are both sides where they
    differ. ``unread`` says which manifest could not be read, empty for none.
    """

    compared_with: int
    values: tuple[ValueChange, ...] = ()
    idle: tuple[FieldPath, ...] = ()
    chart: tuple[str, str] | None = None
    app_version: tuple[str, str] | None = None
    objects: tuple[ObjectChange, ...] = ()
    hooks: tuple[ObjectChange, ...] = ()
    unread: str = ""

    @property
    def is_nothing(self) -> bool:
        """Whether the two revisions say the same."""
        return not (
            self.values
            or self.idle
            or self.chart
            or self.app_version
            or self.objects
            or self.hooks
            or self.unread
        )


class HistoryEntry(Unshown, frozen=True):
    """One line of the history.

    ``revision`` is None for numbers that are not stored (``version`` to ``last_version``) and for a record
    that cannot be read (``damage`` says why, ``storage_name`` which). ``changes`` is None for the first
    readable revision, whose ``objects`` and ``values`` are counted. ``rollback_to`` is the revision that a
    rollback brought back, 0 for none.
    """

    version: int
    last_version: int
    revision: RevisionRef | None = None
    label_status: str = ""
    changes: RevisionChanges | None = None
    objects: int = 0
    values: int = 0
    rollback_to: int = 0
    damage: str = ""
    storage_name: str = ""


class ReleaseHistory(Unshown, frozen=True):
    """All of it, oldest first; ``left_out`` counts older entries that were not asked for."""

    name: str
    namespace: str
    helm: str
    entries: tuple[HistoryEntry, ...]
    left_out: int = 0
    known_secrets: frozenset[str] = frozenset()
