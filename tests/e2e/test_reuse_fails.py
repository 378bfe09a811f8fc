"""``--reuse-values`` over a newer chart: the old defaults lack what the new templates read."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from controlplane.client import ControlPlane
from controlplane.helm import Helm
from controlplane.operators_chart import alone_with_the_operator
from helmguard_program import CHARTS, Helmguard

NEW = CHARTS / "gpu-operator"
MISSING = "nil pointer evaluating interface {}.enabled"
TEMPLATE = "gpu-operator/templates/clusterpolicy.yaml"


def older_chart(folder: Path) -> Path:
    """The stand-in chart a version earlier: without ``cdi``, which the newer templates read."""
    old = folder / "old-gpu-operator"
    shutil.copytree(NEW, old)
    for name, before, after in (
        ("Chart.yaml", "v26.3.3", "v25.10.1"),
        ("values.yaml", "cdi:\n  enabled: true\n\n", ""),
        ("templates/clusterpolicy.yaml", "  cdi:\n    enabled: {{ .Values.cdi.enabled }}\n", ""),
    ):
        text = (old / name).read_text()
        assert before in text
        (old / name).write_text(text.replace(before, after))
    return old


@pytest.fixture
def released(helm: Helm, control_plane: ControlPlane, tmp_path: Path) -> Iterator[Helm]:
    """The older chart, with one override."""
    with alone_with_the_operator(control_plane):
        helm.run("install", "gpu-operator", older_chart(tmp_path), "--set", "driver.enabled=false")
        yield helm


def line_of(template: str, text: str) -> int:
    lines = (NEW / template).read_text().splitlines()
    return next(number for number, line in enumerate(lines, start=1) if text in line)


def test_the_plan_tells_the_failure_and_the_way_out(released: Helm, helmguard: Helmguard) -> None:
    plan = helmguard.plan("gpu-operator", NEW, "--reuse-values")
    assert plan["exitCode"] == 3
    failure = plan["failure"]
    line = line_of("templates/clusterpolicy.yaml", ".Values.cdi.enabled")
    assert f"{TEMPLATE}:{line}:" in failure["message"].splitlines()[0]
    assert MISSING in failure["message"]
    assert (failure["stage"], failure["appliedBefore"]) == ("before", [])
    real = released.run("upgrade", "gpu-operator", NEW, "--reuse-values", check=False)
    assert failure["message"] in real.stderr

    # One cause, one finding: the value that is missing, and not the rendering that fails for it as well.
    (finding,) = [each for each in plan["findings"] if each["severity"] == "blocker"]
    assert (finding["rule"], finding["where"]["name"]) == ("reuse-values-missing-key", "cdi.enabled")
    assert f"{TEMPLATE}:{line}:" in finding["consequence"]
    assert "--reset-then-reuse-values" in finding["remedy"][0]

    page = helmguard.run("plan", "gpu-operator", NEW, "--reuse-values").expect(3).out
    for text in ("WILL FAIL", MISSING, f"{TEMPLATE}:{line}", "--reset-then-reuse-values"):
        assert text in " ".join(page.split())


@pytest.mark.parametrize("words", [["--reset-then-reuse-values"], []], ids=["reset-then-reuse", "no flags"])
def test_the_way_out_keeps_the_override(released: Helm, helmguard: Helmguard, words: list[str]) -> None:
    plan = helmguard.plan("gpu-operator", NEW, *words)
    assert plan["exitCode"] == 2
    told = {(each["rule"], each["where"]["name"]) for each in plan["findings"]}
    assert ("chart-default-changed", "cdi.enabled") in told
    assert {each["severity"] for each in plan["findings"]} <= {"warning", "info"}
    changed = {
        each["path"]: (each["after"], each["cause"])
        for resource in plan["resources"]
        for each in resource["changes"]
        if not each["bookkeeping"]
    }
    assert changed["spec.cdi.enabled"] == (True, "default")
    assert "spec.driver.enabled" not in changed
