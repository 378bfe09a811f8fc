"""What the runner of examples finds wrong with a rule, and what it lays under an example."""

from __future__ import annotations

from typing import Any

import pytest
from small_rules import ENGINE, pack_of

from helmguard.rules.context.record import RecordOf, defaults
from helmguard.rules.context.root import BUILDERS, Root
from helmguard.rules.engine.evaluate import Judge
from helmguard.rules.engine.examples import complete, results, run_example
from helmguard.rules.engine.rule import Example
from helmguard.rules.engine.rule_file import merged, read_examples
from helmguard.rules.engine.source import Place


def example(*expect: dict[str, Any], without: tuple[str, ...] = (), **context: Any) -> Example:
    return Example("x", Place("r.test.yaml", 2), context, without, tuple(expect))


def problems(one: Example, **changed: Any) -> tuple[str, ...]:
    pack = pack_of(**changed)
    judge = Judge([pack], ENGINE, BUILDERS)
    return run_example(pack.rules[0], one, pack, judge, Root).problems


DELETED = {"deleted": [{"ref": "Secret/a"}]}


@pytest.mark.parametrize(
    "expected",
    [
        {},
        {"severity": "danger", "result": "fires", "name": "Secret/a", "title": "t", "missing": []},
        {"text": "c"},
        {"text": ["t", "c", "do 7", "e1"]},
        {"effects": ["e1"], "remedy": ["do 7"], "before": 1, "after": [2], "field": "f", "key": "k"},
    ],
)
def test_what_is_as_expected(expected: dict[str, Any]) -> None:
    fields = {"effects": "['e1']", "remedy": ["do 7"], "before": "1", "after": "[2]", "key": "k"}
    where = {"object": "${it.ref}", "field": "f"}
    assert problems(example(expected, objects=DELETED), where=where, **fields) == ()


@pytest.mark.parametrize(
    ("expect", "words"),
    [
        ([], "expected 0 findings, got 1: ['fires danger Secret/a: t']"),
        ([{}, {}], "expected 2 findings, got 1"),
        ([{"severity": "info"}], "severity: expected 'info', got 'danger'"),
        ([{"result": "unknown"}], "result: expected 'unknown', got 'fires'"),
        ([{"name": "Secret/b"}], "name: expected 'Secret/b', got 'Secret/a'"),
        ([{"missing": ["cluster.pods"]}], "missing: expected ['cluster.pods'], got []"),
        ([{"text": ["c", "nope"]}], "'nope' is not in 't c'"),
        ([{"titel": "t"}], "unknown expectation 'titel'; known are severity"),
        ([{"before": 0}], "before: expected 0, got None"),
    ],
)
def test_what_is_not_as_expected(expect: list[dict[str, Any]], words: str) -> None:
    (problem,) = problems(example(*expect, objects=DELETED))
    assert words in problem


def test_facts_are_unknown_unless_given_and_can_be_taken_away() -> None:
    needs = {"needs": ["cluster.pods"]}
    unknown = {"result": "unknown", "missing": ["cluster.pods"]}
    assert problems(example(unknown, objects=DELETED), **needs) == ()
    given: dict[str, Any] = {"objects": DELETED, "cluster": {"pods": []}}
    assert problems(example({}, **given), **needs) == ()
    assert problems(example(unknown, without=("cluster.pods",), **given), **needs) == ()


def test_what_is_taken_away_of_every_item() -> None:
    one = example({"result": "unknown"}, without=("objects.deleted.*.kind",), objects=DELETED)
    assert problems(one, when="it.kind == ''") == ()


@pytest.mark.parametrize(
    ("expect", "shown"),
    [([], {"quiet"}), ([{}], {"fires"}), ([{"result": "unknown"}, {}], {"unknown", "fires"})],
)
def test_which_answers_an_example_shows(expect: list[dict[str, Any]], shown: set[str]) -> None:
    assert results(example(*expect)) == shown


def test_the_defaults_of_the_context_stand_under_an_example() -> None:
    whole = complete({"objects": DELETED}, RecordOf(Root), example())
    plain = defaults(Root)
    assert isinstance(whole, dict)
    assert {name: whole[name] for name in plain if name != "objects"} == {
        name: value for name, value in plain.items() if name != "objects"
    }
    objects: Any = whole["objects"]
    assert objects["all"] == [] and objects["deleted"][0]["kind"] == ""
    assert "pods" not in plain["cluster"]  # type: ignore[operator]


@pytest.mark.parametrize(
    ("base", "more", "both"),
    [
        ({}, {"a": 1}, {"a": 1}),
        ({"a": {"b": 1, "c": 2}}, {"a": {"c": 3}}, {"a": {"b": 1, "c": 3}}),
        ({"a": [1, 2]}, {"a": [3]}, {"a": [3]}),
        ({"a": {"b": 1}}, {"a": None}, {"a": None}),
        ({"a": 1}, {"a": {"b": 1}}, {"a": {"b": 1}}),
    ],
)
def test_an_example_lies_over_the_common_context(
    base: dict[str, Any], more: dict[str, Any], both: dict[str, Any]
) -> None:
    kept = {**base}
    assert merged(base, more) == both
    assert base == kept


def test_examples_know_their_lines() -> None:
    cases = "- name: one\n  expect: []\n- name: two\n  context: {a: {c: 2}}\n  expect: []\n"
    text = f"context: {{a: {{b: 1}}}}\ncases:\n{cases}"
    first, second = read_examples(text, "r.test.yaml")
    assert (first.place, second.place) == (Place("r.test.yaml", 3, 3), Place("r.test.yaml", 5, 3))
    assert (first.context, second.context) == ({"a": {"b": 1}}, {"a": {"b": 1, "c": 2}})
