"""Hooks: which run at an event, in which order, and when Helm deletes them."""

from __future__ import annotations

from collections.abc import Iterable

import msgspec

from helmguard.errors import ManifestError
from helmguard.manifest.hook_document import EVENTS
from helmguard.manifest.objects import ManifestObject
from helmguard.manifest.stream import read_stream
from helmguard.model.json_value import JSONObject, JSONValue

__all__ = ["EVENTS", "OPERATION_EVENTS", "Hook", "hook_of", "hooks_for", "hooks_of"]

OPERATION_EVENTS: dict[str, tuple[str, str]] = {
    "install": ("pre-install", "post-install"),
    "upgrade": ("pre-upgrade", "post-upgrade"),
    "rollback": ("pre-rollback", "post-rollback"),
    "uninstall": ("pre-delete", "post-delete"),
}
"""The events of an operation, before and after it.

An upgrade runs the hooks of the new revision, a rollback those of the revision it goes back to.
"""

_DEFAULT_DELETE_POLICY = ("before-hook-creation",)


class Hook(msgspec.Struct, frozen=True):
    """One hook. ``delete_policies`` is never empty: Helm's default is ``before-hook-creation``.

    ``object`` is what it creates; its namespace is the one it names itself, None where it leaves that to the
    release. ``path`` is the template. ``order`` is its place among the release's hooks, which decides between
    hooks of one weight and name. ``last_run`` is what the record says of its last run: ``started_at`` and
    ``completed_at`` (RFC 3339, empty or absent if it never ran) and ``phase``.
    """

    object: ManifestObject
    path: str
    events: tuple[str, ...]
    weight: int
    delete_policies: tuple[str, ...]
    order: int = 0
    output_log_policies: tuple[str, ...] = ()
    last_run: JSONObject = {}
    manifest: str = ""


def hook_of(entry: JSONObject, order: int = 0) -> Hook:
    """The hook of one entry of a release record or of helm's JSON.

    Raises:
        ManifestError: its manifest is no object.
    """
    path = str(entry.get("path") or "")
    manifest = str(entry.get("manifest") or "")
    body = _body(manifest, path)
    metadata = body.get("metadata")
    metadata = metadata if isinstance(metadata, dict) else {}
    namespace = metadata.get("namespace")
    return Hook(
        object=ManifestObject(
            api_version=str(body.get("apiVersion") or ""),
            kind=str(body.get("kind") or entry.get("kind") or ""),
            name=str(entry.get("name") or metadata.get("name") or ""),
            namespace=namespace if isinstance(namespace, str) and namespace else None,
            body=body,
            source=path,
            index=order,
        ),
        path=path,
        events=tuple("test" if event == "test-success" else event for event in _texts(entry.get("events"))),
        weight=int(entry.get("weight") or 0),
        delete_policies=_texts(entry.get("delete_policies")) or _DEFAULT_DELETE_POLICY,
        order=order,
        output_log_policies=_texts(entry.get("output_log_policies")),
        last_run=entry.get("last_run") or {},
        manifest=manifest,
    )


def hooks_of(entries: Iterable[JSONObject]) -> list[Hook]:
    """All hooks of a release record, in its order."""
    return [hook_of(entry, order) for order, entry in enumerate(entries)]


def hooks_for(event: str, hooks: Iterable[Hook]) -> list[Hook]:
    """The hooks that run at an event, in the order they run: weight, then name, then the record's order.

    A hook that names the event twice runs twice. The record's order is that of Helm's kinds, then of the
    templates. Source: helm/helm@v3.22.0 pkg/action/hooks.go, a stable sort by weight and name; Helm 4.3.1
    alike.
    """
    concerned = [hook for hook in hooks for named in hook.events if named == event]
    return sorted(concerned, key=lambda hook: (hook.weight, hook.object.name, hook.order))


def _body(manifest: str, path: str) -> JSONObject:
    """The first document of a hook's manifest; Helm stores one document in each hook."""
    body: JSONValue = None
    try:
        for _, read in read_stream(manifest):
            body = read()
            break
    except ManifestError as error:
        raise ManifestError(f"{path or 'hook'}: {error.message}", remedy=error.remedy) from None
    if not isinstance(body, dict) or not body:
        raise ManifestError(f"{path or 'hook'}: a hook is not a Kubernetes object")
    return body


def _texts(value: JSONValue) -> tuple[str, ...]:
    return tuple(str(item) for item in value or ())
