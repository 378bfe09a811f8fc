"""What the cluster holds after helm has ended, whatever helm said."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

import msgspec

from helmguard.cluster.api_errors import RequestTimeoutError
from helmguard.cluster.live_objects import read_live
from helmguard.cluster.release_storage import read_history, read_revision_index
from helmguard.compare.bookkeeping import is_controllers
from helmguard.compare.comparable import comparable
from helmguard.compare.differences import differences as field_differences
from helmguard.errors import HelmguardError
from helmguard.execute.operation import Operation
from helmguard.model.execution import ObjectOutcome, ObjectState, RevisionFound
from helmguard.model.json_value import JSONObject
from helmguard.model.live_state import LiveState, Present, Unreadable
from helmguard.model.plan import Plan, ResourceChange
from helmguard.model.release import History
from helmguard.model.resource_key import ResourceKey
from helmguard.verify.actual import differences

_IDLE = ("unchanged", "keep")
_NO_RECORD = re.compile(
    r"another operation \(install/upgrade/rollback\) is in progress|has no deployed releases"
    r"|cannot re-?use a name that is still in use|sh\.helm\.release\.v1\.\S+ already exists"
    r"|release: already exists"
)
"""Refusals of Helm before it has stored a revision."""


class Found(msgspec.Struct, frozen=True):
    """As the fields of `Execution`. ``gone``: the records that the plan knew are not there any more;
    ``hangs``: the API server does not answer at all."""

    revisions: tuple[RevisionFound, ...] = ()
    read_back: str = ""
    gone: bool = False
    hangs: bool = False


def new_revisions(operation: Operation) -> Found:
    """The revisions that the plan did not know, oldest first."""
    try:
        return _new_revisions(operation)
    except HelmguardError as error:
        return Found(read_back=error.message, hangs=isinstance(error, RequestTimeoutError))


def _new_revisions(operation: Operation) -> Found:
    session, plan = operation.session, operation.plan
    name, known = plan.release.name, plan.release.last_revision or 0
    history, gone = History(name, plan.release.namespace, ()), False
    if session.connection.driver == "sql":
        from helmguard.helm.release_by_helm import read_history as read_history_by_helm

        history = read_history_by_helm(session.command, name)
    else:
        index = read_revision_index(session.connection, session.namespace, name)
        newer = [stored.version for stored in index if stored.version and stored.version > known]
        gone = known > 0 and not index
        if newer:
            history = read_history(session.connection, session.namespace, name, newer)
    found = [revision for revision in history.revisions if revision.version > known]
    return Found(
        tuple(RevisionFound(each.version, each.status, each.description) for each in found), gone=gone
    )


def own_revision(
    plan: Plan, revisions: Iterable[RevisionFound], message: str, version: int | None
) -> RevisionFound | None:
    """The revision that this run stored: the one that helm named, else the first that is new.

    None where helm stopped before it stored any: what is new is then somebody else's.
    """
    if version is None and _NO_RECORD.search(message):
        return None
    wanted = version or plan.release.to_revision
    return next((revision for revision in revisions if revision.number == wanted), None)


def object_outcomes(operation: Operation) -> tuple[ObjectOutcome, ...]:
    """What became of each object that the plan meant to change; unknown where it cannot be read.

    Of hooks only what helm left behind is told: it deletes most of them itself.
    """
    meant = _meant(operation)
    session = operation.session
    wanted = [(change.prediction.key, change.prediction.api_version) for change in meant]
    try:
        actual = read_live(session.connection, session.discovery, wanted)
    except HelmguardError as error:
        return unread_objects(operation, error.message)
    return outcomes(operation.plan, meant, actual)


def unread_objects(operation: Operation, why: str) -> tuple[ObjectOutcome, ...]:
    """The same where none can be read."""
    meant = _meant(operation)
    actual = {change.prediction.key: Unreadable(why) for change in meant}
    return outcomes(operation.plan, meant, actual)


def _meant(operation: Operation) -> list[ResourceChange]:
    return [
        change
        for change in operation.plan.resources
        if change.action not in _IDLE and change.prediction.key.name
    ]


def outcomes(
    plan: Plan, meant: Iterable[ResourceChange], actual: Mapping[ResourceKey, LiveState]
) -> tuple[ObjectOutcome, ...]:
    """Pure: each object beside what it was and what it was to become."""
    meant = tuple(meant)
    part = msgspec.structs.replace(plan, resources=meant)
    differing = {difference.key: difference for difference in differences(part, actual)}
    found = []
    for change in meant:
        if not _is_hook(change):
            state = _state(change, actual, differing)
        elif _was_left(change, actual):
            state = ("otherwise", "a hook that helm has left in the cluster")
        else:
            continue
        found.append(ObjectOutcome(change.prediction.key, change.action, *state))
    return tuple(found)


def _is_hook(change: ResourceChange) -> bool:
    return change.action == "hook" or bool(change.hook_events)


def _was_left(change: ResourceChange, actual: Mapping[ResourceKey, LiveState]) -> bool:
    before, now = change.prediction.live, actual.get(change.prediction.key)
    uid = _uid(now)
    return bool(uid) and uid != _uid(before)


def _uid(state: LiveState | None) -> str:
    return str((state.body.get("metadata") or {}).get("uid")) if isinstance(state, Present) else ""


def _state(
    change: ResourceChange, actual: Mapping[ResourceKey, LiveState], differing: Mapping[ResourceKey, object]
) -> tuple[ObjectState, str]:
    prediction = change.prediction
    now = actual.get(prediction.key)
    if now is None or isinstance(now, Unreadable):
        return "unknown", now.why if now is not None else "not read"
    if isinstance(prediction.live, Unreadable):
        return "unknown", "it could not be read before, either"
    if _is_same(_body(prediction.live), _body(now)):
        return "not done", ""
    if prediction.unknown:
        return "otherwise", "it has changed; how was not foretold"
    if prediction.key in differing:
        gone = _body(now) is None
        return "otherwise", "it is gone" if gone else "it has changed, and is not what was planned"
    return "done", ""


def _is_same(before: JSONObject | None, now: JSONObject | None) -> bool:
    """What a controller notes down for itself is no change: going back leaves another number behind."""
    if before is None or now is None:
        return before is now
    return all(is_controllers(difference.path) for difference in field_differences(before, now))


def _body(state: LiveState) -> JSONObject | None:
    """What counts of a live object; being deleted is as good as gone."""
    if not isinstance(state, Present) or (state.body.get("metadata") or {}).get("deletionTimestamp"):
        return None
    return comparable(state.body)
