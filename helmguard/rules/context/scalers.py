"""Who sets a workload's number of pods beside its manifest: autoscalers of the release and around it."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from helmguard.model.json_value import JSONObject
from helmguard.model.resource_key import ResourceKey
from helmguard.rules.context.manifest_maps import mapping
from helmguard.rules.context.pod_templates import after_of
from helmguard.rules.context.record import UNKNOWN, Record, Unknown
from helmguard.rules.facts import Facts


class Scaler(Record, frozen=True):
    """An autoscaler that targets a workload."""

    ref: Annotated[str, "`HorizontalPodAutoscaler/web`, `ScaledObject/web`"]
    kind: Annotated[str, "its kind"]
    min: Annotated[int, "the least number of pods it sets"] = 1
    max: Annotated[int, "the most, 0 where it does not say"] = 0
    found: Annotated[Literal["manifest", "cluster"], "where it stands: the new manifest, or live"] = (
        "manifest"
    )
    created: Annotated[bool, "this operation creates it"] = False


class Scalers:
    """The autoscalers that will be there after the operation, by what they target."""

    def __init__(self, facts: Facts) -> None:
        self._by_target: dict[tuple[str, str | None, str], Scaler] = {}
        live = facts.cluster.lists.get("horizontalPodAutoscalers")
        self._complete = live is not None
        leaving = {
            (resource.prediction.key.namespace, resource.prediction.key.name)
            for resource in facts.resources
            if resource.action == "delete" and resource.prediction.key.kind == "HorizontalPodAutoscaler"
        }
        for body in live or ():
            metadata = mapping(body, "metadata")
            if (metadata.get("namespace"), metadata.get("name")) not in leaving:
                self._add(body, metadata.get("namespace"), found="cluster", created=False)
        for resource in facts.resources:
            key = resource.prediction.key
            body_after = after_of(resource)
            if is_scaler(key) and body_after is not None:
                created = resource.action in ("create", "recreate")
                self._add(body_after, key.namespace, found="manifest", created=created)

    def of(self, key: ResourceKey) -> Scaler | Unknown | None:
        """What scales the workload; unknown where those around the release were not read."""
        found = self._by_target.get((key.kind, key.namespace, key.name))
        return found if found is not None or self._complete else UNKNOWN

    def _add(
        self,
        body: JSONObject,
        namespace: str | None,
        *,
        found: Literal["manifest", "cluster"],
        created: bool,
    ) -> None:
        kind = str(body.get("kind") or "HorizontalPodAutoscaler")
        target = mapping(body, "spec", "scaleTargetRef")
        spec = mapping(body, "spec")
        low, high = ("minReplicaCount", "maxReplicaCount") if kind == "ScaledObject" else _HPA_FIELDS
        default = 0 if kind == "ScaledObject" else 1
        scaler = Scaler(
            f"{kind}/{mapping(body, 'metadata').get('name')}",
            kind,
            _number(spec.get(low), default),
            _number(spec.get(high), 0),
            found,
            created,
        )
        key = (str(target.get("kind") or "Deployment"), namespace, str(target.get("name")))
        self._by_target[key] = scaler


_HPA_FIELDS = ("minReplicas", "maxReplicas")


def is_scaler(key: ResourceKey) -> bool:
    """Whether the object is an autoscaler: a HorizontalPodAutoscaler, or KEDA's ScaledObject."""
    return (key.group, key.kind) in (("autoscaling", "HorizontalPodAutoscaler"), ("keda.sh", "ScaledObject"))


def _number(value: Any, default: int) -> int:
    return value if isinstance(value, int) and not isinstance(value, bool) else default
