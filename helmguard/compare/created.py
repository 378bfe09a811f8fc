"""The fields of an object that will be created, in short form."""

from __future__ import annotations

from collections.abc import Iterator

from helmguard.compare.attribution import COUNTERFACTUAL_ORDER, only_cause
from helmguard.compare.bookkeeping import is_bookkeeping
from helmguard.compare.comparable import comparable
from helmguard.compare.context import CompareContext
from helmguard.model.field_change import MISSING, Cause, FieldChange
from helmguard.model.field_path import FieldPath
from helmguard.model.json_value import JSONObject, JSONValue
from helmguard.model.prediction import ResourcePrediction

_NAMED = frozenset(["apiVersion", "kind", "status"])
_NAMED_METADATA = frozenset(["name", "namespace"])


def created_fields(prediction: ResourcePrediction, context: CompareContext) -> Iterator[FieldChange]:
    """Two levels of the new manifest: ``spec.replicas``, ``data.key``; deeper values are given whole."""
    if prediction.new is None:
        return
    if prediction.action == "recreate":
        cause: Cause = "drift reverted"
        note = "was deleted live"
    else:
        cause, note = cause_of_appearance(prediction, context), ""
    for path, value in _short(comparable(prediction.new)):
        yield FieldChange(
            path, MISSING, value, cause, MISSING, value, note=note, bookkeeping=is_bookkeeping(path)
        )


def cause_of_appearance(prediction: ResourcePrediction, context: CompareContext) -> Cause:
    """Why the object is in the new manifest: one class of value changes, else the chart."""
    only = only_cause(context)
    if only is not None:
        return only
    for cause in COUNTERFACTUAL_ORDER:
        manifests = context.counterfactuals.get(cause)
        if manifests is not None and prediction.key not in manifests:
            return cause
    return "chart"


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
