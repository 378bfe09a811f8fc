"""Field reports of Helm tooling as acceptance tests; ids name the report, h3 and h4 the Helm that acts."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from controlplane.client import ControlPlane
from controlplane.helm import Helm
from field_case import FieldCase
from gadgets import Gadgets


@pytest.fixture
def case(helm_here: Helm, control_plane: ControlPlane, tmp_path: Path) -> FieldCase:
    """Twice, with Helm 3 and Helm 4."""
    return FieldCase(helm_here, control_plane, tmp_path)


@pytest.fixture
def gadgets(case: FieldCase) -> Iterator[Gadgets]:
    """A custom kind of this test's own; its definition is removed afterwards."""
    found = Gadgets(f"{case.namespace}.example.com")
    yield found
    case.cluster.remove(found.definition_path)
