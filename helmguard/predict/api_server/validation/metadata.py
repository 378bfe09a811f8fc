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
_ALL_ANNOTATIONS: Final = 256 * 1024
_STANDARD_FINALIZERS: Final = ("kubernetes", "orphan", "foregroundDeletion")
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
    annotations = metadata.get("annotations") or {}
    for key in annotations:
        yield from (invalid(f"{path}.annotations", key, problem) for problem in qualified_name(key.lower()))
    if (
        sum(len(key.encode()) + len(str(value).encode()) for key, value in annotations.items())
        > _ALL_ANNOTATIONS
    ):
        yield f"{path}.annotations: Too long: may not be more than {_ALL_ANNOTATIONS} bytes"


def owner_errors(metadata: JSONObject) -> Iterator[str]:
    """An object has one controller at most."""
    references = metadata.get("ownerReferences") or []
    first, *others = [one for one in references if one.get("controller") is True] or [None]
    for other in others:
        names = [f"{one.get('kind', '')}/{one.get('name', '')}" for one in (first, other)]
        detail = 'Only one reference can have Controller set to true. Found "true" in references for '
        yield invalid("metadata.ownerReferences", references, detail + " and ".join(names))


def finalizer_errors(metadata: JSONObject) -> Iterator[str]:
    """Finalizers of built-in kinds: Kubernetes' own, or with a domain before the name."""
    for index, name in enumerate(metadata.get("finalizers") or []):
        if "/" not in name and name not in _STANDARD_FINALIZERS:
            detail = "name is neither a standard finalizer name nor is it fully qualified"
            yield invalid(f"metadata.finalizers[{index}]", name, detail)


def identity_errors(document: JSONObject, live: JSONObject) -> Iterator[str]:
    """A document that carries the uid of another object, as one copied from a cluster does."""
    wanted, uid = ((one.get("metadata") or {}).get("uid") for one in (document, live))
    if wanted and uid and wanted != uid:
        yield invalid("metadata.uid", wanted, "field is immutable")


def labels_errors(labels: JSONObject, path: str) -> Iterator[str]:
    """A map of labels."""
    for key, value in labels.items():
        yield from (invalid(path, key, problem) for problem in qualified_name(key))
        if isinstance(value, str):
            yield from (invalid(path, value, problem) for problem in label_value(value))


def _cron_job_name(name: str) -> list[str]:
    problems = subdomain(name)
    return problems or (["must be no more than 52 characters"] if len(name) > _LONGEST_CRON_JOB else [])
