"""Hooks: which run at an event, in which order, and when Helm deletes them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from helmguard.errors import ManifestError
from helmguard.manifest import yaml
from helmguard.manifest.objects import ManifestObject
from helmguard.model.json_value import JSONObject

EVENTS = frozenset(
    [
        "pre-install",
        "post-install",
        "pre-upgrade",
        "post-upgrade",
        "pre-rollback",
        "post-rollback",
        "pre-delete",
        "post-delete",
        "test",
    ]
)
"""Events Helm knows; ``test-success`` is an old word for ``test``. Any other drops the document."""

_DEFAULT_DELETE_POLICY = ("before-hook-creation",)


@dataclass(frozen=True, slots=True)
class Hook:
    """One hook. ``delete_policies`` is never empty: Helm's default is ``before-hook-creation``.

    ``object`` is what it creates; its namespace is the one it names itself, None where it leaves that to the
    release. ``path`` is the template. ``order`` is its place among the release's hooks, which decides between
    hooks of one weight and name.
    """

    object: ManifestObject
    path: str
    events: tuple[str, ...]
    weight: int
    delete_policies: tuple[str, ...]
    order: int = 0


def hook_of(entry: JSONObject, order: int = 0) -> Hook:
    """The hook of one entry of a release record or of helm's JSON.

    Raises:
        ManifestError: its manifest is no object.
    """
    path = str(entry.get("path") or "")
    body = yaml.load(str(entry.get("manifest") or ""))
    if not isinstance(body, dict):
        raise ManifestError(f"{path or 'hook'}: a hook is not a Kubernetes object")
    metadata = body.get("metadata") or {}
    events = tuple("test" if event == "test-success" else str(event) for event in entry.get("events") or ())
    policies = tuple(str(policy) for policy in entry.get("delete_policies") or ())
    return Hook(
        object=ManifestObject(
            api_version=str(body.get("apiVersion") or ""),
            kind=str(body.get("kind") or entry.get("kind") or ""),
            name=str(entry.get("name") or metadata.get("name") or ""),
            namespace=metadata.get("namespace"),
            body=body,
            source=path,
            index=order,
        ),
        path=path,
        events=events,
        weight=int(entry.get("weight") or 0),
        delete_policies=policies or _DEFAULT_DELETE_POLICY,
        order=order,
    )


def hooks_of(entries: Iterable[JSONObject]) -> list[Hook]:
    """All hooks of a release record, in its order."""
    return [hook_of(entry, order) for order, entry in enumerate(entries)]


def hooks_for(event: str, hooks: Iterable[Hook]) -> list[Hook]:
    """The hooks that run at an event, in the order they run: weight, then name, then the record's order.

    As helm/helm@v3.22.0 pkg/action/hooks.go (a stable sort by weight and name).
    """
    concerned = [hook for hook in hooks if event in hook.events]
    return sorted(concerned, key=lambda hook: (hook.weight, hook.object.name, hook.order))
