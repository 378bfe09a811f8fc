"""What stands in the way of a write, put there by somebody else after a plan was made."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager

from controlplane.client import JSON, ApiError, ControlPlane

_ADMISSION = "/apis/admissionregistration.k8s.io/v1"
_SECONDS = 20.0


@contextmanager
def refused_by_policy(cluster: ControlPlane, namespace: str, name: str) -> Iterator[str]:
    """Nobody may create or change the ConfigMap ``name``; gives the policy's words."""
    words = f"nobody touches {name}"
    rule = {
        "apiGroups": [""],
        "apiVersions": ["v1"],
        "operations": ["CREATE", "UPDATE"],
        "resources": ["configmaps"],
    }
    policy = {
        "metadata": {"name": namespace},
        "spec": {
            "matchConstraints": {"resourceRules": [rule]},
            "validations": [{"expression": f"object.metadata.name != '{name}'", "message": words}],
        },
    }
    selector = {"matchLabels": {"kubernetes.io/metadata.name": namespace}}
    binding = {
        "metadata": {"name": namespace},
        "spec": {
            "policyName": namespace,
            "validationActions": ["Deny"],
            "matchResources": {"namespaceSelector": selector},
        },
    }
    cluster.create(f"{_ADMISSION}/validatingadmissionpolicies", policy)
    cluster.create(f"{_ADMISSION}/validatingadmissionpolicybindings", binding)
    settings = f"/api/v1/namespaces/{namespace}/configmaps"
    try:
        _await_refusal(cluster, settings, name)
        yield words
    finally:
        cluster.remove(f"{_ADMISSION}/validatingadmissionpolicybindings/{namespace}")
        cluster.remove(f"{_ADMISSION}/validatingadmissionpolicies/{namespace}")
        _await_refusal(cluster, settings, name, refused=False)


@contextmanager
def limited_configmaps(cluster: ControlPlane, namespace: str) -> Iterator[str]:
    """A quota that leaves no room for one more ConfigMap; gives its name."""
    name = "no-more-settings"
    quotas = f"/api/v1/namespaces/{namespace}/resourcequotas"
    settings = f"/api/v1/namespaces/{namespace}/configmaps"
    count = len(cluster.items(settings))
    cluster.create(quotas, {"metadata": {"name": name}, "spec": {"hard": {"count/configmaps": str(count)}}})
    # A quota counts nothing before its controller has seen it.
    cluster.wait_for(f"{quotas}/{name}", _is_counted)
    try:
        _await_refusal(cluster, settings, "one-more")
        yield name
    finally:
        cluster.remove(f"{quotas}/{name}")
        _await_refusal(cluster, settings, "one-more", refused=False)


def begin_deletion(cluster: ControlPlane, namespace: str) -> None:
    """The namespace is being deleted, and what was in it is gone.

    Its controller would begin to empty it after five seconds.
    """
    path = f"/api/v1/namespaces/{namespace}"
    cluster.remove(path)
    cluster.delete(f"{path}/configmaps")
    cluster.delete(f"{path}/secrets")


def delete_namespace(cluster: ControlPlane, namespace: str) -> None:
    """The namespace is gone."""
    begin_deletion(cluster, namespace)
    path = f"/api/v1/namespaces/{namespace}"
    terminating = cluster.get(path)
    cluster.replace(f"{path}/finalize", {**terminating, "spec": {"finalizers": []}})
    cluster.wait_for(path, lambda found: found is None)


def _is_counted(quota: JSON | None) -> bool:
    return bool(quota is not None and quota.get("status", {}).get("used"))


def _await_refusal(cluster: ControlPlane, configmaps: str, name: str, *, refused: bool = True) -> None:
    """Admission learns of its rules, and of their end, from a watch, which may be a moment behind."""
    deadline = time.monotonic() + _SECONDS
    while _is_refused(cluster, configmaps, name) != refused:
        if time.monotonic() > deadline:
            raise TimeoutError(f"{name}: refused is still not {refused} after {_SECONDS:.0f} s")
        time.sleep(0.02)


def _is_refused(cluster: ControlPlane, configmaps: str, name: str) -> bool:
    try:
        if cluster.find(f"{configmaps}/{name}") is None:
            cluster.create(configmaps, {"metadata": {"name": name}}, dry_run=True)
        else:
            cluster.patch(f"{configmaps}/{name}", {"metadata": {"labels": {"tried": "x"}}}, dry_run=True)
    except ApiError as error:
        if error.code in (403, 422):
            return True
        raise
    return False
