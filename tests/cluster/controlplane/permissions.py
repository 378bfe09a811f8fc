"""Grants for the user `limited`, who may do nothing without them."""

from __future__ import annotations

import time
import uuid
from typing import Final

from controlplane.access import LIMITED
from controlplane.client import JSON, ControlPlane

_RBAC: Final = "apis/rbac.authorization.k8s.io/v1"
_REVIEWS: Final = "/apis/authorization.k8s.io/v1/selfsubjectaccessreviews"
_SECONDS: Final = 10.0


def grant(cluster: ControlPlane, namespace: str, rules: list[JSON]) -> ControlPlane:
    """Lets `limited` do what RBAC `rules` say in one namespace, beside what it was granted before.

    `cluster` is an admin's access; the answer is that of `limited`, for whom the grant holds by then.
    """
    name = f"limited-{uuid.uuid4().hex[:8]}"
    at = f"/{_RBAC}/namespaces/{namespace}"
    cluster.create(f"{at}/roles", {"metadata": {"name": name}, "rules": rules})
    binding = {
        "metadata": {"name": name},
        "roleRef": {"apiGroup": "rbac.authorization.k8s.io", "kind": "Role", "name": name},
        "subjects": [{"apiGroup": "rbac.authorization.k8s.io", "kind": "User", "name": LIMITED}],
    }
    cluster.create(f"{at}/rolebindings", binding)
    limited = cluster.as_limited()
    _await_effect(limited, namespace, rules[0])
    return limited


def _await_effect(limited: ControlPlane, namespace: str, rule: JSON) -> None:
    """The authorizer learns of roles and bindings from a watch, which may be a moment behind."""
    asked = {
        "namespace": namespace,
        "verb": rule["verbs"][0],
        "group": rule["apiGroups"][0],
        "resource": rule["resources"][0],
        "name": next(iter(rule.get("resourceNames", [])), ""),
    }
    deadline = time.monotonic() + _SECONDS
    while not limited.create(_REVIEWS, {"spec": {"resourceAttributes": asked}})["status"]["allowed"]:
        if time.monotonic() > deadline:
            raise TimeoutError(f"the grant {rule} had no effect in {_SECONDS:.0f} s")
        time.sleep(0.01)
