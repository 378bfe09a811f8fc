"""How far a revision came before it failed or was killed: three states of each object, compared. Pure."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence

from helmguard.compare.comparable import comparable
from helmguard.compare.declared import holds
from helmguard.compare.differences import differences
from helmguard.compare.equal_trees import same_tree
from helmguard.compare.find_field import find_field, up_to_position
from helmguard.compare.list_keys import below
from helmguard.manifest.kind_order import install_order, sort_by_kind
from helmguard.manifest.objects import ManifestObject
from helmguard.model.field_change import MISSING
from helmguard.model.field_path import FieldPath
from helmguard.model.json_value import JSONObject
from helmguard.model.live_state import Absent, LiveState, Present, Unreadable
from helmguard.model.release_state import AppliedObject, AppliedState, Progress
from helmguard.model.resource_key import ResourceKey
from helmguard.predict.deletions import is_kept
from helmguard.predict.ownership import wrong_marks
from helmguard.predict.schema.value_type import ValueType

TypeOf = Callable[[str, str], ValueType]
_NOT_READ = Unreadable("its live state was not read")


def progress_of(
    revision: int,
    compared_with: int | None,
    before: Sequence[ManifestObject],
    after: Sequence[ManifestObject],
    live: Mapping[ResourceKey, LiveState],
    marks: tuple[str, str],
    type_of: TypeOf,
    helm_major: int,
) -> Progress:
    """Whether each change of the revision is in the cluster; ``marks`` are the release's name and namespace.

    A change counts as applied where the live object holds what the new manifest says of each field that
    differs between both manifests; who else wrote the object does not matter.
    """
    old = {item.key: item for item in before if item.name}
    new = {item.key: item for item in after if item.name}
    found: list[AppliedObject] = []
    for item in sort_by_kind(new.values(), lambda each: each.kind, install_order(helm_major)):
        state = live.get(item.key, _NOT_READ)
        known = old.get(item.key)
        if known is None:
            found.append(_created(item, state, marks))
        elif not same_tree(known.body, item.body):
            found += _updated(known, item, state, type_of)
    found += [_deleted(item, live.get(key, _NOT_READ)) for key, item in old.items() if key not in new]
    return Progress(revision, compared_with, tuple(found), len(old.keys() | new.keys()) - len(found))


def _created(item: ManifestObject, live: LiveState, marks: tuple[str, str]) -> AppliedObject:
    def told(state: AppliedState, why: str = "") -> AppliedObject:
        return AppliedObject(item.key, item.api_version, "create", state, why=why)

    if isinstance(live, Unreadable):
        return told("unknown", live.why)
    if not isinstance(live, Present):
        return told("not applied")
    if wrong_marks(live.body, *marks):
        return told("not applied", "the live object is not this release's")
    return told("applied")


def _deleted(item: ManifestObject, live: LiveState) -> AppliedObject:
    def told(state: AppliedState, why: str = "") -> AppliedObject:
        return AppliedObject(item.key, item.api_version, "delete", state, why=why)

    if isinstance(live, Unreadable):
        return told("unknown", live.why)
    if isinstance(live, Absent):
        return told("applied")
    if isinstance(live, Present):
        if is_kept(live.body):
            return told("not applied", "asks to be kept")
        if (live.body.get("metadata") or {}).get("deletionTimestamp"):
            return told("applied", "is being deleted")
    return told("not applied")


def _updated(
    before: ManifestObject, after: ManifestObject, live: LiveState, type_of: TypeOf
) -> Iterator[AppliedObject]:
    """Nothing where the two documents mean the same."""
    schema = type_of(after.api_version, after.kind)
    old, new = comparable(before.body), comparable(after.body)
    paths = dict.fromkeys(up_to_position(each.path) for each in differences(old, new, schema))
    if not paths:
        return
    if isinstance(live, Unreadable):
        yield AppliedObject(after.key, after.api_version, "update", "unknown", why=live.why)
        return
    if not isinstance(live, Present):
        yield AppliedObject(
            after.key, after.api_version, "update", "not applied", why="is not in the cluster"
        )
        return
    body = comparable(live.body)
    missing = tuple(path for path in paths if not _is_as(path, new, old, body, schema))
    if not missing:
        yield AppliedObject(after.key, after.api_version, "update", "applied")
        return
    untouched = all(_is_as(path, old, new, body, schema) for path in missing)
    state: AppliedState = "not applied" if len(missing) == len(paths) and untouched else "partly"
    why = "" if untouched else "holds neither revision's value"
    yield AppliedObject(after.key, after.api_version, "update", state, missing, why)


def _is_as(
    path: FieldPath, manifest: JSONObject, other: JSONObject, live: JSONObject, schema: ValueType
) -> bool:
    """Whether the live object is at this place as the manifest wants it; ``other`` is the other manifest.

    What a manifest leaves out is as it wants it once the other one's value is gone: a default may be there.
    """
    wanted, held = find_field(manifest, path), find_field(live, path)
    type_ = _type_at(schema, path)
    if wanted is MISSING:
        return held is MISSING or not holds(find_field(other, path), held, type_)
    return holds(wanted, held, type_)


def _type_at(schema: ValueType, path: FieldPath) -> ValueType:
    """The type of what stands at a path."""
    for step in path:
        schema = below(schema, step) if isinstance(step, str) else schema.element()
    return schema
