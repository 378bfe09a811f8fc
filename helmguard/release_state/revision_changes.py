"""What changed from one stored revision to the next: values, chart, objects, hooks. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import msgspec
from msgspec.structs import replace

from helmguard.compare.bookkeeping import is_bookkeeping
from helmguard.compare.comparable import comparable
from helmguard.compare.context import CompareContext
from helmguard.compare.differences import differences
from helmguard.compare.equal_trees import same_tree
from helmguard.errors import ManifestError
from helmguard.manifest.hooks import hooks_of
from helmguard.manifest.objects import IsNamespaced, ManifestObject, read_objects
from helmguard.model.field_path import FieldPath
from helmguard.model.helm_version import HelmVersion
from helmguard.model.release import Revision
from helmguard.model.resource_key import ResourceKey
from helmguard.model.revision_changes import ObjectChange, RevisionChanges
from helmguard.model.value_change import ValueChange
from helmguard.planner.stored_values import stored_values
from helmguard.release_state.condition import is_rollback
from helmguard.values.value_tree import find, is_set, leaves, same_value

_CONTEXT = CompareContext()
_ORDER = {"lost override": 0, "values": 1, "default": 2, "chart": 3}


class ReadRevision(msgspec.Struct, frozen=True):
    """A revision with its objects and hooks by key; ``unread`` says what of it cannot be read."""

    revision: Revision
    objects: Mapping[ResourceKey, ManifestObject]
    hooks: Mapping[ResourceKey, ManifestObject]
    unread: str = ""


def read_revision(revision: Revision, namespace: str, is_namespaced: IsNamespaced) -> ReadRevision:
    """The manifest is read once, and documents that an earlier one holds as well not again."""
    unread = ""
    objects: dict[ResourceKey, ManifestObject] = {}
    hooks: dict[ResourceKey, ManifestObject] = {}
    try:
        for item in read_objects(revision.manifest, namespace, is_namespaced):
            objects.setdefault(item.key, item)
        for hook in hooks_of(revision.hooks):
            hooks.setdefault(hook.object.key, hook.object)
    except ManifestError as error:
        unread = f"revision {revision.version}: {error.message}"
    return ReadRevision(revision, objects, hooks, unread)


def changes_between(before: ReadRevision, after: ReadRevision, helm: HelmVersion) -> RevisionChanges:
    """What the later one says otherwise."""
    old, new = before.revision, after.revision
    unread = "; ".join(text for text in (before.unread, after.unread) if text)
    return RevisionChanges(
        compared_with=old.version,
        values=tuple(told_values(old, new, helm)),
        idle=tuple(_idle(old, new, helm)),
        chart=_pair(_chart(old), _chart(new)),
        app_version=_pair(old.app_version, new.app_version),
        objects=() if unread else tuple(_objects(before.objects, after.objects)),
        hooks=() if unread else tuple(_objects(before.hooks, after.hooks)),
        unread=unread,
    )


def _chart(revision: Revision) -> str:
    return f"{revision.chart_name} {revision.chart_version}".rstrip()


def _pair(before: str, after: str) -> tuple[str, str] | None:
    return None if before == after else (before, after)


def told_values(old: Revision, new: Revision, helm: HelmVersion) -> list[ValueChange]:
    """The effective values, lost overrides first.

    What a rollback takes back was not lost by mistake, and an older revision has lost nothing to a newer one.
    """
    found = [_told(change, new) for change in stored_values(old, new, helm).changes]
    return sorted(found, key=lambda change: _ORDER[change.cause])


def _told(change: ValueChange, new: Revision) -> ValueChange:
    before, after = change.provenance_before, change.provenance_after
    was_set = before is not None and before.kind == "previous revision"
    is_set_now = after is not None and after.kind == "previous revision"
    if was_set and not is_set_now and before is not None and not _goes_back(before.revision, new):
        return replace(change, cause="lost override")
    return change


def _goes_back(before: int, new: Revision) -> bool:
    return is_rollback(new) or new.version < before


def _idle(old: Revision, new: Revision, helm: HelmVersion) -> Iterator[FieldPath]:
    """Values of the user's that came or went and whose effective value is what it was."""
    changed = {change.path for change in stored_values(old, new, helm).changes}
    for mine, others in ((old.config or {}, new.config or {}), (new.config or {}, old.config or {})):
        for path, value in leaves(mine):
            if not path or (is_set(others, path) and same_value(find(others, path), value)):
                continue
            touched = any(each[: len(path)] == path or path[: len(each)] == each for each in changed)
            if not touched and not is_set(others, path):
                yield path


def _objects(
    before: Mapping[ResourceKey, ManifestObject], after: Mapping[ResourceKey, ManifestObject]
) -> Iterator[ObjectChange]:
    for key, item in after.items():
        known = before.get(key)
        if known is None:
            yield ObjectChange(key, item.api_version, "added")
        elif not same_tree(known.body, item.body):
            changed = _changed(known, item)
            if changed is not None:
                yield changed
    for key, item in before.items():
        if key not in after:
            yield ObjectChange(key, item.api_version, "removed")


def _changed(before: ManifestObject, after: ManifestObject) -> ObjectChange | None:
    """None where the two documents mean the same."""
    schema = _CONTEXT.type_of(after.api_version, after.kind)
    paths = tuple(each.path for each in differences(comparable(before.body), comparable(after.body), schema))
    if not paths:
        return None
    return ObjectChange(after.key, after.api_version, "changed", paths, all(map(is_bookkeeping, paths)))
