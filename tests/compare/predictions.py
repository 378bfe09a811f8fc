"""Predictions and live objects for the tests, in few words."""

from __future__ import annotations

import copy
from typing import Any

from helmguard.compare.compare_resource import compare_resource
from helmguard.compare.context import CompareContext
from helmguard.model.field_change import MISSING, FieldChange
from helmguard.model.field_path import format_path
from helmguard.model.live_state import Absent, Present
from helmguard.model.plan import ResourceChange
from helmguard.model.prediction import ResourcePrediction
from helmguard.model.resource_key import ResourceKey
from helmguard.model.value_change import ValueCause, ValueChange

UNSET: Any = object()


def config_map(data: dict[str, Any], **metadata: Any) -> dict[str, Any]:
    return {
        "apiVersion": "v1",
        "kind": "ConfigMap",
        "metadata": {"name": "conf", "namespace": "ns", **metadata},
        "data": data,
    }


def custom(spec: dict[str, Any]) -> dict[str, Any]:
    return {"apiVersion": "ex.io/v1", "kind": "Widget", "metadata": {"name": "w"}, "spec": spec}


def deployment(spec: dict[str, Any]) -> dict[str, Any]:
    return {"apiVersion": "apps/v1", "kind": "Deployment", "metadata": {"name": "web"}, "spec": spec}


def owned(body: dict[str, Any], manager: str, fields: dict[str, Any], **entry: Any) -> dict[str, Any]:
    """The object with one more entry in its managedFields."""
    result = copy.deepcopy(body)
    result["metadata"].setdefault("managedFields", []).append(
        {
            "manager": manager,
            "operation": "Update",
            "time": "2026-11-30T01:00:00Z",
            "fieldsType": "FieldsV1",
            "fieldsV1": fields,
            **entry,
        }
    )
    return result


def predict(
    previous: Any, new: Any, live: Any = UNSET, predicted: Any = UNSET, action: str = "update", **more: Any
) -> ResourcePrediction:
    """Live is as the previous manifest says and predicted as the new one, if not given."""
    live = previous if live is UNSET else live
    predicted = new if predicted is UNSET else predicted
    shape = new or previous or live
    metadata = shape["metadata"]
    key = ResourceKey.of(shape["apiVersion"], shape["kind"], metadata.get("namespace"), metadata["name"])
    state = Absent() if live is None else Present(live)
    return ResourcePrediction(key, shape["apiVersion"], action, previous, new, state, predicted, **more)  # type: ignore[arg-type]


def compared(prediction: ResourcePrediction, **context: Any) -> ResourceChange:
    return compare_resource(prediction, CompareContext(**context))


def rows(changes: tuple[FieldChange, ...]) -> list[tuple[Any, ...]]:
    """Path, before, after and cause; ``-`` for what is missing."""
    return [
        (format_path(change.path), shown(change.before), shown(change.after), change.cause)
        for change in changes
    ]


def shown(value: Any) -> Any:
    return "-" if value is MISSING else value


def value_change(path: str, before: Any, after: Any, cause: ValueCause = "values") -> ValueChange:
    return ValueChange(tuple(path.split(".")), before, after, cause)
