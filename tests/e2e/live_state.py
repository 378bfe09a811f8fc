"""What a plan foretold beside what the cluster holds."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from controlplane.client import ControlPlane
from controlplane.helm import Helm
from helmguard_program import Helmguard

JSON = dict[str, Any]

_SERVERS_OWN = (
    "managedFields",
    "resourceVersion",
    "generation",
    "uid",
    "creationTimestamp",
    "deletionTimestamp",
    "deletionGracePeriodSeconds",
)
_CONTROLLERS_OWN = ("deployment.kubernetes.io/revision", "deprecated.daemonset.template.generation")


def program_for(helm: Helm) -> Helmguard:
    """helmguard beside this helm: the same cluster, namespace and settings."""
    return Helmguard(helm.home, helm.binary, helm.kubeconfig, helm.namespace)


def differences(cluster: ControlPlane, plan: JSON) -> list[str]:
    """The objects of a plan that are not what it foretold, with the fields that differ; hooks left out."""
    found = []
    for resource in plan["resources"]:
        if resource["hook"]:
            continue
        live = live_object(cluster, resource)
        foretold = resource["after"]
        if comparable(live) != comparable(foretold):
            name = f"{resource['kind']}/{resource['name']} ({resource['action']})"
            found += [f"{name} {line}" for line in unequal(comparable(foretold), comparable(live))]
    return found


def live_object(cluster: ControlPlane, resource: JSON) -> JSON | None:
    """The object as the cluster holds it now; None where it is not, or is being deleted."""
    folder = _folder(resource["apiVersion"])
    served = (cluster.find(folder) or {}).get("resources", ())
    kinds = {entry["kind"]: entry["name"] for entry in served if "/" not in entry["name"]}
    if resource["kind"] not in kinds:
        return None
    place = f"/namespaces/{resource['namespace']}" if resource["namespace"] else ""
    found = cluster.find(f"{folder}{place}/{kinds[resource['kind']]}/{resource['name']}")
    return None if found is None or found["metadata"].get("deletionTimestamp") else found


def _folder(api_version: str) -> str:
    return f"/apis/{api_version}" if "/" in api_version else f"/api/{api_version}"


def comparable(body: JSON | None) -> JSON | None:
    """The object without its status and what the server or a controller alone counts up."""
    if body is None:
        return None
    metadata = {name: value for name, value in body["metadata"].items() if name not in _SERVERS_OWN}
    annotations = {
        name: value
        for name, value in (metadata.pop("annotations", None) or {}).items()
        if name not in _CONTROLLERS_OWN
    }
    if annotations:
        metadata["annotations"] = annotations
    return {**{name: value for name, value in body.items() if name != "status"}, "metadata": metadata}


def unequal(foretold: Any, live: Any, path: str = "") -> Iterator[str]:
    """The fields in which two trees differ, with both values."""
    if isinstance(foretold, dict) and isinstance(live, dict):
        for name in sorted({*foretold, *live}):
            yield from unequal(foretold.get(name), live.get(name), f"{path}.{name}")
    elif foretold != live:
        yield f"{path}: foretold {foretold!r}, live {live!r}"
