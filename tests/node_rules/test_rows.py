"""Small nodes, from their files to the findings: a row for each thing to be told, or not."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec
import pytest
from file_rows import FILE_ROWS
from node_rows import BINARY, LATER, NEW, OLD, PROGRAM, Row
from node_texts import DROP_IN, IMPORTS, MAIN, SUPERSET, V1, V2, conf, nvidia
from runtime_rows import RUNTIME_ROWS

from helmguard.containerd.judged_node import judged_node
from helmguard.model.finding import Finding
from helmguard.model.node_facts import ContainerdFacts, Marker, NodeFacts, NodeFile, PathFacts, SystemFacts
from helmguard.node.judge_nodes import judge_nodes
from helmguard.rules.node_side import NodeSide

ROWS = [*FILE_ROWS, *RUNTIME_ROWS]


def facts(files: Mapping[str, str], version: str, **more: Any) -> NodeFacts:
    given: dict[str, Any] = {"paths": {BINARY: PROGRAM}, "name": "gpu-a", **more}
    given["paths"] = {BINARY: PROGRAM, **given["paths"]}
    return NodeFacts(
        files={path: NodeFile(text) for path, text in files.items()},
        containerd=ContainerdFacts(version=version),
        **given,
    )


def findings(*nodes: NodeFacts, planned: str = "") -> list[Finding]:
    found = judge_nodes(NodeSide(tuple(judged_node(one, planned) for one in nodes))).findings
    mine = ("ctrd-", "node-config", "managed-node")
    return [one for one in found if one.rule.startswith(mine) and one.rule != "ctrd-cdi-off"]


def said(found: list[Finding]) -> dict[str, str]:
    return {one.rule: one.severity for one in found if one.result == "fires"}


@pytest.mark.parametrize("planned", [False, True], ids=["installed", "planned"])
@pytest.mark.parametrize(
    ("row", "version"),
    [(row, version) for row in ROWS for version in row.versions],
    ids=lambda one: one if isinstance(one, str) else one.name,
)
def test_a_row(row: Row, version: str, planned: bool) -> None:
    node = facts(row.files, "" if planned else version, paths=row.paths, kubelet=row.kubelet)
    found = findings(node, planned=version if planned else "")
    assert said(found) == dict(row.says)
    main = [one for one in found if one.severity != "info"]
    if row.place is not None:
        assert [(one.where.on, one.where.file, one.where.line or 0) for one in main] == [("node", *row.place)]
    text = str([msgspec.to_builtins(one) for one in main])
    assert [word for word in row.words if word not in text] == []
    assert all("?" not in one.title.replace("did you mean", "") for one in found)


def test_what_holds_for_both_versions_is_told_once() -> None:
    found = findings(facts({MAIN: V2 + nvidia(2)}, OLD, paths={BINARY: PathFacts("absent")}), planned=NEW)
    [binary] = [one for one in found if one.rule == "ctrd-binary-missing"]
    assert "was not" not in binary.title


def test_a_daemon_that_will_refuse() -> None:
    found = findings(facts({MAIN: IMPORTS + V2, DROP_IN: conf(3)}, NEW), planned=LATER)
    titles = {one.rule: one.title for one in found}
    assert titles["ctrd-version-unsupported"].startswith("containerd 2.3.0 will refuse to start")
    assert "ctrd-upgrade-changes" not in titles


def test_what_an_upgrade_changes() -> None:
    """1.7 reads tables of version 1; 2.1 does not translate them: their loss is told by its cause alone."""
    found = findings(facts({MAIN: V1 + nvidia(1)}, OLD), planned=NEW)
    told = [one for one in found if one.rule != "ctrd-upgrade-changes"]
    assert {(one.rule, one.severity) for one in told} == {
        ("ctrd-version-missing-or-1", "danger"),
        ("ctrd-version-missing-or-1", "warning"),
    }
    changes = [one for one in found if one.rule == "ctrd-upgrade-changes"]
    assert {one.severity for one in changes} == {"info"}
    assert [effect for one in changes for effect in one.effects if "nvidia" in effect] == []


def test_defaults_that_change() -> None:
    found = findings(facts({MAIN: "version = 2\n"}, OLD), planned=NEW)
    assert said(found) == {"ctrd-upgrade-changes": "info"}
    assert [one.where.file for one in found] == [MAIN]
    assert any(effect.startswith("sandbox_image:") for effect in found[0].effects)


def test_a_drop_in_that_starts_to_count() -> None:
    found = findings(facts({MAIN: IMPORTS + V2, DROP_IN: SUPERSET.replace("3.9", "3.8")}, NEW), planned=OLD)
    assert "ctrd-dropin-shadows-edits" in said(found)


def test_a_program_that_nobody_looked_at_is_not_known() -> None:
    found = findings(facts({MAIN: V2 + nvidia(2)}, NEW, paths={BINARY: PathFacts("unknown")}))
    assert [(one.rule, one.result, one.missing) for one in found] == [
        ("ctrd-binary-missing", "unknown", (BINARY,))
    ]


def test_one_node_of_four_was_edited() -> None:
    nodes = [facts({MAIN: V2}, NEW, name=f"gpu-{letter}") for letter in "abd"]
    edited = facts({MAIN: "# by hand\n" + V2.replace("3.9", "3.10")}, NEW, name="gpu-c")
    [found] = findings(*nodes, edited)
    assert (found.rule, found.severity, found.where.name) == ("node-config-divergence", "warning", "gpu-c")
    assert (found.where.file, found.where.line) == (MAIN, 5)
    assert findings(*nodes, facts({MAIN: "# by hand\n" + V2}, NEW, name="gpu-c")) == []


def test_a_managed_node() -> None:
    k3s = SystemFacts(markers=(Marker("k3s", "/var/lib/rancher/k3s"),))
    [found] = findings(facts({}, NEW, system=k3s))
    assert (found.rule, found.severity) == ("managed-node-regenerates", "info")


def test_without_a_version_there_is_nothing_to_say() -> None:
    assert findings(facts({MAIN: V2 + nvidia(3)}, "")) == []
