"""The name under which Flux keeps a release."""

from __future__ import annotations

import hashlib

from helmguard.gitops.documents import Document, text_at

_LONGEST = 53
_KEPT = 40


def release_name(release: Document) -> str:
    """``spec.releaseName``, else ``[targetNamespace-]name``, shortened as Flux does (helm-controller
    internal/release/name.go)."""
    target = text_at(release.spec, "targetNamespace")
    name = text_at(release.spec, "releaseName") or (f"{target}-{release.name}" if target else release.name)
    if len(name) <= _LONGEST:
        return name
    digest = hashlib.sha256(name.encode()).hexdigest()[: _LONGEST - _KEPT - 1]
    return f"{name[:_KEPT]}-{digest}"


def release_namespace(release: Document) -> str:
    """``spec.targetNamespace``, else the HelmRelease's own."""
    return text_at(release.spec, "targetNamespace") or release.namespace or "default"
