"""Checks of CustomResourceDefinitions."""

from __future__ import annotations

from collections.abc import Iterator

from helmguard.model.json_value import JSONObject
from helmguard.predict.api_server.validation.words import invalid, required, unsupported


def definition_creation_errors(crd: JSONObject) -> Iterator[str]:
    """The name follows from plural and group."""
    spec = crd.get("spec") or {}
    name = (crd.get("metadata") or {}).get("name", "")
    if name != f"{(spec.get('names') or {}).get('plural') or ''}.{spec.get('group') or ''}":
        yield invalid("metadata.name", name, 'must be spec.names.plural+"."+spec.group')


def definition_errors(crd: JSONObject) -> Iterator[str]:
    """Name, scope, versions: unique, one for storage, and none dropped that objects are still stored in."""
    spec = crd.get("spec") or {}
    versions, group = spec.get("versions") or [], spec.get("group") or ""
    if not group:
        yield required("spec.group")
    if not spec.get("scope"):
        yield required("spec.scope")
    elif spec["scope"] not in ("Cluster", "Namespaced"):
        yield unsupported("spec.scope", spec["scope"], ("Cluster", "Namespaced"))
    for field in ("plural", "singular", "kind", "listKind"):
        if not (spec.get("names") or {}).get(field):
            yield required(f"spec.names.{field}")
    for index, version in enumerate(versions):
        if not (version.get("schema") or {}).get("openAPIV3Schema"):
            yield required(f"spec.versions[{index}].schema.openAPIV3Schema")
    names = [version.get("name") for version in versions]
    if len(set(names)) != len(names):
        yield invalid("spec.versions", names, "must contain unique version names")
    stored = [version.get("name") for version in versions if version.get("storage")]
    if len(stored) != 1:
        yield invalid("spec.versions", names, "must have exactly one version marked as storage version")
    if not stored and not (crd.get("status") or {}).get("storedVersions"):
        yield invalid("status.storedVersions", None, "must have at least one stored version")
    for index, name in enumerate((crd.get("status") or {}).get("storedVersions") or []):
        if name not in names:
            yield invalid(
                f"status.storedVersions[{index}]",
                name,
                f"missing from spec.versions; {name} was previously a storage version, and must remain in "
                "spec.versions until a storage migration ensures no data remains persisted in it and removes "
                f"it from status.storedVersions",
            )
