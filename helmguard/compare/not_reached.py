"""The objects that Helm does not get to."""

from __future__ import annotations

from helmguard.model.prediction import Prediction
from helmguard.model.resource_key import ResourceKey


def not_reached(prediction: Prediction) -> frozenset[ResourceKey]:
    """For ``CompareContext.not_reached``: what stays as it is in an operation that is going to fail."""
    if prediction.failure is None:
        return frozenset()
    return frozenset(resource.key for resource in prediction.resources if resource.action == "unchanged")
