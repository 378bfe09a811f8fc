"""Helm's ownership marks: how it stamps objects, and when it refuses to take one over.

Source: helm/helm@v3.22.0 pkg/action/validate.go.
"""

from __future__ import annotations

from typing import Final

from helmguard.model.apply_options import Operation
from helmguard.model.helm_version import HelmVersion
from helmguard.model.json_value import JSONObject
from helmguard.model.resource_key import ResourceKey

MANAGED_BY: Final = "app.kubernetes.io/managed-by"
RELEASE_NAME: Final = "meta.helm.sh/release-name"
RELEASE_NAMESPACE: Final = "meta.helm.sh/release-namespace"


def with_ownership_marks(body: JSONObject, release: str, namespace: str) -> JSONObject:
    """The document as Helm sends it; a null label or annotation becomes an empty string on the way.

    All below ``metadata`` is shared with ``body``.
    """
    metadata = dict(body.get("metadata") or {})
    marked: JSONObject = {**body, "metadata": metadata}
    for name in ("labels", "annotations"):
        metadata[name] = {
            key: "" if value is None else value for key, value in (metadata.get(name) or {}).items()
        }
    metadata["labels"][MANAGED_BY] = "Helm"
    metadata["annotations"][RELEASE_NAME] = release
    metadata["annotations"][RELEASE_NAMESPACE] = namespace
    return marked


def ownership_error(
    live: JSONObject,
    key: ResourceKey,
    release: str,
    namespace: str,
    operation: Operation,
    helm: HelmVersion,
) -> str:
    """Helm's refusal to take over a live object; empty where the object bears this release's marks."""
    metadata = live.get("metadata") or {}
    labels, annotations = metadata.get("labels") or {}, metadata.get("annotations") or {}
    problems = []
    for value, name, wanted, what in (
        (labels.get(MANAGED_BY), MANAGED_BY, "Helm", "label"),
        (annotations.get(RELEASE_NAME), RELEASE_NAME, release, "annotation"),
        (annotations.get(RELEASE_NAMESPACE), RELEASE_NAMESPACE, namespace, "annotation"),
    ):
        if value is None:
            problems.append(f'{what} validation error: missing key "{name}": must be set to "{wanted}"')
        elif value != wanted:
            problems.append(
                f'{what} validation error: key "{name}" must equal "{wanted}": current value is "{value}"'
            )
    if not problems:
        return ""
    unable = "Unable" if helm.major < 4 else "unable"
    verb = "install" if operation == "install" else "update"
    return (
        f'{unable} to continue with {verb}: {key.kind} "{key.name}" in namespace "{key.namespace or ""}" '
        "exists and cannot be imported into the current release: invalid ownership metadata; "
        + "; ".join(problems)
    )


def non_string_mark(body: JSONObject) -> str:
    """What stops Helm when a label or annotation holds a number or boolean; empty where all are strings."""
    metadata = body.get("metadata")
    if not isinstance(metadata, dict):
        return ""
    for name in ("labels", "annotations"):
        for value in (metadata.get(name) or {}).values():
            if value is not None and not isinstance(value, str):
                kind = "bool" if isinstance(value, bool) else "number"
                if isinstance(value, dict | list):
                    kind = "object" if isinstance(value, dict) else "array"
                return (
                    f'unable to decode "": json: cannot unmarshal {kind} into Go struct field '
                    f"ObjectMeta.metadata.{name} of type string"
                )
    return ""
