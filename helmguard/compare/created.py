"""The fields of an object that will be created, in short form."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from helmguard.compare.attribution import COUNTERFACTUAL_ORDER, only_cause
from helmguard.compare.bookkeeping import is_bookkeeping
from helmguard.compare.comparable import comparable
from helmguard.compare.context import CompareContext, Manifests
from helmguard.model.field_change import MISSING, Cause, FieldChange
from helmguard.model.field_path import FieldPath
from helmguard.model.json_value import JSONObject, JSONValue
from helmguard.model.prediction import ResourcePrediction

_NAMED = frozenset(["apiVersion", "kind", "status"])
_NAMED_METADATA = frozenset(["name", "namespace"])


def created_fields(prediction: ResourcePrediction, cause: Cause) -> Iterator[FieldChange]:
    """Two levels of the new manifest: ``spec.replicas``, ``data.key``; deeper values are given whole."""
    if prediction.new is None:
        return
    note = "was deleted live" if prediction.action == "recreate" else ""
    for path, value in _short(comparable(prediction.new)):
        yield FieldChange(
            path, MISSING, value, cause, MISSING, value, note=note, bookkeeping=is_bookkeeping(path)
        )


def cause_of_appearance(prediction: ResourcePrediction, context: CompareContext) -> Cause:
    """Why the object is created: somebody deleted it, one class of value changes, else the chart."""
    if prediction.action == "recreate":
        return "drift reverted"
    return _cause(context, lambda without_the_changes: prediction.key not in without_the_changes)


def cause_of_disappearance(prediction: ResourcePrediction, context: CompareContext) -> Cause:
    """Why the object is in the manifest no longer."""
    return _cause(context, lambda without_the_changes: prediction.key in without_the_changes)


def _cause(context: CompareContext, explains: Callable[[Manifests], bool]) -> Cause:
    only = only_cause(context)
    if only is not None:
        return only
    for cause in COUNTERFACTUAL_ORDER:
        manifests = context.counterfactuals.get(cause)
        if manifests is not None and explains(manifests):
            return cause
    return "values" if context.same_chart and context.value_changes else "chart"


def _short(document: JSONObject) -> Iterator[tuple[FieldPath, JSONValue]]:
    for name, value in document.items():
        if name in _NAMED or value is None:
            continue
        if not isinstance(value, dict) or not value:
            yield (name,), value
            continue
        for inner, deep in value.items():
            if name == "metadata" and inner in _NAMED_METADATA:
                continue
            if name == "metadata" and inner in ("labels", "annotations") and isinstance(deep, dict):
                for label, text in deep.items():
                    yield (name, inner, label), text
            elif deep is not None:
                yield (name, inner), deep
