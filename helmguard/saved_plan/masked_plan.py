"""A plan with its secrets replaced by marks, still a plan: what may lie in a file that others read."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from functools import lru_cache
from typing import Any, Literal, get_args, get_origin, get_type_hints

import msgspec
from msgspec.structs import fields, replace

from helmguard.masking.masker import Masker
from helmguard.model.field_change import FieldChange
from helmguard.model.finding import Finding
from helmguard.model.json_value import JSONObject
from helmguard.model.live_state import LiveState, Present
from helmguard.model.plan import IgnoredChange, LocalDifference, Plan, ResourceChange
from helmguard.model.prediction import ResourcePrediction
from helmguard.model.resource_key import ResourceKey
from helmguard.model.surroundings import HookObject, LeftField, LostItems
from helmguard.model.value_change import ValueChange, ValueWarning
from helmguard.model.value_facts import ValueFacts


def masked_plan(plan: Plan, masker: Masker) -> Plan:
    """The plan as every report shows it with this masker."""
    values = replace(
        _fields_masked(replace(plan.values, facts=ValueFacts(), previous_config=None, config=None), masker),
        changes=tuple(_value_change(change, masker) for change in plan.values.changes),
        warnings=tuple(_value_warning(warning, masker) for warning in plan.values.warnings),
    )
    rest = replace(plan, resources=(), findings=(), known_secrets=frozenset(), context={}, keep_command="")
    masked: Plan = replace(
        _fields_masked(rest, masker, without=("values", "fingerprint", "release")),
        release=_release(plan, masker),
        values=values,
        resources=tuple(_resource(resource, masker) for resource in plan.resources),
        findings=tuple(_finding(finding, masker) for finding in plan.findings),
        keep_command=masker.command(plan.keep_command),
        fingerprint=_texts_masked(plan.fingerprint, masker),
    )
    return masked


def _masked(value: Any, masker: Masker) -> Any:
    special = _SPECIAL.get(type(value))
    if special is not None:
        return special(value, masker)
    if isinstance(value, msgspec.Struct):
        return _fields_masked(value, masker)
    if isinstance(value, tuple):
        return tuple(_masked(item, masker) for item in value)
    if isinstance(value, str):
        return masker.text(value)
    return masker.tree(value) if isinstance(value, dict) else value


def _fields_masked(record: Any, masker: Masker, without: tuple[str, ...] = ()) -> Any:
    """A record with its texts masked; a field that is one of a few fixed words is no secret."""
    kind: Any = type(record)
    fixed = _fixed_words(kind)
    changed = {}
    for field in fields(record):
        if field.name in without or field.name in fixed:
            continue
        value = getattr(record, field.name)
        masked = _masked(value, masker)
        if masked is not value:
            changed[field.name] = masked
    return replace(record, **changed) if changed else record


@lru_cache(maxsize=256)
def _fixed_words(record: Hashable) -> frozenset[str]:
    hints = get_type_hints(record)
    return frozenset(name for name, hint in hints.items() if _is_literal(hint))


def _is_literal(hint: Any) -> bool:
    if get_origin(hint) is Literal:
        return True
    arms = get_args(hint)
    return bool(arms) and all(get_origin(arm) is Literal for arm in arms)


def _release(plan: Plan, masker: Masker) -> Any:
    """Names of the release and its charts stay readable, as in every report."""
    release = plan.release
    return replace(
        release,
        chart=release.chart and replace(release.chart, reference=masker.text(release.chart.reference)),
        new_chart=replace(release.new_chart, reference=masker.text(release.new_chart.reference)),
        damaged=tuple(map(masker.text, release.damaged)),
    )


def _resource(resource: ResourceChange, masker: Masker) -> ResourceChange:
    key = resource.prediction.key

    def all_masked(changes: tuple[FieldChange, ...]) -> tuple[FieldChange, ...]:
        return tuple(_field_change(key, change, masker) for change in changes)

    return replace(
        resource,
        prediction=_prediction(resource.prediction, masker),
        changes=all_masked(resource.changes),
        drift=all_masked(resource.drift),
        latent=all_masked(resource.latent),
        local_differs=tuple(_local_difference(key, one, masker) for one in resource.local_differs),
        ignored=tuple(_ignored(key, one, masker) for one in resource.ignored),
    )


def _prediction(prediction: ResourcePrediction, masker: Masker) -> ResourcePrediction:
    texts = {name: masker.text(getattr(prediction, name)) for name in ("why", "error", "unknown")}
    confirmation = prediction.confirmation
    if confirmation is not None:
        confirmation = _fields_masked(replace(confirmation, server=None, local=None), masker)
    return replace(
        prediction,
        **texts,
        previous=masker.object(prediction.previous),
        new=masker.object(prediction.new),
        live=_live(prediction.live, masker),
        predicted=masker.object(prediction.predicted),
        confirmation=confirmation,
    )


def _live(state: LiveState, masker: Masker) -> LiveState:
    if isinstance(state, Present):
        return Present(masker.object(state.body) or {})
    masked: LiveState = _fields_masked(state, masker)
    return masked


def _field_change(key: ResourceKey, change: FieldChange, masker: Masker) -> FieldChange:
    values = ("before", "after", "previous", "new")
    sides = {name: masker.field(key, change.path, getattr(change, name)) for name in values}
    rest = _fields_masked(change, masker, without=(*values, "path"))
    masked: FieldChange = replace(rest, **sides, path=masker.steps(change.path))
    return masked


def _local_difference(key: ResourceKey, one: LocalDifference, masker: Masker) -> LocalDifference:
    local, server = (masker.field(key, one.path, value) for value in (one.local, one.server))
    return LocalDifference(masker.steps(one.path), local, server)


def _ignored(key: ResourceKey, one: IgnoredChange, masker: Masker) -> IgnoredChange:
    return replace(one, change=_field_change(key, one.change, masker), reason=masker.text(one.reason))


def _value_change(change: ValueChange, masker: Masker) -> ValueChange:
    before, after = masker.value_change(change)
    rest = _fields_masked(change, masker, without=("before", "after", "path"))
    masked: ValueChange = replace(rest, before=before, after=after, path=masker.steps(change.path))
    return masked


def _value_warning(warning: ValueWarning, masker: Masker) -> ValueWarning:
    before, after = (masker.value(warning.path, value) for value in (warning.before, warning.after))
    rest = _fields_masked(warning, masker, without=("before", "after", "path"))
    masked: ValueWarning = replace(rest, before=before, after=after, path=masker.steps(warning.path))
    return masked


def _finding(finding: Finding, masker: Masker) -> Finding:
    before, after = masker.finding(finding)
    rest = _fields_masked(finding, masker, without=("before", "after", "remedy", "rule"))
    remedy = tuple(map(masker.command, finding.remedy))
    masked: Finding = replace(rest, before=before, after=after, remedy=remedy)
    return masked


def _hook(hook: HookObject, masker: Masker) -> HookObject:
    return replace(hook, body=masker.object(hook.body) or {}, live=_live(hook.live, masker))


def _left_field(left: LeftField, masker: Masker) -> LeftField:
    value = masker.field(left.key, left.path, left.value)
    return replace(left, path=masker.steps(left.path), value=value)


def _lost_items(lost: LostItems, masker: Masker) -> LostItems:
    items = masker.field(lost.key, lost.path, list(lost.items))
    return replace(lost, path=masker.steps(lost.path), items=tuple(items))


def _texts_masked(tree: JSONObject, masker: Masker) -> JSONObject:
    """Texts alone: a resource version under the name of a Secret is no secret."""
    return {
        name: _texts_masked(value, masker)
        if isinstance(value, dict)
        else (masker.text(value) if isinstance(value, str) else value)
        for name, value in tree.items()
    }


def _as_it_is(value: Any, _: Masker) -> Any:
    return value


_SPECIAL: dict[type, Callable[[Any, Masker], Any]] = {
    ResourceKey: _as_it_is,
    HookObject: _hook,
    LeftField: _left_field,
    LostItems: _lost_items,
}
