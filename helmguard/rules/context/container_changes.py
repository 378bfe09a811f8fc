"""What containers lose: probes, requests and limits, and the time to end."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Any

import msgspec

from helmguard.model.json_value import JSONObject
from helmguard.model.plan import ResourceChange
from helmguard.predict.api_server.quantity import number_of
from helmguard.rules.context.manifest_maps import items, mapping
from helmguard.rules.context.pod_templates import (
    RESTARTING,
    after_of,
    before_of,
    is_workload,
    is_written,
    template_of,
)
from helmguard.rules.context.record import Record
from helmguard.rules.facts import Facts

_PROBES = ("livenessProbe", "readinessProbe", "startupProbe")
_PROBE_DEFAULTS = {"periodSeconds": 10, "failureThreshold": 3, "timeoutSeconds": 1, "initialDelaySeconds": 0}


class ProbeChange(Record, frozen=True):
    """A probe that a container has no more, or that waits longer than before."""

    ref: Annotated[str, "the workload: `Deployment/web`"]
    container: Annotated[str, "the container's name"] = ""
    probe: Annotated[str, "`livenessProbe`, `readinessProbe` or `startupProbe`"] = "readinessProbe"
    removed: Annotated[bool, "the container has no such probe after Helm"] = False
    patience_before: Annotated[int, "seconds until it gives up: period times threshold, and the delay"] = 0
    patience_after: Annotated[int, "the same after Helm, 0 for no probe"] = 0
    image_changes: Annotated[bool, "the container runs another repository's image after Helm"] = False
    cause: Annotated[str, "why it changes: a cause of docs/plan-format.md, empty where it is not known"] = ""


class ResourceLoss(Record, frozen=True):
    """A container whose requests or limits change."""

    ref: Annotated[str, "the workload: `Deployment/web`"]
    kind: Annotated[str, "its kind"] = "Deployment"
    namespace: Annotated[str, "its namespace"] = ""
    name: Annotated[str, "its name"] = ""
    container: Annotated[str, "the container's name"] = ""
    removed: Annotated[tuple[str, ...], "what is gone: `limits.memory 256Mi`"] = ()
    memory_lowered: Annotated[str, "the memory limit when it sinks: `512Mi to 128Mi`, else empty"] = ""
    qos_before: Annotated[str, "the pod's class now: `Guaranteed`, `Burstable` or `BestEffort`"] = "Burstable"
    qos_after: Annotated[str, "the same after Helm"] = "Burstable"
    autoscaled: Annotated[bool, "a VerticalPodAutoscaler of the release sets its requests"] = False


class ShutdownChange(Record, frozen=True):
    """A pod that gets another time to end, or loses what a container does before it."""

    ref: Annotated[str, "the workload: `Deployment/web`"]
    before: Annotated[int, "`terminationGracePeriodSeconds` now"] = 30
    after: Annotated[int, "the same after Helm"] = 30
    hooks_removed: Annotated[tuple[str, ...], "containers that lose their `preStop`"] = ()


class PodChange(msgspec.Struct, frozen=True):
    """A workload whose pod template is there on both sides and differs."""

    resource: ResourceChange
    old: JSONObject
    new: JSONObject

    def pairs(self) -> Iterator[tuple[str, JSONObject, JSONObject]]:
        """Containers that are on both sides, by name."""
        before = {str(item.get("name")): item for item in items(self.old, "spec", "containers")}
        for item in items(self.new, "spec", "containers"):
            name = str(item.get("name"))
            if name in before:
                yield name, before[name], item


def pod_changes(facts: Facts) -> list[PodChange]:
    """Workloads with controllers whose pod template changes."""
    found = []
    for resource in facts.resources:
        key = resource.prediction.key
        if not is_workload(key) or key.kind not in _LASTING or not is_written(resource):
            continue
        old, new = template_of(before_of(resource), key), template_of(after_of(resource), key)
        if old is not None and new is not None and old != new:
            found.append(PodChange(resource, old, new))
    return found


_LASTING = (*RESTARTING, "ReplicaSet")


def probe_changes(changed: list[PodChange]) -> Iterator[ProbeChange]:
    """Probes that go, or that wait at least three times as long."""
    for one in changed:
        for name, old, new in one.pairs():
            for probe in _PROBES:
                before, after = old.get(probe), new.get(probe)
                if not isinstance(before, dict) or before == after:
                    continue
                patience = _patience(before), _patience(after)
                if after and patience[1] < 3 * patience[0]:
                    continue
                yield ProbeChange(
                    ref=str(one.resource.prediction.key),
                    container=name,
                    probe=probe,
                    removed=not after,
                    patience_before=patience[0],
                    patience_after=patience[1],
                    image_changes=_repository(old) != _repository(new),
                    cause=_cause(one.resource, name, probe),
                )


def resource_losses(changed: list[PodChange], facts: Facts) -> Iterator[ResourceLoss]:
    """Containers with other requests or limits, and what of them is gone or lower."""
    autoscaled = _vertically_scaled(facts) if changed else frozenset()
    for one in changed:
        key = one.resource.prediction.key
        for name, old, new in one.pairs():
            if old.get("resources") == new.get("resources"):
                continue
            classes = qos_class(one.old), qos_class(one.new)
            removed = tuple(_removed(mapping(old, "resources"), mapping(new, "resources")))
            lowered = _memory_lowered(mapping(old, "resources"), mapping(new, "resources"))
            yield ResourceLoss(
                ref=str(key),
                kind=key.kind,
                namespace=key.namespace or "",
                name=key.name,
                container=name,
                removed=removed,
                memory_lowered=lowered,
                qos_before=classes[0],
                qos_after=classes[1],
                autoscaled=(key.kind, key.namespace, key.name) in autoscaled,
            )


def shutdown_changes(changed: list[PodChange]) -> Iterator[ShutdownChange]:
    """Pods that end in another way than before."""
    for one in changed:
        before, after = _grace(one.old), _grace(one.new)
        lost = tuple(name for name, old, new in one.pairs() if _pre_stop(old) and not _pre_stop(new))
        if after != before or lost:
            yield ShutdownChange(str(one.resource.prediction.key), before, after, lost)


def qos_class(template: JSONObject) -> str:
    """The class of service of a pod, as the kubelet decides it.

    Source: kubernetes/kubernetes@v1.36.3 pkg/apis/core/v1/helper/qos (ComputePodQOS).
    """
    spec = mapping(template, "spec")
    guaranteed, any_set = True, False
    for container in (*items(spec, "initContainers"), *items(spec, "containers")):
        limits, requests = (
            mapping(container, "resources", "limits"),
            mapping(container, "resources", "requests"),
        )
        for name in ("cpu", "memory"):
            limit, request = number_of(limits.get(name)), number_of(requests.get(name, limits.get(name)))
            any_set = any_set or bool(limit) or bool(request)
            guaranteed = guaranteed and bool(limit) and limit == request
    if not any_set:
        return "BestEffort"
    return "Guaranteed" if guaranteed else "Burstable"


def _patience(probe: Any) -> int:
    if not isinstance(probe, dict):
        return 0

    def seconds(name: str) -> int:
        value = probe.get(name)
        return value if isinstance(value, int) and value else _PROBE_DEFAULTS[name]

    per_try = max(seconds("periodSeconds"), seconds("timeoutSeconds"))
    return seconds("initialDelaySeconds") + per_try * seconds("failureThreshold")


def _repository(container: JSONObject) -> str:
    image = str(container.get("image") or "").partition("@")[0]
    head, slash, last = image.rpartition("/")
    return f"{head}{slash}{last.partition(':')[0]}"


def _cause(resource: ResourceChange, container: str, field: str) -> str:
    for change in resource.changes:
        steps = [str(step) for step in change.path]
        if f"name={container}" in steps and field in steps:
            return change.cause
    return ""


def _removed(old: JSONObject, new: JSONObject) -> Iterator[str]:
    for part in ("limits", "requests"):
        before, after = mapping(old, part), mapping(new, part)
        for name in sorted(before):
            if name in ("cpu", "memory") and before[name] is not None and after.get(name) is None:
                yield f"{part}.{name} {before[name]}"


def _memory_lowered(old: JSONObject, new: JSONObject) -> str:
    before, after = mapping(old, "limits").get("memory"), mapping(new, "limits").get("memory")
    numbers = number_of(before), number_of(after)
    return f"{before} to {after}" if numbers[1] and numbers[0] > numbers[1] else ""


def _grace(template: JSONObject) -> int:
    value = mapping(template, "spec").get("terminationGracePeriodSeconds")
    return value if isinstance(value, int) and not isinstance(value, bool) else 30


def _pre_stop(container: JSONObject) -> bool:
    return bool(mapping(container, "lifecycle", "preStop"))


def _vertically_scaled(facts: Facts) -> frozenset[tuple[str, str | None, str]]:
    found = set()
    for resource in facts.resources:
        key = resource.prediction.key
        if (key.group, key.kind) != ("autoscaling.k8s.io", "VerticalPodAutoscaler"):
            continue
        spec = mapping(after_of(resource), "spec")
        target = mapping(spec, "targetRef")
        if mapping(spec, "updatePolicy").get("updateMode") != "Off":
            found.add((str(target.get("kind")), key.namespace, str(target.get("name"))))
    return frozenset(found)
