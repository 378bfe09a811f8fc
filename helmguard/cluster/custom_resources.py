"""The CustomResourceDefinitions behind custom resources, for their schemas."""

from __future__ import annotations

from collections.abc import Iterable

from helmguard.cluster.connection import Connection
from helmguard.cluster.live_objects import read_live
from helmguard.model.discovery import Discovery
from helmguard.model.live_state import KindNotServed, LiveState
from helmguard.model.resource_key import ResourceKey

_API_VERSION = "apiextensions.k8s.io/v1"
_BUILT_IN = frozenset(
    f"{group}.k8s.io"
    for group in (
        "admissionregistration",
        "apiextensions",
        "apiregistration",
        "authentication",
        "authorization",
        "certificates",
        "coordination",
        "discovery",
        "events",
        "flowcontrol.apiserver",
        "internal.apiserver",
        "networking",
        "node",
        "rbac.authorization",
        "resource",
        "scheduling",
        "storage",
        "storagemigration",
    )
)


def crd_names(discovery: Discovery, kinds: Iterable[tuple[str, str]]) -> list[str]:
    """``plural.group`` of each ``(api_version, kind)`` that is served and not built in, sorted."""
    served = [discovery.find(api_version, kind) for api_version, kind in kinds]
    return sorted(
        {
            f"{kind.plural}.{kind.group}"
            for kind in served
            if kind is not None and not is_built_in_group(kind.group)
        }
    )


def read_crds(connection: Connection, discovery: Discovery, names: Iterable[str]) -> dict[str, LiveState]:
    """The definition of each name; ``Absent`` for a kind that an aggregated API serves."""
    keys = {
        name: ResourceKey("apiextensions.k8s.io", "CustomResourceDefinition", None, name) for name in names
    }
    states = read_live(connection, discovery, [(key, _API_VERSION) for key in keys.values()])
    return {name: states.get(key, KindNotServed(_API_VERSION, key.kind)) for name, key in keys.items()}


def is_built_in_group(group: str) -> bool:
    """Built-in groups are those without a dot, and some under k8s.io, where custom ones are as well."""
    return "." not in group or group in _BUILT_IN
