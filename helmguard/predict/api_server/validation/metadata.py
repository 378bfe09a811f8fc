"""Checks of names, labels and annotations (k8s.io/apimachinery@v0.36.3 pkg/api/validation)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Final

from helmguard.model.json_value import JSONObject
from helmguard.predict.api_server.validation.names import (
    dns_label,
    label_value,
    path_segment,
    qualified_name,
    subdomain,
)
from helmguard.predict.api_server.validation.words import invalid

_LONGEST_CRON_JOB = 52
_NAME_RULES: Final[dict[str, Callable[[str], list[str]]]] = {
    "Service": dns_label,
    "StatefulSet": dns_label,
    "Namespace": dns_label,
    "Role": path_segment,
    "RoleBinding": path_segment,
    "ClusterRole": path_segment,
    "ClusterRoleBinding": path_segment,
    "CronJob": lambda name: _cron_job_name(name),
}
_SUBDOMAINS: Final = frozenset(
    [
        "ConfigMap",
        "Secret",
        "Deployment",
        "DaemonSet",
        "ReplicaSet",
        "Job",
        "Pod",
        "PersistentVolumeClaim",
        "PersistentVolume",
        "Ingress",
        "HorizontalPodAutoscaler",
        "ServiceAccount",
        "NetworkPolicy",
        "PriorityClass",
        "StorageClass",
        "IngressClass",
        "Lease",
        "ResourceQuota",
        "LimitRange",
        "RuntimeClass",
        "EndpointSlice",
        "ValidatingWebhookConfiguration",
        "MutatingWebhookConfiguration",
        "ValidatingAdmissionPolicy",
        "ValidatingAdmissionPolicyBinding",
    ]
)


def name_errors(body: JSONObject, *, is_custom: bool) -> Iterator[str]:
    """The name of a new object."""
    kind, name = body.get("kind", ""), (body.get("metadata") or {}).get("name")
    rule = subdomain if is_custom else _NAME_RULES.get(kind, subdomain if kind in _SUBDOMAINS else None)
    if rule is not None and isinstance(name, str) and name:
        yield from (invalid("metadata.name", name, problem) for problem in rule(name))


def label_errors(metadata: JSONObject, path: str) -> Iterator[str]:
    """Labels, and the keys of annotations, which count without regard to case."""
    yield from labels_errors(metadata.get("labels") or {}, f"{path}.labels")
    for key in metadata.get("annotations") or {}:
        yield from (invalid(f"{path}.annotations", key, problem) for problem in qualified_name(key.lower()))


def labels_errors(labels: JSONObject, path: str) -> Iterator[str]:
    """A map of labels."""
    for key, value in labels.items():
        yield from (invalid(path, key, problem) for problem in qualified_name(key))
        if isinstance(value, str):
            yield from (invalid(path, value, problem) for problem in label_value(value))


def _cron_job_name(name: str) -> list[str]:
    problems = subdomain(name)
    return problems or (["must be no more than 52 characters"] if len(name) > _LONGEST_CRON_JOB else [])
