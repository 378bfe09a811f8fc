"""A ``.helmguard.yaml`` over releases of a real cluster: plans, drift of one and of all."""

from __future__ import annotations

from pathlib import Path

import pytest
from config_project import LOST, NEXT_MONTH, named
from controlplane.chart_folder import write_chart
from controlplane.client import ControlPlane
from controlplane.helm import Helm
from helmguard_program import Helmguard
from live_state import program_for
from which_helm import with_helm_3

WEB = """\
apiVersion: apps/v1
kind: Deployment
metadata: {name: {{ .Release.Name }}}
spec:
  replicas: {{ .Values.replicas }}
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec: {containers: [{name: web, image: "registry.example.com/web:{{ .Values.tag }}"}]}
"""
IGNORE = "ignore:\n- {kind: Deployment, path: spec.replicas, reason: the autoscaler owns them}\n"


@pytest.fixture
def scaled(helm: Helm, control_plane: ControlPlane, tmp_path: Path) -> tuple[Helmguard, Path]:
    """Two releases, ``web`` scaled by hand to 7; and their chart."""
    chart = write_chart(
        tmp_path / "web", {"values.yaml": "replicas: 3\ntag: '1'\n", "templates/web.yaml": WEB}
    )
    for release in ("web", "other"):
        helm.run("install", release, chart, "--set", "tag=2")
    path = f"/apis/apps/v1/namespaces/{helm.namespace}/deployments/web/scale"
    control_plane.patch(path, {"spec": {"replicas": 7}}, field_manager="kubectl")
    return program_for(helm), chart


@with_helm_3
def test_ignored_drift_of_one_release_and_of_all(scaled: tuple[Helmguard, Path], tmp_path: Path) -> None:
    program, _ = scaled
    file = tmp_path / "gate.yaml"
    file.write_text(IGNORE)
    assert program.run("drift", "web", "--no-config").code in (2, 3)
    assert program.run("drift", "--no-config").code in (2, 3)
    program.run("drift", "web", "--config", file).expect(0)
    page = program.run("drift", "--config", file).expect(0).out
    assert page.endswith("No drift in 2 releases; 1 change ignored. Exit 0.\n")
    document = program.run("drift", "--config", file, "-o", "json").expect(0).json
    assert document["summary"]["ignored"] == 1
    files = {each["release"]["name"]: each["config"]["ignored"] for each in document["releases"]}
    assert files["other"] == []
    assert [(entry["file"], entry["line"], entry["changes"]) for entry in files["web"]] == [(str(file), 2, 1)]


@with_helm_3
def test_a_plan_under_a_waiver(scaled: tuple[Helmguard, Path], tmp_path: Path) -> None:
    program, chart = scaled
    file = tmp_path / "gate.yaml"
    file.write_text(f"""\
waivers:
- rule: values-lost-override
  match: {{release: other, name: tag}}
  reason: the default is the newer one
  expires: {NEXT_MONTH}
""")
    for release, is_waived in (("other", True), ("web", False)):
        plan = program.plan(release, chart, "--set", "replicas=3", "--config", file)
        assert (named(plan, LOST)["waived"] is not None) is is_waived
        assert plan["summary"]["findingsWaived"] == is_waived
