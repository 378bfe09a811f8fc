"""Asking the API server what it would do with a write: every request goes out with ``dryRun=All``."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from functools import partial

from helmguard.cluster.concurrently import run_concurrently
from helmguard.cluster.connection import Connection
from helmguard.cluster.dry_run_support import DryRunSupport
from helmguard.cluster.object_paths import collection_path, object_path
from helmguard.errors import ClusterError
from helmguard.model.discovery import Discovery
from helmguard.model.json_value import JSONObject
from helmguard.model.write_request import Accepted, NoAnswer, Refused, ServerAnswer, WriteRequest

_LACKS_RIGHT = re.compile(
    r'^[\w.-]+(/[\w-]+)? (".*?" )?is forbidden: User ".*?" cannot \w+ resource "[\w./-]+" in API group "'
)
"""How every authorizer's refusal starts; an admission plugin's own text stands where ``User`` does here.

Source: k8s.io/apiserver pkg/endpoints/handlers/responsewriters/errors.go (forbiddenMessage).
"""
_NO_DRY_RUN = re.compile(r'admission webhook ".*?" does not support dry run')
"""Source: k8s.io/apiserver pkg/admission/plugin/webhook/errors (NewDryRunUnsupportedErr)."""
_WARNING = re.compile(r'^299 \S+ "((?:[^"\\]|\\.)*)"')
_PASSING = (429, 502, 503, 504)


def send_dry_runs(
    connection: Connection, discovery: Discovery, requests: Sequence[WriteRequest], support: DryRunSupport
) -> list[ServerAnswer]:
    """The server's answer to each request, in their order, asked side by side; nothing is changed.

    A request that fails on its way, or is not answered in time, is a ``NoAnswer`` as well.
    """
    tasks = [partial(_send, connection, discovery, request, support) for request in requests]
    return run_concurrently(tasks)


def _send(
    connection: Connection, discovery: Discovery, request: WriteRequest, support: DryRunSupport
) -> ServerAnswer:
    kind = discovery.find(request.api_version, request.key.kind)
    if kind is None:
        return NoAnswer(f"{request.api_version} {request.key.kind} is not served")
    if not support.honoured(kind):
        return NoAnswer("it is not known whether the API server behind this kind obeys dry runs")
    if request.verb == "POST":
        path = collection_path(kind, request.key.namespace)
    else:
        path = object_path(kind, request.key.namespace, request.key.name)
    try:
        status, data, headers = connection.dry_run(
            request.verb, path, request.query, request.content_type, request.body
        )
    except ClusterError as error:
        return NoAnswer(error.message)
    return read_answer(request, status, data, headers)


def read_answer(request: WriteRequest, status: int, data: bytes, headers: Sequence[str]) -> ServerAnswer:
    """What an HTTP answer says about the write; ``headers`` are the values of its ``Warning`` headers."""
    try:
        answer = json.loads(data)
    except ValueError:
        answer = None
    if not isinstance(answer, dict):
        return NoAnswer(f"the server answered {status} without JSON")
    warnings = tuple(warning for header in headers if (warning := _warning(header)))
    if status < 300:
        return Accepted(None if request.verb == "DELETE" else answer, warnings)
    return _refusal(status, answer, warnings)


def _refusal(status: int, answer: JSONObject, warnings: tuple[str, ...]) -> ServerAnswer:
    message, reason = str(answer.get("message") or ""), str(answer.get("reason") or "")
    if answer.get("kind") != "Status" or not message:
        return NoAnswer(f"the server answered {status} without a reason")
    if status == 403 and _LACKS_RIGHT.match(message):
        return NoAnswer(message, lacks_right=True)
    if _NO_DRY_RUN.search(message):
        return NoAnswer(message)
    if status in _PASSING or reason == "Timeout":
        return NoAnswer(message)
    return Refused(message, status, reason, warnings)


def _warning(header: str) -> str:
    """The text of ``299 - "text"``, with its quoting undone; empty for other codes."""
    found = _WARNING.match(header)
    return re.sub(r"\\(.)", r"\1", found.group(1)) if found else ""
