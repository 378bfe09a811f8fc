"""Names of resources that containers and quotas may count (k8s.io/kubernetes pkg/apis/core/helper)."""

from __future__ import annotations

CONTAINER_RESOURCES = frozenset({"cpu", "memory", "ephemeral-storage"})
"""What a container may ask for."""

COUNTED_RESOURCES = frozenset(
    [
        "pods",
        "resourcequotas",
        "services",
        "replicationcontrollers",
        "secrets",
        "persistentvolumeclaims",
        "configmaps",
        "services.nodeports",
        "services.loadbalancers",
    ]
)
"""Numbers of objects: integers only."""

STANDARD_RESOURCES = (
    CONTAINER_RESOURCES
    | COUNTED_RESOURCES
    | frozenset(
        [
            "requests.cpu",
            "requests.memory",
            "requests.storage",
            "requests.ephemeral-storage",
            "limits.cpu",
            "limits.memory",
            "limits.ephemeral-storage",
            "storage",
        ]
    )
)
"""All that a quota may limit by a name of its own."""
