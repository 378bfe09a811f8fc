"""``helmguard rules``: what a user who writes rules sees."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from helmguard_program import Helmguard

PACK = Path(".helmguard/rules/shop")


@pytest.fixture
def project(helmguard: Helmguard) -> Helmguard:
    """A project with one rule, as ``rules new`` writes it."""
    ran = helmguard.run("rules", "new", "shop/no-replicas").expect(0)
    names = ("pack.yaml", "no-replicas.yaml", "no-replicas.test.yaml")
    assert ran.out.splitlines() == [str(PACK / name) for name in names]
    return helmguard


def change(project: Helmguard, old: str, new: str) -> None:
    file = project.home / PACK / "no-replicas.yaml"
    text = file.read_text()
    assert old in text
    file.write_text(text.replace(old, new))


def test_a_new_rule_holds_its_examples_from_any_folder_of_the_project(project: Helmguard) -> None:
    below = project.home / "deploy" / "prod"
    below.mkdir(parents=True)
    for folder in (project.home, below):
        ran = project.run("rules", "test", cwd=folder).expect(0)
        assert ran.out == "1 rule, 3 examples: none failed\n"


def test_an_example_that_does_not_hold_is_named_with_its_line(project: Helmguard) -> None:
    change(project, "severity: danger", "severity: warning")
    ran = project.run("rules", "test").expect(1)
    assert "severity: expected 'danger', got 'warning'" in ran.out
    assert f"{PACK}/no-replicas.test.yaml:2" in ran.out
    assert "1 rule, 3 examples: 1 failed" in ran.out
    document = json.loads(project.run("rules", "test", "-o", "json").expect(1).out)
    assert document["ok"] is False
    assert [bool(one["problems"]) for one in document["rules"][0]["examples"]] == [True, False, False]


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ("== 0\nunless", "==\nunless", ["no-replicas.yaml:9", "Syntax error"]),
        ("it.after, ", "it.afterwards, ", ["no-replicas.yaml:9", "no field 'afterwards'"]),
        ("over: objects.changed", "over: objects.chnaged", ["Objects has no field 'chnaged'"]),
        ("severity: danger", "severity: dangerous", ["no-replicas.yaml:5", "must be one of blocker, danger"]),
        ("severity: danger", "severty: danger", ["lacks 'severity'"]),
        ("summary: ", "summry: ", ["lacks 'summary'"]),
        ("summary: A", "summary: ''  # A", ["no-replicas.yaml:3", "'summary' is empty"]),
        ("category", "categroy", ["unknown field 'categroy'; did you mean 'category'?"]),
        ("id: no-replicas", "id: No-Replicas", ["no-replicas.yaml:2", "lower-case"]),
        ("id: no-replicas", "id: other", ["must be called other.yaml"]),
        ("evidence:\n- say here what the rule rests on\n", "", ["names no evidence"]),
        ("when: at(it.after", "needs: [cluster.nods]\nwhen: at(it.after", ["no field 'nods'"]),
        ("consequence: Nothing", "consequence: ${it.name Nothing", ["a '${' without its '}'"]),
        ("where: {object:", "where: {pod:", ["'where' must have one of"]),
    ],
)
def test_a_rule_that_cannot_be_used_is_an_error_with_file_and_line(
    project: Helmguard, old: str, new: str, words: list[str], seed_bundle: Path
) -> None:
    change(project, old, new)
    for command in (("rules", "test"), ("rules", "list"), ("plan", "--bundle", str(seed_bundle))):
        project.run(*command).expect_error(*words)


def test_a_rule_without_examples_is_an_error(project: Helmguard) -> None:
    (project.home / PACK / "no-replicas.test.yaml").unlink()
    project.run("rules", "list").expect_error("no-replicas.yaml:1: rule no-replicas has no examples")


def test_a_rule_may_not_take_the_id_of_a_built_in_one(project: Helmguard) -> None:
    project.run("rules", "new", "shop/values-lost-override").expect(0)
    project.run("rules", "list").expect_error(
        "the id values-lost-override is taken by the built-in pack core-values"
    )


def test_list_and_show_know_built_in_and_own_rules(project: Helmguard) -> None:
    listed = project.run("rules", "list").expect(0).out
    assert "values-lost-override" in listed
    assert "A value you set in an earlier revision is missing from this command" in listed
    assert "no-replicas  danger                    A workload is to have no replicas" in listed
    packs = project.run("rules", "list", "--pack", "shop", "-o", "json").expect(0).json["packs"]
    (rule,) = packs[0]["rules"]
    assert rule["id"] == "no-replicas"
    assert rule["summary"].startswith("A workload is to have no replicas")
    shown = project.run("rules", "show", "no-replicas").expect(0).out
    assert shown.startswith("no-replicas (shop): A workload is to have no replicas")
    assert "say here what the rule rests on" in shown


def test_the_built_in_rules_hold_their_examples(helmguard: Helmguard) -> None:
    ran = helmguard.run("rules", "test", "--builtin").expect(0)
    assert ran.out.endswith("none failed\n")


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["show"], "which rule?"),
        (["show", "values-lost-overide"], "Did you mean values-lost-override?"),
        (["list", "--pack", "nope"], "there is no pack 'nope'"),
        (["list", "--rules", "nope"], "there is no folder nope"),
        (["test", "./nope"], "there is no folder nope"),
        (["test"], "neither a folder was named"),
        (["test", "--builtin", "nope"], "there is no rule nope"),
        (["new", "nope"], "'nope' is no name for a rule"),
        (["new"], "name one rule"),
        (["burn"], "invalid choice: 'burn'"),
    ],
)
def test_wrong_words_are_told_with_a_remedy(helmguard: Helmguard, words: list[str], said: str) -> None:
    helmguard.run("rules", *words).expect_error(said)
