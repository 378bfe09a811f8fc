"""Which extra renderings would tell more about causes."""

from __future__ import annotations

from collections.abc import Iterable

from helmguard.compare.attribution import COUNTERFACTUAL_ORDER, only_cause, traced_value
from helmguard.compare.comparable import comparable
from helmguard.compare.context import CompareContext
from helmguard.compare.differences import differences
from helmguard.model.prediction import ResourcePrediction
from helmguard.model.value_change import ValueCause


def needs_counterfactual(
    predictions: Iterable[ResourcePrediction], context: CompareContext
) -> tuple[ValueCause, ...]:
    """The classes of value changes whose undoing, rendered, would explain fields that nothing else explains.

    Empty where no value changes, where the chart is the same and all value changes have one cause, or where
    every manifest change is traced to a value by itself.
    """
    causes = {change.cause for change in context.value_changes}
    wanted = tuple(cause for cause in COUNTERFACTUAL_ORDER if cause in causes)
    if not wanted or only_cause(context) is not None:
        return ()
    return wanted if any(_is_open(prediction, context) for prediction in predictions) else ()


def _is_open(prediction: ResourcePrediction, context: CompareContext) -> bool:
    """Whether a manifest change of the object is not traced to a value; one that comes or goes never is."""
    if prediction.new is None or prediction.previous is None:
        return True
    schema = context.type_of(prediction.api_version, prediction.key.kind)
    found = differences(comparable(prediction.previous), comparable(prediction.new), schema)
    return any(traced_value(field.path, field.before, field.after, context) is None for field in found)
