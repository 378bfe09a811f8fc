"""Names in expressions are checked against the shape of the context, through loops, choices and bindings."""

from __future__ import annotations

from typing import Any

import pytest
from small_rules import ENGINE, WHOLE, checked

from helmguard.rules.engine.cel_tree import Call, Constant, Ident, Loop, Many, Select
from helmguard.rules.engine.source import RuleError


@pytest.mark.parametrize(
    "when",
    [
        "it.ref == ''",
        "it.?ref.orValue('') == ''",
        "it['ref'] == ''",
        "it.live.anything.at.all == 1",
        "at(it.after, 'a.b', null) == null",
        "has(it.ref)",
        "objects.all.exists(o, o.kind == it.kind && o.changes.exists(c, c.path == ''))",
        "objects.all.filter(o, o.kind == 'x').exists(o, o.ref == it.ref)",
        "objects.all.map(o, o.ref).exists(ref, ref.startsWith('a'))",
        "objects.all[0].ref == ''",
        "cel.bind(first, objects.all[0], first.ref == '')",
        "(it.kind == 'x' ? objects.all : objects.deleted).exists(o, o.ref == '')",
        "cluster.pods.exists(pod, pod.whatever.it.has == 1)",
        "cluster.customResources['x'].exists(one, one.spec.a == 1)",
        "cluster.customResources.exists(name, name.startsWith('x'))",
        "chart.old.version == ''",
        "{'a': it.ref}.a == ''",
        "[it.ref][0] == ''",
        ".objects.all.size() == 0",
        "type(it.ref) == string",
    ],
)
def test_names_that_there_are(when: str) -> None:
    checked(when=when)


@pytest.mark.parametrize(
    ("when", "words"),
    [
        ("it.reff == ''", "DeletedX has no field 'reff'"),
        ("it.?reff.orValue('') == ''", "has no field 'reff'"),
        ("it['reff'] == ''", "has no field 'reff'"),
        ("has(it.reff)", "has no field 'reff'"),
        ("it.ref.x == ''", "'x' is asked of a string"),
        ("objects.all.ref == ''", "'ref' is asked of a list"),
        ("objects.al.size() == 0", "Objects has no field 'al' (it has all, created"),
        ("objects.all.exists(o, o.knd == '')", "has no field 'knd'"),
        ("objects.all.exists(o, o.changes.exists(c, c.pth == ''))", "Change has no field 'pth'"),
        ("objects.all.filter(o, o.kind == 'x').exists(o, o.reff == '')", "has no field 'reff'"),
        ("objects.all[0].reff == ''", "has no field 'reff'"),
        ("cel.bind(first, objects.all[0], first.reff == '')", "has no field 'reff'"),
        ("(it.kind == 'x' ? objects.all : objects.deleted).exists(o, o.reff == '')", "has no field 'reff'"),
        ("cluster.pod.size() == 0", "Cluster has no field 'pod'"),
        ("chart.old.versoin == ''", "has no field 'versoin'"),
        ("{'a': it.reff}.a == ''", "has no field 'reff'"),
        ("[it.reff][0] == ''", "has no field 'reff'"),
        ("text(it.reff) == ''", "has no field 'reff'"),
        ("it.ref.startsWith(it.reff)", "has no field 'reff'"),
        ("it.ref == '' ? true : it.reff", "has no field 'reff'"),
        (".objects.al.size() == 0", "Objects has no field 'al'"),
        ("nope == 1", "undeclared reference to 'nope'"),
        ("item.ref == ''", "undeclared reference to 'item"),
    ],
)
def test_names_that_there_are_not(when: str, words: str) -> None:
    with pytest.raises(RuleError) as raised:
        checked(when=when)
    assert words.replace("DeletedX ", "") in str(raised.value)
    assert str(raised.value).startswith("p/r.yaml:1")


@pytest.mark.parametrize(
    "changed",
    [
        {"applies": "operation.knd == ''"},
        {"before": "it.reff"},
        {"after": "it.reff"},
        {"effects": "[it.reff]"},
        {"title": "${it.reff}"},
        {"consequence": "${it.reff}"},
        {"key": "${it.reff}"},
        {"group": "${it.reff}"},
        {"remedy": ["${it.reff}"]},
        {"remedy": [{"text": "x", "when": "it.reff == ''"}]},
        {"unless": [{"when": "it.reff == ''", "because": "b"}]},
        {"unless": [{"when": "it.ref == ''", "because": "${it.reff}"}]},
        {"severityWhen": [{"when": "it.reff == ''", "severity": "info"}]},
        {"where": {"object": "${it.reff}"}},
        {"where": {"value": "x", "object": "${it.reff}"}},
        {"where": {"object": "x", "field": "${it.reff}"}},
        {"where": {"object": "x", "file": "${it.reff}"}},
        {"where": {"object": "x", "line": "it.reff"}},
        {"needs": ["it.reff"]},
        {"wants": ["it.reff"]},
        {**WHOLE, "when": "objects.al.size() == 0"},
    ],
)
def test_every_part_of_a_rule_is_checked(changed: dict[str, Any]) -> None:
    with pytest.raises(RuleError, match="has no field"):
        checked(**changed)


def test_the_tree_of_an_expression() -> None:
    tree = ENGINE.compile('it.a["b"].exists(x, has(x.c)) && [1, "t"].size() == 2').tree()
    assert isinstance(tree, Call) and tree.function == "_&&_"
    loop, equal = tree.arguments
    assert isinstance(loop, Loop) and loop.variable == "x"
    indexed = loop.over
    assert isinstance(indexed, Call) and indexed.function == "_[_]"
    assert indexed.arguments == (Select(Ident("it", 0), "a", False, 2), Constant("b", 5))
    tests = [node for node in _nodes(loop) if isinstance(node, Select) and node.only_tests]
    assert [(node.field, node.operand) for node in tests] == [("c", Ident("x", 24))]
    assert isinstance(equal, Call) and isinstance(equal.arguments[0], Call)
    assert isinstance(equal.arguments[0].target, Many)
    assert [part.text for part in equal.arguments[0].target.parts if isinstance(part, Constant)] == [
        None,
        "t",
    ]


def _nodes(node: Any) -> list[Any]:
    match node:
        case Loop():
            inner = [node.over, *node.parts]
        case Call():
            inner = [*([node.target] if node.target else []), *node.arguments]
        case Select():
            inner = [node.operand]
        case Many():
            inner = list(node.parts)
        case _:
            inner = []
    return [node, *(below for part in inner for below in _nodes(part))]


def test_places_count_characters_not_bytes() -> None:
    tree = ENGINE.compile("'üüü' == it.a").tree()
    assert isinstance(tree, Call)
    assert tree.arguments[1] == Select(Ident("it", 9), "a", False, 11)
