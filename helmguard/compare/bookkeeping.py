"""Labels and annotations that only carry the chart's version or Helm's ownership, and mere documentation."""

from __future__ import annotations

from helmguard.model.field_path import FieldPath

_VERSION_LABELS = frozenset(["helm.sh/chart", "app.kubernetes.io/version", "chart"])
_OWNERSHIP = frozenset(
    [
        "app.kubernetes.io/managed-by",
        "heritage",
        "meta.helm.sh/release-name",
        "meta.helm.sh/release-namespace",
    ]
)
_CONTROLLER_ANNOTATIONS = frozenset(
    ["deployment.kubernetes.io/revision", "deprecated.daemonset.template.generation"]
)
_OWNERSHIP_FIELDS: frozenset[FieldPath] = frozenset(
    [
        ("metadata", "labels", "app.kubernetes.io/managed-by"),
        ("metadata", "annotations", "meta.helm.sh/release-name"),
        ("metadata", "annotations", "meta.helm.sh/release-namespace"),
    ]
)


def is_bookkeeping(path: FieldPath) -> bool:
    """Whether the field is such a label or annotation of the object itself, or describes a CRD's schema.

    The same label inside a pod template restarts pods, and in a claim template or a selector the API server
    refuses the change: there it is never bookkeeping.
    """
    return (is_version_mark(path) and len(path) == 3) or _is_description(path)


def _is_description(path: FieldPath) -> bool:
    """Whether the field only documents a custom kind; below ``properties`` the word is a field's name."""
    return path[-1:] == ("description",) and "openAPIV3Schema" in path and path[-2] != "properties"


def is_version_mark(path: FieldPath) -> bool:
    """Whether the field is such a label or annotation, wherever it stands."""
    if len(path) < 3 or path[-2] not in ("labels", "annotations"):
        return False
    return path[-3] == "metadata" and (path[-1] in _VERSION_LABELS or path[-1] in _OWNERSHIP)


def is_controllers(path: FieldPath) -> bool:
    """Whether a controller keeps its own record in the annotation and writes it again whenever it is gone."""
    return path[:2] == ("metadata", "annotations") and path[-1] in _CONTROLLER_ANNOTATIONS


def is_ownership_mark(path: FieldPath) -> bool:
    """Whether Helm itself stamps the field on every object; no manifest holds it."""
    return path in _OWNERSHIP_FIELDS
