"""Server-side apply: what Helm 4 does by default, with the conflicts it meets.

Follows sigs.k8s.io/structured-merge-diff v6 merge/update.go (Apply, prune, update) and k8s.io/apimachinery
pkg/util/managedfields/internal (texts of conflicts, fields no manager owns).
"""

from __future__ import annotations

from typing import Final

import msgspec

from helmguard.model.json_value import JSONObject
from helmguard.predict.api_server.decode import decode_builtin
from helmguard.predict.field_set import (
    EMPTY,
    FieldSet,
    FieldsPath,
    ManagerId,
    format_fields_path,
    with_named_parents,
)
from helmguard.predict.schema.builtin_types import BuiltinType
from helmguard.predict.schema.value_type import ValueType
from helmguard.predict.typed_value import Comparison, compare, field_set, merge, remove_fields

FIELD_MANAGER: Final = "helm"
HELM_APPLY = ManagerId(FIELD_MANAGER, "Apply", "")

_NEVER_OWNED: frozenset[FieldsPath] = frozenset(
    [("f:apiVersion",), ("f:kind",), ("f:metadata",)]
    + [
        ("f:metadata", f"f:{name}")
        for name in (
            "name",
            "namespace",
            "creationTimestamp",
            "selfLink",
            "uid",
            "generation",
            "managedFields",
            "resourceVersion",
        )
    ]
)


_METADATA: frozenset[FieldsPath] = frozenset({("f:metadata",)})


class Conflict(msgspec.Struct, frozen=True):
    """A field that another manager owns with another value."""

    manager: ManagerId
    path: FieldsPath


class ApplyConflicts(Exception):
    """The apply is refused; the text is the API server's."""

    def __init__(self, conflicts: tuple[Conflict, ...]) -> None:
        self.conflicts = conflicts
        super().__init__(_conflict_text(conflicts))


class Applied(msgspec.Struct, frozen=True):
    """The object before defaulting and validation, and who owns what afterwards.

    ``body`` is the live object itself where the apply changes nothing in it.
    """

    body: JSONObject
    managers: dict[ManagerId, FieldSet]


def server_side_apply(
    live: JSONObject,
    applied: JSONObject,
    type_: ValueType,
    managers: dict[ManagerId, FieldSet],
    *,
    force: bool,
    own_status: bool = False,
    manager: ManagerId = HELM_APPLY,
) -> Applied:
    """Lay ``applied`` over ``live``, remove what the manager no longer applies and nobody else owns.

    ``own_status``: the kind has no status subresource, so its status is a field like any other.

    Raises:
        ApplyConflicts: other managers own fields with other values and ``force`` is off.
    """
    ignored = _NEVER_OWNED if own_status else _NEVER_OWNED | {("f:status",)}
    owned = _ownable(field_set(applied, type_), ignored)
    last = managers.get(manager, EMPTY)
    after = {**managers, manager: owned}
    merged: JSONObject = merge(live, applied, type_)
    # A manager that still applies all it owned leaves nothing behind that would have to go.
    pruned = merged if last <= owned else _prune(merged, last, after, type_)
    difference = Comparison() if pruned is live else compare(live, pruned, type_)
    written = _ownable(frozenset(difference.modified | difference.added), ignored)
    conflicts = {
        other: fields & written for other, fields in after.items() if other != manager and fields & written
    }
    if conflicts and not force:
        raise ApplyConflicts(
            tuple(
                Conflict(other, path)
                for other in sorted(conflicts)
                for path in sorted(conflicts[other], key=_printing_order)
            )
        )
    for other in list(after):
        if other != manager:
            after[other] = frozenset(after[other] - conflicts.get(other, EMPTY) - difference.removed)
    return Applied(pruned, {other: fields for other, fields in after.items() if fields})


def migrate_client_side_fields(managers: dict[ManagerId, FieldSet]) -> dict[ManagerId, FieldSet]:
    """Hand the fields of (helm, Update) over to (helm, Apply), as Helm 4 does before its first apply.

    Source: k8s.io/client-go@v0.37.1 util/csaupgrade; only entries without a subresource take part.
    """
    updates = [
        m for m in managers if (m.manager, m.operation, m.subresource) == (FIELD_MANAGER, "Update", "")
    ]
    if not updates:
        return managers
    kept = {m: fields for m, fields in managers.items() if m not in updates}
    taken = managers.get(HELM_APPLY, EMPTY)
    for update in updates[:1]:
        taken = taken | managers[update]
    kept[HELM_APPLY] = taken
    return kept


def unmanaged_fields(live: JSONObject, type_: ValueType) -> dict[ManagerId, FieldSet]:
    """The owner that the server makes up for an object without any managed fields.

    It owns what sets the object apart from an empty one.
    """
    empty = decode_builtin({}, type_).body if isinstance(type_, BuiltinType) else {}
    difference = compare(empty, _filled(live), type_)
    fields = _ownable(frozenset(difference.added | difference.modified), _NEVER_OWNED | {("f:status",)})
    return {ManagerId("before-first-apply", "Update", live["apiVersion"]): fields} if fields else {}


def _filled(value: JSONObject) -> JSONObject:
    """Without nulls and empty lists, which an empty object has as well."""
    return {
        key: _filled(below) if isinstance(below, dict) else below
        for key, below in value.items()
        if below not in (None, [])
    }


def _ownable(fields: FieldSet, ignored: frozenset[FieldsPath]) -> FieldSet:
    """Without what no manager owns: identity, the server's own metadata, a status with its own endpoint."""
    return frozenset(path for path in fields if path not in ignored and path[:1] not in ignored - _METADATA)


def _prune(
    merged: JSONObject, last: FieldSet, managers: dict[ManagerId, FieldSet], type_: ValueType
) -> JSONObject:
    named_last = with_named_parents(last, type_)
    pruned: JSONObject = remove_fields(merged, named_last, type_) or {}
    all_owned = with_named_parents(frozenset().union(*managers.values()), type_)
    named_merged = with_named_parents(field_set(merged, type_), type_)
    named_pruned = with_named_parents(field_set(pruned, type_), type_)
    pruned = remove_fields(merged, named_merged - (named_pruned | all_owned), type_) or {}
    named_pruned = with_named_parents(field_set(pruned, type_), type_)
    result: JSONObject = remove_fields(merged, (named_merged - named_pruned) & named_last, type_) or {}
    return result


def _conflict_text(conflicts: tuple[Conflict, ...]) -> str:
    if len(conflicts) == 1:
        only = conflicts[0]
        return (
            f"Apply failed with 1 conflict: conflict with {_manager_text(only.manager)}: "
            f"{format_fields_path(only.path)}"
        )
    by_manager: dict[str, list[str]] = {}
    for conflict in conflicts:
        by_manager.setdefault(_manager_text(conflict.manager), []).append(format_fields_path(conflict.path))
    parts = [
        f"conflicts with {manager}:\n" + "\n".join(f"- {path}" for path in by_manager[manager])
        for manager in sorted(by_manager)
    ]
    return f"Apply failed with {len(conflicts)} conflicts: " + "\n".join(parts)


def _printing_order(path: FieldsPath) -> list[tuple[int, str]]:
    """A field comes before its siblings that lead further down."""
    last = len(path) - 1
    return [(0 if depth == last else 1, step) for depth, step in enumerate(path)]


def _manager_text(manager: ManagerId) -> str:
    text = f'"{manager.manager}"'
    if manager.subresource:
        text += f' with subresource "{manager.subresource}"'
    if manager.operation == "Update":
        text += f" using {manager.api_version}"
    return text
