"""Objects that only a cluster with more API versions gets: their changes are told, not judged. Pure."""

from __future__ import annotations

from collections.abc import Iterator

from helmguard.check.rendered_side import RenderedSide
from helmguard.compare.bookkeeping import is_bookkeeping
from helmguard.compare.comparable import comparable
from helmguard.compare.differences import differences
from helmguard.compare.unstable import is_unstable
from helmguard.errors import ManifestError
from helmguard.manifest.objects import read_objects
from helmguard.model.field_path import FieldPath
from helmguard.model.json_value import JSONObject
from helmguard.model.plan import Plan, Unknown
from helmguard.model.resource_key import ResourceKey
from helmguard.predict.schema.value_type import ANY
from helmguard.predict.scopes import is_namespaced


def unseen_changes(plan: Plan, old: RenderedSide | None, new: RenderedSide | None) -> tuple[Unknown, ...]:
    """What changes beyond the plan where the cluster serves the API versions that templates ask for."""
    sides = [side for side in (old, new) if side is not None]
    if not any(side.if_served for side in sides):
        return ()
    before, after = _objects(old), _objects(new)
    told = {resource.prediction.key for resource in plan.resources if resource.action != "unchanged"}
    extra = [
        key
        for key in {**before, **after}
        if key not in told and _differs(before.get(key), after.get(key), _unstable(old, new, key))
    ]
    if not extra:
        return ()
    asked = ", ".join(dict.fromkeys(version for side in sides for version in side.asked))
    names = ", ".join(map(str, extra))
    why = f"where the cluster serves {asked}, these change, too: {names}; give --api-versions to judge them"
    return (Unknown("objects behind API versions", why),)


def _differs(old: JSONObject | None, new: JSONObject | None, unstable: frozenset[FieldPath]) -> bool:
    """Whether more differs than labels of the chart's version and what every rendering gives anew."""
    if old is None or new is None:
        return True
    found = differences(comparable(old), comparable(new), ANY)
    return not all(is_bookkeeping(one.path) or is_unstable(one.path, unstable) for one in found)


def _unstable(old: RenderedSide | None, new: RenderedSide | None, key: ResourceKey) -> frozenset[FieldPath]:
    if old is None or new is None:
        return frozenset()
    nothing: frozenset[FieldPath] = frozenset()
    return old.unstable.get(key, nothing) & new.unstable.get(key, nothing)


def _objects(side: RenderedSide | None) -> dict[ResourceKey, JSONObject]:
    return dict(_bodies(side)) if side is not None else {}


def _bodies(side: RenderedSide) -> Iterator[tuple[ResourceKey, JSONObject]]:
    try:
        objects = read_objects(side.if_served or side.manifest, side.declared.namespace, _is_namespaced)
    except ManifestError:
        # The plan of the release says what is wrong with its manifest.
        return
    for item in objects:
        yield item.key, item.body


def _is_namespaced(api_version: str, kind: str) -> bool | None:
    return is_namespaced(api_version, kind, None, {})
