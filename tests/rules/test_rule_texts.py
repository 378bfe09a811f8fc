"""Texts of rules with expressions in them."""

from __future__ import annotations

from helmguard.rules.engine.source import Place, read_template
from helmguard.rules.packs import builtin_packs, new_engine

ENGINE = new_engine()


def written(template: str, item: object) -> str:
    scope = ENGINE.scope({"it": item, "data": {}})
    return read_template(template, Place("rule.yaml", 1)).evaluate(ENGINE, scope)


def test_a_long_text_stands_whole() -> None:
    command = "helm upgrade app ./chart --reset-then-reuse-values " + "--set a=1 " * 30
    assert written("run ${it.command}!", {"command": command}) == f"run {command}!"


def test_a_long_value_is_cut() -> None:
    shown = written("${it.list}", {"list": list(range(100))})
    assert shown.startswith("[0,") and shown.endswith("…") and len(shown) == 80


def test_what_cannot_be_told_is_a_question_mark() -> None:
    assert written("${it.gone} of ${it.there}", {"there": 1}) == "? of 1"


def test_every_rule_says_its_danger_in_one_line() -> None:
    said = [rule.summary for pack in builtin_packs() for rule in pack.rules]
    assert len(set(said)) == len(said)
    assert [one for one in said if len(one) > 110 or "${" in one or "\n" in one or one.endswith(".")] == []
