"""Checks of PodDisruptionBudgets, HorizontalPodAutoscalers and LimitRanges."""

from __future__ import annotations

from collections.abc import Iterator

from helmguard.model.json_value import JSONObject
from helmguard.predict.api_server.validation.words import duplicates, forbidden, invalid, required


def disruption_budget_errors(budget: JSONObject) -> Iterator[str]:
    """One of the two limits, not both."""
    spec = budget.get("spec") or {}
    if spec.get("minAvailable") is not None and spec.get("maxUnavailable") is not None:
        yield invalid("spec", spec, "minAvailable and maxUnavailable cannot be both set")


def autoscaler_errors(autoscaler: JSONObject) -> Iterator[str]:
    """Replica bounds and target."""
    spec = autoscaler.get("spec") or {}
    low, high = spec.get("minReplicas", 1), spec.get("maxReplicas") or 0
    if high < 1:
        yield invalid("spec.maxReplicas", high, "must be greater than 0")
    elif high < low:
        yield invalid("spec.maxReplicas", high, "must be greater than or equal to `minReplicas`")
    for index, metric in enumerate(spec.get("metrics") or []):
        yield from _metric_errors(metric, f"spec.metrics[{index}]")
    target = spec.get("scaleTargetRef") or {}
    for name in ("kind", "name"):
        if not target.get(name):
            yield required(f"spec.scaleTargetRef.{name}")
    if "/" not in (target.get("apiVersion") or "") and target.get("kind") != "ReplicationController":
        yield 'spec.scaleTargetRef.apiVersion: Invalid value: "": apiVersion must specify API group'


_METRIC_SOURCES = {
    "Object": "object",
    "Pods": "pods",
    "Resource": "resource",
    "External": "external",
    "ContainerResource": "containerResource",
}


def _metric_errors(metric: JSONObject, path: str) -> Iterator[str]:
    own = _METRIC_SOURCES.get(metric.get("type", ""))
    if own is None:
        return
    if own not in metric:
        yield required(f"{path}.{own}", "must populate information for the given metric source")
    if own in ("resource", "containerResource"):
        if not (metric.get(own) or {}).get("name"):
            yield required(f"{path}.{own}.name", "must specify a resource name")
        yield from _target_errors((metric.get(own) or {}).get("target") or {}, f"{path}.{own}.target")
    for other in _METRIC_SOURCES.values():
        if other != own and other in metric:
            yield forbidden(f"{path}.{other}", "must populate the given metric source only")


def _target_errors(target: JSONObject, path: str) -> Iterator[str]:
    amount, share = target.get("averageValue"), target.get("averageUtilization")
    if amount is not None and share is not None:
        detail = "may not set both a target raw value and a target utilization"
        yield forbidden(f"{path}.averageValue", detail)
    elif amount is None and share is None:
        detail = "must set either a target raw value or a target utilization"
        yield required(f"{path}.averageUtilization", detail)


def limit_range_errors(limits: JSONObject) -> Iterator[str]:
    """One item a type."""
    items = (limits.get("spec") or {}).get("limits") or []
    yield from duplicates("spec.limits", [item.get("type") for item in items], ".type")
