"""Facts of an upgrade between two manifests, made by hand: what left the manifest is deleted."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from facts_of import facts

from helmguard.manifest.documents import split_kubectl
from helmguard.manifest.yaml import load_object
from helmguard.model.cluster_facts import ClusterFacts
from helmguard.model.json_value import JSONObject
from helmguard.model.live_state import Absent, LiveState, Present, Unreadable
from helmguard.model.plan import ResourceChange
from helmguard.model.prediction import ResourcePrediction
from helmguard.model.resource_key import ResourceKey
from helmguard.predict.deletions import is_kept
from helmguard.rules.facts import Facts

MARKS = {
    "labels": {"app.kubernetes.io/managed-by": "Helm"},
    "annotations": {"meta.helm.sh/release-name": "web", "meta.helm.sh/release-namespace": "shop"},
}
CLUSTER = {"Namespace", "PersistentVolume", "StorageClass", "PriorityClass", "RuntimeClass", "IngressClass"}
CLUSTER |= {"ClusterRole", "ClusterRoleBinding", "CustomResourceDefinition", "APIService"}
CLUSTER |= {"ValidatingWebhookConfiguration", "MutatingWebhookConfiguration"}


def key_of(body: JSONObject) -> ResourceKey:
    """The key of a document; the release's namespace where it names none."""
    namespace = None if body["kind"] in CLUSTER else body["metadata"].get("namespace", "shop")
    return ResourceKey.of(body["apiVersion"], body["kind"], namespace, body["metadata"]["name"])


def marked(body: JSONObject, **more: Any) -> JSONObject:
    """A document as it is live: with the release's marks, and what else is given."""
    metadata = dict(body["metadata"])
    for name, marks in MARKS.items():
        metadata[name] = {**(metadata.get(name) or {}), **marks}
    return {**body, "metadata": metadata, **more}


def upgrade(
    old: str,
    new: str,
    *,
    live: Mapping[str, LiveState | JSONObject | None] | None = None,
    causes: Mapping[str, str] | None = None,
    lists: Mapping[str, Any] | None = None,
    **more: Any,
) -> Facts:
    """``live`` gives the state of objects by ``Kind/name``; others are as the old manifest says.

    ``lists`` are read lists of the cluster, for the namespace shop.
    """
    before = _documents(old)
    after = _documents(new)
    resources = []
    for key in dict.fromkeys([*after, *before]):
        given = (live or {}).get(str(key), marked(before[key]) if key in before else None)
        state = Present(given) if isinstance(given, dict) else given or Absent()
        action = _action(key in before, key in after, state)
        body = after.get(key, before.get(key)) or {}
        prediction = ResourcePrediction(
            key=key,
            api_version=body["apiVersion"],
            action=action,  # type: ignore[arg-type]
            previous=before.get(key),
            new=after.get(key),
            live=state,
            predicted=after.get(key),
        )
        cause = (causes or {}).get(str(key), "chart" if action in ("create", "delete") else "")
        resources.append(ResourceChange(prediction, cause=cause))  # type: ignore[arg-type]
    cluster = ClusterFacts(
        lists={name: tuple(items) for name, items in (lists or {}).items()}, namespaces=("shop",)
    )
    return facts(*resources, cluster=cluster, **more)


def _action(was: bool, will: bool, state: LiveState) -> str:
    if will:
        if isinstance(state, Unreadable):
            return "unknown"
        return ("update" if was else "adopt") if isinstance(state, Present) else "create"
    if isinstance(state, Unreadable):
        return "unknown"
    if isinstance(state, Absent):
        return "unchanged"
    assert isinstance(state, Present)
    return "keep" if is_kept(state.body) else "delete"


def _documents(text: str) -> dict[ResourceKey, JSONObject]:
    bodies = [load_object(document) for document in split_kubectl(text) if document.strip()]
    return {key_of(body): body for body in bodies if isinstance(body, dict)}
