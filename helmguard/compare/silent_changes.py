"""Manifest changes that cannot be seen as a change of the live object."""

from __future__ import annotations

from collections.abc import Iterator

from helmguard.compare.attribution import Attribution, attribute
from helmguard.compare.bookkeeping import is_bookkeeping
from helmguard.compare.context import CompareContext
from helmguard.compare.declared import holds
from helmguard.compare.differences import differences
from helmguard.compare.documents import Documents
from helmguard.compare.equal_trees import same_tree
from helmguard.compare.field_owners import FieldOwner, foreign_owner
from helmguard.compare.find_field import find_field
from helmguard.compare.unstable import is_unstable
from helmguard.model.field_change import MISSING, Cause, FieldChange
from helmguard.model.field_path import FieldPath
from helmguard.model.json_value import JSONValue
from helmguard.model.prediction import ResourcePrediction

_IDENTITY: frozenset[FieldPath] = frozenset([("apiVersion",), ("metadata", "namespace")])


def silent_changes(documents: Documents, seen: set[FieldPath]) -> Iterator[FieldChange]:
    """Manifest changes after which the live object is as before: it has the new value already
    (``converged``), or Helm's change has no effect on it (``server``). ``seen`` are the paths that do change.
    """
    for difference in differences(documents.previous, documents.new, documents.schema):
        path = difference.path
        if difference.order_only or _touches(path, seen) or path in _IDENTITY:
            continue
        live = find_field(documents.live, path)
        if not same_tree(live, find_field(documents.predicted, path)):
            continue
        if _arrived(difference.after, live, documents, path):
            yield _unseen(path, live, "converged", documents)
        else:
            owner = foreign_owner(documents.body, path)
            note = _no_effect(difference.after, owner)
            yield _unseen(path, live, "server", documents, owner, note)


def changes_between_manifests(
    prediction: ResourcePrediction, documents: Documents, context: CompareContext
) -> Iterator[FieldChange]:
    """For an object whose live state is not known: what the manifests change, live before being a guess."""
    for difference in differences(documents.previous, documents.new, documents.schema):
        previous, new = difference.before, difference.after
        found = attribute(prediction.key, difference.path, previous, new, context)
        if is_unstable(difference.path, context.unstable.get(prediction.key, frozenset())):
            found = Attribution("unstable")
        yield FieldChange(
            difference.path,
            previous,
            new,
            found.cause,
            previous,
            new,
            value_path=found.value_path,
            note="between the manifests; the live value is not known",
            bookkeeping=is_bookkeeping(difference.path),
        )


def _unseen(
    path: FieldPath,
    live: JSONValue,
    cause: Cause,
    documents: Documents,
    owner: FieldOwner | None = None,
    note: str = "",
) -> FieldChange:
    previous, new = documents.in_manifests(path)
    manager = str(owner) if owner else ""
    bookkeeping = is_bookkeeping(path)
    return FieldChange(
        path, live, live, cause, previous, new, manager=manager, note=note, bookkeeping=bookkeeping
    )


def _arrived(new: JSONValue, live: JSONValue, documents: Documents, path: FieldPath) -> bool:
    if new is MISSING:
        return live is MISSING or live is None
    return holds(new, live, documents.schema, path)


def _no_effect(new: JSONValue, owner: FieldOwner | None) -> str:
    if new is not MISSING:
        return "the manifest's change has no effect"
    if owner is not None:
        return f"dropped from the manifest, stays: {owner} owns it too"
    return "dropped from the manifest, stays"


def _touches(path: FieldPath, seen: set[FieldPath]) -> bool:
    """Whether a reported change is at the path, above it or below it."""
    if any(path[:length] in seen for length in range(1, len(path) + 1)):
        return True
    return any(other[: len(path)] == path for other in seen)
