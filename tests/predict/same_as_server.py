"""Comparing a predicted object with the one the API server holds, leaving out what no prediction gives."""

from __future__ import annotations

from typing import Any

_METADATA = (
    "managedFields",
    "resourceVersion",
    "generation",
    "uid",
    "creationTimestamp",
    "selfLink",
)
_CONTROLLERS = ("deployment.kubernetes.io/revision", "deprecated.daemonset.template.generation")


def comparable(body: dict[str, Any] | None) -> Any:
    """The object without bookkeeping, status, nulls and empty containers."""
    if body is None:
        return None
    metadata = {key: value for key, value in body.get("metadata", {}).items() if key not in _METADATA}
    annotations = metadata.get("annotations") or {}
    metadata["annotations"] = {key: value for key, value in annotations.items() if key not in _CONTROLLERS}
    return _tidy({**body, "metadata": metadata, "status": None})


def _tidy(value: Any) -> Any:
    if isinstance(value, dict):
        kept = {key: _tidy(below) for key, below in value.items()}
        return {key: below for key, below in kept.items() if below not in (None, {}, [])}
    if isinstance(value, list):
        return [_tidy(item) for item in value]
    return value
