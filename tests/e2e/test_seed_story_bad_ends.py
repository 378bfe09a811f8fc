"""Upgrades that helm calls a success, and that leave the GPUs in trouble: each is told, with its reason."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from controlplane.client import ControlPlane
from executed_story import CHART, JSON, Story, installed_story
from stand_in_operator import Trouble

REASON = "the nodes are drained"


@pytest.fixture(scope="module", params=["helm3", "helm4"], ids=["h3", "h4"])
def story(
    request: pytest.FixtureRequest,
    rollout_control_plane: ControlPlane,
    tmp_path_factory: pytest.TempPathFactory,
) -> Iterator[Story]:
    """Without the chart's hook, whose pod takes seconds."""
    binary: Path = request.getfixturevalue(request.param)
    home = tmp_path_factory.mktemp("helm-home")
    no_hook = ("--set", "operator.upgradeCRD=false")
    with installed_story(binary, rollout_control_plane, home, *no_hook) as installed:
        yield installed


def troubled(verification: JSON) -> dict[str, str]:
    """The steps that have not passed, and why."""
    return {
        step["id"]: step["why"]
        for step in verification["steps"]
        if step["state"] not in ("passed", "skipped")
    }


# What comes after helm's end is the same with either helm.
@pytest.mark.parametrize(
    ("story", "trouble", "step", "why"),
    [
        ("helm3", "stuck", "policy-ready", "cluster-policy is notReady"),
        ("helm4", "no runtime", "no-sandbox-failures", 'no runtime for "nvidia" is configured'),
        ("helm3", "GPU lost", "gpus-not-fewer", "{node}: 0 allocatable, before 1"),
    ],
    ids=["stuck-h3", "no runtime-h4", "GPU lost-h3"],
    indirect=["story"],
)
def test_trouble_after_helm_is_done(story: Story, trouble: Trouble, step: str, why: str) -> None:
    """Any change of the policy will do: the version is another one each time."""
    version = f"after-{trouble.replace(' ', '-')}"
    words = ("gpu-operator", CHART, "--reuse-values", "--set", f"dcgmExporter.version={version}", "--yes")
    with story.operator.trouble_with_next_policy(trouble):
        document = story.document(4, "upgrade", *words, "--verify-timeout", "5s")
        assert document["execution"]["end"] == "succeeded"
        found = troubled(document["verification"])
        assert why.format(node=story.operator.nodes[-1]) in found[step]
        if trouble != "no runtime":
            assert list(found) == [step]
        if trouble == "stuck":
            assert step in troubled(story.document(4, "verify", "gpu-operator"))


def test_the_wrong_upgrade_is_let_through_with_reasons(story: Story) -> None:
    """One of two is not enough. What was accepted is in helm's own history and in the audit log."""
    words = ["gpu-operator", CHART, "--set", "toolkit.enabled=true", "--set", "operator.upgradeCRD=false"]
    audit = story.helmguard.home / "audit.jsonl"
    words += ["--yes", "--audit-log", audit, "--accept", f"values-lost-override={REASON}"]
    before = len(story.stored())
    half = story.document(3, "upgrade", *words)
    assert half["accepted"] == [{"rule": "values-lost-override", "reason": REASON}]
    assert len(story.stored()) == before
    done = story.run("upgrade", *words, "--accept", "gpu-driver-turned-on=a maintenance window").expect(0)
    assert f"waived    {REASON} (--accept)" in done.out
    assert story.components() == (True, True)
    accepted = {"values-lost-override": REASON, "gpu-driver-turned-on": "a maintenance window"}
    (*_, description) = story.stored().values()
    told = "; ".join(f"{rule}: {reason}" for rule, reason in accepted.items())
    assert description == f"Upgrade complete (accepted: {told})"
    refused, started, ended = (json.loads(line) for line in audit.read_text().splitlines())
    assert [each["event"] for each in (refused, started, ended)] == ["refused", "started", "ended"]
    assert {each["rule"]: each["reason"] for each in started["accepted"]} == accepted
    waived = {each["rule"]: each["waived"] for each in started["findings"] if each["waived"]}
    assert waived == accepted
    assert (ended["revision"], ended["status"], ended["exitCode"]) == (before + 1, "deployed", 0)
