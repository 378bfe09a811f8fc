"""Drift that Helm leaves: what somebody changed live, and what will still be there afterwards."""

from __future__ import annotations

from collections.abc import Iterator

from helmguard.compare.bookkeeping import is_ownership_mark
from helmguard.compare.comparable import LAST_APPLIED
from helmguard.compare.declared import undelivered
from helmguard.compare.documents import Documents
from helmguard.compare.equal_trees import same_tree
from helmguard.compare.field_owners import FieldOwner, fields_of_others, foreign_owner
from helmguard.compare.find_field import find_field, up_to_position
from helmguard.model.field_change import MISSING, FieldChange
from helmguard.model.field_path import FieldPath
from helmguard.model.json_value import JSONValue
from helmguard.predict.schema.builtin_types import BuiltinType

_IDENTITY: frozenset[FieldPath] = frozenset(
    [("apiVersion",), ("kind",), ("metadata", "name"), ("metadata", "namespace")]
)

_INJECTED = frozenset(["caBundle"])
"""Fields that charts leave to an injector, whatever its name is: cert-manager's, a job with certgen."""


def drift_kept(documents: Documents) -> Iterator[FieldChange]:
    """Fields that differ from the manifests and that Helm leaves, each with the manager where one is known.

    A declared field counts whoever changed it. A field that no manifest declares counts only if somebody
    other than Helm and the controllers owns it: what defaulting, webhooks and controllers fill in is no
    drift.
    """
    reported: set[FieldPath] = set()
    for change in _declared_drift(documents):
        reported.add(change.path)
        yield change
    yield from _added_drift(documents, reported)


def _declared_drift(documents: Documents) -> Iterator[FieldChange]:
    if documents.live.get("apiVersion") != documents.new.get("apiVersion"):
        return  # the live object is shown in another version: its fields need not have the same names
    for field in undelivered(documents.new, documents.live, documents.schema):
        path, declared, live = field.path, field.before, field.after
        if _is_nobodys(path):
            continue
        if not documents.manifests_agree(path) or not _stays(path, live, documents):
            continue
        owner = foreign_owner(documents.body, path)
        if owner is None and isinstance(documents.schema, BuiltinType):
            continue  # Helm's own value as the server keeps it: a built-in kind's declared fields never drift
        if declared in ("", [], {}) and (owner is None or owner.is_controller):
            continue  # an empty placeholder that a controller fills is as good as not set
        yield _kept(path, live, documents, owner)


def _added_drift(documents: Documents, reported: set[FieldPath]) -> Iterator[FieldChange]:
    for field in fields_of_others(documents.body, documents.schema):
        path = field.path
        if any(path[:length] in reported for length in range(1, len(path) + 1)):
            continue
        if _is_nobodys(path) or path[:1] == ("status",) or path[-1] in _INJECTED:
            continue
        if _is_declared(path, documents) or not _stays(path, field.value, documents):
            continue
        reported.add(path)
        yield _kept(path, field.value, documents, field.owner)


def _is_nobodys(path: FieldPath) -> bool:
    """Identity, Helm's own marks and kubectl's record of its last apply say nothing about drift."""
    return path in _IDENTITY or is_ownership_mark(path) or path[-1:] == (LAST_APPLIED,)


def _is_declared(path: FieldPath, documents: Documents) -> bool:
    whole = up_to_position(path)
    return any(find_field(manifest, whole) is not MISSING for manifest in (documents.new, documents.previous))


def _stays(path: FieldPath, live: JSONValue, documents: Documents) -> bool:
    return same_tree(find_field(documents.predicted, path), live)


def _kept(path: FieldPath, live: JSONValue, documents: Documents, owner: FieldOwner | None) -> FieldChange:
    previous, new = documents.in_manifests(path)
    note = f"changed {owner.time}" if owner and owner.time else ""
    if live is MISSING:
        note = "not in the live object: removed, or not in the CRD's schema"
    return FieldChange(
        path,
        live,
        live,
        "drift kept",
        previous,
        new,
        manager=str(owner) if owner else "",
        note=note,
        since=owner.time if owner else "",
    )
