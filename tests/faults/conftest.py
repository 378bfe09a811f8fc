"""Runs that go wrong, with Helm 3 and with Helm 4."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from controlplane.client import ControlPlane
from controlplane.helm import Helm
from fault_charts import settings_chart
from faulty_api import FaultyApi
from helmguard_program import Helmguard
from web import Web


@pytest.fixture
def api(control_plane: ControlPlane) -> Iterator[FaultyApi]:
    """The server between, without faults so far."""
    faulty = FaultyApi(control_plane)
    yield faulty
    faulty.close()


@pytest.fixture
def helm_through(helm: Helm, api: FaultyApi, tmp_path: Path) -> Helm:
    """helm, by way of the server between; ``helm`` itself goes past it."""
    return replace(helm, kubeconfig=api.write_kubeconfig(tmp_path / "kubeconfig"))


@pytest.fixture
def helmguard(helm_through: Helm) -> Helmguard:
    """helmguard and the helm that it starts, by way of the server between."""
    helm = helm_through
    return Helmguard(helm.home, helm.binary, helm.kubeconfig, helm.namespace)


@pytest.fixture
def web(helm: Helm, helmguard: Helmguard, api: FaultyApi, control_plane: ControlPlane) -> Web:
    """The release ``web``, which is not installed yet."""
    return Web(helm, helmguard, api, control_plane)


@pytest.fixture
def chart(web: Web, tmp_path: Path) -> Path:
    """ConfigMaps ``a`` to ``c``, installed as ``web``."""
    place = settings_chart(tmp_path / "chart")
    web.helm.run("install", "web", place)
    return place
