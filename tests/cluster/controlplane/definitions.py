"""Custom kinds of a test: when the whole API server knows them."""

from __future__ import annotations

import time
from typing import Final

from controlplane.client import JSON, ControlPlane

_DEFINITIONS: Final = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions"
_AGGREGATED: Final = "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList"


def wait_until_served(cluster: ControlPlane, definition: str, *, seconds: float = 30.0) -> None:
    """Wait until the definition is established and discovery, which Helm and helmguard read, lists its kind.

    The two do not come together: discovery follows the `Established` condition a moment later, and an
    upgrade or a plan between the two finds no such kind.
    """
    found = cluster.wait_for(f"{_DEFINITIONS}/{definition}", _is_established, seconds=seconds)
    assert found is not None
    spec = found["spec"]
    wanted = {
        (spec["group"], version["name"], spec["names"]["plural"])
        for version in spec["versions"]
        if version["served"]
    }
    deadline = time.monotonic() + seconds
    while not wanted <= _discovered(cluster):
        if time.monotonic() > deadline:
            raise TimeoutError(
                f"{definition} is established, but discovery has not listed it in {seconds:.0f} s"
            )


def wait_until_not_served(cluster: ControlPlane, group: str, *, seconds: float = 30.0) -> None:
    """Wait until discovery lists no kind of the group, whose definitions are deleted."""
    deadline = time.monotonic() + seconds
    while any(listed == group for listed, _, _ in _discovered(cluster)):
        if time.monotonic() > deadline:
            raise TimeoutError(f"discovery still lists {group} after {seconds:.0f} s")


def _is_established(definition: JSON | None) -> bool:
    """Whether the API server has accepted the definition's names."""
    conditions = ((definition or {}).get("status") or {}).get("conditions") or ()
    return any((one["type"], one["status"]) == ("Established", "True") for one in conditions)


def _discovered(cluster: ControlPlane) -> set[tuple[str, str, str]]:
    listed = cluster.request("GET", "/apis", {}, accept=_AGGREGATED)
    return {
        (group["metadata"]["name"], version["version"], resource["resource"])
        for group in listed["items"]
        for version in group["versions"]
        for resource in version["resources"]
    }
