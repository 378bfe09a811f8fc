"""Objects of the context: every object of either manifest, and what Helm will do to it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Annotated

from helmguard.model.field_change import FieldChange, or_null
from helmguard.model.field_path import format_path
from helmguard.model.json_value import JSONValue
from helmguard.model.live_state import Present, Unreadable
from helmguard.model.plan import ResourceChange
from helmguard.rules.context.record import UNKNOWN, Record, Unknown
from helmguard.rules.facts import Facts


class Change(Record, frozen=True):
    """One field of an object that Helm changes, or that somebody else changed and Helm leaves."""

    path: Annotated[str, "where: `spec.template.spec.containers[name=web].image`"]
    before: Annotated[JSONValue, "live before; null for absent"]
    after: Annotated[JSONValue, "predicted after; null for absent"]
    old: Annotated[JSONValue, "what the previous manifest says; null for absent"] = None
    new: Annotated[JSONValue, "what the new manifest says; null for absent"] = None
    cause: Annotated[str, "why it changes: a cause of docs/plan-format.md (`chart`, `values`, …)"] = "chart"
    manager: Annotated[str, "the field manager beside Helm that owns the live value, else empty"] = ""
    since: Annotated[str, "when that manager last wrote to the object, as the API gives it"] = ""
    value: Annotated[str, "the values path that the change was traced to, empty where it was not"] = ""
    bookkeeping: Annotated[bool, "a label that only carries the chart's version"] = False


class Object(Record, frozen=True):
    """One object of either manifest."""

    ref: Annotated[str, "its name on the page: `Kind/name`, with the namespace where it is another one"]
    kind: Annotated[str, "`Deployment`"]
    group: Annotated[str, "API group, empty for the core one"] = ""
    api_version: Annotated[str, "`apps/v1`"] = ""
    namespace: Annotated[str | None, "null for cluster-scoped kinds"] = None
    name: Annotated[str, "its name"] = ""
    action: Annotated[str, "what Helm will do: an action of docs/plan-format.md"] = "unchanged"
    cause: Annotated[str, "why the object enters or leaves the manifest, empty where it does neither"] = ""
    source: Annotated[str, "the template its document comes from"] = ""
    old: Annotated[JSONValue, "its document in the previous manifest, null where that has none"] = None
    new: Annotated[JSONValue, "its document in the new manifest, null where that has none"] = None
    live: Annotated[JSONValue | Unknown, "the object in the cluster now, null where there is none"] = UNKNOWN
    after: Annotated[JSONValue, "the object after Helm, null where there is none"] = None
    error: Annotated[str, "the text Helm will fail with on this object, empty for none"] = ""
    changes: Annotated[tuple[Change, ...], "fields that Helm changes"] = ()
    drift: Annotated[tuple[Change, ...], "fields that somebody else changed live and Helm leaves"] = ()


class Objects(Record, frozen=True):
    """The objects, by what happens to them. `all` holds each of them, the other lists parts of it."""

    all: Annotated[tuple[Object, ...], "every object of either manifest; hooks are in `hooks`"] = ()
    created: Annotated[tuple[Object, ...], "absent before, there after"] = ()
    deleted: Annotated[tuple[Object, ...], "there before, absent after"] = ()
    changed: Annotated[tuple[Object, ...], "there before and after, and different"] = ()
    kept: Annotated[tuple[Object, ...], "left the manifest, and stays live"] = ()


_CREATED = ("create", "recreate")
_CHANGED = ("update", "replace", "adopt")


def objects_of(facts: Facts) -> Objects:
    """The plan's objects; hooks are not among them."""
    found = tuple(object_of(resource) for resource in facts.resources if resource.action != "hook")
    return Objects(
        all=found,
        created=tuple(one for one in found if one.action in _CREATED),
        deleted=tuple(one for one in found if one.action == "delete"),
        changed=tuple(one for one in found if one.action in _CHANGED),
        kept=tuple(one for one in found if one.action == "keep"),
    )


def object_of(resource: ResourceChange) -> Object:
    """One object of the plan as rules see it."""
    prediction = resource.prediction
    key = prediction.key
    return Object(
        ref=str(key),
        kind=key.kind,
        group=key.group,
        api_version=prediction.api_version,
        namespace=key.namespace,
        name=key.name,
        action=resource.action,
        cause=resource.cause,
        source=prediction.source,
        old=prediction.previous,
        new=prediction.new,
        live=_live(resource),
        after=prediction.predicted,
        error=prediction.error,
        changes=changes_of(resource.changes),
        drift=changes_of(resource.drift),
    )


def changes_of(changes: Iterable[FieldChange]) -> tuple[Change, ...]:
    """Field changes as rules see them: null for what is not there."""
    return tuple(
        Change(
            path=format_path(change.path),
            before=or_null(change.before),
            after=or_null(change.after),
            old=or_null(change.previous),
            new=or_null(change.new),
            cause=change.cause,
            manager=change.manager,
            since=change.since,
            value=change.value_path,
            bookkeeping=change.bookkeeping,
        )
        for change in changes
    )


def _live(resource: ResourceChange) -> JSONValue | Unknown:
    live = resource.prediction.live
    if isinstance(live, Present):
        return live.body
    return UNKNOWN if isinstance(live, Unreadable) else None
