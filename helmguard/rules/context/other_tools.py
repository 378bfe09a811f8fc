"""Marks by which other tools know the objects that they reconcile."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from helmguard.model.json_value import JSONObject
from helmguard.model.resource_key import ResourceKey
from helmguard.rules.context.manifest_maps import mapping, maps_in


class Mark(msgspec.Struct, frozen=True):
    """``by`` is what the tool calls the owner; ``is_helm_release``: that is a HelmRelease of Flux."""

    tool: str
    by: str
    name: str
    is_helm_release: bool = False


ARGO_TRACKING = "argocd.argoproj.io/tracking-id"
FLUX_KUSTOMIZE = "kustomize.toolkit.fluxcd.io"
FLUX_HELM = "helm.toolkit.fluxcd.io"
OLM_OWNER, OLM_MANAGED = "olm.owner", "olm.managed"


def marks_of(body: JSONObject, key: ResourceKey) -> Iterator[Mark]:
    """The marks on an object.

    The label app.kubernetes.io/instance is none: charts set it, too, and Argo CD reads it only where it is
    told to. Source: argoproj/argo-cd docs/user-guide/resource_tracking.md, fluxcd/kustomize-controller,
    fluxcd/helm-controller, operator-framework/operator-lifecycle-manager pkg/lib/ownerutil.
    """
    metadata = mapping(body.get("metadata"))
    labels, annotations = mapping(metadata.get("labels")), mapping(metadata.get("annotations"))
    tracking = annotations.get(ARGO_TRACKING)
    if isinstance(tracking, str) and _tracks(tracking, key):
        yield Mark("Argo CD", f"Application/{tracking.partition(':')[0]}", ARGO_TRACKING)
    for prefix, kind in ((FLUX_KUSTOMIZE, "Kustomization"), (FLUX_HELM, "HelmRelease")):
        name, place = labels.get(f"{prefix}/name"), labels.get(f"{prefix}/namespace")
        if name:
            is_helm = kind == "HelmRelease"
            by = (f"{place}/{name}" if place else str(name)) if is_helm else f"Kustomization/{name}"
            yield Mark("Flux", by, f"{prefix}/name", is_helm)
    if labels.get(OLM_OWNER) or str(labels.get(OLM_MANAGED)).lower() == "true":
        yield Mark("OLM", str(labels.get(OLM_OWNER) or "an operator"), OLM_OWNER)
    for _, owner in maps_in(metadata.get("ownerReferences")):
        if owner.get("controller") is True:
            yield Mark(str(owner.get("kind")), f"{owner.get('kind')}/{owner.get('name')}", "ownerReferences")


def _tracks(tracking: str, key: ResourceKey) -> bool:
    """``app:group/Kind:namespace/name``: a copy on another object counts for nothing."""
    _, _, about = tracking.partition(":")
    kind, _, name = about.partition(":")
    return kind == f"{key.group}/{key.kind}" and name.rpartition("/")[2] == key.name
