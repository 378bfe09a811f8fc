"""What the API server stores of a document that Helm sends, or why it refuses it."""

from __future__ import annotations

import msgspec

from helmguard.model.json_value import JSONObject
from helmguard.model.resource_key import group_of
from helmguard.predict.api_server.created_values import fill_created_values, fill_job_labels, open_values
from helmguard.predict.api_server.custom_resources import prune_and_default, validation_errors
from helmguard.predict.api_server.decode import decode_builtin
from helmguard.predict.api_server.defaults import fill_defaults
from helmguard.predict.api_server.immutable_rules import immutable_field_errors
from helmguard.predict.api_server.kept_values import keep_what_others_write
from helmguard.predict.api_server.transition_rules import check_transition_rules
from helmguard.predict.api_server.validation import object_errors
from helmguard.predict.api_server.validation.metadata import (
    identity_errors,
    label_errors,
    name_errors,
    owner_errors,
)
from helmguard.predict.json_equality import copy_json
from helmguard.predict.schema.builtin_types import OBJECT_META, builtin_type, struct_type
from helmguard.predict.schema.custom_types import CustomKind

_METADATA_OF_THE_SERVER = (
    "uid",
    "creationTimestamp",
    "generation",
    "resourceVersion",
    "managedFields",
    "deletionTimestamp",
    "deletionGracePeriodSeconds",
)

_PROTECTED = {
    ("v1", "PersistentVolumeClaim"): "kubernetes.io/pvc-protection",
    ("v1", "PersistentVolume"): "kubernetes.io/pv-protection",
}
"""Finalizers that the admission plugin StorageObjectInUseProtection, on in every API server, adds."""


class Stored(msgspec.Struct, frozen=True):
    """``body`` is what is stored, ``error`` why it is not (the server's text), ``unknown`` what is open.

    What the write cannot change (status, the server's metadata) is shared with the live object.

    ``dropped`` are the paths of fields that the server does not know.
    """

    body: JSONObject
    error: str = ""
    unknown: str = ""
    dropped: tuple[str, ...] = ()


def store(
    document: JSONObject, live: JSONObject | None, custom: CustomKind | None, *, applied: bool = False
) -> Stored:
    """The result of writing ``document`` over ``live`` (None: creating it).

    ``document`` is whole: the merged object of a patch or apply, or what is put or posted. ``custom`` is the
    custom kind's definition, None for built-in kinds and for custom kinds without a known CRD. ``applied``:
    by server-side apply, which keeps nulls in custom resources where other writes prune them.
    """
    api_version, kind = document.get("apiVersion", ""), document.get("kind", "")
    type_ = builtin_type(api_version, kind)
    if type_ is not None:
        return _store_builtin(document, live, api_version)
    if custom is None:
        body = _with_server_metadata(copy_json(document), live)
        return Stored(body, unknown=f"not predictable: the definition of {kind} ({api_version}) is not known")
    return _store_custom(document, live, custom, applied)


def _store_builtin(document: JSONObject, live: JSONObject | None, api_version: str) -> Stored:
    kind = document["kind"]
    type_ = builtin_type(api_version, kind)
    assert type_ is not None
    decoded = decode_builtin(document, type_)
    name = (document.get("metadata") or {}).get("name", "")
    body = decoded.body
    dropped = tuple(decoded.dropped)
    if decoded.errors:
        return Stored(
            body,
            error=f'{kind} in version "{api_version}" cannot be handled as a {kind}: {decoded.errors[0]}',
        )
    fill_defaults(body, type_)
    old = None
    if live is not None:
        old = decode_builtin(live, type_).body
        fill_defaults(old, type_)
        if type_.field("status") is not None:
            body.pop("status", None)
            if "status" in live:
                body["status"] = live["status"]
        keep_what_others_write(body, old)
    body = _with_server_metadata(body, live)
    if live is None and (api_version, kind) in _PROTECTED:
        finalizers = body["metadata"].setdefault("finalizers", [])
        if _PROTECTED[(api_version, kind)] not in finalizers:
            finalizers.append(_PROTECTED[(api_version, kind)])
    if old is None:
        fill_created_values(body)
        if body["metadata"].get("labels"):
            fill_job_labels(body, document)
    errors = object_errors(body, old, type_)
    if old is None:
        fill_job_labels(body, document)
    if old is not None and live is not None:
        errors += immutable_field_errors(old, body, group_of(api_version))
        errors += identity_errors(document, live)
    return Stored(body, invalid_text(api_version, kind, name, errors), open_values(body, live), dropped)


def _store_custom(document: JSONObject, live: JSONObject | None, custom: CustomKind, applied: bool) -> Stored:
    name = (document.get("metadata") or {}).get("name", "")
    dropped: list[str] = []
    body = prune_and_default(document, custom.root, keep_nulls=applied, dropped=dropped)
    metadata = decode_builtin(document.get("metadata") or {}, struct_type(OBJECT_META))
    body["metadata"] = metadata.body
    dropped += [f"metadata.{path}" for path in metadata.dropped]
    if custom.status_subresource:
        body.pop("status", None)
        if live is not None and "status" in live:
            body["status"] = live["status"]
    body = _with_server_metadata(body, live)
    rules = check_transition_rules(body, live, custom.root)
    errors = [] if live is not None else list(name_errors(body, is_custom=True))
    errors += label_errors(body.get("metadata") or {}, "metadata")
    errors += owner_errors(body.get("metadata") or {})
    errors += identity_errors(document, live) if live is not None else ()
    errors += validation_errors(body, custom.root) + rules.errors
    error = invalid_text(custom.api_version, custom.kind, name, errors)
    return Stored(body, error, _open_questions(body, custom, rules.open), tuple(dropped))


def _open_questions(body: JSONObject, custom: CustomKind, open_rules: list[str]) -> str:
    questions = []
    if custom.guessed:
        questions.append("the live definition is not known; taken to be as in the chart's crds/")
    if open_rules:
        questions.append("validation rules of the definition are not evaluated: " + "; ".join(open_rules))
    if custom.may_change:
        undeclared: list[str] = []
        prune_and_default(body, custom.declared, keep_nulls=True, dropped=undeclared)
        if undeclared:
            questions.append(
                "a hook may change the definition before; fields it does not have now: "
                + ", ".join(undeclared)
            )
    return "not predictable: " + "; ".join(questions) if questions else ""


def invalid_text(api_version: str, kind: str, name: str, errors: list[str]) -> str:
    """``Deployment.apps "web" is invalid: ...``; empty without errors."""
    if not errors:
        return ""
    group = group_of(api_version)
    what = f"{kind}.{group}" if group else kind
    unique = list(dict.fromkeys(errors))
    listed = unique[0] if len(unique) == 1 else "[" + ", ".join(unique) + "]"
    return f'{what} "{name}" is invalid: {listed}'


def _with_server_metadata(body: JSONObject, live: JSONObject | None) -> JSONObject:
    """Metadata that no client can write stays as it is; empty labels and annotations are not stored."""
    metadata = body.setdefault("metadata", {})
    for name in ("labels", "annotations", "finalizers", "ownerReferences"):
        if name in metadata and not metadata[name]:
            del metadata[name]
    for name in ("labels", "annotations"):
        if metadata.get(name):
            metadata[name] = {key: "" if value is None else value for key, value in metadata[name].items()}
    for name in _METADATA_OF_THE_SERVER:
        metadata.pop(name, None)
        if live is not None and name in (live.get("metadata") or {}):
            metadata[name] = live["metadata"][name]
    return body
