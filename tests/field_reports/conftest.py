"""Field reports of Helm tooling as acceptance tests; ids name the report, h3 and h4 the Helm that acts."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from controlplane.client import ControlPlane
from controlplane.helm import Helm

sys.path.insert(0, str(Path(__file__).parents[1] / "cli"))
sys.path.insert(0, str(Path(__file__).parents[1] / "e2e"))

from field_case import FieldCase
from gadgets import Gadgets


@pytest.fixture
def case(
    helm: Helm, control_plane: ControlPlane, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> FieldCase:
    """Twice, with Helm 3 and Helm 4; the settings of whoever runs the tests play no part."""
    for name, value in helm.environment().items():
        monkeypatch.setenv(name, value)
    return FieldCase(helm, control_plane, tmp_path)


@pytest.fixture
def gadgets(case: FieldCase) -> Iterator[Gadgets]:
    """A custom kind of this test's own; its definition is removed afterwards."""
    found = Gadgets(f"{case.namespace}.example.com")
    yield found
    if case.cluster.find(found.definition_path) is not None:
        case.cluster.delete(found.definition_path)
