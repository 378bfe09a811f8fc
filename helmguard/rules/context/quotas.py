"""What pods of the release ask for, beside the quotas and limits of their namespaces.

A quota counts a pod's requests as the scheduler does: the containers' sum, or the largest init container
where that is more (kubernetes/kubernetes@v1.36.3 pkg/quota/v1/evaluator/core/pods.go). It is checked when a
pod is created, not when its Deployment is.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from typing import Annotated

from helmguard.model.json_value import JSONObject
from helmguard.predict.api_server.quantity import number_of
from helmguard.rules.context.manifest_maps import items, mapping
from helmguard.rules.context.record import UNKNOWN, Record, Unknown
from helmguard.rules.context.workloads import Workload
from helmguard.rules.facts import Facts

Amounts = dict[str, float]


class Exceeded(Record, frozen=True):
    """One resource of one quota that the pods would go beyond."""

    quota: Annotated[str, "`ResourceQuota/team`"]
    resource: Annotated[str, "`requests.cpu`, `limits.memory`, `pods`"]
    hard: Annotated[str, "the limit as the quota writes it"] = ""
    used: Annotated[str, "what is used now, as the quota's status writes it"] = ""
    more: Annotated[str, "what this operation adds, in the end or for the rollout: `1`, `512Mi`"] = ""
    for_rollout_only: Annotated[bool, "it is exceeded only while old and new pods run side by side"] = False
    stuck: Annotated[bool, "the rollout cannot go on without the room: no old pod may leave before"] = False


class Demand(Record, frozen=True):
    """A namespace in which this operation asks for more, or for something new."""

    namespace: Annotated[str, "its name"]
    workloads: Annotated[tuple[str, ...], "the workloads that ask for more"] = ()
    exceeded: Annotated[tuple[Exceeded, ...] | Unknown, "what does not fit, by quota"] = UNKNOWN
    without_requests: Annotated[
        tuple[str, ...] | Unknown,
        "containers that do not say what a quota wants: `Deployment/a: web limits.cpu`",
    ] = UNKNOWN
    beyond_limits: Annotated[
        tuple[str, ...] | Unknown,
        "containers beyond a LimitRange: `Deployment/a: web cpu 2 is above 1`",
    ] = UNKNOWN


def demands(workloads: Iterable[Workload], facts: Facts) -> Iterator[Demand]:
    """Namespaces whose pods will ask for more than before; with facts also those that only roll."""
    quotas, ranges = facts.cluster.lists.get("resourceQuotas"), facts.cluster.lists.get("limitRanges")
    by_namespace: dict[str, list[Workload]] = defaultdict(list)
    for one in workloads:
        by_namespace[one.namespace].append(one)
    for namespace, mine in sorted(by_namespace.items()):
        growing = tuple(one.ref for one in mine if _grows(one))
        read = namespace in facts.cluster.namespaces and quotas is not None and ranges is not None
        if not read:
            if growing:
                yield Demand(namespace, growing)
            continue
        own_quotas = [body for body in quotas or () if _in(body, namespace)]
        own_ranges = [body for body in ranges or () if _in(body, namespace)]
        yield Demand(
            namespace,
            growing,
            tuple(_exceeded(mine, own_quotas, own_ranges)),
            tuple(_without_requests(mine, own_quotas, own_ranges)),
            tuple(_beyond_limits(mine, own_ranges)),
        )


def pod_amounts(template: object, ranges: Iterable[JSONObject] = ()) -> Amounts:
    """What one pod of the template counts in a quota; ``ranges`` give what it leaves out."""
    defaults = _range_defaults(ranges)
    total: Amounts = defaultdict(float)
    for container in items(template, "spec", "containers"):
        for name, value in _container_amounts(container, defaults).items():
            total[name] += value
    starting, sidecars = _init_amounts(template, defaults)
    for name in {*starting, *sidecars}:
        total[name] = max(total[name] + sidecars.get(name, 0), starting.get(name, 0))
    for name, value in mapping(template, "spec", "overhead").items():
        total[f"requests.{name}"] += number_of(value)
    total["pods"] = 1
    return total


def _init_amounts(template: object, defaults: dict[str, JSONObject]) -> tuple[Amounts, Amounts]:
    """The most that is asked while init containers run, and what those that go on running ask for.

    An init container runs beside the sidecars that stand before it.
    """
    most: Amounts = defaultdict(float)
    sidecars: Amounts = defaultdict(float)
    for container in items(template, "spec", "initContainers"):
        for name, value in _container_amounts(container, defaults).items():
            if container.get("restartPolicy") == "Always":
                sidecars[name] += value
            else:
                most[name] = max(most[name], value + sidecars[name])
    return most, sidecars


def _container_amounts(container: JSONObject, defaults: dict[str, JSONObject]) -> Amounts:
    limits = {**defaults["default"], **mapping(container, "resources", "limits")}
    own_limits = mapping(container, "resources", "limits")
    requests = {**defaults["defaultRequest"], **own_limits, **mapping(container, "resources", "requests")}
    found = {f"requests.{name}": number_of(value) for name, value in requests.items()}
    return {**found, **{f"limits.{name}": number_of(value) for name, value in limits.items()}}


def _range_defaults(ranges: Iterable[JSONObject]) -> dict[str, JSONObject]:
    found: dict[str, JSONObject] = {"default": {}, "defaultRequest": {}}
    for body in ranges:
        for limit in items(body, "spec", "limits"):
            if limit.get("type") == "Container":
                found["default"] |= mapping(limit, "default")
                found["defaultRequest"] |= mapping(limit, "default") | mapping(limit, "defaultRequest")
    return found


def _pods_before(one: Workload) -> int:
    return 0 if one.kind in _NOT_COUNTED else (one.old_replicas or 0)


def _pods_after(one: Workload) -> int:
    return 0 if one.kind in _NOT_COUNTED else (one.new_replicas or 0)


_NOT_COUNTED = ("CronJob",)


def _grows(one: Workload) -> bool:
    """Whether the workload asks for more of anything in the end."""
    if one.new_pod is None or not _pods_after(one):
        return False
    before, after = pod_amounts(one.old_pod), pod_amounts(one.new_pod)
    pods = (_pods_before(one) if one.old_pod is not None else 0), _pods_after(one)
    return any(value * pods[1] > before.get(name, 0) * pods[0] + 1e-9 for name, value in after.items())


def _exceeded(
    workloads: list[Workload], quotas: list[JSONObject], ranges: list[JSONObject]
) -> Iterator[Exceeded]:
    lasting: Amounts = defaultdict(float)
    rolling: Amounts = defaultdict(float)
    stuck: set[str] = set()
    for one in workloads:
        after = pod_amounts(one.new_pod, ranges) if one.new_pod is not None else {}
        before = pod_amounts(one.old_pod, ranges) if one.old_pod is not None else {}
        for name in {*after, *before}:
            lasting[name] += after.get(name, 0) * _pods_after(one) - before.get(name, 0) * _pods_before(one)
        if one.restarts and one.kind == "Deployment" and one.new_strategy.max_surge:
            for name, value in after.items():
                rolling[name] += value * one.new_strategy.max_surge
                if one.new_strategy.max_unavailable == 0:
                    stuck.add(name)
    for quota in quotas:
        if mapping(quota, "spec").get("scopes") or mapping(quota, "spec").get("scopeSelector"):
            continue
        used = mapping(quota, "status", "used")
        hard = mapping(quota, "status", "hard") or mapping(quota, "spec", "hard")
        for resource, limit in sorted(hard.items()):
            name = _QUOTA_NAMES.get(resource, resource)
            free = number_of(limit) - number_of(used.get(resource))
            in_the_end, on_the_way = lasting.get(name, 0), rolling.get(name, 0)
            if in_the_end > max(free, 0) + 1e-9:
                more, only = in_the_end, False
            elif on_the_way > 0 and max(in_the_end, 0) + on_the_way > free + 1e-9:
                more, only = max(in_the_end, 0) + on_the_way, True
            else:
                continue
            yield Exceeded(
                quota=f"ResourceQuota/{mapping(quota, 'metadata').get('name')}",
                resource=resource,
                hard=str(limit),
                used=str(used.get(resource, "0")),
                more=_shown(more, name),
                for_rollout_only=only,
                stuck=only and name in stuck,
            )


_QUOTA_NAMES = {"cpu": "requests.cpu", "memory": "requests.memory", "count/pods": "pods"}
_MUST_BE_SAID = ("requests.cpu", "requests.memory", "limits.cpu", "limits.memory")


def _without_requests(
    workloads: list[Workload], quotas: list[JSONObject], ranges: list[JSONObject]
) -> Iterator[str]:
    """Such pods are refused: a quota on a request or limit wants every container to say it."""
    wanted = {
        _QUOTA_NAMES.get(name, name)
        for quota in quotas
        if not mapping(quota, "spec").get("scopes")
        for name in mapping(quota, "spec", "hard")
    } & set(_MUST_BE_SAID)
    defaults = _range_defaults(ranges)
    for one in workloads:
        if one.new_pod is None or not (one.old_pod is None or one.restarts):
            continue
        for container in _containers(one):
            missing = sorted(wanted - set(_container_amounts(container, defaults)))
            if missing:
                yield f"{one.ref}: {container.get('name')} {', '.join(missing)}"


def _beyond_limits(workloads: list[Workload], ranges: list[JSONObject]) -> Iterator[str]:
    limits = [limit for body in ranges for limit in items(body, "spec", "limits")]
    defaults = _range_defaults(ranges)
    for one in workloads:
        if one.new_pod is None or not (one.old_pod is None or one.restarts):
            continue
        for container in _containers(one):
            amounts = _container_amounts(container, defaults)
            for limit in limits:
                if limit.get("type") == "Container":
                    yield from _against(one, container, amounts, limit)


def _against(one: Workload, container: JSONObject, amounts: Amounts, limit: JSONObject) -> Iterator[str]:
    who = f"{one.ref}: {container.get('name')}"
    for name, most in mapping(limit, "max").items():
        asked = max(amounts.get(f"limits.{name}", 0), amounts.get(f"requests.{name}", 0))
        if asked > number_of(most):
            yield f"{who} {name} {_shown(asked, name)} is above {most}"
    for name, least in mapping(limit, "min").items():
        asked = amounts.get(f"requests.{name}", 0)
        if asked < number_of(least):
            yield f"{who} {name} {_shown(asked, name)} is below {least}"


def _containers(one: Workload) -> list[JSONObject]:
    return [*items(one.new_pod, "spec", "containers"), *items(one.new_pod, "spec", "initContainers")]


def _in(body: JSONObject, namespace: str) -> bool:
    return mapping(body, "metadata").get("namespace") == namespace


def _shown(value: float, name: str) -> str:
    """``500m``, ``2``, ``512Mi``."""
    if "memory" in name or "storage" in name:
        return f"{value / 2**20:.0f}Mi" if value >= 2**20 else f"{value:.0f}"
    return f"{value:.0f}" if float(value).is_integer() else f"{value * 1000:.0f}m"
