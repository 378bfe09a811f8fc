"""``helmguard node``: its actions, its help, wrong use, outputs into files, and what it imports."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from helmguard_program import CHECKOUT, Helmguard
from test_import_budget import HEAVY, imported

from helmguard.cli.node import ACTIONS, action_module

HEALTHY = CHECKOUT / "fixtures" / "nodes" / "healthy"


@pytest.mark.parametrize("words", [["node", "--help"], ["help", "node"], ["node", "-h"]])
def test_the_help_lists_the_actions(helmguard: Helmguard, words: list[str]) -> None:
    ended = helmguard.run(*words).expect(0)
    assert ended.err == ""
    for action, text in ACTIONS.items():
        assert f"  {action:<8}  {text}" in ended.out


@pytest.mark.parametrize("action", ACTIONS)
def test_each_action_has_its_own_help(helmguard: Helmguard, action: str) -> None:
    ended = helmguard.run("node", action, "--help").expect(0)
    assert ended.out.startswith(f"usage: helmguard node {action}")
    assert "examples:" in ended.out and "exit codes: 0" in ended.out


@pytest.mark.parametrize("action", ACTIONS)
def test_every_flag_says_what_it_does(action: str) -> None:
    parser = action_module(action).build_parser()
    assert [one.option_strings for one in parser.flags() if not one.help] == []


@pytest.mark.parametrize(
    ("line", "message", "remedy"),
    [
        ("node", "the action is missing", "helmguard node --help"),
        ("node chek", "unknown action 'chek' for helmguard node. Did you mean 'check'?", "node --help"),
        ("node check --bogus", "unrecognized arguments: --bogus", "helmguard node check --help"),
        ("node check /nowhere/node", "/nowhere/node", ""),
        ("node check . --containerd newest", "'newest' is no version of containerd", "2.1.4"),
        ("node check . -o html", "invalid choice: 'html'", "helmguard node check --help"),
        ("node check . -o json -o yaml", "both go to stdout", "-o yaml=FILE"),
        ("node check . --config a --no-config", "exclude each other", "Leave one of them out"),
        ("nodes", "unknown command 'nodes' for helmguard", "Did you mean 'node'?"),
    ],
)
def test_wrong_use_is_told_in_words(helmguard: Helmguard, line: str, message: str, remedy: str) -> None:
    helmguard.run(*line.split()).expect_error(message, remedy)


def test_flags_may_stand_anywhere(helmguard: Helmguard) -> None:
    for words in (
        ["node", "check", HEALTHY, "-o", "json"],
        ["node", "-o", "json", "check", HEALTHY],
        ["-o", "json", "node", "check", HEALTHY],
    ):
        assert helmguard.run(*words).json["formatVersion"] == "helmguard.node-check/v1"


def test_results_go_into_files(helmguard: Helmguard) -> None:
    words = ["-o", "text", "-o", "json=a.json", "-o", "sarif=a.sarif", "-o", "markdown=a.md"]
    ended = helmguard.run("node", "check", HEALTHY, *words)
    assert ended.out.endswith(f"Exit {ended.code}.\n")
    document = json.loads((helmguard.home / "a.json").read_text(encoding="utf-8"))
    assert document["exitCode"] == ended.code
    assert json.loads((helmguard.home / "a.sarif").read_text(encoding="utf-8"))["version"] == "2.1.0"
    assert (helmguard.home / "a.md").read_text(encoding="utf-8").startswith("### helmguard node check")


def test_yaml_is_the_same_document(helmguard: Helmguard) -> None:
    import yaml

    as_json = helmguard.run("node", "check", HEALTHY, "-o", "json").json
    assert yaml.safe_load(helmguard.run("node", "check", HEALTHY, "-o", "yaml").out) == as_json


def test_quiet_is_the_verdict_alone(helmguard: Helmguard) -> None:
    ended = helmguard.run("node", "check", HEALTHY, "-q")
    assert ended.out.count("\n") == 1 and ended.out.endswith(f"Exit {ended.code}.\n")


@pytest.mark.parametrize("words", [["node", "--help"], ["node", "check", "--help"], ["node"]])
def test_help_imports_nothing_heavy(helmguard: Helmguard, words: list[str]) -> None:
    assert not imported(helmguard, *words) & HEAVY


def test_a_check_imports_no_cluster_and_no_helm(helmguard: Helmguard) -> None:
    found = imported(helmguard, "node", "check", str(HEALTHY))
    assert not found & (HEAVY - {"yaml"})
    assert not [name for name in found if name.startswith(("helmguard.cluster.", "helmguard.helm."))]


def test_completion_knows_the_actions_and_their_flags(helmguard: Helmguard) -> None:
    script = helmguard.run("completion", "bash").expect(0).out
    assert "--containerd" in script
    for action in ACTIONS:
        assert f"_node_{action}" in script


def test_the_configuration_is_found_where_the_program_runs(helmguard: Helmguard, tmp_path: Path) -> None:
    config = helmguard.home / ".helmguard.yaml"
    config.write_text("failOn: none\n", encoding="utf-8")
    document = helmguard.run("node", "check", HEALTHY, "-o", "json").json
    assert (document["failOn"], document["config"]["file"]) == ("none", ".helmguard.yaml")
    assert helmguard.run("node", "check", HEALTHY, "-o", "json", "--no-config").json["failOn"] == "danger"
