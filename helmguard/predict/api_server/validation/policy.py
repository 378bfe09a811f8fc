"""Checks of PodDisruptionBudgets, HorizontalPodAutoscalers and LimitRanges."""

from __future__ import annotations

import re
from collections.abc import Iterator

from helmguard.model.json_value import JSONObject, JSONValue
from helmguard.predict.api_server.quantity import amount
from helmguard.predict.api_server.validation.containers import plain_resource_errors
from helmguard.predict.api_server.validation.names import qualified_name
from helmguard.predict.api_server.validation.resource_names import COUNTED_RESOURCES, STANDARD_RESOURCES
from helmguard.predict.api_server.validation.words import duplicates, forbidden, invalid, required

_PERCENT_TEXT = (
    "a valid percent string must be a numeric string followed by an ending '%' (e.g. '1%',  or '93%', regex "
    "used for validation is '[0-9]+%')"
)
_HOUR = 3600
_HALF_HOUR = 1800


def percentage_errors(value: JSONValue, path: str) -> Iterator[str]:
    """Numbers of pods, or shares of them."""
    if isinstance(value, str):
        if not re.fullmatch(r"[0-9]+%", value):
            yield invalid(path, value, _PERCENT_TEXT)
        elif int(value[:-1]) > 100:
            yield invalid(path, value, "must not be greater than 100%")
    elif isinstance(value, int) and value < 0:
        yield invalid(path, value, "must be greater than or equal to 0")


def disruption_budget_errors(budget: JSONObject) -> Iterator[str]:
    """One of the two limits, not both."""
    spec = budget.get("spec") or {}
    if spec.get("minAvailable") is not None and spec.get("maxUnavailable") is not None:
        yield invalid("spec", spec, "minAvailable and maxUnavailable cannot be both set")
    for name in ("minAvailable", "maxUnavailable"):
        yield from percentage_errors(spec.get(name), f"spec.{name}")


def autoscaler_errors(autoscaler: JSONObject) -> Iterator[str]:
    """Replica bounds, target, metrics and behaviour."""
    spec = autoscaler.get("spec") or {}
    low, high = spec.get("minReplicas", 1), spec.get("maxReplicas") or 0
    if low < 1:
        yield invalid("spec.minReplicas", low, "must be greater than or equal to 1")
    if high < 1:
        if high == 0:
            yield required("spec.maxReplicas", "must be set and greater than 0")
        else:
            yield invalid("spec.maxReplicas", high, "must be greater than 0")
    if high < low:
        yield invalid("spec.maxReplicas", high, "must be greater than or equal to `minReplicas`")
    metrics = spec.get("metrics") or []
    if low == 0 and not any(metric.get("type") in ("Object", "External") for metric in metrics):
        detail = "must specify at least one Object or External metric to support scaling to zero replicas"
        yield forbidden("spec.metrics", detail)
    for index, metric in enumerate(metrics):
        yield from _metric_errors(metric, f"spec.metrics[{index}]")
    target = spec.get("scaleTargetRef") or {}
    for name in ("kind", "name"):
        if not target.get(name):
            yield required(f"spec.scaleTargetRef.{name}")
    version = target.get("apiVersion") or ""
    if "/" not in version and target.get("kind") != "ReplicationController":
        yield invalid("spec.scaleTargetRef.apiVersion", version, "apiVersion must specify API group")
    for name in ("scaleUp", "scaleDown"):
        rules = (spec.get("behavior") or {}).get(name)
        if rules is not None:
            yield from _scaling_errors(rules, f"spec.behavior.{name}")


def _scaling_errors(rules: JSONObject, path: str) -> Iterator[str]:
    window = rules.get("stabilizationWindowSeconds")
    if window is not None and window < 0:
        detail = "must be greater than or equal to zero"
        yield invalid(f"{path}.stabilizationWindowSeconds", window, detail)
    elif window is not None and window > _HOUR:
        detail = "must be less than or equal to 3600"
        yield invalid(f"{path}.stabilizationWindowSeconds", window, detail)
    policies = rules.get("policies") or []
    if not policies:
        yield required(f"{path}.policies", "must specify at least one Policy")
    for index, policy in enumerate(policies):
        here = f"{path}.policies[{index}]"
        value, period = policy.get("value") or 0, policy.get("periodSeconds") or 0
        if value <= 0:
            yield invalid(f"{here}.value", value, "must be greater than zero")
        if period <= 0:
            yield invalid(f"{here}.periodSeconds", period, "must be greater than zero")
        elif period > _HALF_HOUR:
            yield invalid(f"{here}.periodSeconds", period, "must be less than or equal to 1800")


_METRIC_SOURCES = {
    "Object": "object",
    "Pods": "pods",
    "Resource": "resource",
    "External": "external",
    "ContainerResource": "containerResource",
}


def _metric_errors(metric: JSONObject, path: str) -> Iterator[str]:
    if not metric.get("type"):
        yield required(f"{path}.type", "must specify a metric source type")
    own = _METRIC_SOURCES.get(metric.get("type", ""))
    if own is None:
        return
    if own == "pods":
        target = (metric.get(own) or {}).get("target") or {}
        if metric.get(own) is not None and target.get("averageValue") is None:
            detail = "must specify a positive target averageValue"
            yield required(f"{path}.{own}.target.averageValue", detail)
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
    kind = target.get("type") or ""
    if not kind:
        yield required(f"{path}.type", "must specify a metric target type")
    if kind not in ("Utilization", "Value", "AverageValue"):
        yield invalid(f"{path}.type", kind, "must be either Utilization, Value, or AverageValue")
    if share is not None and share < 1:
        yield invalid(f"{path}.averageUtilization", share, "must be greater than 0")
    if amount is not None and share is not None:
        detail = "may not set both a target raw value and a target utilization"
        yield forbidden(f"{path}.averageValue", detail)
    elif amount is None and share is None:
        detail = "must set either a target raw value or a target utilization"
        yield required(f"{path}.averageUtilization", detail)


_LIMIT_FIELDS = ("max", "min", "default", "defaultRequest", "maxLimitRequestRatio")
_LIMIT_TYPES = ("Pod", "Container", "PersistentVolumeClaim")


def limit_range_errors(limits: JSONObject) -> Iterator[str]:
    """One item a type; bounds in their order."""
    items = (limits.get("spec") or {}).get("limits") or []
    yield from duplicates("spec.limits", [item.get("type") for item in items], ".type")
    for index, item in enumerate(items):
        yield from _limit_errors(item, f"spec.limits[{index}]")


def _limit_errors(item: JSONObject, path: str) -> Iterator[str]:
    kind = item.get("type") or ""
    if kind not in _LIMIT_TYPES and "/" not in kind:
        detail = "must be a standard limit type or fully qualified"
        problems = qualified_name(kind)
        yield from (invalid(f"{path}.type", kind, problem) for problem in problems or [detail])
    for field in _LIMIT_FIELDS:
        for name in item.get(field) or {}:
            here = f"{path}.{field}[{name}]"
            if kind == "PersistentVolumeClaim" and name == "storage":
                continue
            yield from plain_resource_errors(name, here)
    if kind == "Pod":
        for field in ("default", "defaultRequest"):
            if item.get(field):
                yield forbidden(f"{path}.{field}", "may not be specified when `type` is 'Pod'")
    names = dict.fromkeys(name for field in _LIMIT_FIELDS for name in item.get(field) or {})
    for name in names:
        yield from _bound_errors(item, name, path, kind)


def _bound_errors(item: JSONObject, name: str, path: str, kind: str) -> Iterator[str]:
    def shown(field: str) -> str:
        return str((item.get(field) or {}).get(name, ""))

    def above(high: str, low: str) -> bool:
        """Whether the first is given and greater than the second."""
        one, other = amount(shown(high)), amount(shown(low))
        return one is not None and other is not None and one > other

    if above("min", "max"):
        yield invalid(
            f"{path}.min[{name}]",
            shown("min"),
            f"min value {shown('min')} is greater than max value {shown('max')}",
        )
    if kind == "Pod":
        return
    request, default = shown("defaultRequest"), shown("default")
    where = f"{path}.defaultRequest[{name}]"
    if above("min", "defaultRequest"):
        yield invalid(
            where, request, f"min value {shown('min')} is greater than default request value {request}"
        )
    if above("defaultRequest", "max"):
        yield invalid(
            where, request, f"default request value {request} is greater than max value {shown('max')}"
        )
    if above("defaultRequest", "default"):
        yield invalid(
            where, request, f"default request value {request} is greater than default limit value {default}"
        )
    where = f"{path}.default[{name}]"
    if above("min", "default"):
        yield invalid(
            where, shown("min"), f"min value {shown('min')} is greater than default value {default}"
        )
    if above("default", "max"):
        yield invalid(
            where, shown("max"), f"default value {default} is greater than max value {shown('max')}"
        )


_HUGE_PAGES = ("hugepages-", "requests.hugepages-")
_SCOPES = (
    "Terminating",
    "NotTerminating",
    "BestEffort",
    "NotBestEffort",
    "PriorityClass",
    "CrossNamespacePodAffinity",
    "VolumeAttributesClass",
)


def quota_errors(quota: JSONObject) -> Iterator[str]:
    """Known resources, in amounts that make sense."""
    spec = quota.get("spec") or {}
    for name, value in (spec.get("hard") or {}).items():
        path = f"spec.hard[{name}]"
        known = "/" in name or name in STANDARD_RESOURCES or name.startswith(_HUGE_PAGES)
        if not known:
            yield invalid(path, name, "must be a standard resource type or fully qualified")
            yield invalid(path, name, "must be a standard resource for quota")
        size = amount(str(value))
        if size is not None and size < 0:
            yield invalid(path, str(value), "must be greater than or equal to 0")
        if size is not None and name in COUNTED_RESOURCES and size != size.to_integral_value():
            yield invalid(path, str(value), "must be an integer")
    scopes = spec.get("scopes") or []
    if any(scope not in _SCOPES for scope in scopes):
        yield invalid("spec.scopes", scopes, "unsupported scope")
