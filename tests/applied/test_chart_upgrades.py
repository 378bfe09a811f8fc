"""Charts that the project brings: installed, upgraded and rolled back by saved plans."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from applied_case import JSON, Case
from controlplane.client import ControlPlane
from controlplane.helm import Helm
from executed_story import CHART, installed_story
from helmguard_here import HelmguardHere
from helmguard_program import CHARTS
from live_state import program_for
from which_helm import with_helm_4

Step = Callable[..., JSON]


@pytest.fixture
def step(helm_binary: Path, nodes: ControlPlane, namespace: str, tmp_path: Path) -> Iterator[Step]:
    """``step(*words)``: one operation on a release of the test's namespace comes true; its plan."""
    helm = Helm(helm_binary, tmp_path, nodes.kubeconfig, namespace)
    here = HelmguardHere(program_for(helm), tmp_path)

    def run(*words: str | Path) -> JSON:
        return Case(here, nodes, tuple(map(str, words))).comes_true()

    yield run
    for name in helm.run("list", "--short").stdout.split():
        helm.run("uninstall", name)


def test_web(step: Step) -> None:
    """Installed, upgraded, upgraded to what it is, and back."""
    chart = CHARTS / "web"
    assert step("web", chart, "--install")["summary"]["create"] == 3
    words = ("--set", "settings.logLevel=debug,service.port=81,image.tag=2,replicas=2")
    assert step("web", chart, *words)["summary"]["update"] == 3
    assert step("web", chart, "--reuse-values")["summary"]["update"] == 0
    assert step("web", "--rollback", "1")["summary"]["update"] == 3


@with_helm_4
def test_every_kind(step: Step) -> None:
    """With what has no namespace, its own definition among it."""
    words = ["kinds", CHARTS / "every-kind", "--set"]
    installed = step(*words, "cluster=true", "--install")
    assert installed["summary"]["create"] == len(installed["resources"])
    upgraded = step(*words, "cluster=true,level=two,replicas=3,image=nginx:2")
    assert upgraded["summary"]["update"] > 15
    placed = [each for each in upgraded["resources"] if each["namespace"]]
    assert step(*words, "level=two")["summary"]["delete"] == len(upgraded["resources"]) - len(placed)


@pytest.mark.parametrize("binary", ["helm4"], ids=["h4"])
def test_gpu_operator(
    request: pytest.FixtureRequest, binary: str, nodes: ControlPlane, tmp_path: Path
) -> None:
    """With the pack's own steps, which a stand-in for the operator lets pass."""
    with installed_story(request.getfixturevalue(binary), nodes, tmp_path) as story:
        here = HelmguardHere(story.helmguard, tmp_path)
        words = ("gpu-operator", str(CHART), "--reuse-values", "--set", "dcgmExporter.enabled=false")
        plan = Case(here, nodes, words).comes_true()
        assert (plan["summary"]["update"] > 0, plan["hooks"] != []) == (True, True)
        Case(here, nodes, ("gpu-operator", "--rollback")).comes_true()
