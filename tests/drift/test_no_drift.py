"""A chart that was just installed has no drift: defaults and controllers are no hands."""

from __future__ import annotations

from contextlib import nullcontext
from pathlib import Path

import pytest
from controlplane.operators_chart import alone_with_the_operator
from drift_trial import RELEASE, DriftTrial, counts

ROOT = Path(__file__).parents[2]
CHARTS = sorted(
    place.parent
    for pattern in ("fixtures/charts/*/Chart.yaml", "tests/*/charts/*/Chart.yaml")
    for place in ROOT.glob(pattern)
)


@pytest.mark.parametrize("chart", CHARTS, ids=lambda chart: f"{chart.parts[-3]}-{chart.name}")
def test_a_fresh_install_has_no_drift(trial: DriftTrial, chart: Path) -> None:
    is_operator = chart.name == "gpu-operator"
    with alone_with_the_operator(trial.cluster) if is_operator else nullcontext():
        _install_without_drift(trial, chart)


def _install_without_drift(trial: DriftTrial, chart: Path) -> None:
    done = trial.helm.run("install", RELEASE, chart, "--no-hooks", check=False)
    if done.returncode and "fixtures" not in chart.parts:
        pytest.skip(f"not a chart to install as it stands: {done.stderr[:200]}")
    assert done.returncode == 0, done.stderr
    plan = trial.drift()
    try:
        assert (plan["exitCode"], counts(plan), plan["unknown"]) == (0, {}, [])
        assert plan["drift"]["counts"]["objects"] == len(plan["resources"]) > 0
    finally:
        if any(resource["namespace"] is None for resource in plan["resources"]):
            # They would be in the way of the next test; what is in the namespace goes with it.
            trial.helm.run("uninstall", RELEASE, "--no-hooks", "--wait")


@pytest.mark.parametrize("name", ["fixtures/charts/web", "tests/e2e/charts/shop"])
def test_the_upgrade_it_speaks_of_changes_nothing(trial: DriftTrial, name: str) -> None:
    chart = trial.install(ROOT / name)
    plan = trial.drift()
    assert {resource["action"] for resource in plan["resources"]} == {"unchanged"}
    trial.expect_truth(plan, chart)
    again = trial.drift()
    assert (again["exitCode"], counts(again), again["release"]["fromRevision"]) == (0, {}, 2)
