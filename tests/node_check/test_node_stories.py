"""The stories that node checks are for, end to end: ``helmguard node check`` on the files of small nodes."""

from __future__ import annotations

import json
import os
from datetime import date, timedelta
from pathlib import Path
from typing import Any

import pytest
from helmguard_program import CHECKOUT, Ended, Helmguard
from jsonschema import Draft202012Validator
from referencing import Registry, Resource
from test_plan_json import closed

import helmguard as library

NODES = CHECKOUT / "fixtures" / "nodes"
SNAPSHOTS = Path(__file__).parent / "snapshots"
DOCS = CHECKOUT / "docs"

STORIES: dict[str, tuple[int, set[str]]] = {
    "healthy": (0, set()),
    "seed-before": (3, {"gpu-layer-missing"}),
    "seed-after": (0, set()),
    "version-3-header": (3, {"ctrd-wrong-plugin-id", "gpu-layer-missing"}),
    "stale-cdi": (3, {"cdi-spec-stale"}),
    "cgroup-mismatch": (3, {"ctrd-cgroup-mismatch"}),
    "fleet": (2, {"node-config-divergence"}),
    "before-upgrade": (3, {"ctrd-dropin-replaces"}),
}
"""Exit code and the rules that fire, what only informs left out."""


def check(program: Helmguard, story: str, *words: str) -> Ended:
    return program.run("node", "check", story, *words, cwd=NODES)


def fired(document: dict[str, Any]) -> set[str]:
    return {
        one["rule"] for one in document["findings"] if one["result"] == "fires" and one["severity"] != "info"
    }


@pytest.mark.parametrize("story", STORIES)
def test_each_story_ends_as_it_should(helmguard: Helmguard, story: str) -> None:
    code, rules = STORIES[story]
    ended = check(helmguard, story, "-o", "json")
    assert fired(ended.json) == rules
    ended.expect(code)
    assert ended.json["exitCode"] == code
    assert ended.json["unknown"] == []
    assert [one["rule"] for one in ended.json["findings"] if one["result"] == "unknown"] == []


def validator() -> Draft202012Validator:
    plan, own = (
        closed(json.loads((DOCS / name).read_text(encoding="utf-8")))
        for name in ("plan.schema.json", "node-check.schema.json")
    )
    registry: Any = Registry().with_resource("plan.schema.json", Resource.from_contents(plan))
    return Draft202012Validator(own, registry=registry)


@pytest.mark.parametrize("story", STORIES)
def test_the_json_is_valid(helmguard: Helmguard, story: str) -> None:
    for words in ([], ["--containerd", "2.3.0"]):
        document = check(helmguard, story, "-o", "json", *words).json
        assert [error.message[:300] for error in validator().iter_errors(document)] == []


@pytest.mark.parametrize("story", STORIES)
def test_the_page(helmguard: Helmguard, story: str) -> None:
    """Set HELMGUARD_UPDATE_SNAPSHOTS to write them anew, then read the diff."""
    shown = check(helmguard, story).out
    file = SNAPSHOTS / f"{story}.txt"
    if os.environ.get("HELMGUARD_UPDATE_SNAPSHOTS"):
        file.parent.mkdir(exist_ok=True)
        file.write_text(shown, encoding="utf-8")
    assert shown == file.read_text(encoding="utf-8")


@pytest.mark.parametrize("story", STORIES)
def test_the_library_says_the_same(helmguard: Helmguard, story: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(NODES)
    found = library.check_node(story, no_config=True)
    assert found.exit_code == STORIES[story][0]
    assert {one.rule for one in found.fired if one.severity != "info"} == STORIES[story][1]
    assert found.to_dict() == check(helmguard, story, "-o", "json", "--no-config").json


def test_the_drop_in_is_right_without_the_word_in_the_main_file(helmguard: Helmguard) -> None:
    """What grep did not find: config.toml names no nvidia, and the runtime is effective all the same."""
    main = (NODES / "seed-after/etc/containerd/config.toml").read_text(encoding="utf-8")
    assert "nvidia" not in main
    document = check(helmguard, "seed-after", "-o", "json").json
    nvidia = document["effective"]["runtimes"]["nvidia"]
    assert nvidia["BinaryName"] == "/usr/local/nvidia/toolkit/nvidia-container-runtime"
    place = document["nodes"][0]["places"]["runtimes.nvidia.BinaryName"]
    assert place == {"file": "/etc/containerd/conf.d/99-nvidia.toml", "line": 7}


def test_a_version_3_header_hides_a_version_2_file(helmguard: Helmguard) -> None:
    page = check(helmguard, "version-3-header").out
    assert "runtime nvidia" not in page.partition("Ignored")[0]
    assert "settings in files without effect" in page
    later = check(helmguard, "version-3-header", "--containerd", "2.3.0", "-o", "json").json
    assert "nvidia" in later["effective"]["runtimes"]


def test_one_of_four_was_edited_by_hand(helmguard: Helmguard) -> None:
    document = check(helmguard, "fleet", "-o", "json").json
    assert [group["nodes"] for group in document["groups"]] == [["gpu-a", "gpu-b", "gpu-d"], ["gpu-c"]]
    [difference] = document["groups"][1]["differences"]
    assert difference["what"] == "sandbox_image"
    assert (difference["file"], difference["line"]) == ("/etc/containerd/config.toml", 5)
    [finding] = [one for one in document["findings"] if one["rule"] == "node-config-divergence"]
    assert "gpu-c" in json.dumps(finding)


def test_an_upgrade_is_judged_before_it_is_made(helmguard: Helmguard) -> None:
    """A drop-in that takes the place of the main file's table under 1.7 is merged under 2.1."""
    document = check(helmguard, "before-upgrade", "--containerd", "2.1.4", "-o", "json").json
    [node] = document["nodes"]
    assert node["installed"]["effective"]["cri"] == "fails"
    assert node["planned"]["effective"]["cri"] == "ok"
    assert {"runtimes.runc", "sandbox_image"} <= {change["setting"] for change in node["changes"]}


def without_source(document: dict[str, Any]) -> dict[str, Any]:
    """Where the facts come from, and when, differs."""
    for node in document["nodes"]:
        node["source"] = node["facts"]["collected"] = None
    return document


def test_what_was_collected_is_judged_as_the_node_itself(helmguard: Helmguard, tmp_path: Path) -> None:
    direct = check(helmguard, "stale-cdi", "-o", "json").json
    archive = tmp_path / "facts" / "node.tar.gz"
    archive.parent.mkdir()
    words = ["node", "collect", "--root", NODES / "stale-cdi", "--name", "stale-cdi"]
    helmguard.run(*words, "-o", archive).expect(0)
    line = helmguard.run(*words, "-o", "-").expect(0).out
    for given in (archive, archive.parent, "-"):
        ended = helmguard.run("node", "check", given, "-o", "json", stdin=line)
        assert without_source(ended.json) == without_source(direct), given


def test_archives_of_several_nodes_are_compared(helmguard: Helmguard, tmp_path: Path) -> None:
    for node in (NODES / "fleet").iterdir():
        words = [
            "node",
            "collect",
            "--root",
            node,
            "--name",
            node.name,
            "-o",
            tmp_path / f"{node.name}.tar.gz",
        ]
        helmguard.run(*words).expect(0)
    document = helmguard.run("node", "check", tmp_path, "-o", "json").expect(2).json
    assert [group["nodes"] for group in document["groups"]] == [["gpu-a", "gpu-b", "gpu-d"], ["gpu-c"]]


def test_a_waiver_for_one_node_accepts_its_finding(helmguard: Helmguard) -> None:
    config = helmguard.home / "waivers.yaml"
    expires = date.today() + timedelta(days=30)
    config.write_text(
        "waivers:\n- rule: node-config-divergence\n  match: {name: gpu-c}\n"
        f"  reason: replaced in June\n  expires: {expires}\n",
        encoding="utf-8",
    )
    ended = check(helmguard, "fleet", "--config", str(config), "-o", "json").expect(0)
    assert ended.json["summary"]["findingsWaived"] == 1
    assert "waived    replaced in June" in check(helmguard, "fleet", "--config", str(config)).out
