"""Changes and drift that the configuration ignores: taken out of sight before anything is judged."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from datetime import date

from msgspec.structs import replace

from helmguard.compare.equal_trees import same_tree
from helmguard.config.config import Ignore
from helmguard.config.gate import is_expired
from helmguard.config.globs import name_matches, path_matches
from helmguard.model.field_change import MISSING, FieldChange
from helmguard.model.field_path import FieldPath, format_path
from helmguard.model.finding import Finding, Place
from helmguard.model.json_value import JSONValue
from helmguard.model.plan import IgnoredChange, IgnoredKind, ResourceChange
from helmguard.model.resource_key import ResourceKey

_WHOLE = frozenset(["create", "recreate", "delete", "replace"])
"""Here the object comes or goes as a whole; its fields are no news of their own."""


def without_ignored(
    resources: Iterable[ResourceChange], ignores: Sequence[Ignore], today: date | None
) -> tuple[ResourceChange, ...]:
    """The same objects; what an ignore covers is moved from their changes and drift to ``ignored``.

    What Helm fails on stays in sight: ignoring it would not make Helm succeed.
    """
    valid = [ignore for ignore in ignores if not is_expired(ignore.expires, today)]
    if not valid:
        return tuple(resources)
    return tuple(_without_ignored(resource, valid) for resource in resources)


def expired_matches(
    resources: Iterable[ResourceChange], ignores: Sequence[Ignore], today: date | None
) -> list[tuple[Ignore, int]]:
    """The ignores that have expired and would cover something still, with how many changes that is."""
    expired = [ignore for ignore in ignores if is_expired(ignore.expires, today)]
    if not expired:
        return []
    changes = [item for resource in resources for item in _ignorable(resource)]
    found = []
    for ignore in expired:
        count = sum(_covers(ignore, key, change) for key, _, change in changes)
        found += [(ignore, count)] if count else []
    return found


def without_resting_on_ignored(
    findings: Iterable[Finding], resources: Iterable[ResourceChange]
) -> Iterator[Finding]:
    """The findings but for those about one field of an object where every change of that field is ignored.

    A loss of data is never put out of sight this way: it takes a waiver with the word for it.
    """
    aside = [resource for resource in resources if resource.ignored]
    for finding in findings:
        where = finding.where
        if where.on != "object" or not where.field or finding.data_loss or not _is_ignored(where, aside):
            yield finding


def _is_ignored(where: Place, aside: Iterable[ResourceChange]) -> bool:
    named = [resource for resource in aside if str(resource.prediction.key) == where.name]
    ignored = [item.change for resource in named for item in resource.ignored]
    seen = [change for resource in named for _, _, change in _ignorable(resource)]
    return any(_is_at(change, where.field) for change in ignored) and not any(
        _is_at(change, where.field) for change in seen
    )


def _is_at(change: FieldChange, field: str) -> bool:
    """Whether the change is at the field, around it or inside it."""
    path = format_path(change.path)
    longer, shorter = (path, field) if len(path) >= len(field) else (field, path)
    return longer.startswith(shorter) and longer[len(shorter) : len(shorter) + 1] in ("", ".", "[")


def _without_ignored(resource: ResourceChange, ignores: Sequence[Ignore]) -> ResourceChange:
    covered: dict[tuple[IgnoredKind, FieldPath], Ignore] = {}
    for key, kind, change in _ignorable(resource):
        ignore = next((each for each in ignores if _covers(each, key, change)), None)
        if ignore is not None:
            covered[kind, change.path] = ignore
    if not covered:
        return resource

    def kept(kind: IgnoredKind, changes: tuple[FieldChange, ...]) -> tuple[FieldChange, ...]:
        return tuple(change for change in changes if (kind, change.path) not in covered)

    return replace(
        resource,
        changes=kept("change", resource.changes),
        drift=kept("drift", resource.drift),
        latent=kept("latent", resource.latent),
        ignored=tuple(
            IgnoredChange(
                kind,
                change,
                covered[kind, change.path].entry.file,
                covered[kind, change.path].entry.line,
                covered[kind, change.path].reason,
            )
            for _, kind, change in _ignorable(resource)
            if (kind, change.path) in covered
        ),
    )


def _ignorable(resource: ResourceChange) -> Iterator[tuple[ResourceKey, IgnoredKind, FieldChange]]:
    if resource.action in _WHOLE or resource.prediction.error:
        return
    key = resource.prediction.key
    yield from ((key, "change", change) for change in resource.changes)
    yield from ((key, "drift", change) for change in resource.drift)
    yield from ((key, "latent", change) for change in resource.latent)


def _covers(ignore: Ignore, key: ResourceKey, change: FieldChange) -> bool:
    return (
        name_matches(ignore.kind, key.kind)
        and name_matches(ignore.name, key.name)
        and name_matches(ignore.namespace, key.namespace or "")
        and name_matches(ignore.manager, change.manager)
        and _covers_path(ignore.path, change)
    )


def _covers_path(glob: str, change: FieldChange) -> bool:
    """A change of a whole map is covered where each of the entries that differ is.

    Of what Helm leaves as it is, that is what differs from the manifest.
    """
    if path_matches(glob, change.path):
        return True
    other = change.new if same_tree(change.before, change.after) else change.after
    differing = list(_differing(change.path, change.before, other))
    return bool(differing) and all(path_matches(glob, path) for path in differing)


def _differing(path: FieldPath, before: JSONValue, after: JSONValue) -> Iterator[FieldPath]:
    """The fields that differ, down to what is no map."""
    if not any(isinstance(side, dict) and side for side in (before, after)):
        yield path
        return
    sides = [side if isinstance(side, dict) else {} for side in (before, after)]
    if any(side is not MISSING and not isinstance(side, dict) for side in (before, after)):
        yield path
        return
    for name in dict.fromkeys([*sides[0], *sides[1]]):
        one, other = (side.get(name, MISSING) for side in sides)
        if not same_tree(one, other):
            yield from _differing((*path, name), one, other)
