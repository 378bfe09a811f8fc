"""Which kinds live in a namespace, and which namespace a hook lands in."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from helmguard.model.resource_key import ResourceKey
from helmguard.predict.schema.builtin_types import is_builtin_namespaced

if TYPE_CHECKING:
    from helmguard.manifest.hooks import Hook
    from helmguard.model.discovery import Discovery
    from helmguard.predict.schema.custom_types import CustomKind


def hook_key(
    hook: Hook,
    release_namespace: str,
    discovery: Discovery | None,
    custom: Mapping[tuple[str, str], CustomKind],
) -> ResourceKey:
    """The key of a hook's object; unless its kind is cluster-scoped it lands in the release's namespace."""
    item = hook.object
    if is_namespaced(item.api_version, item.kind, discovery, custom) is False:
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
