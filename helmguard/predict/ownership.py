"""Helm's ownership marks: how it stamps objects, and when it refuses to take one over.

Source: helm/helm@v3.22.0 pkg/action/validate.go.
"""

from __future__ import annotations

from typing import Final, Literal

import msgspec

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
    problems = []
    for mark in wrong_marks(live, release, namespace):
        problem = f'{mark.kind} validation error: missing key "{mark.name}": must be set to "{mark.wanted}"'
        if mark.value is not None:
            problem = (
                f'{mark.kind} validation error: key "{mark.name}" must equal "{mark.wanted}": '
                f'current value is "{mark.value}"'
            )
        problems.append(problem)
    if not problems:
        return ""
    unable = "Unable" if helm.major < 4 else "unable"
    verb = "install" if operation == "install" else "update"
    return (
        f'{unable} to continue with {verb}: {key.kind} "{key.name}" in namespace "{key.namespace or ""}" '
        "exists and cannot be imported into the current release: invalid ownership metadata; "
        + "; ".join(problems)
    )


def release_of(live: JSONObject) -> str:
    """``namespace/name`` of the release whose marks the live object bears, empty where one is missing."""
    metadata = live.get("metadata") or {}
    annotations = metadata.get("annotations") or {}
    name, place = annotations.get(RELEASE_NAME), annotations.get(RELEASE_NAMESPACE)
    if not name or not place or (metadata.get("labels") or {}).get(MANAGED_BY) != "Helm":
        return ""
    return f"{place}/{name}"


class WrongMark(msgspec.Struct, frozen=True):
    """A label or annotation that is not what Helm wants; ``value`` is None where it is missing."""

    kind: Literal["label", "annotation"]
    name: str
    wanted: str
    value: str | None


def wrong_marks(live: JSONObject, release: str, namespace: str) -> list[WrongMark]:
    """The ownership marks that are missing or name somebody else, in the order Helm checks them."""
    metadata = live.get("metadata") or {}
    labels, annotations = metadata.get("labels") or {}, metadata.get("annotations") or {}
    wanted: tuple[tuple[JSONObject, str, str, Literal["label", "annotation"]], ...] = (
        (labels, MANAGED_BY, "Helm", "label"),
        (annotations, RELEASE_NAME, release, "annotation"),
        (annotations, RELEASE_NAMESPACE, namespace, "annotation"),
    )
    return [
        WrongMark(kind, name, value, marks.get(name))
        for marks, name, value, kind in wanted
        if marks.get(name) != value
    ]


def non_string_mark(body: JSONObject) -> str:
    """What stops Helm when a label or annotation holds a number or boolean; empty where all are strings."""
    metadata = body.get("metadata")
    if not isinstance(metadata, dict):
        return ""
    for name in ("labels", "annotations"):
        given = metadata.get(name)
        if given is not None and not isinstance(given, dict):
            kind = {bool: "bool", str: "string", list: "array"}.get(type(given), "number")
            return (
                f'unable to decode "": json: cannot unmarshal {kind} into Go struct field '
                f"ObjectMeta.metadata.{name} of type map[string]string"
            )
        for value in (given or {}).values():
            if value is not None and not isinstance(value, str):
                kind = "bool" if isinstance(value, bool) else "number"
                if isinstance(value, dict | list):
                    kind = "object" if isinstance(value, dict) else "array"
                return (
                    f'unable to decode "": json: cannot unmarshal {kind} into Go struct field '
                    f"ObjectMeta.metadata.{name} of type string"
                )
    return ""
