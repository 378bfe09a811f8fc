"""PodDisruptionBudgets and how many pods each lets go.

Percentages are rounded up, both of minAvailable and of maxUnavailable (kubernetes/kubernetes@v1.36.3
pkg/controller/disruption, getExpectedPodCount).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Annotated

from helmguard.model.json_value import JSONObject, JSONValue
from helmguard.model.live_state import Present
from helmguard.model.plan import ResourceChange
from helmguard.rules.context.manifest_maps import mapping
from helmguard.rules.context.pod_templates import after_of, before_of, labels_of, template_of
from helmguard.rules.context.record import UNKNOWN, Record, Unknown
from helmguard.rules.context.rollout_steps import scaled
from helmguard.rules.context.scalers import Scaler, Scalers
from helmguard.rules.context.selectors import selects
from helmguard.rules.context.workloads import replicas_of
from helmguard.rules.facts import Facts

_REPLICATED = frozenset(["Deployment", "StatefulSet", "ReplicaSet"])


class Budget(Record, frozen=True):
    """A budget of the release that is new, or that lets fewer pods go than before."""

    ref: Annotated[str, "`PodDisruptionBudget/web`"]
    namespace: Annotated[str, "its namespace"] = ""
    name: Annotated[str, "its name"] = ""
    action: Annotated[str, "what Helm will do with it: an action of docs/plan-format.md"] = "update"
    says: Annotated[str, "`minAvailable: 2` or `maxUnavailable: 0`"] = ""
    covers: Annotated[tuple[str, ...], "workloads of the release whose pods it covers, after Helm"] = ()
    pods: Annotated[int, "pods that those ask for, or their autoscalers at least"] = 0
    allowed: Annotated[int, "pods of those that may be away once all are ready, after Helm"] = 0
    allowed_before: Annotated[int | None, "the same before; null where it covered none or was not there"] = (
        None
    )
    allowed_now: Annotated[int | Unknown, "what its status allows at this moment"] = UNKNOWN


def budgets(facts: Facts, scalers: Scalers) -> Iterator[Budget]:
    """Budgets that change, or whose pods do; those that allow as much as before are left out."""
    found = [one for one in facts.resources if one.prediction.key.kind == "PodDisruptionBudget"]
    if not found:
        return
    workloads = [one for one in facts.resources if one.prediction.key.kind in _REPLICATED]
    pods_after, pods_before = _PodLabels(workloads, after_of), _PodLabels(workloads, before_of)
    for resource in found:
        before, after = before_of(resource), after_of(resource)
        if after is None:
            continue
        namespace = resource.prediction.key.namespace
        covered = pods_after.covered_by(after, namespace)
        pods = sum(_pods(one, scalers) for one in covered)
        old = pods_before.covered_by(before, namespace)
        old_pods = sum(replicas_of(one.prediction.key.kind, before_of(one)) or 0 for one in old)
        allowed = _allowed(after, pods)
        allowed_before = _allowed(before, old_pods) if before is not None and old else None
        if covered and (allowed_before is None or allowed < allowed_before):
            yield _budget(resource, after, covered, pods, allowed, allowed_before)


def _budget(
    resource: ResourceChange,
    after: JSONObject,
    covered: list[ResourceChange],
    pods: int,
    allowed: int,
    allowed_before: int | None,
) -> Budget:
    key, live = resource.prediction.key, resource.prediction.live
    now = (
        mapping(live.body, "status").get("disruptionsAllowed", UNKNOWN)
        if isinstance(live, Present)
        else UNKNOWN
    )
    name = "maxUnavailable" if _given(after, "maxUnavailable") is not None else "minAvailable"
    return Budget(
        ref=str(key),
        namespace=key.namespace or "",
        name=key.name,
        action=resource.action,
        says=f"{name}: {_given(after, name)}",
        covers=tuple(str(one.prediction.key) for one in covered),
        pods=pods,
        allowed=allowed,
        allowed_before=allowed_before,
        allowed_now=now,
    )


class _PodLabels:
    """The workloads by each label of their pods, before or after Helm (``side``)."""

    def __init__(
        self,
        workloads: Iterable[ResourceChange],
        side: Callable[[ResourceChange], JSONObject | None],
    ) -> None:
        self._all: dict[str | None, list[tuple[ResourceChange, JSONObject]]] = {}
        self._by_label: dict[tuple[str | None, str, JSONValue], list[tuple[ResourceChange, JSONObject]]] = {}
        for resource in workloads:
            key = resource.prediction.key
            template = template_of(side(resource), key)
            if template is None:
                continue
            labels = dict(labels_of(template))
            self._all.setdefault(key.namespace, []).append((resource, labels))
            for name, value in labels.items():
                if isinstance(value, str):
                    self._by_label.setdefault((key.namespace, name, value), []).append((resource, labels))

    def covered_by(self, budget: JSONObject | None, namespace: str | None) -> list[ResourceChange]:
        """The workloads whose pods the budget's selector finds."""
        selector = mapping(budget, "spec").get("selector")
        if not isinstance(selector, dict):
            return []
        wanted = mapping(selector, "matchLabels")
        lists = [
            self._by_label.get((namespace, name, value), [])
            for name, value in wanted.items()
            if isinstance(value, str)
        ]
        candidates = min(lists, key=len, default=self._all.get(namespace, []))
        return [resource for resource, labels in candidates if selects(selector, labels)]


def _pods(resource: ResourceChange, scalers: Scalers) -> int:
    """What the workload asks for; an autoscaler may set more, never less than its minimum."""
    key = resource.prediction.key
    asked = replicas_of(key.kind, after_of(resource)) or 0
    scaler = scalers.of(key)
    return max(asked, scaler.min) if isinstance(scaler, Scaler) and asked else asked


def _allowed(budget: JSONObject | None, pods: int) -> int:
    away = _given(budget, "maxUnavailable")
    if away is not None:
        return min(pods, scaled(away, pods, up=True))
    return max(0, pods - scaled(_given(budget, "minAvailable"), pods, up=True))


def _given(budget: JSONObject | None, name: str) -> JSONValue:
    return mapping(budget, "spec").get(name)
