"""What the tests of the helm layer share: helm as helmguard runs it, with and without the control plane."""

from __future__ import annotations

from pathlib import Path

import pytest
from controlplane.client import ControlPlane
from controlplane.helm import Helm
from helm_releases import Releases, Served

from helmguard.helm.binary import HelmBinary, find_helm
from helmguard.helm.command import HelmCommand
from helmguard.helm.kube_flags import KubeFlags


@pytest.fixture(scope="session")
def served(control_plane: ControlPlane) -> Served:
    """``.Capabilities`` of the control plane, read group by group."""
    paths = ["/api/v1"]
    for group in control_plane.get("/apis")["groups"]:
        paths += [f"/apis/{version['groupVersion']}" for version in group["versions"]]
    found: set[str] = set()
    for path in paths:
        listed = control_plane.get(path)
        found.add(listed["groupVersion"])
        for resource in listed["resources"]:
            group, version = resource.get("group", ""), resource.get("version", "")
            place = "/".join(filter(None, (group, version))) or listed["groupVersion"]
            found.add(f"{place}/{resource['kind']}")
    return Served(control_plane.get("/version")["gitVersion"], tuple(sorted(found)))


@pytest.fixture
def binary(helm_binary: Path) -> HelmBinary:
    """Helm 3, then Helm 4."""
    return find_helm(str(helm_binary))


@pytest.fixture
def offline(binary: HelmBinary, tmp_path: Path) -> HelmCommand:
    """Helm with settings of its own and no cluster."""
    return HelmCommand(binary, environ=Helm(Path(binary.path), tmp_path).environment())


@pytest.fixture
def command(helm: Helm) -> HelmCommand:
    """Helm with settings of its own, in the test's namespace of the control plane."""
    return HelmCommand(
        find_helm(str(helm.binary)), KubeFlags(namespace=helm.namespace), environ=helm.environment()
    )


@pytest.fixture
def releases(helm: Helm, command: HelmCommand, control_plane: ControlPlane, served: Served) -> Releases:
    """In the test's namespace."""
    return Releases(helm, command, control_plane, served)
