"""A plan as one JSON text and back, exactly: from it every report is rendered as when the plan was made."""

from __future__ import annotations

import json
from typing import Any

import msgspec
from msgspec.structs import fields, replace

from helmguard.model.field_change import MISSING
from helmguard.model.live_state import LiveState, Present
from helmguard.model.plan import Plan, ResourceChange, ValuesReport
from helmguard.model.surroundings import HookObject
from helmguard.model.value_facts import ValueFacts
from helmguard.report.plan_json import without_managed_fields

_MISSING_MARK = {"\0missing": True}
"""No YAML and no JSON that Helm takes has such a key."""


class PlanRecordError(ValueError):
    """The text is no plan of this version."""


def encode_plan(plan: Plan) -> bytes:
    """All that reports show of the plan; what only rules look at is left out, and who owns which field."""
    kept = replace(
        plan,
        context={},
        values=_without_facts(plan.values),
        resources=tuple(map(_resource, plan.resources)),
        around=replace(
            plan.around,
            hooks=tuple(map(_hook, plan.around.hooks)),
            previous_hooks=tuple(map(_hook, plan.around.previous_hooks)),
        ),
    )
    builtins = msgspec.to_builtins(kept, enc_hook=_encode_missing)
    return json.dumps(builtins, ensure_ascii=True, separators=(",", ":")).encode()


def decode_plan(text: bytes) -> Plan:
    """The plan.

    Raises:
        PlanRecordError: it is not one.
    """
    try:
        plan = msgspec.convert(json.loads(text), Plan)
    except (ValueError, RecursionError) as error:
        raise PlanRecordError(str(error)) from None
    restored: Plan = _with_missing(plan)
    return restored


def _encode_missing(value: object) -> Any:
    if value is MISSING:
        return _MISSING_MARK
    raise TypeError(f"{type(value).__name__} has no JSON")


def _with_missing(value: Any) -> Any:
    """MISSING is put back where it stood: in fields of records, never inside of JSON."""
    if isinstance(value, msgspec.Struct):
        found = {field.name: getattr(value, field.name) for field in fields(value)}
        restored = {name: _with_missing(inner) for name, inner in found.items()}
        changed = {name: inner for name, inner in restored.items() if inner is not found[name]}
        return replace(value, **changed) if changed else value
    if isinstance(value, tuple):
        items = [_with_missing(item) for item in value]
        same = all(new is old for new, old in zip(items, value, strict=True))
        return value if same else tuple(items)
    return MISSING if value == _MISSING_MARK else value


def _without_facts(values: ValuesReport) -> ValuesReport:
    return replace(values, facts=ValueFacts(), previous_config=None, config=None)


def _resource(resource: ResourceChange) -> ResourceChange:
    prediction = resource.prediction
    confirmation = prediction.confirmation
    return replace(
        resource,
        prediction=replace(
            prediction,
            live=_live(prediction.live),
            predicted=without_managed_fields(prediction.predicted),
            # What of the two objects differs is in the resource's ``local_differs``.
            confirmation=None if confirmation is None else replace(confirmation, server=None, local=None),
        ),
    )


def _hook(hook: HookObject) -> HookObject:
    return replace(hook, live=_live(hook.live))


def _live(state: LiveState) -> LiveState:
    return Present(without_managed_fields(state.body) or {}) if isinstance(state, Present) else state
