"""Live objects with the release's marks that only other revisions than the deployed one name."""

from __future__ import annotations

from collections.abc import Collection

from helmguard.manifest.objects import IsNamespaced
from helmguard.model.live_state import Present, Unreadable
from helmguard.model.plan import LeftOver, Unknown
from helmguard.model.release import History, Revision
from helmguard.model.resource_key import ResourceKey
from helmguard.planner.failed_revisions import objects_of_revisions
from helmguard.planner.inputs import PlanInputs
from helmguard.planner.scopes import namespaced_lookup
from helmguard.predict.deletions import is_kept
from helmguard.predict.ownership import wrong_marks

Named = dict[ResourceKey, tuple[str, Revision]]
"""Key, with the apiVersion and the last revision that has it."""

_NOT_READ = Unreadable("the bundle does not hold its live state")


def named_by_revisions(history: History, namespaced: IsNamespaced) -> Named:
    """All objects of all stored manifests; a manifest that cannot be read names none."""
    objects = objects_of_revisions(history.revisions, history.namespace, namespaced)
    return {
        item.key: (item.api_version, revision)
        for revision in history.revisions
        for item in objects[revision.version]
        if item.name
    }


def left_over_objects(
    inputs: PlanInputs, held: Collection[ResourceKey]
) -> tuple[tuple[LeftOver, ...], tuple[Unknown, ...]]:
    """Those that are live; and those of which that could not be read. ``held`` is the deployed manifest's.

    What is being deleted is not left over: it goes, as soon as its finalizers let it.
    """
    found: list[LeftOver] = []
    unknown: list[Unknown] = []
    for key, (api_version, revision) in named_by_revisions(inputs.history, namespaced_lookup(inputs)).items():
        if key in held:
            continue
        live = inputs.live.get(key, _NOT_READ)
        if isinstance(live, Unreadable):
            why = f"revision {revision.version} has it; whether it is left over is not known: {live.why}"
            unknown.append(Unknown(str(key), why))
        elif isinstance(live, Present) and not wrong_marks(live.body, inputs.release, inputs.namespace):
            metadata = live.body.get("metadata") or {}
            if metadata.get("deletionTimestamp"):
                continue
            created = str(metadata.get("creationTimestamp") or "")
            kept = is_kept(live.body)
            found.append(LeftOver(key, api_version, revision.version, revision.status, kept, created))
    return tuple(found), tuple(unknown)
