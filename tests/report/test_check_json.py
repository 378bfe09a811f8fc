"""The JSON of a check against its published schema."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, get_args

import pytest
from check_reports import REPORTS, hostile, without_a_cluster
from jsonschema import Draft202012Validator
from referencing import Registry, Resource
from test_plan_json import closed, through_json

from helmguard.model.check_report import LiveSide, ReleaseState
from helmguard.model.declared_release import ChartKind, Tool
from helmguard.model.finding import SEVERITIES
from helmguard.report.check_json import check_to_dict

DOCS = Path(__file__).parents[2] / "docs"
SCHEMA: Any = json.loads((DOCS / "check.schema.json").read_text(encoding="utf-8"))
PLAN_SCHEMA: Any = json.loads((DOCS / "plan.schema.json").read_text(encoding="utf-8"))


def validator() -> Draft202012Validator:
    plan = Resource.from_contents(closed(PLAN_SCHEMA))
    registry: Any = Registry().with_resource("plan.schema.json", plan)
    return Draft202012Validator(closed(SCHEMA), registry=registry)


def test_the_schema_is_one() -> None:
    Draft202012Validator.check_schema(SCHEMA)


@pytest.mark.parametrize("show_secrets", [False, True])
@pytest.mark.parametrize("name", REPORTS)
def test_every_check_is_valid_and_all_its_names_are_described(name: str, show_secrets: bool) -> None:
    document = through_json(check_to_dict(REPORTS[name](), show_secrets))
    assert [error.message[:300] for error in validator().iter_errors(document)] == []


@pytest.mark.parametrize(
    ("words", "model"),
    [
        (SCHEMA["properties"]["live"]["enum"], LiveSide),
        (SCHEMA["properties"]["summary"]["properties"]["states"]["required"], ReleaseState),
        (SCHEMA["$defs"]["release"]["properties"]["state"]["enum"], ReleaseState),
        (SCHEMA["$defs"]["release"]["properties"]["tool"]["enum"], Tool),
        (SCHEMA["$defs"]["chart"]["properties"]["kind"]["enum"], ChartKind),
    ],
)
def test_the_schema_knows_every_word(words: list[str], model: Any) -> None:
    assert words == list(get_args(model))


def test_the_manual_describes_every_name_and_state() -> None:
    manual = (DOCS / "check-format.md").read_text(encoding="utf-8")
    release = SCHEMA["$defs"]["release"]["properties"]
    words = {*SCHEMA["properties"], *release, *get_args(ReleaseState), *get_args(Tool), *get_args(LiveSide)}
    assert [word for word in sorted(words) if f"`{word}`" not in manual] == []


def test_numbers_count_what_is_there() -> None:
    document = check_to_dict(without_a_cluster())
    summary = document["summary"]
    assert summary["concerned"] == len(document["releases"]) == 10
    assert summary["states"] == {
        "added": 1,
        "changed": 4,
        "noise": 1,
        "same": 2,
        "removed": 1,
        "unknown": 1,
    }
    fired = [
        finding["severity"]
        for release in document["releases"]
        for finding in (release["plan"] or {"findings": []})["findings"]
        if finding["result"] == "fires" and finding["waived"] is None
    ]
    assert summary["findings"] == {severity: fired.count(severity) for severity in SEVERITIES}
    assert summary["refused"] == 2 and document["exitCode"] == 3


def test_each_finding_has_a_place() -> None:
    for release in check_to_dict(without_a_cluster())["releases"]:
        if release["plan"]:
            assert len(release["places"]) == len(release["plan"]["findings"])
            assert all(place["file"] for place in release["places"])


def test_unchanged_objects_are_counted_only() -> None:
    [gpu] = [
        one for one in check_to_dict(without_a_cluster())["releases"] if one["release"] == "gpu-operator"
    ]
    assert [one["kind"] for one in gpu["plan"]["resources"] if one["action"] != "hook"] == ["ClusterPolicy"]
    assert gpu["plan"]["summary"]["unchanged"] == 13


def test_no_secret_is_told() -> None:
    text = json.dumps(check_to_dict(hostile()))
    assert "hunter2-correct-horse" not in text and "hunter1-battery" not in text
    assert "hunter2-correct-horse" in json.dumps(check_to_dict(hostile(), show_secrets=True))
