"""Random releases in the hands of both Helms: what each operation does is planned, and comes true."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from random import Random

import pytest
from agreement_server import prepare
from controlplane.client import ControlPlane
from controlplane.helm import Helm
from kinds import CUSTOM_SCHEMAS, custom_definition
from random_releases import random_history

HISTORIES = (1, 2, 3, 4, 6, 7, 8)


@pytest.mark.parametrize("number", HISTORIES)
def test_operations_come_true(
    number: int,
    helm3: Path,
    helm4: Path,
    control_plane: ControlPlane,
    namespace: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    helm = Helm(helm3, tmp_path, control_plane.kubeconfig, namespace)
    for name, value in helm.environment().items():
        monkeypatch.setenv(name, value)
    prepare(control_plane, namespace, CUSTOM_SCHEMAS)
    try:
        history = random_history(
            Random(f"3 {number}"), [helm, replace(helm, binary=helm4)], control_plane, tmp_path
        )
        wrong = [operation for operation in history if operation.untrue]
    finally:
        for kind in CUSTOM_SCHEMAS:
            name = custom_definition(kind, namespace)["metadata"]["name"]
            control_plane.remove(f"/apis/apiextensions.k8s.io/v1/customresourcedefinitions/{name}")
    assert wrong == []
