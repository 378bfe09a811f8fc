"""Which facts an answer names that is not known."""

from __future__ import annotations

import pytest

from helmguard.rules.engine.evaluate import Judge
from helmguard.rules.engine.rule_file import read_pack
from helmguard.rules.packs import new_engine

RULE = """
id: r
summary: s
title: t
severity: danger
category: c
over: objects.deleted
wants: [cluster.pods, cluster.nodes]
when: it.users.size() > 0
where: {object: "${it.ref}"}
consequence: c
evidence: [e]
"""


@pytest.mark.parametrize(
    ("item", "read", "missing"),
    [
        ({}, [], ("cluster.pods", "cluster.nodes")),
        ({"lacks": ["cluster.nodes"]}, [], ("cluster.nodes",)),
        ({"lacks": ["cluster.nodes", "cluster.pods"]}, ["pods"], ("cluster.nodes",)),
        ({}, ["pods", "nodes"], ("users",)),
        ({"lacks": ["cluster.contents.shop"]}, ["pods"], ("cluster.contents.shop",)),
    ],
)
def test_an_item_says_which_lists_its_unknown_facts_lack(
    item: dict[str, list[str]], read: list[str], missing: tuple[str, ...]
) -> None:
    about = "{name: p, version: 1.0.0, title: t, context: 1}"
    pack = read_pack("p", {"pack.yaml": about, "r.yaml": RULE, "r.test.yaml": ""})
    context = {
        "objects": {"deleted": [{"ref": "Secret/s", **item}]},
        "cluster": {name: [] for name in read},
    }
    (found,) = Judge([pack], new_engine(), ["objects", "cluster"]).judge(context).findings
    assert (found.result, found.missing) == ("unknown", missing)


@pytest.mark.parametrize(("want", "result"), [("cluster.contents", "fires"), ("cluster.content", "unknown")])
def test_a_guard_that_lacks_a_part_of_what_is_wanted_does_not_hold(want: str, result: str) -> None:
    text = RULE.replace("cluster.pods, cluster.nodes", want).replace("it.users.size() > 0", "1 == 1")
    text += "unless: [{when: it.users.size() == 0, because: b}]"
    about = "{name: p, version: 1.0.0, title: t, context: 1}"
    pack = read_pack("p", {"pack.yaml": about, "r.yaml": text, "r.test.yaml": ""})
    item = {"ref": "Secret/s", "lacks": ["cluster.contents.shop"]}
    context = {"objects": {"deleted": [item]}, "cluster": {}}
    (found,) = Judge([pack], new_engine(), ["objects", "cluster"]).judge(context).findings
    assert (found.result, found.missing) == (result, ("cluster.contents.shop",))


def test_a_guard_that_holds_keeps_quiet_what_is_not_known() -> None:
    text = RULE + "unless: [{when: it.spare == 'yes', because: it is spare}]"
    about = "{name: p, version: 1.0.0, title: t, context: 1}"
    pack = read_pack("p", {"pack.yaml": about, "r.yaml": text, "r.test.yaml": ""})
    items = [{"ref": "Secret/s", "spare": "yes"}, {"ref": "Secret/t", "spare": "no"}]
    verdict = Judge([pack], new_engine(), ["objects", "cluster"]).judge(
        {"objects": {"deleted": items}, "cluster": {}}
    )
    assert [(one.where.name, one.result) for one in verdict.findings] == [("Secret/t", "unknown")]
    assert [(one.name, one.because) for one in verdict.suppressed] == [("Secret/s", "it is spare")]
