"""helmguard as a library: it prints nothing, and its errors are its own."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from helmguard_program import CHARTS

import helmguard

CHART = CHARTS / "gpu-operator"


def test_public_names() -> None:
    for name in helmguard.__all__:
        assert getattr(helmguard, name) is not None
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        _ = helmguard.nothing  # type: ignore[attr-defined, unused-ignore]


def test_a_plan_from_a_bundle(seed_bundle: Path, capfd: pytest.CaptureFixture[str]) -> None:
    plan = helmguard.plan_bundle(seed_bundle)
    assert isinstance(plan, helmguard.Plan)
    assert plan.exit_code == 3
    assert "values-lost-override" in [finding.rule for finding in plan.findings]
    document = plan.to_dict()
    assert document["formatVersion"] == "helmguard.plan/v1"
    assert document["exitCode"] == 3
    assert json.loads(json.dumps(document)) == document
    assert capfd.readouterr() == ("", "")


def test_options_of_a_bundle(seed_bundle: Path) -> None:
    kept = helmguard.plan_bundle(seed_bundle, words=["--set", "toolkit.enabled=true", "--reuse-values"])
    assert (kept.exit_code, kept.values.mode) == (2, "reuse")
    assert helmguard.plan_bundle(seed_bundle, fail_on="blocker").exit_code == 3
    back = helmguard.plan_bundle(seed_bundle, rollback=1)
    assert (back.operation, back.release.to_revision) == ("rollback", 2)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: helmguard.plan_bundle("/nowhere"), "no such bundle: /nowhere"),
        (lambda: helmguard.plan("web"), "the chart is missing"),
        (lambda: helmguard.plan("web", "./web", ["--bogus"]), "unrecognized arguments: --bogus"),
        (lambda: helmguard.plan("web", words=["--kubeconfig", "/nowhere"]), "the chart is missing"),
        (lambda: helmguard.plan("web", "./web", ["--kubeconfig", "/nowhere"]), "kubeconfig /nowhere"),
        (lambda: helmguard.compute_values("/nowhere", []), "/nowhere"),
        (lambda: helmguard.compute_values(CHART, ["--set", "a"]), 'key "a" has no value'),
        (lambda: helmguard.compute_values(CHART, ["--nonsense"]), "--nonsense"),
    ],
)
def test_every_error_is_helmguards_own(call: object, message: str, capfd: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(helmguard.HelmguardError) as caught:
        call()  # type: ignore[operator]
    assert message in caught.value.message
    assert message in str(caught.value)
    assert caught.value.exit_code == 1
    assert isinstance(caught.value.remedy, str)
    assert capfd.readouterr() == ("", "")


def test_values() -> None:
    words = ["--set", "driver.enabled=false", "--set-string", "driver.version=570"]
    found = helmguard.compute_values(CHART, words)
    assert found.config == {"driver": {"enabled": False, "version": "570"}}
    assert found.effective["gpu-operator"]["driver"]["version"] == "570"
    assert found.effective["gpu-operator/charts/node-feature-discovery"]["gc"]["enable"] is True
    provenance = found.provenance[("driver", "enabled")]
    assert (provenance.kind, provenance.source) == ("--set", "driver.enabled=false")


def test_values_of_an_upgrade() -> None:
    current = {
        "config": {"driver": {"enabled": False}},
        "chart": {
            "metadata": {"name": "gpu-operator", "version": "v26.3.3"},
            "values": {"driver": {"enabled": True}},
        },
    }
    lost = helmguard.compute_values(CHART, ["--set", "cdi.enabled=false"], current=current)
    kept = helmguard.compute_values(
        CHART, ["--set", "cdi.enabled=false", "--reset-then-reuse-values"], current=current
    )
    assert lost.effective["gpu-operator"]["driver"]["enabled"] is True
    assert kept.effective["gpu-operator"]["driver"]["enabled"] is False
