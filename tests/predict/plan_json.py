"""The least of a plan that the scoring of traces reads."""

from __future__ import annotations

from typing import Any

from helmguard.model.live_state import Present
from helmguard.model.prediction import Prediction


def plan_json(prediction: Prediction) -> dict[str, Any]:
    """Resources with action, before and after, and the failure."""
    return {
        "resources": [
            {
                "apiVersion": resource.api_version,
                "kind": resource.key.kind,
                "namespace": resource.key.namespace,
                "name": resource.key.name,
                "hook": resource.action == "hook",
                "action": "unchanged" if resource.action in ("hook", "unknown") else resource.action,
                "before": resource.live.body if isinstance(resource.live, Present) else None,
                "after": resource.predicted,
                "why": resource.why,
                "unknown": resource.unknown,
            }
            for resource in prediction.resources
        ],
        "failure": {"message": prediction.failure.message} if prediction.failure else None,
    }
