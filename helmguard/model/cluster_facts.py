"""What is live around a release: lists of objects that rules ask for by name."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

import msgspec

from helmguard.model.json_value import JSONObject

FactScope = Literal["namespaces", "cluster"]


class FactKind(msgspec.Struct, frozen=True):
    """One list: every object of a kind, in the namespaces that a plan concerns or in the whole cluster.

    ``name`` is what rules call it (``cluster.nodes``). ``metadata_only``: bodies are not read, so that no
    content of a Secret ever is.
    """

    name: str
    api_version: str
    kind: str
    scope: FactScope
    metadata_only: bool = False


FACT_KINDS: tuple[FactKind, ...] = (
    FactKind("nodes", "v1", "Node", "cluster"),
    FactKind("allNamespaces", "v1", "Namespace", "cluster"),
    FactKind("persistentVolumes", "v1", "PersistentVolume", "cluster"),
    FactKind("storageClasses", "storage.k8s.io/v1", "StorageClass", "cluster"),
    FactKind("ingressClasses", "networking.k8s.io/v1", "IngressClass", "cluster"),
    FactKind("runtimeClasses", "node.k8s.io/v1", "RuntimeClass", "cluster"),
    FactKind("priorityClasses", "scheduling.k8s.io/v1", "PriorityClass", "cluster"),
    FactKind("allPods", "v1", "Pod", "cluster"),
    FactKind("allServices", "v1", "Service", "cluster"),
    FactKind("allIngresses", "networking.k8s.io/v1", "Ingress", "cluster"),
    FactKind("allDaemonSets", "apps/v1", "DaemonSet", "cluster"),
    FactKind("pods", "v1", "Pod", "namespaces"),
    FactKind("events", "v1", "Event", "namespaces"),
    FactKind("services", "v1", "Service", "namespaces"),
    FactKind("endpointSlices", "discovery.k8s.io/v1", "EndpointSlice", "namespaces"),
    FactKind("ingresses", "networking.k8s.io/v1", "Ingress", "namespaces"),
    FactKind("persistentVolumeClaims", "v1", "PersistentVolumeClaim", "namespaces"),
    FactKind("configMaps", "v1", "ConfigMap", "namespaces", metadata_only=True),
    FactKind("secrets", "v1", "Secret", "namespaces", metadata_only=True),
    FactKind("serviceAccounts", "v1", "ServiceAccount", "namespaces", metadata_only=True),
    FactKind("resourceQuotas", "v1", "ResourceQuota", "namespaces"),
    FactKind("limitRanges", "v1", "LimitRange", "namespaces"),
    FactKind("networkPolicies", "networking.k8s.io/v1", "NetworkPolicy", "namespaces"),
    FactKind("podDisruptionBudgets", "policy/v1", "PodDisruptionBudget", "namespaces"),
    FactKind("horizontalPodAutoscalers", "autoscaling/v2", "HorizontalPodAutoscaler", "namespaces"),
    FactKind("deployments", "apps/v1", "Deployment", "namespaces"),
    FactKind("statefulSets", "apps/v1", "StatefulSet", "namespaces"),
    FactKind("daemonSets", "apps/v1", "DaemonSet", "namespaces"),
    FactKind("jobs", "batch/v1", "Job", "namespaces"),
    FactKind("cronJobs", "batch/v1", "CronJob", "namespaces"),
    FactKind("roles", "rbac.authorization.k8s.io/v1", "Role", "namespaces"),
    FactKind("roleBindings", "rbac.authorization.k8s.io/v1", "RoleBinding", "namespaces"),
    FactKind("clusterRoles", "rbac.authorization.k8s.io/v1", "ClusterRole", "cluster"),
    FactKind("clusterRoleBindings", "rbac.authorization.k8s.io/v1", "ClusterRoleBinding", "cluster"),
    FactKind(
        "validatingWebhookConfigurations",
        "admissionregistration.k8s.io/v1",
        "ValidatingWebhookConfiguration",
        "cluster",
    ),
    FactKind(
        "mutatingWebhookConfigurations",
        "admissionregistration.k8s.io/v1",
        "MutatingWebhookConfiguration",
        "cluster",
    ),
    FactKind("apiServices", "apiregistration.k8s.io/v1", "APIService", "cluster"),
)
"""Every list that rules may ask for. A kind that the cluster does not serve is an empty list."""


CUSTOM_RESOURCES = "customResources"
NAMESPACE_CONTENTS = "namespaceContents"
FACT_NAMES: tuple[str, ...] = (*(kind.name for kind in FACT_KINDS), CUSTOM_RESOURCES, NAMESPACE_CONTENTS)
"""Everything that can be asked for."""


class WantedFacts(msgspec.Struct, frozen=True):
    """What to read: ``names`` are of ``FACT_NAMES``.

    ``definitions`` are names of CustomResourceDefinitions whose instances are wanted, ``deleted_namespaces``
    those whose contents are.
    """

    names: tuple[str, ...]
    namespaces: tuple[str, ...]
    definitions: tuple[str, ...] = ()
    deleted_namespaces: tuple[str, ...] = ()


class ClusterFacts(msgspec.Struct, frozen=True):
    """What was read around a release.

    ``lists`` are by ``FactKind.name``, each complete; a name that is not there was not asked for, or is in
    ``unread`` with the reason in words. ``namespaces`` are those that lists of scope ``namespaces`` cover.

    ``custom_resources`` are the live objects by the name of their definition (``widgets.example.com``), at
    most a thousand: ``custom_resource_counts`` says how many there are. Their ``managedFields`` tell who
    wrote through which version, not which fields. ``namespace_contents`` are all objects (``apiVersion``,
    ``kind``, ``metadata``) in each namespace that the plan deletes. Definitions and namespaces that are not
    there were not read; ``unread`` may say why, under ``customResources`` and ``namespaceContents``.
    """

    lists: Mapping[str, tuple[JSONObject, ...]] = {}
    custom_resources: Mapping[str, tuple[JSONObject, ...]] = {}
    custom_resource_counts: Mapping[str, int] = {}
    namespace_contents: Mapping[str, tuple[JSONObject, ...]] = {}
    namespaces: tuple[str, ...] = ()
    unread: Mapping[str, str] = {}

    def with_more(self, more: ClusterFacts) -> ClusterFacts:
        """Both readings, made for the same namespaces; the later one wins."""
        return ClusterFacts(
            lists={**self.lists, **more.lists},
            custom_resources={**self.custom_resources, **more.custom_resources},
            custom_resource_counts={**self.custom_resource_counts, **more.custom_resource_counts},
            namespace_contents={**self.namespace_contents, **more.namespace_contents},
            namespaces=more.namespaces or self.namespaces,
            unread={
                **{name: why for name, why in self.unread.items() if name not in more.lists},
                **more.unread,
            },
        )
