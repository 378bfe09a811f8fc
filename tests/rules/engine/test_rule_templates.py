"""Texts with expressions: where those begin and end, and on which line errors stand."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from small_rules import ENGINE

from helmguard.rules.engine.cel import CelFailure
from helmguard.rules.engine.source import Place, RuleError, Source, read_template

PLACE = Place("r.yaml", 5)


def shown(template: str, item: object = None, failures: list[CelFailure] | None = None) -> str:
    scope = ENGINE.scope({"it": item, "data": {}})
    return read_template(template, PLACE).evaluate(ENGINE, scope, failures)


@pytest.mark.parametrize(
    ("template", "text"),
    [
        ("", ""),
        ("plain", "plain"),
        ("${it.a}", "A"),
        ("<${it.a}${it.n}>", "<A7>"),
        ("$it $$ {x} $ {y}", "$it $$ {x} $ {y}"),
        ("$${it.a}", "$A"),
        ("${it.a}}", "A}"),
        ("${ {'k': {'x': it.a}}.k.x }", "A"),
        ("${'}'}${\"}\"}", "}}"),
        ("${'{'}", "{"),
        ("${'it\\'s }'}", "it's }"),
        ("${'''it's }'''}", "it's }"),
        ("${r'\\d}'}", "\\d}"),
        ('${"""a}"b"""}', 'a}"b'),
        ("${'${it.a}'}", "${it.a}"),
        ("a\n${it.a\n+ it.a}\nb", "a\nAA\nb"),
        ("${it.list}", '[1, "x"]'),
        ("${it.map}", '{"k": null}'),
        ("${true} ${null} ${1.5} ${2.0}", "true null 1.5 2"),
    ],
)
def test_a_text(template: str, text: str) -> None:
    failures: list[CelFailure] = []
    item = {"a": "A", "n": 7, "list": [1, "x"], "map": {"k": None}}
    assert shown(template, item, failures) == text
    assert failures == []


def test_what_has_no_value_is_a_question_mark_and_told() -> None:
    failures: list[CelFailure] = []
    assert shown("${it.gone} and ${1 / 0}", {}, failures) == "? and ?"
    assert [failure.missing_key for failure in failures] == ["gone", ""]
    assert shown("${it.gone}", {}) == "?"


@pytest.mark.parametrize("template", ["${", "a ${it.a", "${'}", "${ {1: 2}", "x ${it.a} ${"])
def test_an_expression_without_an_end(template: str) -> None:
    with pytest.raises(RuleError, match="without its") as raised:
        read_template(template, PLACE)
    assert (raised.value.file, raised.value.line) == ("r.yaml", 5)


@pytest.mark.parametrize(
    ("template", "line"),
    [("${nope}", 5), ("a\nb ${nope}", 6), ("a\n${it.a\n\n+ nope}", 8), ("${it.a} ${nope}", 5)],
)
def test_an_error_names_its_line(template: str, line: int) -> None:
    with pytest.raises(RuleError, match="undeclared reference to 'nope'") as raised:
        shown(template, {"a": 1})
    assert raised.value.line == line


def test_words_that_may_be_topics() -> None:
    source = Source('objects.all.exists(o, o.cluster == "values") || _x1.y', PLACE)
    assert {"objects", "_x1"} <= source.words()
    assert not {"all", "cluster", "y", "values"} & source.words()


@pytest.mark.parametrize(
    "text",
    [
        "// it's a comment\nobjects.all == [] // isn't it\n&& cluster.pods == []",
        "r'\\d\"' == 'x' || objects.a == r\"\\d'\" || cluster.b == 'y'",
        "'''it's''' == objects.a || cluster.b == \"\"\"a\"b'c\"\"\"",
        "'a\\'b' == objects.a && cluster.b == 'http://x'",
        "objects.a + 'x' + cluster.b",
    ],
)
def test_no_text_or_comment_hides_a_topic(text: str) -> None:
    ENGINE.compile(text)
    assert {"objects", "cluster"} <= Source(text, PLACE).words()


@given(st.text(st.characters(exclude_characters="$")))
def test_text_without_a_dollar_stands_as_it_is(text: str) -> None:
    assert shown(text) == text


@given(st.lists(st.tuples(st.text("ab{}'\" ", max_size=5), st.text("ab }{'", max_size=5))))
def test_any_text_between_expressions_is_kept(pairs: list[tuple[str, str]]) -> None:
    quoted = [(before, inner.replace("'", "\\'")) for before, inner in pairs]
    template = "".join(f"{before}${{'{inner}'}}" for before, inner in quoted)
    assert shown(template) == "".join(f"{before}{inner}" for before, inner in pairs)
