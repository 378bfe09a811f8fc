"""The kinds that random writes go to: where their objects live, and two variants of each."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from helmguard.manifest import yaml
from helmguard.predict.schema.builtin_types import is_builtin_namespaced
from helmguard.predict.schema.custom_types import CustomKind, custom_kinds

_FIXTURES = Path(__file__).parent / "fixtures"
VARIANTS: dict[str, list[dict[str, Any]]] = yaml.load((_FIXTURES / "variants.yaml").read_text())
PARTS: dict[str, list[dict[str, Any]]] = yaml.load((_FIXTURES / "parts.yaml").read_text())
CUSTOM_SCHEMAS: dict[str, dict[str, Any]] = yaml.load((_FIXTURES / "custom_schemas.yaml").read_text())

_VERSIONS = {
    "v1": (
        "ConfigMap Secret Service ResourceQuota Pod ServiceAccount PersistentVolumeClaim PersistentVolume "
        "LimitRange Namespace"
    ),
    "apps/v1": "Deployment StatefulSet DaemonSet",
    "batch/v1": "CronJob Job",
    "networking.k8s.io/v1": "Ingress NetworkPolicy IngressClass",
    "autoscaling/v2": "HorizontalPodAutoscaler",
    "policy/v1": "PodDisruptionBudget",
    "rbac.authorization.k8s.io/v1": "Role RoleBinding ClusterRole ClusterRoleBinding",
    "scheduling.k8s.io/v1": "PriorityClass",
    "storage.k8s.io/v1": "StorageClass CSIDriver",
    "node.k8s.io/v1": "RuntimeClass",
    "discovery.k8s.io/v1": "EndpointSlice",
    "coordination.k8s.io/v1": "Lease",
    "apiregistration.k8s.io/v1": "APIService",
    "admissionregistration.k8s.io/v1": (
        "ValidatingWebhookConfiguration MutatingWebhookConfiguration ValidatingAdmissionPolicy"
    ),
    "apiextensions.k8s.io/v1": "CustomResourceDefinition",
}
BUILTIN = {kind: version for version, kinds in _VERSIONS.items() for kind in kinds.split()}
_PLURALS = {
    "Ingress": "ingresses",
    "NetworkPolicy": "networkpolicies",
    "ValidatingAdmissionPolicy": "validatingadmissionpolicies",
    "IngressClass": "ingressclasses",
    "PriorityClass": "priorityclasses",
    "StorageClass": "storageclasses",
    "RuntimeClass": "runtimeclasses",
}


@dataclass(frozen=True)
class Place:
    """Where a kind's objects are written; ``namespace`` is None for cluster-scoped kinds."""

    kind: str
    api_version: str
    plural: str
    namespace: str | None
    custom: CustomKind | None = None

    @property
    def collection(self) -> str:
        root = "/api/v1" if self.api_version == "v1" else f"/apis/{self.api_version}"
        return (
            f"{root}/namespaces/{self.namespace}/{self.plural}" if self.namespace else f"{root}/{self.plural}"
        )


def place_of(kind: str, namespace: str) -> Place:
    """The place of a kind, be it built-in or one of the tests' own."""
    if kind in CUSTOM_SCHEMAS:
        definition = custom_definition(kind, namespace)
        api_version = f"{definition['spec']['group']}/v1"
        custom = custom_kinds([definition])[(api_version, kind)]
        return Place(kind, api_version, f"{kind.lower()}s", namespace, custom)
    api_version = BUILTIN[kind]
    scope = namespace if is_builtin_namespaced(api_version, kind) else None
    return Place(kind, api_version, _PLURALS.get(kind, f"{kind.lower()}s"), scope)


def custom_definition(kind: str, namespace: str) -> dict[str, Any]:
    """The CRD of one of the tests' own kinds, in two versions; only the first is written."""
    plural, group = f"{kind.lower()}s", f"{namespace}.test"
    loose = {"openAPIV3Schema": {"type": "object", "x-kubernetes-preserve-unknown-fields": True}}
    return {
        "apiVersion": "apiextensions.k8s.io/v1",
        "kind": "CustomResourceDefinition",
        "metadata": {"name": f"{plural}.{group}"},
        "spec": {
            "group": group,
            "scope": "Namespaced",
            "names": {"kind": kind, "plural": plural},
            "versions": [
                {
                    "name": "v1",
                    "served": True,
                    "storage": True,
                    "schema": {"openAPIV3Schema": CUSTOM_SCHEMAS[kind]},
                    **({"subresources": {"status": {}}} if kind == "Gadget" else {}),
                },
                {"name": "v2", "served": True, "storage": False, "schema": loose},
            ],
        },
    }
