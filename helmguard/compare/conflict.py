"""Server-side apply conflicts: fields that Helm wants, and that another manager holds with another value."""

from __future__ import annotations

import re
from collections.abc import Iterator

from helmguard.compare.declared import undelivered
from helmguard.compare.documents import Documents
from helmguard.compare.field_owners import foreign_owner, held_path
from helmguard.compare.find_field import find_field
from helmguard.model.field_change import FieldChange
from helmguard.model.field_path import FieldPath

_CONFLICT = re.compile(r"Apply failed with \d+ conflicts?")


def is_conflict_error(error: str) -> bool:
    """Whether the API server refuses because of other managers (its text, helm-independent)."""
    return _CONFLICT.search(error) is not None


def conflicts(documents: Documents) -> Iterator[FieldChange]:
    """The conflicting fields of an object that Helm will fail on; ``new`` is what Helm wanted."""
    reported: set[FieldPath] = set()
    for field in undelivered(documents.new, documents.live, documents.schema):
        owner = foreign_owner(documents.body, field.path)
        path = held_path(documents.body, field.path, owner) if owner else field.path
        if owner is None or path in reported:
            continue
        reported.add(path)
        previous, new = documents.in_manifests(path)
        yield FieldChange(
            path,
            find_field(documents.live, path),
            find_field(documents.predicted, path),
            "conflict",
            previous,
            new,
            manager=str(owner),
            note=f"changed {owner.time}" if owner.time else "",
            since=owner.time,
        )
