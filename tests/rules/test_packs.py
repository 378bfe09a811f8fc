"""Every rule that ships: it compiles, names what there is, and does what its examples say."""

from __future__ import annotations

from pathlib import Path

import pytest
from mutants import mutants

from helmguard.rules.context.root import Root, shapes
from helmguard.rules.engine.check_rule import check_rule
from helmguard.rules.engine.evaluate import Judge
from helmguard.rules.engine.examples import results, run_example
from helmguard.rules.engine.rule import Example, Pack, Rule
from helmguard.rules.engine.rule_file import read_examples
from helmguard.rules.engine.source import RuleError
from helmguard.rules.packs import builtin_packs, judge_of, new_engine, rules_folder

RULES = [(pack, rule) for pack in builtin_packs() for rule in pack.rules]
ENGINE = new_engine()


def examples_of(pack: Pack, rule: Rule) -> tuple[Example, ...]:
    file = rules_folder() / pack.name / f"{rule.id}.test.yaml"
    return read_examples(file.read_text(), f"rules/{pack.name}/{file.name}")


@pytest.fixture(params=RULES, ids=lambda pair: pair[1].id)
def pair(request: pytest.FixtureRequest) -> tuple[Pack, Rule]:
    return request.param


def test_a_rule_compiles_and_names_only_what_there_is(pair: tuple[Pack, Rule]) -> None:
    check_rule(pair[1], ENGINE, shapes())


def test_a_rule_does_what_its_examples_say(pair: tuple[Pack, Rule]) -> None:
    pack, rule = pair
    outcomes = [run_example(rule, example, pack, judge_of(), Root) for example in examples_of(pack, rule)]
    problems = [f"{outcome.example.name}: {problem}" for outcome in outcomes for problem in outcome.problems]
    assert problems == []


def test_a_rule_has_examples_of_every_answer_it_can_give(pair: tuple[Pack, Rule]) -> None:
    pack, rule = pair
    shown = {result for example in examples_of(pack, rule) for result in results(example)}
    wanted = {"fires", "quiet"} | ({"unknown"} if rule.needs else set())
    assert wanted <= shown


def test_the_examples_notice_every_change_of_a_condition(pair: tuple[Pack, Rule]) -> None:
    pack, rule = pair
    examples = examples_of(pack, rule)
    judge = Judge(builtin_packs(), ENGINE, shapes())
    unnoticed = []
    for change, mutant in mutants(rule):
        try:
            outcomes = [run_example(mutant, example, pack, judge, Root) for example in examples]
        except RuleError:
            # The change is no expression any more: the rule would not load.
            continue
        if not any(outcome.problems for outcome in outcomes):
            unnoticed.append(change)
    assert unnoticed == []


def test_no_two_rules_have_one_id() -> None:
    ids = [rule.id for _, rule in RULES]
    assert sorted(set(ids)) == sorted(ids)


def test_packs_are_named_like_their_folders() -> None:
    assert all((rules_folder() / pack.name).is_dir() for pack in builtin_packs())


def test_the_package_ships_every_file_of_the_packs() -> None:
    root = Path(__file__).parents[2]
    assert '"rules" = "helmguard/data/rules"' in (root / "pyproject.toml").read_text()
