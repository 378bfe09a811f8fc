"""Fires, quiet or unknown: what one rule makes of a context."""

from __future__ import annotations

from typing import Any

import pytest
from small_rules import WHOLE, deleted, verdict

from helmguard.model.finding import Finding, Place


def finding(context: dict[str, Any], **changed: Any) -> Finding:
    (found,) = verdict(context, **changed).findings
    return found


def answers(context: dict[str, Any], **changed: Any) -> list[tuple[str, str]]:
    return [(one.where.name, one.result) for one in verdict(context, **changed).findings]


A = {"ref": "Secret/a", "n": 1, "kind": "Secret", "group": ""}
B = {"ref": "Widget/b", "n": 2, "kind": "Widget"}


@pytest.mark.parametrize(
    ("changed", "expected"),
    [
        ({"when": "true"}, [("Secret/a", "fires"), ("Widget/b", "fires")]),
        ({"when": "false"}, []),
        ({"when": "it.n == 2"}, [("Widget/b", "fires")]),
        ({"when": "it.m == 2"}, [("Secret/a", "unknown"), ("Widget/b", "unknown")]),
        ({"when": "it.m == 2 && it.n == 1"}, [("Secret/a", "unknown")]),
        ({"when": "it.m == 2 || it.n == 1"}, [("Secret/a", "fires"), ("Widget/b", "unknown")]),
        ({"when": "it.ref"}, [("Secret/a", "unknown"), ("Widget/b", "unknown")]),
        ({"match": {"kind": "Widget"}}, [("Widget/b", "fires")]),
        ({"match": {"kind": ["Widget", "Secret"], "group": ""}}, [("Secret/a", "fires")]),
        ({"match": {"kind": "Job"}}, []),
        ({"applies": "operation.kind == 'upgrade'"}, []),
        ({"applies": "operation.kind == 'drift'", "when": "it.n == 1"}, [("Secret/a", "fires")]),
        ({"applies": "operation.gone", "when": "it.n == 1"}, [("Secret/a", "fires")]),
        ({"pack": {"applies": "operation.kind == 'upgrade'"}}, []),
        ({"pack": {"applies": "operation.kind == 'drift'"}, "when": "it.n == 1"}, [("Secret/a", "fires")]),
        ({"pack": {"applies": "operation.gone"}, "when": "it.n == 1"}, [("Secret/a", "fires")]),
        ({"data": '{"n": 2}', "when": "it.n == data.t.n"}, [("Widget/b", "fires")]),
        ({"over": "objects.byName"}, [("Job/c", "fires")]),
        ({"over": "objects.nothing"}, []),
        ({**WHOLE, "when": "objects.deleted.size() == 2"}, [("shop", "fires")]),
        ({**WHOLE, "when": "objects.deleted.size() == 3"}, []),
    ],
)  # fmt: skip
def test_which_items_fire(changed: dict[str, Any], expected: list[tuple[str, str]]) -> None:
    objects = {"deleted": [A, B], "byName": {"c": {"ref": "Job/c"}}, "nothing": None}
    assert answers({"objects": objects, "operation": {"kind": "drift"}}, **changed) == expected


@pytest.mark.parametrize(
    ("changed", "result", "missing"),
    [
        ({"needs": ["cluster.pods"]}, "unknown", ("cluster.pods",)),
        ({"needs": ["cluster.nodes"]}, "fires", ()),
        ({"wants": ["cluster.pods"]}, "fires", ()),
        ({"needs": ["it.spare"]}, "unknown", ("it.spare",)),
        ({"when": "cluster.pods.size() == 1"}, "unknown", ("pods",)),
        ({"when": "cluster.pods.size() == 1", "needs": ["cluster.pods"]}, "unknown", ("cluster.pods",)),
        ({"when": "cluster.pods.size() == 1", "wants": ["cluster.pods"]}, "unknown", ("cluster.pods",)),
        ({"when": "cluster.pods.size() + cluster.jobs.size() == 1",
          "wants": ["cluster.jobs", "cluster.pods"]}, "unknown", ("cluster.pods",)),
        ({"when": "it.ref"}, "unknown", ("an answer: a condition gives text, not true or false",)),
        ({"when": "it.n"}, "unknown", ("an answer: a condition gives a number, not true or false",)),
    ],
)  # fmt: skip
def test_what_is_missing_is_named(changed: dict[str, Any], result: str, missing: tuple[str, ...]) -> None:
    found = finding(deleted(A, nodes=[]), **changed)
    assert (found.result, found.missing) == (result, missing)


@pytest.mark.parametrize(
    ("guard", "wants", "result", "missing"),
    [
        ("it.n == 2", [], "fires", ()),
        ("cluster.pods.size() == 0", [], "unknown", ("pods",)),
        ("cluster.pods.size() == 0", ["cluster.pods"], "fires", ("cluster.pods",)),
        ("cluster.pods.size() == 0 && it.n == 2", [], "fires", ()),
        ("it.ref", [], "unknown", ("an answer: a condition gives text, not true or false",)),
    ],
)
def test_a_guard_that_cannot_tell(
    guard: str, wants: list[str], result: str, missing: tuple[str, ...]
) -> None:
    found = finding(deleted(A), unless=[{"when": guard, "because": "b"}], wants=wants)
    assert (found.result, found.missing) == (result, missing)


def test_the_first_guard_that_holds_says_why() -> None:
    guards = [
        {"when": "it.n == 5", "because": "no"},
        {"when": "it.n == 1", "because": "it is ${it.ref} of ${it.gone}"},
        {"when": "true", "because": "too late"},
    ]
    found = verdict(deleted(A), unless=guards)
    assert found.findings == ()
    assert [(one.rule, one.name, one.because) for one in found.suppressed] == [
        ("r", "Secret/a", "it is Secret/a of ?")
    ]


CASES = [
    {"severity": "info", "when": "it.n == 1"},
    {"severity": "blocker", "when": "cluster.pods.size() > 0"},
    {"severity": "warning", "when": "true"},
]


@pytest.mark.parametrize(
    ("number", "pods", "severity"),
    [(1, [], "info"), (2, [], "warning"), (2, [{}], "blocker"), (1, [{}], "info")],
)
def test_the_first_severity_that_holds_counts(number: int, pods: list[Any], severity: str) -> None:
    assert finding(deleted({**A, "n": number}, pods=pods), severityWhen=CASES).severity == severity


def test_a_severity_that_cannot_be_told_is_passed_over_and_named() -> None:
    found = finding(deleted({**A, "n": 2}), severityWhen=CASES, wants=["cluster.pods"])
    assert (found.severity, found.result, found.missing) == ("warning", "fires", ("cluster.pods",))


@pytest.mark.parametrize(
    ("number", "severity"),
    [(1, "warning"), (2, "blocker")],
)
def test_an_unknown_answer_is_as_grave_as_it_may_be(number: int, severity: str) -> None:
    found = finding(
        deleted({**A, "n": number}), severityWhen=CASES, severity="warning", needs=["cluster.pods"]
    )
    assert (found.severity, found.result) == (severity, "unknown")


@pytest.mark.parametrize(
    ("changed", "missing", "severity"),
    [
        ({}, ("cluster.pods",), "danger"),
        ({"needs": ["cluster.pods", "cluster.jobs"]}, ("cluster.pods", "cluster.jobs"), "danger"),
        ({"severityWhen": [{"severity": "blocker", "when": "it.n == 1"}]}, ("cluster.pods",), "blocker"),
        ({"match": {"kind": "Pod"}}, ("cluster.pods",), "danger"),
        (
            {"severityWhen": [{"severity": "blocker", "when": "at(it, 'n', 0) == 1"}]},
            ("cluster.pods",),
            "blocker",
        ),
    ],
)
def test_a_list_that_was_not_read_gives_one_unknown_answer(
    changed: dict[str, Any], missing: tuple[str, ...], severity: str
) -> None:
    found = finding(deleted(A), over="cluster.pods", **changed)
    assert (found.result, found.missing, found.severity) == ("unknown", missing, severity)
    assert found.where == Place("release", "web")


def test_a_list_that_was_not_read_is_not_asked_for_in_vain() -> None:
    upgrade = {"operation": {"kind": "upgrade"}}
    assert answers(upgrade, over="cluster.pods", applies="operation.kind == 'drift'") == []
    assert answers(deleted(A, pods=[]), over="cluster.pods") == []
    assert answers(deleted(A, pods=[A]), over="cluster.pods") == [("Secret/a", "fires")]


@pytest.mark.parametrize(
    "changed",
    [
        {"effects": "cluster.pods.map(pod, pod.name)"},
        {"title": "has ${cluster.pods.size()} pods"},
        {"consequence": "${cluster.pods}"},
        {"remedy": ["kubectl delete ${cluster.pods[0].name}"]},
        {"remedy": [{"when": "cluster.pods.size() > 0", "text": "x"}]},
        {"before": "cluster.pods.size()"},
        {"after": "cluster.pods.size()"},
        {"where": {"object": "${it.ref}", "line": "cluster.pods.size()"}},
        {"where": {"object": "${it.ref}", "field": "${cluster.pods}"}},
        {"key": "${cluster.pods}"},
    ],
)
def test_a_fact_that_only_the_words_want_is_named_so_that_it_is_read(changed: dict[str, Any]) -> None:
    found = finding(deleted(A), wants=["cluster.pods"], **changed)
    assert (found.result, found.missing) == ("fires", ("cluster.pods",))
    assert finding(deleted(A, pods=[{"name": "x"}]), wants=["cluster.pods"], **changed).missing == ()


def test_everything_a_finding_says() -> None:
    found = finding(
        deleted({**A, "spec": {"n": [1]}}),
        title="  is ${it.n} of\n\"${'{}'}\" ",
        where={"value": "${''}", "object": "${it.ref}", "field": "s.${it.n}", "file": "a", "line": "it.n+2"},
        before="it.spec",
        after="at(it, 'spec.n[0]', null)",
        effects="['a', it.n, it.spec, true, null, 'a']",
        consequence="c ${it.gone}",
        remedy=[
            "one\n\ntwo ${it.n}",
            "",
            {"when": "it.n == 2", "text": "no"},
            {"when": "it.n == 1", "text": "yes"},
        ],
        evidence=["e", "f"],
        key="k-${it.n}",
        dataLoss=True,
        severity="blocker",
    )  # fmt: skip
    assert found == Finding(
        rule="r",
        severity="blocker",
        title='is 1 of\n"{}"',
        where=Place("object", "Secret/a", field="s.1", file="a", line=3),
        before={"n": [1]},
        after=1,
        effects=("a", "1", '{"n": [1]}', "true", "null", "a"),
        consequence="c ?",
        remedy=("one", "two 1", "yes"),
        evidence=("e", "f"),
        key="k-1",
        data_loss=True,
    )


@pytest.mark.parametrize("severity", ["danger", "warning", "info"])
def test_only_a_blocker_loses_data(severity: str) -> None:
    assert not finding(deleted(A), severity=severity, dataLoss=True).data_loss


@pytest.mark.parametrize(
    ("where", "place"),
    [
        ({"value": "a.b", "object": "o"}, Place("value", "a.b")),
        ({"object": "o", "value": "a.b"}, Place("value", "a.b")),
        ({"value": "${''}", "chart": "${''}", "node": "n"}, Place("node", "n")),
        ({"value": "${''}", "release": "r", "node": "n"}, Place("release", "r")),
        ({"node": "n", "line": "it.gone"}, Place("node", "n")),
        ({"node": "n", "line": "it.ref"}, Place("node", "n")),
    ],
)
def test_a_finding_is_about_the_first_thing_with_a_name(where: dict[str, str], place: Place) -> None:
    assert finding(deleted(A), where=where).where == place


def item(ref: str, group: str, severity: str = "danger") -> dict[str, str]:
    return {"ref": ref, "g": group, "s": severity}


def test_findings_of_one_group_are_one_the_gravest_and_all_effects() -> None:
    items = [item("a", "x"), item("b", "y"), item("c", "x", "blocker"), item("d", "x", "info")]
    items.append(item("e", "x"))
    found = verdict(
        deleted(*items),
        group="${it.g}",
        severityWhen=[
            {"severity": "blocker", "when": "it.s == 'blocker'"},
            {"severity": "info", "when": "it.s == 'info'"},
        ],
        effects="[it.ref, 'all']",
        remedy=["fix ${it.ref}", "look"],
    ).findings  # fmt: skip
    assert [(one.where.name, one.severity, one.effects, one.remedy) for one in found] == [
        ("c", "blocker", ("a", "all", "c", "d", "e"), ("fix c", "look", "fix a", "fix d", "fix e")),
        ("b", "danger", ("b", "all"), ("fix b", "look")),
    ]


def test_a_group_without_a_name_joins_nothing_and_unknown_answers_stand_apart() -> None:
    items = [item("a", ""), item("b", ""), item("c", "x"), {"ref": "d", "g": "x"}, {"ref": "e", "g": "x"}]
    assert answers(deleted(*items), group="${it.g}", when="it.s == 'danger'") == [
        ("a", "fires"),
        ("b", "fires"),
        ("c", "fires"),
        ("d", "unknown"),
    ]
