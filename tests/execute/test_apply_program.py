"""``helmguard apply`` as its users run it."""

from __future__ import annotations

from pathlib import Path

import pytest
from controlplane.chart_folder import write_chart
from controlplane.helm import Helm
from helmguard_program import Helmguard
from which_helm import with_helm_4

SETTINGS = """\
apiVersion: v1
kind: ConfigMap
metadata: {name: settings}
data: {colour: "{{ .Values.colour }}"}
"""


@pytest.fixture
def chart(helm: Helm, tmp_path: Path) -> Path:
    place = write_chart(tmp_path / "web", {"templates/settings.yaml": SETTINGS})
    helm.run("install", "web", place, "--set", "colour=blue")
    return place


@with_helm_4
def test_a_plan_is_applied_once(helm: Helm, helmguard: Helmguard, chart: Path) -> None:
    """What no longer holds has one exit code, also where little is told."""
    helmguard.run("plan", "web", chart, "--set", "colour=red", "--out", "web.hgplan", "-q").expect(2)
    helmguard.run("apply", "web.hgplan", "--yes", "-q").expect(0)
    for words in (["-q"], []):
        again = helmguard.run("apply", "web.hgplan", "--yes", *words).expect(3)
        assert "Exit 0" not in again.out
        assert again.out.count("Exit 3.") == 1
        assert "last revision" in again.out
    assert "revision: 2" in helm.run("get", "metadata", "web", "-o", "yaml").stdout
