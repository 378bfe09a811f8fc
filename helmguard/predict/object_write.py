"""One write of Helm to one object: the engine's result, stored as the API server would."""

from __future__ import annotations

import re
from typing import Final

import msgspec
from msgspec.structs import replace

from helmguard.model.json_value import JSONObject, JSONValue
from helmguard.model.resource_key import ResourceKey
from helmguard.predict.api_server.stored_object import Stored, store
from helmguard.predict.engines import Row
from helmguard.predict.field_set import read_managers, write_managers
from helmguard.predict.json_merge import apply_merge_patch, merge_patch, three_way_merge_patch
from helmguard.predict.replace import replaced
from helmguard.predict.schema.builtin_types import BuiltinType, builtin_type
from helmguard.predict.schema.custom_types import CustomKind
from helmguard.predict.schema.value_type import ANY, ValueType
from helmguard.predict.server_side_apply import (
    ApplyConflicts,
    migrate_client_side_fields,
    server_side_apply,
    unmanaged_fields,
)
from helmguard.predict.strategic_apply import apply_patch
from helmguard.predict.strategic_directives import PatchError
from helmguard.predict.strategic_merge import three_way_patch
from helmguard.predict.typed_validation import apply_schema_errors, schema_error_text

CREATE_PREFIX: Final = "failed to create resource: "
REPLACE_PREFIX: Final = "failed to replace object: "

_UNESCAPED_CONTROL: Final = re.compile("[\x7f-\x84\x86-\x9f\ufffe\uffff]")
_REFUSED_BY_YAML: Final = (
    "error decoding YAML: error converting YAML to JSON: yaml: control characters are not allowed"
)
"""An API server reads a document that is applied as YAML."""


class Write(msgspec.Struct, frozen=True, kw_only=True):
    """``original`` is the old document, ``target`` the new one with ownership marks; no ``live``: absent.

    ``refusal`` is what the API server answers to any create, empty where it takes one.
    """

    key: ResourceKey
    original: JSONObject | None
    target: JSONObject
    live: JSONObject | None
    custom: CustomKind | None
    helm_major: int
    force_conflicts: bool = False
    migrates: bool = False
    refusal: str = ""


class Written(msgspec.Struct, frozen=True):
    """``body`` is the object afterwards (the live one where ``error`` says that Helm was refused).

    ``patch`` is what Helm's client-side update sends; None where it sends none, or the object is not patched.
    """

    body: JSONObject | None
    error: str = ""
    unknown: str = ""
    notes: tuple[str, ...] = ()
    patch: JSONObject | None = None


def write_object(write: Write, row: Row) -> Written:
    """Carry out one row of the engine table."""
    if row.change == "create":
        return _create(write, row)
    if row.engine == "server-side apply":
        return _apply(write)
    if row.engine == "replace":
        return _replace(write)
    return _patch(write, row)


def _create(write: Write, row: Row) -> Written:
    if row.engine == "server-side apply":
        written = Written(None, apply_prefix(write) + write.refusal) if write.refusal else _apply(write)
        error = CREATE_PREFIX + written.error if written.error else ""
        return Written(written.body, error, written.unknown, written.notes)
    stored = store(write.target, None, write.custom)
    if write.refusal or stored.error:
        return Written(None, CREATE_PREFIX + (write.refusal or stored.error))
    return _accepted(stored)


def apply_prefix(write: Write) -> str:
    """What Helm says before the API server's refusal of a server-side apply."""
    return f"server-side apply failed for object {_applied(write)}: "


def conflict_prefix(write: Write) -> str:
    """The same where other managers own fields."""
    return f"conflict occurred while applying object {_applied(write)}: "


def patch_prefix(write: Write) -> str:
    """The same for a client-side patch."""
    return f'cannot patch "{write.key.name}" with kind {write.key.kind}: '


def _applied(write: Write) -> str:
    return f"{write.key.namespace or ''}/{write.key.name} {_gvk(write.target)}"


def _patch(write: Write, row: Row) -> Written:
    live, original = write.live or {}, write.original or {}
    prefix = patch_prefix(write)
    type_ = _type_of(write)
    if row.engine == "strategic merge":
        try:
            patch = three_way_patch(original, write.target, live, type_)
        except PatchError as error:
            return Written(write.live, f"failed to create patch: {error}")
    elif row.engine == "JSON merge":
        patch = merge_patch(original, write.target)
    else:
        patch = three_way_merge_patch(original, write.target, live)
    if not patch:
        return Written(write.live)
    if row.engine == "strategic merge":
        try:
            merged = apply_patch(live, patch, type_)
        except PatchError as error:
            return Written(write.live, f"{prefix}{error}", patch=patch)
    else:
        merged = apply_merge_patch(live, patch)
    if row.engine != "strategic merge" and "resourceVersion" in (patch.get("metadata") or {}):
        where = f'{write.key.kind}.{write.key.group} "{write.key.name}" is invalid'
        text = f"{where}: metadata.resourceVersion: Invalid value: 0: must be specified for an update"
        return Written(write.live, prefix + text, patch=patch)
    return replace(_finish(write, store(merged, write.live, write.custom), prefix), patch=patch)


def _apply(write: Write) -> Written:
    target, type_ = write.target, _type_of(write)
    prefix = apply_prefix(write)
    namespace, name = write.key.namespace or "", write.key.name
    if _holds_control_characters(target):
        return Written(write.live, prefix + _REFUSED_BY_YAML)
    errors = apply_schema_errors(target, type_)
    if errors:
        text = schema_error_text(namespace, name, target["apiVersion"], write.key.kind, errors)
        return Written(write.live, prefix + text)
    live = write.live or {"apiVersion": target["apiVersion"], "kind": write.key.kind, "metadata": {}}
    before = managers = read_managers(live) or (unmanaged_fields(live, type_) if write.live else {})
    if write.migrates and write.live is not None:
        managers = migrate_client_side_fields(managers)
    try:
        applied = server_side_apply(
            live, target, type_, managers, force=write.force_conflicts, own_status=not _has_status(write)
        )
    except ApplyConflicts as conflicts:
        return Written(write.live, f"{conflict_prefix(write)}{conflicts}")
    if applied.body is write.live and applied.managers == before and isinstance(type_, BuiltinType):
        return Written(write.live)
    written = _finish(write, store(applied.body, write.live, write.custom, applied=True), prefix)
    if written.body is not None and not written.error and applied.managers != before:
        owners = write_managers(applied.managers, target["apiVersion"])
        written.body.setdefault("metadata", {})["managedFields"] = owners
    return written


def _holds_control_characters(value: JSONValue) -> bool:
    """Whether a text has a character that Go writes into JSON as it is, and that no YAML may hold."""
    if isinstance(value, str):
        return _UNESCAPED_CONTROL.search(value) is not None
    if isinstance(value, dict):
        return any(map(_holds_control_characters, value)) or any(
            map(_holds_control_characters, value.values())
        )
    return isinstance(value, list) and any(map(_holds_control_characters, value))


def _replace(write: Write) -> Written:
    document = replaced(write.live or {}, write.target)
    stored = store(document, write.live, write.custom)
    if stored.dropped and write.helm_major >= 4:
        kind = write.key.kind
        text = (
            f'{kind} in version "{_version(write.target)}" cannot be handled as a {kind}: '
            f'strict decoding error: unknown field "{stored.dropped[0]}"'
        )
        return Written(write.live, REPLACE_PREFIX + text)
    return _finish(write, stored, REPLACE_PREFIX)


def _finish(write: Write, stored: Stored, prefix: str) -> Written:
    if stored.error:
        return Written(write.live, prefix + stored.error)
    return _accepted(stored)


def _accepted(stored: Stored) -> Written:
    notes = tuple(f'unknown field "{path}" is dropped by the API server' for path in stored.dropped)
    return Written(stored.body, "", stored.unknown, notes)


def _type_of(write: Write) -> ValueType:
    builtin = builtin_type(write.target.get("apiVersion", ""), write.key.kind)
    if builtin is not None:
        return builtin
    return write.custom.root if write.custom is not None else ANY


def _has_status(write: Write) -> bool:
    """Whether the status is written through its own subresource only."""
    if write.custom is not None:
        return write.custom.status_subresource
    builtin = builtin_type(write.target.get("apiVersion", ""), write.key.kind)
    return builtin is not None and builtin.field("status") is not None


def _gvk(target: JSONObject) -> str:
    api_version = target.get("apiVersion", "")
    return f"{api_version if '/' in api_version else '/' + api_version}, Kind={target.get('kind')}"


def _version(target: JSONObject) -> str:
    return str(target.get("apiVersion", "")).rpartition("/")[2]
