"""The order in which Helm installs and uninstalls kinds.

Source: helm/helm@v3.22.0 pkg/releaseutil/kind_sorter.go, @v4.3.1 pkg/release/v1/util/kind_sorter.go.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TypeVar

_Item = TypeVar("_Item")

_FIRST_WEBHOOK_AWARE = 4

INSTALL_ORDER: tuple[str, ...] = (
    "PriorityClass",
    "Namespace",
    "NetworkPolicy",
    "ResourceQuota",
    "LimitRange",
    "PodSecurityPolicy",
    "PodDisruptionBudget",
    "ServiceAccount",
    "Secret",
    "SecretList",
    "ConfigMap",
    "StorageClass",
    "PersistentVolume",
    "PersistentVolumeClaim",
    "CustomResourceDefinition",
    "ClusterRole",
    "ClusterRoleList",
    "ClusterRoleBinding",
    "ClusterRoleBindingList",
    "Role",
    "RoleList",
    "RoleBinding",
    "RoleBindingList",
    "Service",
    "DaemonSet",
    "Pod",
    "ReplicationController",
    "ReplicaSet",
    "Deployment",
    "HorizontalPodAutoscaler",
    "StatefulSet",
    "Job",
    "CronJob",
    "IngressClass",
    "Ingress",
    "APIService",
)
"""What both Helms install first; Helm 4 goes on with webhook configurations."""

_WEBHOOKS = ("MutatingWebhookConfiguration", "ValidatingWebhookConfiguration")
_SERVICE_AFTER = "IngressClass"


def install_order(helm_major: int) -> tuple[str, ...]:
    """The kinds Helm installs in an order of their own; all others come last, by name."""
    return INSTALL_ORDER + _WEBHOOKS if helm_major >= _FIRST_WEBHOOK_AWARE else INSTALL_ORDER


def uninstall_order(helm_major: int) -> tuple[str, ...]:
    """The kinds Helm uninstalls in an order of their own: the reverse, but for services, which go early."""
    kinds = [kind for kind in reversed(install_order(helm_major)) if kind != "Service"]
    kinds.insert(kinds.index(_SERVICE_AFTER) + 1, "Service")
    return tuple(kinds)


def sort_by_kind(
    items: Iterable[_Item], kind_of: Callable[[_Item], str], order: tuple[str, ...]
) -> list[_Item]:
    """``items`` as Helm sorts them: by the place of their kind in ``order``, unknown kinds last and by name.

    Items of one kind keep their order.
    """
    places = {kind: place for place, kind in enumerate(order)}
    return sorted(
        items, key=lambda item: (places.get(kind_of(item), len(places)), _name(kind_of(item), places))
    )


def _name(kind: str, places: dict[str, int]) -> str:
    return "" if kind in places else kind
