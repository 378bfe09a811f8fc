"""The story that started helmguard, to its good end.

The wrong upgrade does not get through; the right one is saved, applied and verified, and so is the way back.
"""

from __future__ import annotations

import shlex
from collections.abc import Iterator
from pathlib import Path

import pytest
from controlplane.client import ControlPlane
from executed_story import CHART, JSON, Story, installed_story

WRONG = ("gpu-operator", CHART, "--set", "toolkit.enabled=true")
STEPS = [
    *("operator-available", "policy-ready", "operands-as-policy", "operands-ready", "runtime-classes"),
    *("no-sandbox-failures", "validators", "gpus-not-fewer", "driver-unchanged", "nodes-schedulable"),
]
COMPARED_WITH_BEFORE = STEPS[-3:]


@pytest.fixture(scope="module", params=["helm3", "helm4"], ids=["h3", "h4"])
def story(
    request: pytest.FixtureRequest,
    rollout_control_plane: ControlPlane,
    tmp_path_factory: pytest.TempPathFactory,
) -> Iterator[Story]:
    binary: Path = request.getfixturevalue(request.param)
    home = tmp_path_factory.mktemp("helm-home")
    with installed_story(binary, rollout_control_plane, home) as installed:
        yield installed


def test_the_story(story: Story) -> None:
    command = _the_wrong_upgrade_is_refused(story)
    _the_right_one_is_applied(story, command)
    _it_can_be_verified_at_any_time(story)
    _the_way_back(story)


def _the_wrong_upgrade_is_refused(story: Story) -> list[str]:
    """Nothing is changed, whatever is answered; the words of the command that keeps the driver off."""
    before = story.written()
    refused = story.run("upgrade", *WRONG, stdin="yes\n").expect(3)
    assert "Refused: 2 blockers at or above the gate (danger). Exit 3." in refused.out
    assert refused.err == (
        "Nothing was changed. To go on all the same, say why: --accept gpu-driver-turned-on=REASON"
        " --accept values-lost-override=REASON\n"
    )
    document = story.document(3, "upgrade", *WRONG, "--yes")
    assert (document["outcome"], document["execution"], document["verification"]) == ("refused", None, None)
    assert story.written() == before
    assert list(story.stored()) == [1]
    program, verb, *words = shlex.split(document["plan"]["keepCommand"])
    assert (program, verb) == ("helm", "upgrade")
    assert "--reuse-values" in words
    return words


def _the_right_one_is_applied(story: Story, words: list[str]) -> None:
    saved = story.helmguard.home / "right.hgplan"
    planned = story.run("plan", *words, "--out", saved).expect(2)
    shown = story.run("show", saved).expect(2)
    assert planned.out in shown.out
    plan = story.document(2, "show", saved)
    assert plan["summary"]["valuesLost"] == 0
    applied = story.document(0, "apply", saved, "--yes")
    assert applied["outcome"] == "executed"
    assert applied["stale"] == []
    assert (applied["execution"]["end"], applied["execution"]["revision"]) == ("succeeded", 2)
    _is_well(applied["verification"], skipped=["test-pod"])
    assert {each["state"] for each in applied["verification"]["hooks"]} == {"succeeded"}
    assert story.components() == (False, True)
    assert story.run("apply", saved, "--yes").expect(3).out.count("Refused: ") == 1
    assert list(story.stored()) == [1, 2]


def _is_well(verification: JSON, *, skipped: list[str]) -> None:
    """All steps have passed but these, which were left out."""
    states = {each["id"]: (each["state"], each["why"]) for each in verification["steps"]}
    assert list(states) == [*STEPS, "test-pod"]
    for step, (state, why) in states.items():
        assert state == ("skipped" if step in skipped else "passed"), f"{step}: {why}"
    assert verification["differences"] == []
    assert verification["unknown"] == []
    assert {each["state"] for each in verification["rollouts"]} <= {"done"}


def _it_can_be_verified_at_any_time(story: Story) -> None:
    """With a pod on the node whose GPU nobody uses, which is removed again."""
    found = story.document(0, "verify", "gpu-operator", "--test-pod")
    _is_well(found, skipped=COMPARED_WITH_BEFORE)
    assert len(found["rollouts"]) == 4
    pods = story.cluster.items(f"/api/v1/namespaces/{story.namespace}/pods")
    left = [pod for pod in pods if pod["metadata"]["name"].startswith("helmguard-test-")]
    assert all("deletionTimestamp" in pod["metadata"] for pod in left)
    assert story.document(0, "status", "gpu-operator")["release"]["condition"] == "deployed"


def _the_way_back(story: Story) -> None:
    """It takes the runtime out of containerd: refused, until somebody says why that is well."""
    back = story.helmguard.home / "back.hgplan"
    planned = story.document(3, "plan", "gpu-operator", "--rollback", "1", "--out", back)
    assert [each["rule"] for each in planned["findings"] if each["severity"] == "blocker"] == [
        "gpu-toolkit-turned-off"
    ]
    before = story.written()
    story.run("apply", back, "--yes").expect(3)
    assert story.written() == before
    reason = "containerd has the runtime by hand"
    accept = ("--accept", f"gpu-toolkit-turned-off={reason}")
    done = story.run("apply", back, "--yes", *accept).expect(0)
    assert (
        "Done: revision 3 is deployed and as planned (14 objects compared, 10 steps passed). Exit 0."
        in done.out
    )
    assert story.components() == (False, False)
    _is_well(story.document(0, "verify", "gpu-operator"), skipped=[*COMPARED_WITH_BEFORE, "test-pod"])
    history = " ".join(story.run("history", "gpu-operator", columns=80).expect(0).out.split())
    # Helm 3's rollback takes no description.
    version = story.helm.run("version", "--template", "{{.Version}}").stdout
    accepted = "" if version.startswith("v3") else f"(accepted: gpu-toolkit-turned-off: {reason}) "
    one = "objects ~1: ~ClusterPolicy/cluster-policy"
    for told in (
        "Install complete the first that is stored: 14 objects, 5 values set",
        f"Upgrade complete values 1: toolkit.enabled false → true · {one}",
        f"Rollback to 1 {accepted}values 1: toolkit.enabled true → false · {one}",
    ):
        assert told in history
