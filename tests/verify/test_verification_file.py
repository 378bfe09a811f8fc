"""What is wrong with a pack's verification.yaml is said with its line."""

from __future__ import annotations

from pathlib import Path

import pytest

from helmguard.errors import RuleFileError
from helmguard.planner.rule_folders import read_packs
from helmguard.rules.engine.verification_file import verification_of

PACK = "{name: ours, version: 1.0.0, title: Our own, context: 1}\n"
GOOD = """\
applies: release.chart == "web"
reads:
  pods: {apiVersion: v1, kind: Pod, namespace: release, labelSelector: app=web}
  nodes: {apiVersion: v1, kind: Node, before: true, keep: [metadata.name]}
steps:
- id: pods-run
  what: the pods run
  passes: objects.pods.all(p, p.status.phase == "Running")
  detail: ${listed(objects.pods.map(p, p.metadata.name))}
  onFail: kubectl -n ${release.namespace} get pods
- id: nodes-stay
  what: the nodes are those from before
  timeoutSeconds: 5
  passes: objects.nodes.all(n, n.metadata.name in before.nodes)
  waits: "false"
"""


def write(folder: Path, text: str) -> Path:
    place = folder / "ours"
    place.mkdir()
    (place / "pack.yaml").write_text(PACK)
    (place / "verification.yaml").write_text(text)
    return place


def test_a_pack_of_steps_alone(tmp_path: Path) -> None:
    (pack,) = read_packs(write(tmp_path, GOOD))
    verification = verification_of(pack)
    assert verification is not None
    assert [(step.id, step.timeout_seconds) for step in verification.steps] == [
        ("pods-run", 300),
        ("nodes-stay", 5),
    ]
    assert verification.reads["pods"].own_namespace
    assert verification.steps[1].names_below("before") == {"nodes"}


def test_the_manuals_example(tmp_path: Path) -> None:
    """Both blocks: the second is one more step of the first."""
    manual = (Path(__file__).parents[2] / "docs" / "verification.md").read_text()
    blocks = [part.partition("```")[0] for part in manual.split("```yaml\n")[1:]]
    (pack,) = read_packs(write(tmp_path, "".join(blocks)))
    verification = verification_of(pack)
    assert verification is not None
    assert [step.id for step in verification.steps] == ["nodes-as-before", "test-pod"]


@pytest.mark.parametrize(
    ("old", "new", "line", "said"),
    [
        ("objects.pods.all(p", "objects.podz.all(p", 8, "'reads' has no 'podz'"),
        ("before.nodes", "before.pods", 14, "'pods' is not read before: add 'before: true'"),
        ("id: nodes-stay", "id: pods-run", 11, "the id pods-run is taken"),
        ("id: nodes-stay", "id: Nodes", 11, "must be lower-case words"),
        ("what: the pods run", "whats: the pods run", 6, "lacks 'what'"),
        ("timeoutSeconds: 5", "timeoutSeconds: 0", 13, "from 1 to 86400"),
        ("kind: Node, before", "kind: Node, befor", 4, "unknown field 'befor'; did you mean 'before'?"),
        ("namespace: release,", "namespace: mine,", 3, "must be one of release, all"),
        ('waits: "false"', "waits: size(objects.pods)", 15, "must give true or false"),
        ('== "Running")', '== "Running"', 8, "Syntax error"),
        ("release.namespace}", "releases.namespace}", 10, "undeclared reference"),
        ('waits: "false"', "waits: testPods.size() > 0", 15, "for steps with 'testPods' only"),
        ("steps:\n", "steps: []\nothers:\n", 0, "unknown field 'others'"),
    ],
)
def test_what_is_wrong(tmp_path: Path, old: str, new: str, line: int, said: str) -> None:
    assert old in GOOD
    place = write(tmp_path, GOOD.replace(old, new, 1))
    with pytest.raises(RuleFileError) as raised:
        read_packs(place)
    assert said in str(raised.value)
    if line:
        assert f"verification.yaml:{line}" in str(raised.value)
