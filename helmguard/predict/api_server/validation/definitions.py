"""Checks of CustomResourceDefinitions."""

from __future__ import annotations

from collections.abc import Iterator

from helmguard.model.json_value import JSONObject
from helmguard.predict.api_server.validation.words import invalid


def definition_errors(crd: JSONObject) -> Iterator[str]:
    """Versions: unique, one of them for storage, and none dropped that objects are still stored in."""
    versions = (crd.get("spec") or {}).get("versions") or []
    names = [version.get("name") for version in versions]
    if len(set(names)) != len(names):
        yield invalid("spec.versions", names, "must contain unique version names")
    stored = [version.get("name") for version in versions if version.get("storage")]
    if len(stored) != 1:
        yield invalid("spec.versions", names, "must have exactly one version marked as storage version")
    for index, name in enumerate((crd.get("status") or {}).get("storedVersions") or []):
        if name not in names:
            yield invalid(
                f"status.storedVersions[{index}]",
                name,
                f"missing from spec.versions; {name} was previously a storage version, and must remain in "
                "spec.versions until a storage migration ensures no data remains persisted in it and removes "
                f"it from status.storedVersions",
            )
