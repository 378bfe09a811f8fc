"""How many pods a rollout takes away and adds at once.

Rounding as the controllers do it (kubernetes/kubernetes@v1.36.3): pkg/controller/deployment/util
(ResolveFenceposts), pkg/controller/daemon (updatedDesiredNodeCounts), pkg/controller/statefulset
(getStatefulSetMaxUnavailable).
"""

from __future__ import annotations

import math
from typing import Annotated, Any

from helmguard.model.json_value import JSONObject, JSONValue
from helmguard.rules.context.manifest_maps import mapping
from helmguard.rules.context.record import Record


class Strategy(Record, frozen=True):
    """How a workload replaces its pods; the numbers are for the replicas it has on that side."""

    type: Annotated[str, "`RollingUpdate`, `Recreate`, `OnDelete`; empty for kinds without one"] = ""
    max_surge: Annotated[int, "pods it may run beyond its replicas"] = 0
    max_unavailable: Annotated[int, "pods that may be away at once"] = 0
    given_surge: Annotated[JSONValue, "`maxSurge` as it stands there, null for absent"] = None
    given_unavailable: Annotated[JSONValue, "`maxUnavailable` as it stands there, null for absent"] = None
    partition: Annotated[int, "a StatefulSet's `partition`: pods below it stay as they are"] = 0


NO_STRATEGY = Strategy()
"""That of a kind without one."""


def strategy_of(kind: str, body: JSONObject | None, pods: int) -> Strategy:
    """The strategy of a Deployment, StatefulSet or DaemonSet with so many pods."""
    if kind == "Deployment":
        return _deployments(mapping(body, "spec", "strategy"), pods)
    if kind == "DaemonSet":
        return _daemon_sets(mapping(body, "spec", "updateStrategy"), pods)
    if kind == "StatefulSet":
        return _stateful_sets(mapping(body, "spec", "updateStrategy"), pods)
    return NO_STRATEGY


def steps(strategy: Strategy, pods: int) -> int:
    """How many times pods are replaced, one time after the other; 0 where none are."""
    moving = max(0, pods - strategy.partition)
    if strategy.type == "OnDelete" or moving == 0:
        return 0
    if strategy.type == "Recreate":
        return 1
    return math.ceil(moving / max(1, strategy.max_surge + strategy.max_unavailable))


def scaled(value: JSONValue, total: int, *, up: bool) -> int:
    """A number or percentage of ``total``; 0 for what is neither."""
    if isinstance(value, str) and value.endswith("%") and value[:-1].strip().isdigit():
        part = int(value[:-1]) * total / 100
        return math.ceil(part) if up else math.floor(part)
    if isinstance(value, str) and value.isdigit():
        return int(value)
    return int(value) if isinstance(value, int | float) and not isinstance(value, bool) else 0


def _deployments(given: JSONObject, pods: int) -> Strategy:
    kind = str(given.get("type") or "RollingUpdate")
    if kind != "RollingUpdate":
        return Strategy(kind, 0, pods)
    rolling = mapping(given, "rollingUpdate")
    surge, away = _or(rolling.get("maxSurge"), "25%"), _or(rolling.get("maxUnavailable"), "25%")
    extra, missing = scaled(surge, pods, up=True), scaled(away, pods, up=False)
    if extra == 0 and missing == 0:
        # Nothing could move: the controller then lets one pod go.
        missing = 1
    return Strategy(kind, extra, min(missing, pods), surge, away)


def _daemon_sets(given: JSONObject, pods: int) -> Strategy:
    kind = str(given.get("type") or "RollingUpdate")
    rolling = mapping(given, "rollingUpdate")
    surge, away = _or(rolling.get("maxSurge"), 0), _or(rolling.get("maxUnavailable"), 1)
    if kind != "RollingUpdate":
        return Strategy(kind)
    extra, missing = scaled(surge, pods, up=True), scaled(away, pods, up=True)
    return Strategy(kind, extra, min(missing, pods), surge, away)


def _stateful_sets(given: JSONObject, pods: int) -> Strategy:
    kind = str(given.get("type") or "RollingUpdate")
    if kind != "RollingUpdate":
        return Strategy(kind)
    rolling = mapping(given, "rollingUpdate")
    away = rolling.get("maxUnavailable")
    missing = max(1, scaled(away, pods, up=False)) if away is not None else 1
    partition = scaled(rolling.get("partition"), pods, up=False)
    return Strategy(kind, 0, min(missing, pods), None, away, partition)


def _or(value: Any, default: JSONValue) -> JSONValue:
    return default if value is None else value
