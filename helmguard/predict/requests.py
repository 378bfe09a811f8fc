"""The request that Helm sends for a write, and what becomes of the write when the API server answers it.

Source: helm/helm@v3.22.0 and @v4.3.1 pkg/kube/client.go, k8s.io/cli-runtime@v0.37.1 pkg/resource/helper.go.
"""

from __future__ import annotations

from typing import Final

import msgspec

from helmguard.model.json_value import JSONObject, JSONValue
from helmguard.model.resource_key import ResourceKey
from helmguard.model.write_request import Accepted, Refused, ServerAnswer, WriteRequest
from helmguard.predict.dry_run_result import settled
from helmguard.predict.engines import Row
from helmguard.predict.object_write import (
    CREATE_PREFIX,
    REPLACE_PREFIX,
    Write,
    Written,
    apply_prefix,
    conflict_prefix,
    patch_prefix,
)
from helmguard.predict.server_side_apply import FIELD_MANAGER

STRATEGIC_MERGE: Final = "application/strategic-merge-patch+json"
JSON_MERGE: Final = "application/merge-patch+json"
APPLY: Final = "application/apply-patch+yaml"


class AskedWrite(msgspec.Struct, frozen=True):
    """A write of Helm's, its request, and what comes of it by our own prediction."""

    write: Write
    row: Row
    request: WriteRequest
    local: Written


class UnsentWrite(msgspec.Struct, frozen=True):
    """A write for which Helm sends nothing: no change, or no patch can be made."""

    write: Write
    local: Written


class AnsweredWrite(msgspec.Struct, frozen=True):
    """The server's answer; it holds for the live state that the write starts from, and no other."""

    asked: AskedWrite
    answer: ServerAnswer


def request_of(write: Write, row: Row, written: Written) -> WriteRequest | None:
    """What Helm sends to carry out ``written``; None where it sends nothing: no change, or no patch."""
    key, api_version = write.key, str(write.target.get("apiVersion", ""))
    query = {"fieldManager": FIELD_MANAGER}
    if row.engine == "server-side apply":
        query["force"] = "true" if write.force_conflicts else "false"
        query["fieldValidation"] = "Strict"
        return WriteRequest(key, api_version, "PATCH", as_go_sends(write.target), APPLY, query)
    if row.engine == "create":
        return WriteRequest(key, api_version, "POST", as_go_sends(write.target), query=query)
    if row.engine == "replace":
        if write.helm_major >= 4:
            query["fieldValidation"] = "Strict"
        body = as_go_sends(_with_live_version(write))
        return WriteRequest(key, api_version, "PUT", body, query=query)
    if written.patch is None:
        return None
    content_type = STRATEGIC_MERGE if row.engine == "strategic merge" else JSON_MERGE
    return WriteRequest(key, api_version, "PATCH", as_go_sends(written.patch), content_type, query)


def deletion_of(key: ResourceKey, api_version: str) -> WriteRequest:
    """How Helm deletes an object that left the manifest."""
    return WriteRequest(key, api_version, "DELETE", {"propagationPolicy": "Background"})


def answered(asked: AskedWrite, answer: Accepted | Refused) -> Written:
    """The write's outcome as the server has it."""
    write, row, local = asked.write, asked.row, asked.local
    if isinstance(answer, Refused):
        return Written(write.live, _helms_text(write, row, answer), patch=local.patch)
    result = settled(answer.body or {}, write.live, write.target)
    return Written(result.body, "", result.unknown, local.notes, local.patch)


def as_go_sends(value: JSONObject) -> JSONObject:
    """Whole numbers without a fraction: Go writes 1000, Python 1000.0."""
    converted = _whole_numbers(value)
    assert isinstance(converted, dict)
    return converted


def _whole_numbers(value: JSONValue) -> JSONValue:
    if isinstance(value, dict):
        return {key: _whole_numbers(below) for key, below in value.items()}
    if isinstance(value, list):
        return [_whole_numbers(below) for below in value]
    return int(value) if isinstance(value, float) and value.is_integer() and abs(value) < 1e21 else value


def _with_live_version(write: Write) -> JSONObject:
    """What is put names the version it replaces, unless the manifest names one."""
    metadata = dict(write.target.get("metadata") or {})
    if not metadata.get("resourceVersion"):
        metadata["resourceVersion"] = ((write.live or {}).get("metadata") or {}).get("resourceVersion", "")
    return {**write.target, "metadata": metadata}


def _helms_text(write: Write, row: Row, refused: Refused) -> str:
    if row.engine == "server-side apply":
        prefix = conflict_prefix(write) if refused.status == 409 else apply_prefix(write)
        prefix = CREATE_PREFIX + prefix if row.change == "create" else prefix
    elif row.engine == "create":
        prefix = CREATE_PREFIX
    elif row.engine == "replace":
        prefix = REPLACE_PREFIX
    else:
        prefix = patch_prefix(write)
    return prefix + refused.message
