"""Objects whose very names the templates render differently each time. Pure."""

from __future__ import annotations

import msgspec

from helmguard.errors import ManifestError
from helmguard.manifest.objects import read_objects
from helmguard.model.discovery import Discovery
from helmguard.model.plan import Plan, Unknown
from helmguard.model.release import Revision
from helmguard.model.resource_key import ResourceKey
from helmguard.predict.schema.builtin_types import is_builtin_namespaced


class RenderedOtherwise(msgspec.Struct, frozen=True):
    """``planned`` are in the plan and not in the stored manifest, ``instead`` the other way round."""

    planned: frozenset[ResourceKey] = frozenset()
    instead: dict[ResourceKey, str] = {}

    def unknown(self) -> tuple[Unknown, ...]:
        """What cannot be compared for it."""
        why = "the templates render another name each time: it was not in the plan, and is not compared"
        return tuple(Unknown(str(key), why) for key in self.instead)


def rendered_otherwise(plan: Plan, revision: Revision | None, discovery: Discovery) -> RenderedOtherwise:
    """The difference of the plan's manifest and the one that Helm stored, by kinds that are in both."""
    if revision is None:
        return RenderedOtherwise()

    def is_namespaced(api_version: str, kind: str) -> bool | None:
        known = discovery.is_namespaced(api_version, kind)
        return is_builtin_namespaced(api_version, kind) if known is None else known

    try:
        objects = read_objects(revision.manifest, plan.release.namespace, is_namespaced)
    except ManifestError:
        return RenderedOtherwise()
    stored = {item.key: item.api_version for item in objects if item.name}
    planned = {
        resource.prediction.key
        for resource in plan.resources
        if resource.prediction.new is not None and resource.action != "hook"
    }
    more = {key: version for key, version in stored.items() if key not in planned}
    kinds = {(key.group, key.kind) for key in more}
    fewer = {key for key in planned if key not in stored and (key.group, key.kind) in kinds}
    fewer_kinds = {(key.group, key.kind) for key in fewer}
    return RenderedOtherwise(
        frozenset(fewer),
        {key: version for key, version in more.items() if (key.group, key.kind) in fewer_kinds},
    )
