"""Commands that only read, run by a user of whom the API server writes everything down."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from controlplane.audited_user import AuditedUser, make_audited_user
from controlplane.client import ControlPlane
from controlplane.errors import ClusterError
from controlplane.helm import Helm
from controlplane.namespaces import fresh_namespace
from helmguard_program import Helmguard
from released import Released, release


@pytest.fixture(scope="session", params=["helm3", "helm4"], ids=["h3", "h4"])
def released(
    request: pytest.FixtureRequest, control_plane: ControlPlane, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Released]:
    """One release for all commands, for Helm 3 and for Helm 4: none of them changes it."""
    home = tmp_path_factory.mktemp("released")
    cluster = control_plane
    with fresh_namespace(cluster) as namespace:
        helm = Helm(request.getfixturevalue(request.param), home, cluster.kubeconfig, namespace)
        yield release(cluster, helm, home / "charts")
    definition = f"gadgets.{namespace}.example.com"
    cluster.remove(f"/apis/apiextensions.k8s.io/v1/customresourcedefinitions/{definition}")


@pytest.fixture
def audited_user(control_plane: ControlPlane, tmp_path: Path) -> AuditedUser:
    """A user of this test's own, who may do everything."""
    try:
        return make_audited_user(control_plane, tmp_path)
    except ClusterError as error:
        pytest.fail(f"no audited user: {error}", pytrace=False)


@pytest.fixture
def helmguard(released: Released, audited_user: AuditedUser, tmp_path: Path) -> Helmguard:
    """helmguard and the helm it starts, both as the audited user."""
    helm = replace(released.helm, home=tmp_path)
    return Helmguard(helm.home, helm.binary, audited_user.kubeconfig, helm.namespace)
