"""Flux's kinds, and those that its Helm input rests on."""

from __future__ import annotations

from typing import TypeAlias

from helmguard.gitops.documents import Document

KUSTOMIZE_GROUP = "kustomize.toolkit.fluxcd.io"
HELM_GROUP = "helm.toolkit.fluxcd.io"
SOURCE_GROUP = "source.toolkit.fluxcd.io"

SOURCE_KINDS = ("OCIRepository", "HelmRepository", "GitRepository", "Bucket", "HelmChart", "ExternalArtifact")
DATA_KINDS = ("ConfigMap", "Secret")
READ_KINDS = ("Kustomization", "HelmRelease", *SOURCE_KINDS, *DATA_KINDS)
"""What is kept of a Kustomization's build."""

Key: TypeAlias = tuple[str, int, str, str]
"""A document as it is written: file, lines before it, and what rendered it under which name."""


def key_of(document: Document) -> Key:
    """The document's key; the same before and after it is patched."""
    rendered = document.rendered_by
    return document.file, document.lines_before, rendered, document.name if rendered else ""


def is_kustomization(document: Document) -> bool:
    """Whether it is Flux's Kustomization, not kustomize's own."""
    return document.kind == "Kustomization" and document.group == KUSTOMIZE_GROUP


def is_helm_release(document: Document) -> bool:
    """Whether it is a HelmRelease of any version that is read: v2, v2beta1, v2beta2."""
    return document.kind == "HelmRelease" and document.group == HELM_GROUP


def title(document: Document) -> str:
    """``HelmRelease shop/web``."""
    return f"{document.kind} {document.namespace or 'default'}/{document.name}"


def where(document: Document) -> str:
    """``apps/web.yaml HelmRelease shop/web``, as an ``Unknown`` names it."""
    return f"{document.file} {title(document)}"
