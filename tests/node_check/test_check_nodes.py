"""The check of nodes in itself: what is judged, by which rules, under which configuration."""

from __future__ import annotations

from datetime import date

import pytest
from msgspec.structs import replace

from helmguard.config.config import Config, Entry, Override, WaiverEntry
from helmguard.config.gate import Gate
from helmguard.errors import UsageError
from helmguard.model.cluster_facts import ClusterFacts
from helmguard.model.finding import Finding
from helmguard.model.node_facts import CONTAINERD_CONFIG, ContainerdFacts, NodeFacts, NodeFile
from helmguard.model.node_report import NodeReport
from helmguard.node.check_nodes import check_nodes
from helmguard.node.judge_nodes import node_packs, rules_about_nodes
from helmguard.report.node_exit_code import node_exit_code
from helmguard.rules.context.root import BUILDERS, NODE_BUILDERS
from helmguard.rules.engine.rule_file import read_pack

LOST = """\
version = 3
[plugins."io.containerd.grpc.v1.cri".containerd.runtimes.nvidia]
runtime_type = "io.containerd.runc.v2"
"""
"""A version 3 header over names of version 2: 2.1.4 sees no runtime in it."""

TODAY = date(2026, 5, 1)


def node(text: str | None = LOST, *, name: str = "gpu-a", version: str = "2.1.4") -> NodeFacts:
    file = NodeFile(text, why="" if text is not None else "permission denied")
    return NodeFacts(name, files={CONTAINERD_CONFIG: file}, containerd=ContainerdFacts(version))


def fired(report: NodeReport, rule: str) -> list[Finding]:
    return [one for one in report.findings if one.rule == rule and one.result == "fires"]


def test_a_version_that_is_none_is_an_error() -> None:
    with pytest.raises(UsageError, match="'newest' is no version of containerd"):
        check_nodes([node()], planned="newest")


@pytest.mark.parametrize("planned", ["2.3", "v2.3.0", "2.3.0"])
def test_the_planned_version_is_written_as_containerd_writes_it(planned: str) -> None:
    report = check_nodes([node()], planned=planned)
    assert report.planned == "2.3.0"
    [checked] = report.nodes
    assert checked.installed is not None and "nvidia" not in checked.installed.runtimes
    assert checked.planned is not None and "nvidia" in checked.planned.runtimes


def test_without_containerds_version_its_settings_are_not_known() -> None:
    report = check_nodes([node(version="")])
    assert [one.what for one in report.unknown] == ["containerd of gpu-a"]
    assert node_exit_code(report) == 2
    assert check_nodes([node("version = 3\n", version="")], planned="2.1.4").unknown == ()


def test_a_main_file_that_cannot_be_read_is_not_known() -> None:
    report = check_nodes([node(None)])
    assert [(one.what, one.why) for one in report.unknown] == [
        (f"{CONTAINERD_CONFIG} of gpu-a", "permission denied")
    ]


def test_lists_of_the_cluster_that_could_not_be_read_are_not_known() -> None:
    report = check_nodes([], cluster=ClusterFacts(unread={"runtimeClasses": "forbidden"}))
    assert [(one.what, one.why) for one in report.unknown] == [("the cluster's runtime classes", "forbidden")]
    assert report.live


def test_only_rules_about_nodes_are_asked() -> None:
    asked = set(rules_about_nodes())
    assert {rule.pack for pack in node_packs() for rule in pack.rules} <= {"containerd"}
    for pack in node_packs():
        for rule in pack.rules:
            assert rule.id in asked and rule.topics(BUILDERS) <= NODE_BUILDERS.keys()


RULE = """\
id: {id}
summary: Knows too few nodes
title: is known too little
severity: warning
category: nodes
consequence: Nobody can tell.
evidence: [an example]
when: {when}
where: {{node: here}}
"""


def test_rules_of_the_users_count_where_they_name_nodes_alone() -> None:
    files = {
        "pack.yaml": "name: own\nversion: 1.0.0\ntitle: Own\ncontext: 1\n",
        "about-nodes.yaml": RULE.format(id="about-nodes", when="has(nodes.nothing) || true"),
        "about-releases.yaml": RULE.format(id="about-releases", when="release.name == ''"),
        "about-both.yaml": RULE.format(id="about-both", when="has(nodes.nothing) || release.name == ''"),
    }
    files |= {name.replace(".yaml", ".test.yaml"): "" for name in files if name != "pack.yaml"}
    report = check_nodes([node("version = 3\n")], gate=Gate(packs=(read_pack("own", files),)))
    assert [one.rule for one in report.findings if one.rule.startswith("about")] == ["about-nodes"]


def entry(line: int) -> Entry:
    return Entry(".helmguard.yaml", line)


def waiver(rule: str, **more: object) -> WaiverEntry:
    return replace(WaiverEntry(entry(9), rule, "known", date(2030, 1, 1)), **more)


def test_waivers_of_other_rules_are_not_told_to_accept_nothing() -> None:
    config = Config(".helmguard.yaml", waivers=(waiver("values-lost-override"),))
    report = check_nodes([node("version = 3\n")], gate=Gate(config=config, today=TODAY))
    assert [one for one in report.findings if one.rule == "waiver-unused"] == []
    assert report.config_file == ".helmguard.yaml"


RULE_ID = "ctrd-wrong-plugin-id"


def test_a_waiver_accepts_and_an_override_changes_a_finding() -> None:
    [found, *_] = fired(check_nodes([node()]), RULE_ID)
    config = Config(".helmguard.yaml", waivers=(waiver(RULE_ID, key=found.waiver_key),))
    accepted = check_nodes([node()], gate=Gate(config=config, today=TODAY))
    assert all(one.waived for one in fired(accepted, RULE_ID) if one.waiver_key == found.waiver_key)
    config = Config(".helmguard.yaml", overrides=(Override(entry(2), RULE_ID, "info", "we know"),))
    milder = check_nodes([node()], gate=Gate(config=config, today=TODAY))
    assert {one.severity for one in fired(milder, RULE_ID)} == {"info"}


def test_a_waiver_that_accepts_nothing_is_told() -> None:
    config = Config(".helmguard.yaml", waivers=(waiver(RULE_ID),))
    report = check_nodes([node("version = 3\n")], gate=Gate(config=config, today=TODAY))
    assert [one.rule for one in report.findings if one.severity == "info"] == ["waiver-unused"]


def test_without_a_cluster_nothing_is_unknown_for_want_of_one() -> None:
    report = check_nodes([node("version = 3\n")])
    lacking = {fact for one in report.findings if one.result == "unknown" for fact in one.missing}
    assert [fact for fact in lacking if fact.startswith(("cluster.", "handlers."))] == []


def test_several_nodes_are_all_judged() -> None:
    report = check_nodes([node(), node(name="gpu-b"), node("version = 3\n", name="gpu-c")])
    assert {one.where.name for one in fired(report, RULE_ID)} == {"gpu-a", "gpu-b"}
    assert [group.names for group in report.groups] == [("gpu-a", "gpu-b"), ("gpu-c",)]
