"""What failed revisions left in the cluster: objects and fields that no manifest Helm looks at names.

Helm compares with the last deployed revision. What a later one brought before it failed, it never saw.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping

from helmguard.compare.comparable import comparable
from helmguard.compare.differences import differences
from helmguard.compare.equal_trees import same_tree
from helmguard.compare.field_owners import owners_of
from helmguard.compare.find_field import find_field, up_to_position
from helmguard.errors import ManifestError
from helmguard.manifest.objects import IsNamespaced, ManifestObject, read_objects
from helmguard.model.field_change import MISSING
from helmguard.model.json_value import JSONObject
from helmguard.model.live_state import LiveState, Present
from helmguard.model.prediction import ResourcePrediction
from helmguard.model.release import PENDING_STATUSES, History, Revision
from helmguard.model.resource_key import ResourceKey
from helmguard.model.surroundings import LeftField, Orphan
from helmguard.planner.inputs import PlanInputs
from helmguard.planner.scopes import namespaced_lookup
from helmguard.predict.deletions import is_kept
from helmguard.predict.ownership import wrong_marks
from helmguard.predict.schema.value_type import ValueType


def failed_revisions(history: History, base: Revision | None) -> tuple[Revision, ...]:
    """The revisions that did not succeed, but for the one that Helm compares with; oldest first."""
    statuses = {"failed", *PENDING_STATUSES}
    return tuple(
        revision
        for revision in history.revisions
        if revision.status in statuses and (base is None or revision.version != base.version)
    )


def failed_objects(inputs: PlanInputs, base: Revision | None) -> dict[int, list[ManifestObject]]:
    """The objects of each of the ``failed_revisions``, by revision."""
    failed = failed_revisions(inputs.history, base)
    return objects_of_revisions(failed, inputs.namespace, namespaced_lookup(inputs))


def objects_of_revisions(
    revisions: Iterable[Revision], namespace: str, is_namespaced: IsNamespaced
) -> dict[int, list[ManifestObject]]:
    """The objects of each revision; none where its manifest cannot be read."""
    found: dict[int, list[ManifestObject]] = {}
    for revision in revisions:
        try:
            found[revision.version] = read_objects(revision.manifest, namespace, is_namespaced)
        except ManifestError:
            found[revision.version] = []
    return found


def orphans(
    failed: Mapping[int, list[ManifestObject]],
    resources: Iterable[ResourcePrediction],
    live: Mapping[ResourceKey, LiveState],
    release: str,
    namespace: str,
) -> Iterator[Orphan]:
    """The live objects with this release's marks that only failed revisions hold, in a stable order.

    One that asks to be kept was left on purpose.
    """
    known = {resource.key for resource in resources}
    holders: dict[ResourceKey, list[int]] = {}
    versions: dict[ResourceKey, str] = {}
    for number, objects in failed.items():
        for item in objects:
            if item.key not in known and item.name:
                holders.setdefault(item.key, []).append(number)
                versions[item.key] = item.api_version
    for key in sorted(holders, key=ResourceKey.sort_key):
        state = live.get(key)
        if not isinstance(state, Present) or wrong_marks(state.body, release, namespace):
            continue
        if not is_kept(state.body):
            yield Orphan(key, versions[key], tuple(dict.fromkeys(holders[key])))


def left_fields(
    failed: Mapping[int, list[ManifestObject]],
    resources: Iterable[ResourcePrediction],
    unreached: Collection[ResourceKey],
    type_of: Callable[[str, str], ValueType],
) -> Iterator[LeftField]:
    """The fields that a failed revision added, that neither manifest names, and that will still be there.

    Only those that Helm itself owns: what others wrote is drift.
    """
    by_key: dict[ResourceKey, list[tuple[int, JSONObject]]] = {}
    for number, objects in failed.items():
        for item in objects:
            by_key.setdefault(item.key, []).append((number, item.body))
    for resource in resources:
        if resource.key not in by_key or resource.error or resource.key in unreached:
            continue
        if resource.new is None or resource.previous is None or resource.predicted is None:
            continue
        if not isinstance(resource.live, Present):
            continue
        schema = type_of(resource.api_version, resource.key.kind)
        found = [
            one for number, body in by_key[resource.key] for one in _added(number, body, resource, schema)
        ]
        yield from {one.path: one for one in found}.values()


def _added(
    number: int, failed: JSONObject, resource: ResourcePrediction, schema: ValueType
) -> Iterator[LeftField]:
    assert isinstance(resource.live, Present)
    new, previous = comparable(resource.new), comparable(resource.previous)
    predicted = comparable(resource.predicted)
    for difference in differences(previous, comparable(failed), schema):
        path = difference.path
        if difference.before is not MISSING or difference.order_only or up_to_position(path) != path:
            continue
        held = find_field(predicted, path)
        if held is MISSING or find_field(new, path) is not MISSING:
            continue
        if not same_tree(held, find_field(comparable(resource.live.body), path)):
            continue
        if any(owner.is_helm for owner in owners_of(resource.live.body, path)):
            yield LeftField(resource.key, path, held, number)
