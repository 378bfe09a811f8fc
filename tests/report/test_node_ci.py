"""A check of nodes for CI systems: against the formats' schemas, and what they say."""

from __future__ import annotations

import json
import xml.etree.ElementTree as ET
from typing import Any

import pytest
import xmlschema
from jsonschema import Draft4Validator, Draft202012Validator
from msgspec.structs import replace
from sample_node_reports import REPORTS, finding, fleet, from_cluster, lost, upgraded
from test_ci_outputs import CODE_QUALITY, SCHEMAS

from helmguard.masking.masker import Masker
from helmguard.model.node_report import NodeReport
from helmguard.report.node_ci import node_ci_text, node_items

MASKER = Masker(salt=b"fixed")


def sarif(report: NodeReport) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(node_ci_text(report, "sarif", MASKER))
    return found["runs"][0]  # type: ignore[no-any-return]


@pytest.mark.parametrize("name", REPORTS)
def test_every_output_is_valid(name: str) -> None:
    report = REPORTS[name]()
    schema = json.loads((SCHEMAS / "sarif-2.1.0.json").read_text(encoding="utf-8"))
    assert not list(Draft4Validator(schema).iter_errors(json.loads(node_ci_text(report, "sarif", MASKER))))
    quality = json.loads(node_ci_text(report, "code-quality", MASKER))
    assert not list(Draft202012Validator(CODE_QUALITY).iter_errors(quality))
    assert len({entry["fingerprint"] for entry in quality}) == len(quality)
    xmlschema.XMLSchema(SCHEMAS / "junit-10.xsd").validate(node_ci_text(report, "junit", MASKER))
    assert node_ci_text(report, "annotations", MASKER).endswith("\n")


def test_a_finding_has_its_node_and_file() -> None:
    result = sarif(lost())["results"][0]
    place = result["locations"][0]["physicalLocation"]
    assert place["artifactLocation"]["uri"] == "gpu-a/etc/containerd/conf.d/99-nvidia.toml"
    assert place["region"]["startLine"] == 3
    assert result["properties"]["release"] == "gpu-a"
    assert result["message"]["text"].startswith("gpu-a: containerd 2.1.4 does not know this block")


def test_a_folder_of_the_repository_is_where_its_files_are() -> None:
    report = lost()
    node = replace(report.nodes[0], facts=replace(report.nodes[0].facts, source="nodes/gpu-a"))
    [first, *_] = node_items(replace(report, nodes=(node,)), MASKER)
    assert str(first.place) == "nodes/gpu-a/etc/containerd/conf.d/99-nvidia.toml:3"


def test_a_node_is_a_suite() -> None:
    suites = ET.fromstring(node_ci_text(fleet(), "junit", MASKER))
    assert [suite.get("name") for suite in suites] == ["gpu-a", "gpu-b", "gpu-c", "gpu-d", "gpu-e"]
    assert [case.get("name") for case in suites[0]] == ["nothing dangerous was found"]
    assert [suite.get("skipped") for suite in suites] == ["0", "0", "0", "0", "1"]


def test_what_the_cluster_lacks_is_a_suite_of_its_own() -> None:
    suites = ET.fromstring(node_ci_text(from_cluster(), "junit", MASKER))
    assert [suite.get("name") for suite in suites] == ["cluster"]


def test_waived_findings_are_suppressed() -> None:
    [result] = sarif(upgraded())["results"]
    assert result["suppressions"][0]["justification"].startswith("the pool goes in May")
    assert json.loads(node_ci_text(upgraded(), "code-quality", MASKER)) == []


def test_rules_without_facts_are_told_of_the_run() -> None:
    notes = sarif(lost())["invocations"][0]["toolExecutionNotifications"]
    assert any("ctrd-binary-missing" in note["message"]["text"] for note in notes)
    assert "::notice title=helmguard%3A not all is known" in node_ci_text(lost(), "annotations", MASKER)


def test_the_same_finding_keeps_its_fingerprint() -> None:
    [before] = node_items(replace(lost(), findings=(finding(),)), MASKER)
    moved = finding(where=replace(finding().where, line=30))
    [after] = node_items(replace(lost(), findings=(moved,)), MASKER)
    assert before.fingerprint == after.fingerprint
    [other] = node_items(replace(lost(), findings=(finding(key="another"),)), MASKER)
    assert before.fingerprint != other.fingerprint


def test_what_is_not_known_refuses_where_it_is_to() -> None:
    suites = ET.fromstring(node_ci_text(replace(fleet(), fail_on_unknown=True), "junit", MASKER))
    assert [suite.get("errors") for suite in suites] == ["0", "0", "0", "0", "1"]
