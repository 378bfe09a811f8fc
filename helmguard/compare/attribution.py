"""Which change of values, or else the chart, made a manifest field change."""

from __future__ import annotations

import base64
import re
from collections.abc import Iterator, Sequence

import msgspec

from helmguard.compare.context import CompareContext
from helmguard.compare.differences import Difference
from helmguard.compare.equal_trees import same_tree
from helmguard.compare.find_field import find_field
from helmguard.model.field_change import MISSING, Cause
from helmguard.model.field_path import FieldPath, ItemKey, format_path
from helmguard.model.json_value import JSONValue
from helmguard.model.resource_key import ResourceKey
from helmguard.model.value_change import ValueCause, ValueChange

COUNTERFACTUAL_ORDER: tuple[ValueCause, ...] = ("lost override", "values", "default")
"""The order in which classes of value changes are asked whether they explain a field."""

_SEPARATORS = re.compile(r"[^a-z0-9]")


class Attribution(msgspec.Struct, frozen=True):
    """``value_path`` is the value that was traced, empty where only its class is known."""

    cause: Cause
    value_path: str = ""
    note: str = ""


def attribute(
    key: ResourceKey, path: FieldPath, previous: JSONValue, new: JSONValue, context: CompareContext
) -> Attribution:
    """Trace one manifest field change, by the surest way that gives an answer.

    A value that changed in the same way and stands under a like name; else the one cause that all value
    changes have, where the chart is the same; else a rendering with one class of value changes undone; else
    the chart.
    """
    direct = traced_value(path, previous, new, context)
    if direct is not None:
        return Attribution(direct.cause, format_path(direct.path))
    only = only_cause(context)
    if only is not None:
        return Attribution(only, _only_path(context, only))
    for cause in COUNTERFACTUAL_ORDER:
        if _is_undone(key, path, previous, context, cause):
            return Attribution(cause, _only_path(context, cause))
    if not context.same_chart:
        return Attribution("chart")
    if context.value_changes:
        return Attribution("values", note="one of the changed values")
    return Attribution(
        "chart", note="same chart and values: the template reads the cluster, the clock or chance"
    )


def _is_undone(
    key: ResourceKey, path: FieldPath, previous: JSONValue, context: CompareContext, cause: ValueCause
) -> bool:
    """Whether the field keeps its former value when the value changes of this cause are undone.

    Where the new manifest has the same value in that place, undoing them made no difference: the place is a
    position in a list whose items moved.
    """
    manifests = context.counterfactuals.get(cause)
    if manifests is None:
        return False
    undone = find_field(manifests.get(key, {}), path)
    now = find_field(context.target[key], path) if key in context.target else None
    return same_tree(undone, previous) and (key not in context.target or not same_tree(undone, now))


def _only_path(context: CompareContext, cause: ValueCause) -> str:
    """The one value that changes for this cause; empty where there are several."""
    paths = [change.path for change in context.value_changes if change.cause == cause]
    return format_path(paths[0]) if len(paths) == 1 else ""


def only_cause(context: CompareContext) -> ValueCause | None:
    """The cause of every value change, where the chart is the same and all have one."""
    causes = {change.cause for change in context.value_changes}
    return causes.pop() if context.same_chart and len(causes) == 1 else None


def traced_value(
    path: FieldPath, previous: JSONValue, new: JSONValue, context: CompareContext
) -> ValueChange | None:
    """The value change that went from the same value to the same value as the field did."""
    candidates = [
        (leaf, change)
        for change in context.value_changes
        for leaf in _leaves(change.path, change.before, change.after)
        if _explains(leaf, previous, new)
    ]
    if not candidates:
        return None
    field_names = _names(path)
    scores = [_common_tail(_names(leaf.path), field_names) for leaf, _ in candidates]
    best = max(scores)
    nearest = [change for (_, change), score in zip(candidates, scores, strict=True) if score == best]
    if len({change.cause for change in nearest}) > 1:
        return None
    if best >= 2:
        return nearest[0]
    return nearest[0] if len(nearest) == 1 and _is_telling(nearest[0], best, context) else None


def _is_telling(change: ValueChange, common_names: int, context: CompareContext) -> bool:
    """Whether equal values are evidence though the names differ: any chart flips some switch to true."""
    if context.same_chart:
        return True
    values = (change.before, change.after)
    if common_names and not any(isinstance(value, bool) for value in values):
        return True
    return any((isinstance(value, str) and len(value) > 3) or _is_large(value) for value in values)


def _is_large(value: JSONValue) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and abs(value) > 99


def _leaves(path: FieldPath, before: JSONValue, after: JSONValue) -> Iterator[Difference]:
    """The change itself, and of a list that changed as a whole each leaf in it that did."""
    yield Difference(path, before, after)
    if isinstance(before, list) and isinstance(after, list) and len(before) == len(after):
        for index, (left, right) in enumerate(zip(before, after, strict=True)):
            yield from _leaves((*path, index), left, right)
    elif isinstance(before, dict) and isinstance(after, dict):
        for name in {**before, **after}:
            yield from _leaves((*path, name), before.get(name, MISSING), after.get(name, MISSING))


def _explains(change: Difference, previous: JSONValue, new: JSONValue) -> bool:
    if _is_rendered(change.before, previous) and _is_rendered(change.after, new):
        return True
    if not isinstance(previous, str) or not isinstance(new, str):
        return False
    before, after = _text(change.before), _text(change.after)
    if not before or not after or len(before) < 2 or before not in previous:
        return False
    return previous.replace(before, after) == new


def _is_rendered(value: JSONValue, field: JSONValue) -> bool:
    """Whether the field shows the value: the same, as text, or as a Secret's base64.

    An empty value is shown by a field that is not there: charts write such a field only ``with`` a value.
    """
    if value is MISSING or field is MISSING:
        return field is MISSING and (value in (MISSING, None, "", [], {}))
    if same_tree(value, field):
        return True
    text = _text(value)
    if text is None or not isinstance(field, str):
        return False
    return field == text or field == base64.b64encode(text.encode()).decode()


def _text(value: JSONValue) -> str | None:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    return str(value) if isinstance(value, str | int | float) else None


def _names(path: FieldPath) -> list[str]:
    """The named steps, spelling ignored; of ``env[name=LOG_LEVEL].value`` the variable's name is the last."""
    names: list[str] = []
    for step in path:
        if isinstance(step, str):
            names.append(step)
        elif isinstance(step, ItemKey):
            names.append(str(step.fields[0][1]))
    if len(path) > 1 and path[-1] == "value" and isinstance(path[-2], ItemKey):
        names.pop()
    return [_SEPARATORS.sub("", name.lower()) for name in names]


def _common_tail(left: Sequence[str], right: Sequence[str]) -> int:
    count = 0
    while count < min(len(left), len(right)) and left[-1 - count] == right[-1 - count]:
        count += 1
    return count
