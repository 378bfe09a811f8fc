"""Actual objects beside predicted ones. Pure; ``read_actual`` is the edge."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from typing import TYPE_CHECKING

import msgspec

from helmguard.compare.comparable import comparable
from helmguard.compare.differences import differences as field_differences
from helmguard.compare.ended_jobs import removes_itself
from helmguard.model.field_path import format_path
from helmguard.model.json_value import JSONObject
from helmguard.model.live_state import Absent, KindNotServed, LiveState, Present, Unreadable
from helmguard.model.plan import Plan, ResourceChange, Unknown
from helmguard.model.prediction import ResourcePrediction
from helmguard.model.resource_key import ResourceKey
from helmguard.model.verification import FieldDifference, ObjectDifference
from helmguard.predict.schema.builtin_types import builtin_type
from helmguard.predict.schema.value_type import ANY, ValueType
from helmguard.verify.field_judgement import Sides, judge_field

if TYPE_CHECKING:
    from helmguard.cluster.connection import Connection
    from helmguard.model.discovery import Discovery

TypeOf = Callable[[str, str], ValueType]


class Comparison(msgspec.Struct, frozen=True):
    """As the fields of ``Verification``."""

    compared: int
    differences: tuple[ObjectDifference, ...]
    remarks: tuple[ObjectDifference, ...]
    unknown: tuple[Unknown, ...]


class _Compared(msgspec.Struct, frozen=True):
    """One object; None and empty where there is nothing to say."""

    difference: ObjectDifference | None = None
    remark: ObjectDifference | None = None
    unknown: str = ""


def type_of(api_version: str, kind: str) -> ValueType:
    """The type of a built-in kind; ANY for others, whose lists are then matched by their likely keys."""
    return builtin_type(api_version, kind) or ANY


def differences(plan: Plan, actual: Mapping[ResourceKey, LiveState]) -> tuple[ObjectDifference, ...]:
    """The objects of the plan that are not as predicted, hooks left out. See ``compare_objects``."""
    return compare_objects(plan, actual).differences


def compare_objects(
    plan: Plan,
    actual: Mapping[ResourceKey, LiveState],
    types: TypeOf = type_of,
    *,
    renamed: Collection[ResourceKey] = (),
) -> Comparison:
    """Each object of the plan beside what is there. Hooks are left out: their traces are no promise.

    What is predicted with a doubt is compared too; where it differs and nobody else wrote the field, that
    counts for nothing and is unknown. ``renamed`` are objects that the real run called otherwise.
    """
    found: list[tuple[ResourceChange, _Compared]] = []
    for resource in checked_resources(plan):
        if resource.prediction.key in renamed:
            continue
        state = actual.get(resource.prediction.key, Unreadable("it was not read"))
        found.append((resource, _compare(plan, resource, state, types)))
    return Comparison(
        compared=sum(not each.unknown for _, each in found),
        differences=tuple(each.difference for _, each in found if each.difference is not None),
        remarks=tuple(each.remark for _, each in found if each.remark is not None),
        unknown=tuple(
            Unknown(str(resource.prediction.key), each.unknown) for resource, each in found if each.unknown
        ),
    )


def checked_resources(plan: Plan) -> Iterator[ResourceChange]:
    """The objects whose actual state is compared."""
    return (resource for resource in plan.resources if not resource.hook_events and resource.action != "hook")


def wanted_objects(plan: Plan) -> dict[ResourceKey, str]:
    """What to read for it: key and apiVersion."""
    return {
        resource.prediction.key: resource.prediction.api_version
        for resource in checked_resources(plan)
        if resource.prediction.key.name
    }


def read_actual(connection: Connection, discovery: Discovery, plan: Plan) -> dict[ResourceKey, LiveState]:
    """The live state of each object of the plan, read side by side.

    Raises:
        ClusterError: the server is unreachable or refuses the credentials.
    """
    from helmguard.cluster.live_objects import read_live

    return read_live(connection, discovery, wanted_objects(plan).items())


def _unstable_of(plan: Plan, resource: ResourceChange) -> frozenset[str]:
    """The object's unstable fields as they are written; ``Plan.unstable`` is ``Kind/name path``."""
    begin = f"{resource.prediction.key} "
    return frozenset(entry.removeprefix(begin) for entry in plan.unstable if entry.startswith(begin))


def _compare(plan: Plan, resource: ResourceChange, state: LiveState, types: TypeOf) -> _Compared:
    prediction = resource.prediction
    if isinstance(state, Unreadable):
        if not prediction.key.name or isinstance(prediction.live, Unreadable):
            return _Compared(unknown=prediction.unknown or state.why)
        return _Compared(_whole(prediction, "unreadable", state.why))
    if prediction.action == "unknown":
        return _Compared(unknown=prediction.unknown or prediction.why)
    is_there = isinstance(state, Present) and not _is_being_deleted(state.body)
    if prediction.predicted is None:
        return _compare_absent(prediction, state) if isinstance(state, Present) else _Compared()
    if not is_there and removes_itself(prediction.predicted):
        why = "a Job that is removed after its end (ttlSecondsAfterFinished)"
        return _Compared(remark=_whole(prediction, "missing", why))
    if not is_there:
        return _doubtful(prediction, _Compared(_whole(prediction, "missing", _why_missing(state))))
    assert isinstance(state, Present)
    return _doubtful(prediction, _compare_fields(plan, resource, prediction.predicted, state, types))


def _compare_absent(prediction: ResourcePrediction, state: Present) -> _Compared:
    if _is_being_deleted(state.body):
        waits = ", ".join(state.body["metadata"].get("finalizers") or ()) or "what it owns"
        return _Compared(remark=_whole(prediction, "still there", f"being deleted; waits for {waits}"))
    before = prediction.live
    was_there = isinstance(before, Present)
    if was_there and _uid(before.body) == _uid(state.body):  # type: ignore[union-attr]
        return _doubtful(prediction, _Compared(_whole(prediction, "still there", "")))
    why = "it was deleted and somebody created it again" if was_there else ""
    return _doubtful(prediction, _Compared(_whole(prediction, "not expected", why)))


def _compare_fields(
    plan: Plan, resource: ResourceChange, predicted: JSONObject, state: Present, types: TypeOf
) -> _Compared:
    prediction = resource.prediction
    before = prediction.live.body if isinstance(prediction.live, Present) else {}
    sides = Sides(
        comparable(prediction.new),
        comparable(before),
        before,
        state.body,
        _unstable_of(plan, resource),
        frozenset(format_path(item.change.path) for item in resource.ignored),
    )
    schema = types(str(state.body.get("apiVersion")), prediction.key.kind)
    counted: list[FieldDifference] = []
    remarks: list[FieldDifference] = []
    for found in field_differences(comparable(predicted), comparable(state.body), schema):
        judgement = judge_field(found.path, found.before, found.after, sides)
        if judgement.verdict == "nothing":
            continue
        owner = judgement.owner
        field = FieldDifference(
            found.path,
            found.before,
            found.after,
            manager=str(owner) if owner else "",
            since=owner.time if owner else "",
            note=judgement.note or ("the order differs" if found.order_only else ""),
        )
        (counted if judgement.verdict == "counts" else remarks).append(field)
    return _Compared(
        _fields(prediction, counted) if counted else None, _fields(prediction, remarks) if remarks else None
    )


def _doubtful(prediction: ResourcePrediction, compared: _Compared) -> _Compared:
    """Where the prediction was in doubt, a difference counts only if somebody else wrote the field."""
    found = compared.difference
    if not prediction.unknown or found is None:
        return compared
    written = [field for field in found.fields if field.manager]
    if len(written) == len(found.fields) and written:
        return compared
    difference = _fields(prediction, written) if written else None
    return _Compared(difference, compared.remark, prediction.unknown)


def _is_being_deleted(body: JSONObject) -> bool:
    return bool((body.get("metadata") or {}).get("deletionTimestamp"))


def _uid(body: JSONObject) -> str:
    return str((body.get("metadata") or {}).get("uid") or "")


def _why_missing(state: LiveState) -> str:
    if isinstance(state, Present):
        return f"being deleted since {state.body['metadata']['deletionTimestamp']}"
    if isinstance(state, KindNotServed):
        return f"the cluster does not serve {state.kind} of {state.api_version}"
    return "" if isinstance(state, Absent) else "not read"


def _whole(prediction: ResourcePrediction, kind: str, why: str) -> ObjectDifference:
    return ObjectDifference(prediction.key, prediction.api_version, kind, why=why)  # type: ignore[arg-type]


def _fields(prediction: ResourcePrediction, fields: list[FieldDifference]) -> ObjectDifference:
    return ObjectDifference(prediction.key, prediction.api_version, "differs", tuple(fields))
