"""Fields that cannot be changed once written, and the words the API server refuses a change with.

Re-measured against kube-apiserver v1.36.3 by patching each field of a live object; the rules themselves are
in k8s.io/kubernetes@v1.36.3 pkg/apis/*/validation.
"""

from __future__ import annotations

from typing import Final

import msgspec

IMMUTABLE: Final = "field is immutable"


class ImmutableField(msgspec.Struct, frozen=True):
    """``path`` within the object; ``detail`` follows the path, ``{value}`` stands for the refused value."""

    path: tuple[str, ...]
    detail: str = "Invalid value: {value}: " + IMMUTABLE


def _fields(*paths: str, detail: str = "Invalid value: {value}: " + IMMUTABLE) -> tuple[ImmutableField, ...]:
    return tuple(ImmutableField(tuple(path.split(".")), detail) for path in paths)


IMMUTABLE_FIELDS: Final[dict[tuple[str, str], tuple[ImmutableField, ...]]] = {
    ("apps", "Deployment"): _fields("spec.selector"),
    ("apps", "DaemonSet"): _fields("spec.selector"),
    ("apps", "ReplicaSet"): _fields("spec.selector"),
    ("batch", "Job"): _fields(
        "spec.selector",
        "spec.completionMode",
        "spec.managedBy",
        "spec.podFailurePolicy",
        "spec.successPolicy",
        "spec.backoffLimitPerIndex",
    ),
    ("apps", "ControllerRevision"): _fields("data"),
    ("rbac.authorization.k8s.io", "RoleBinding"): _fields(
        "roleRef", detail="Invalid value: {value}: cannot change roleRef"
    ),
    ("rbac.authorization.k8s.io", "ClusterRoleBinding"): _fields(
        "roleRef", detail="Invalid value: {value}: cannot change roleRef"
    ),
    ("storage.k8s.io", "StorageClass"): _fields(
        "reclaimPolicy", "volumeBindingMode", "parameters", "provisioner"
    ),
    ("storage.k8s.io", "VolumeAttachment"): _fields("spec"),
    ("storage.k8s.io", "CSIStorageCapacity"): _fields("nodeTopology", "storageClassName"),
    ("storage.k8s.io", "VolumeAttributesClass"): _fields(
        "driverName", "parameters", detail="Forbidden: updates to {name} are forbidden."
    ),
    ("storage.k8s.io", "CSIDriver"): _fields("spec.attachRequired", "spec.volumeLifecycleModes"),
    ("scheduling.k8s.io", "PriorityClass"): _fields(
        "value", detail="Forbidden: may not be changed in an update."
    )
    + _fields("preemptionPolicy"),
    ("networking.k8s.io", "IngressClass"): _fields("spec.controller"),
    ("node.k8s.io", "RuntimeClass"): _fields("handler"),
    ("apiextensions.k8s.io", "CustomResourceDefinition"): _fields(
        "spec.group", "spec.names.kind", "spec.names.plural", "spec.scope"
    ),
    ("", "Secret"): _fields("type"),
    ("", "ResourceQuota"): _fields("spec.scopes"),
    ("", "PersistentVolume"): (ImmutableField(("spec", "volumeMode")),),
    ("discovery.k8s.io", "EndpointSlice"): _fields("addressType"),
    ("networking.k8s.io", "IPAddress"): _fields("spec.parentRef"),
    ("resource.k8s.io", "ResourceClaim"): _fields("spec"),
    ("resource.k8s.io", "ResourceClaimTemplate"): _fields("spec"),
    ("resource.k8s.io", "ResourceSlice"): _fields("spec.driver", "spec.nodeName", "spec.pool.name"),
}
