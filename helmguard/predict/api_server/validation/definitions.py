"""Checks of CustomResourceDefinitions."""

from __future__ import annotations

from collections.abc import Iterator

from helmguard.model.json_value import JSONObject, JSONValue
from helmguard.predict.api_server.validation.structural import schema_errors
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
    if spec.get("preserveUnknownFields") is True:
        detail = (
            "cannot set to true, set x-kubernetes-preserve-unknown-fields to true in spec.versions[*].schema "
            "instead"
        )
        yield invalid("spec.preserveUnknownFields", True, detail)
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
        if (version.get("schema") or {}).get("openAPIV3Schema") is None:
            yield required(f"spec.versions[{index}].schema.openAPIV3Schema")
    yield from schema_errors(crd)
    names = [version.get("name") for version in versions]
    if len(set(names)) != len(names):
        yield invalid("spec.versions", names, "must contain unique version names")
    stored = [version.get("name") for version in versions if version.get("storage")]
    if len(stored) != 1:
        yield invalid("spec.versions", names, "must have exactly one version marked as storage version")
    yield from _stored_version_errors((crd.get("status") or {}).get("storedVersions") or [], versions)


def _stored_version_errors(before: list[JSONValue], versions: list[JSONObject]) -> Iterator[str]:
    """``status.storedVersions``, which the server completes by the first version that is for storage."""
    storage = [version.get("name") for version in versions if version.get("storage")]
    kept = [*before, *(name for name in storage[:1] if name not in before)]
    if not kept:
        yield invalid("status.storedVersions", None, "must have at least one stored version")
        return
    unseen = list(kept)
    for version in versions:
        name = version.get("name")
        if name in unseen:
            unseen.remove(name)
        elif version.get("storage"):
            yield invalid("status.storedVersions", kept, f"must have the storage version {name}")
    for name in unseen:
        yield invalid(
            f"status.storedVersions[{kept.index(name)}]",
            name,
            f"missing from spec.versions; {name} was previously a storage version, and must remain in "
            f"spec.versions until a storage migration ensures no data remains persisted in {name} and "
            f"removes {name} from status.storedVersions",
        )
