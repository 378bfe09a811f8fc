"""Policies, budgets, scalers and quotas that go: what they cover, and what takes their place."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from helmguard.model.json_value import JSONObject
from helmguard.model.resource_key import ResourceKey
from helmguard.rules.context.manifest_maps import mapping
from helmguard.rules.context.named_objects import edges_of
from helmguard.rules.context.selectors import pod_labels_of, pod_selector_of, selects

PROTECTIONS = {
    ("networking.k8s.io", "NetworkPolicy"): frozenset({"NetworkPolicy", "CiliumNetworkPolicy"}),
    ("policy", "PodDisruptionBudget"): frozenset({"PodDisruptionBudget"}),
    ("autoscaling", "HorizontalPodAutoscaler"): frozenset({"HorizontalPodAutoscaler", "ScaledObject"}),
    ("", "ResourceQuota"): frozenset({"ResourceQuota"}),
    ("", "LimitRange"): frozenset({"LimitRange"}),
    ("admissionregistration.k8s.io", "ValidatingAdmissionPolicy"): frozenset({"ValidatingAdmissionPolicy"}),
    ("admissionregistration.k8s.io", "ValidatingAdmissionPolicyBinding"): frozenset(
        {"ValidatingAdmissionPolicyBinding"}
    ),
}
"""What protects, and kinds that can do the same."""

Documents = Mapping[ResourceKey, JSONObject]


def covered_workloads(key: ResourceKey, body: JSONObject, documents: Documents) -> list[ResourceKey]:
    """The workloads of a manifest whose pods the object covers."""
    target = _target(body, key)
    if target is not None:
        return [target] if target in documents else []
    selector = _selector(key, body)
    if selector is None:
        return []
    return [
        other
        for other, document in documents.items()
        if other.namespace == key.namespace
        and (labels := pod_labels_of(document)) is not None
        and selects(selector, labels)
    ]


def covers_all(key: ResourceKey, body: JSONObject) -> bool:
    """Whether it covers whatever runs in its namespace, or what its own rules say in the cluster."""
    if key.group == "admissionregistration.k8s.io":
        return True
    selector = _selector(key, body) if _target(body, key) is None else None
    return selector is not None and not any(selector.values())


def successor_of(key: ResourceKey, body: JSONObject, new: Documents, touched: Iterable[ResourceKey]) -> str:
    """An object of the new manifest that covers what this one covered; empty for none.

    ``touched`` are the objects that this operation creates or changes: a NetworkPolicy that was there before
    does not take the place of another one, for policies add up.
    """
    kinds = PROTECTIONS.get((key.group, key.kind), frozenset())
    adds_up = key.kind == "NetworkPolicy"
    candidates = set(touched) if adds_up else set(new)
    staying = covered_workloads(key, body, new)
    for other, document in new.items():
        if other.kind not in kinds or other.namespace != key.namespace or other not in candidates:
            continue
        if other.kind == "CiliumNetworkPolicy" or _is_same(body, document):
            return str(other)
        covered = covered_workloads(other, document, new)
        if staying and set(staying) <= set(covered):
            return str(other)
    return ""


def _is_same(body: JSONObject, other: JSONObject) -> bool:
    """Equal specs: a rename."""
    return body.get("spec") == other.get("spec")


def _target(body: JSONObject, key: ResourceKey) -> ResourceKey | None:
    """What a scaler scales."""
    if key.kind not in ("HorizontalPodAutoscaler", "ScaledObject"):
        return None
    return next((edge.target for edge in edges_of(body, key.namespace)), None)


def _selector(key: ResourceKey, body: JSONObject) -> JSONObject | None:
    if key.kind in ("ResourceQuota", "LimitRange"):
        return {}
    if key.kind == "CiliumNetworkPolicy":
        return mapping(mapping(body.get("spec")).get("endpointSelector"))
    return pod_selector_of(body)
