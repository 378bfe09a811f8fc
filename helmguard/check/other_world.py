"""Objects that only a cluster with more API versions gets: their changes are told, not judged. Pure."""

from __future__ import annotations

import json
from collections.abc import Iterator

from helmguard.check.rendered_side import RenderedSide
from helmguard.errors import ManifestError
from helmguard.manifest.objects import read_objects
from helmguard.model.plan import Plan, Unknown
from helmguard.model.resource_key import ResourceKey
from helmguard.predict.scopes import is_namespaced


def unseen_changes(plan: Plan, old: RenderedSide | None, new: RenderedSide | None) -> tuple[Unknown, ...]:
    """What changes beyond the plan where the cluster serves the API versions that templates ask for."""
    sides = [side for side in (old, new) if side is not None]
    if not any(side.if_served for side in sides):
        return ()
    before, after = _objects(old), _objects(new)
    told = {resource.prediction.key for resource in plan.resources if resource.action != "unchanged"}
    extra = [key for key in {**before, **after} if before.get(key) != after.get(key) and key not in told]
    if not extra:
        return ()
    asked = ", ".join(dict.fromkeys(version for side in sides for version in side.asked))
    names = ", ".join(map(str, extra))
    why = f"where the cluster serves {asked}, these change, too: {names}; give --api-versions to judge them"
    return (Unknown("objects behind API versions", why),)


def _objects(side: RenderedSide | None) -> dict[ResourceKey, str]:
    return dict(_texts(side)) if side is not None else {}


def _texts(side: RenderedSide) -> Iterator[tuple[ResourceKey, str]]:
    try:
        objects = read_objects(side.if_served or side.manifest, side.declared.namespace, _is_namespaced)
    except ManifestError:
        return
    for item in objects:
        yield item.key, json.dumps(item.body, sort_keys=True, default=str)


def _is_namespaced(api_version: str, kind: str) -> bool | None:
    return is_namespaced(api_version, kind, None, {})
