"""Which namespace an object of a manifest lands in, and so its key."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from helmguard.model.resource_key import ResourceKey
from helmguard.predict.schema.builtin_types import is_builtin_namespaced

if TYPE_CHECKING:
    from helmguard.manifest.objects import ManifestObject
    from helmguard.model.discovery import Discovery
    from helmguard.predict.schema.custom_types import CustomKind


def object_key(
    item: ManifestObject,
    release_namespace: str,
    discovery: Discovery | None,
    custom: Mapping[tuple[str, str], CustomKind],
) -> ResourceKey:
    """The key of a manifest's object; a namespaced kind without a namespace gets the release's."""
    namespaced = is_namespaced(item.api_version, item.kind, discovery, custom)
    if namespaced is False:
        return ResourceKey.of(item.api_version, item.kind, None, item.name)
    return ResourceKey.of(item.api_version, item.kind, item.namespace or release_namespace, item.name)


def is_namespaced(
    api_version: str,
    kind: str,
    discovery: Discovery | None,
    custom: Mapping[tuple[str, str], CustomKind],
) -> bool | None:
    """What discovery says, else Kubernetes' own kinds, else the CRDs; None where nobody knows."""
    if discovery is not None and (served := discovery.is_namespaced(api_version, kind)) is not None:
        return served
    builtin = is_builtin_namespaced(api_version, kind)
    if builtin is not None:
        return builtin
    definition = custom.get((api_version, kind))
    return definition.namespaced if definition is not None else None
