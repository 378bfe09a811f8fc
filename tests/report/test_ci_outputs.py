"""SARIF, JUnit, GitHub annotations and GitLab code quality: against their schemas, and what they say."""

from __future__ import annotations

import json
import re
import xml.etree.ElementTree as ET
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import xmlschema
from check_reports import REPORTS, checked, declared, hostile, with_a_cluster, without_a_cluster
from jsonschema import Draft4Validator, Draft202012Validator
from msgspec.structs import replace
from sample_plans import ALL, web_plan

from helmguard.model.check_report import CheckReport
from helmguard.model.declared_release import DeclaredRelease
from helmguard.model.finding import Finding, Place
from helmguard.model.plan import Unknown
from helmguard.report.annotations import MOST, render_annotations
from helmguard.report.check_items import NOT_COMPARED, NOT_READ, WILL_FAIL, check_items
from helmguard.report.check_masker import check_masker
from helmguard.report.check_of_plan import check_of_plan
from helmguard.report.code_quality import code_quality_document, render_code_quality
from helmguard.report.junit import render_junit
from helmguard.report.sarif import FINGERPRINT, MOST_RESULTS, render_sarif, sarif_document

SCHEMAS = Path(__file__).parent / "schemas"
CHECKS = {**{name: make() for name, make in REPORTS.items()}, "plan": check_of_plan(ALL["actions"])}
RENDERERS = {
    "sarif": render_sarif,
    "junit": render_junit,
    "annotations": render_annotations,
    "code-quality": render_code_quality,
}

CODE_QUALITY: Any = {
    "type": "array",
    "items": {
        "type": "object",
        "required": ["description", "check_name", "fingerprint", "severity", "location"],
        "properties": {
            "description": {"type": "string", "pattern": "^[^\n]+$"},
            "check_name": {"type": "string"},
            "fingerprint": {"type": "string"},
            "severity": {"enum": ["info", "minor", "major", "critical", "blocker"]},
            "location": {
                "type": "object",
                "required": ["path", "lines"],
                "properties": {
                    "path": {"type": "string", "pattern": "^[^/]"},
                    "lines": {
                        "type": "object",
                        "required": ["begin"],
                        "properties": {"begin": {"type": "integer", "minimum": 1}},
                    },
                },
            },
        },
    },
}
"""What GitLab's manual (doc/ci/testing/code_quality.md) asks for, on top of the schema of its parser
(app/validators/json_schemas/codeclimate.json): one line, the five severities, a relative path, a line."""


@cache
def sarif_schema() -> Draft4Validator:
    return Draft4Validator(json.loads((SCHEMAS / "sarif-2.1.0.json").read_text(encoding="utf-8")))


@cache
def junit_schema() -> xmlschema.XMLSchema:
    return xmlschema.XMLSchema(SCHEMAS / "junit-10.xsd")


def text_of(name: str, report: CheckReport) -> str:
    return RENDERERS[name](report, check_masker(report, salt=b"fixed"))


def sarif_of(report: CheckReport) -> Any:
    return sarif_document(report, check_masker(report, salt=b"fixed"))["runs"][0]


@pytest.mark.parametrize("name", CHECKS)
def test_sarif_is_valid(name: str) -> None:
    document = json.loads(text_of("sarif", CHECKS[name]))
    assert [error.message[:200] for error in sarif_schema().iter_errors(document)] == []


def renamed(release: DeclaredRelease | None, name: str) -> DeclaredRelease | None:
    return release and replace(release, name=name, identity=f"{release.identity} {name}")


@pytest.mark.parametrize("format_name", RENDERERS)
def test_names_of_releases_break_out_of_no_format(format_name: str) -> None:
    report = without_a_cluster()
    bad = "a\x1b[31m\u202eb\r\n::error::c"
    releases = [
        replace(one, **{side: renamed(getattr(one, side), bad) for side in ("base", "head")})
        for one in report.releases
    ]
    text = text_of(format_name, replace(report, releases=tuple(releases)))
    assert not set(text) & set("\x1b\r\u202e")
    assert "\n::error::c" not in text


@pytest.mark.parametrize("name", CHECKS)
def test_junit_is_valid_and_counts_right(name: str) -> None:
    text = text_of("junit", CHECKS[name])
    assert [str(error.reason)[:200] for error in junit_schema().iter_errors(text)] == []
    root = ET.fromstring(text)
    for suite in (root, *root):
        cases = list(suite.iter("testcase"))
        assert int(suite.get("tests") or -1) == len(cases) > 0
        for attribute, element in (("failures", "failure"), ("errors", "error"), ("skipped", "skipped")):
            found = sum(case.find(element) is not None for case in cases)
            assert suite.get(attribute, str(found)) == str(found)


@pytest.mark.parametrize("name", CHECKS)
def test_code_quality_is_valid_and_no_two_have_one_fingerprint(name: str) -> None:
    document = json.loads(text_of("code-quality", CHECKS[name]))
    assert [error.message[:200] for error in Draft202012Validator(CODE_QUALITY).iter_errors(document)] == []
    fingerprints = [entry["fingerprint"] for entry in document]
    assert len(set(fingerprints)) == len(fingerprints)


@pytest.mark.parametrize("name", CHECKS)
def test_annotations_are_commands_of_one_line(name: str) -> None:
    command = re.compile(r"::(error|warning|notice) [a-z]+=[^:,]*(,[a-z]+=[^:,]*)*::.+")
    lines = text_of("annotations", CHECKS[name]).splitlines()
    assert lines
    for line in lines:
        assert command.fullmatch(line) or re.search(r"Exit 0\.$", line)


@pytest.mark.parametrize("name", RENDERERS)
def test_no_secret_is_told_and_nothing_acts(name: str) -> None:
    text = text_of(name, hostile())
    assert "hunter" not in text and "(secret" in text
    assert "\x1b" not in text and "\r" not in text
    if name == "annotations":
        assert "%250A" in text and " %0A" not in text
        assert all(line.startswith(("::error ", "::warning ", "::notice ")) for line in text.splitlines())
    if name == "sarif":
        assert not re.search(r'"(text|justification)": ".*\]\(', text)


@pytest.mark.parametrize("name", RENDERERS)
def test_the_same_check_gives_the_same_text(name: str) -> None:
    assert text_of(name, without_a_cluster()) == text_of(name, without_a_cluster())


def test_every_result_is_at_a_line_of_the_repository() -> None:
    places = {}
    for result in sarif_of(without_a_cluster())["results"]:
        [location] = result["locations"]
        physical = location["physicalLocation"]
        assert physical["artifactLocation"]["uriBaseId"] == "%SRCROOT%"
        place = (physical["artifactLocation"]["uri"], physical["region"]["startLine"])
        places.setdefault(result["ruleId"], place)
    assert places["values-lost-override"] == ("clusters/prod/gpu-operator/values.yaml", 41)
    assert places["gpu-toolkit-restarts-containerd"] == (
        "charts/gpu-operator/templates/clusterpolicy.yaml",
        1,
    )
    assert places["volume-claim-deleted"] == ("clusters/prod/old/helmrelease.yaml", 12)
    assert places[NOT_COMPARED] == ("clusters/prod/media/helmrelease.yaml", 12)
    assert places[NOT_READ] == ("clusters/prod/ports/helmrelease.yaml", 12) or places[NOT_READ][0].endswith(
        "apps.yaml"
    )


def test_paths_are_encoded_as_uris() -> None:
    release = checked("unknown", declared("web", file="apps/my web#1/ä.yaml"), why="no chart")
    [result] = sarif_of(CheckReport("a", "b", (release,), 1))["results"]
    uri = result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"]
    assert uri == "apps/my%20web%231/%C3%A4.yaml"


def test_rules_are_described_and_have_levels() -> None:
    run = sarif_of(without_a_cluster())
    rules = run["tool"]["driver"]["rules"]
    assert [rules[result["ruleIndex"]]["id"] for result in run["results"]] == [
        result["ruleId"] for result in run["results"]
    ]
    [lost] = [rule for rule in rules if rule["id"] == "values-lost-override"]
    assert lost["defaultConfiguration"] == {"level": "error"}
    assert lost["properties"]["security-severity"] == "9.0"
    assert lost["help"]["markdown"].startswith(lost["fullDescription"]["text"])


def test_waived_findings_are_suppressed_and_nowhere_an_alarm() -> None:
    report = without_a_cluster()
    waived = [one for one in sarif_of(report)["results"] if one.get("suppressions")]
    assert {one["properties"]["release"] for one in waived} == {"shop/kept"}
    assert waived[0]["suppressions"][0]["kind"] == "external"
    assert "moved on purpose" in waived[0]["suppressions"][0]["justification"]
    assert "in shop/kept" not in text_of("annotations", report)
    assert "shop/kept:" not in text_of("code-quality", report)


def test_fingerprints_do_not_move_with_lines_and_tell_releases_apart() -> None:
    finding = Finding("r", "danger", "t", Place("object", "ConfigMap/a"))
    plan = web_plan(findings=(finding, replace(finding, where=Place("object", "ConfigMap/b"))))

    def fingerprints(*names: str, line: int = 1) -> list[str]:
        releases = tuple(checked("changed", declared(name, line=line), plan) for name in names)
        results = sarif_of(CheckReport("a", "b", releases, 1))["results"]
        return [one["partialFingerprints"][FINGERPRINT] for one in results]

    assert fingerprints("web") == fingerprints("web", line=90)
    assert len(set(fingerprints("web", "api"))) == 4


def test_rules_without_their_facts_are_notifications() -> None:
    [invocation] = sarif_of(without_a_cluster())["invocations"]
    texts = [note["message"]["text"] for note in invocation["toolExecutionNotifications"]]
    assert sum("cannot be answered without" in text for text in texts) == 1
    assert invocation["exitCode"] == 3 and texts[0].startswith("Refused: 2 of 10 releases")


def test_a_huge_check_keeps_the_gravest_and_says_what_was_left_out() -> None:
    many = tuple(
        Finding("r", "warning", "t", Place("object", f"ConfigMap/{number}")) for number in range(MOST_RESULTS)
    )
    grave = Finding("grave", "blocker", "t", Place("object", "ConfigMap/x"))
    run = sarif_of(
        CheckReport("a", "b", (checked("changed", declared("w"), web_plan(findings=(*many, grave))),))
    )
    assert len(run["results"]) == MOST_RESULTS and run["results"][0]["ruleId"] == "grave"
    notes = run["invocations"][0]["toolExecutionNotifications"]
    assert notes[-1]["message"]["text"] == "1 result of less weight left out"


def test_a_failure_that_no_finding_speaks_of_is_an_item() -> None:
    report = with_a_cluster()
    failing = [one for one in report.releases if one.plan and one.plan.failure]
    plain = [replace(one, plan=replace(one.plan, findings=())) for one in failing if one.plan]
    [item] = check_items(replace(report, releases=tuple(plain)), check_masker(report))
    assert (item.rule, item.severity, item.refuses) == (WILL_FAIL, "blocker", True)


def test_more_annotations_than_are_shown_say_so_in_the_last() -> None:
    many = tuple(Finding("r", "warning", "t", Place("object", f"ConfigMap/{number}")) for number in range(30))
    grave = Finding("grave", "blocker", "t", Place("object", "ConfigMap/x"))
    report = CheckReport("a", "b", (checked("changed", declared("w"), web_plan(findings=(*many, grave))),))
    lines = text_of("annotations", report).splitlines()
    warnings = [line for line in lines if line.startswith("::warning ")]
    assert lines[0].startswith(
        "::error file=clusters/prod/w/helmrelease.yaml,line=12,title=grave in shop/w::"
    )
    assert len(warnings) == MOST and warnings[-1].endswith("::21 more items: shop/w")


def test_what_is_not_known_is_an_error_only_where_it_refuses() -> None:
    release = checked("unknown", declared("web"), why="no chart")
    report = CheckReport("a", "b", (release,), 1, unknown=(Unknown("a.yaml x", "why"),))
    kinds = [
        case.find("skipped") is not None for case in ET.fromstring(text_of("junit", report)).iter("testcase")
    ]
    assert kinds == [True, True]
    refusing = replace(report, fail_on_unknown=True)
    assert text_of("junit", refusing).count("<error ") == 2
    assert text_of("annotations", refusing).count("::error ") == 2
    assert [entry["severity"] for entry in code_quality_document(report, check_masker(report))] == [
        "major",
        "minor",
    ]


def test_a_plan_without_files_has_the_release_for_a_place() -> None:
    results = sarif_of(check_of_plan(ALL["seed"]))["results"]
    uris = {one["locations"][0]["physicalLocation"]["artifactLocation"]["uri"] for one in results}
    assert uris == {"gpu-operator/gpu-operator"}
