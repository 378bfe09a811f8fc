"""The JSON of a check of nodes against its published schema."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, get_args

import pytest
from jsonschema import Draft202012Validator
from referencing import Registry, Resource
from sample_node_reports import DROP_IN, MAIN, REPORTS, fleet, healthy, hostile, lost, upgraded
from test_plan_json import closed, through_json

from helmguard.model.containerd_settings import Generation, IgnoredWhy
from helmguard.report.node_json import node_report_to_dict

DOCS = Path(__file__).parents[2] / "docs"
SCHEMA: Any = json.loads((DOCS / "node-check.schema.json").read_text(encoding="utf-8"))
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
    document = through_json(node_report_to_dict(REPORTS[name](), show_secrets))
    assert [error.message[:300] for error in validator().iter_errors(document)] == []


@pytest.mark.parametrize(
    ("words", "model"),
    [
        (SCHEMA["$defs"]["generation"]["enum"], Generation),
        (SCHEMA["$defs"]["ignored"]["properties"]["why"]["enum"], IgnoredWhy),
    ],
)
def test_the_schema_knows_every_word(words: list[str], model: Any) -> None:
    assert words == list(get_args(model))


def test_the_manual_describes_every_name() -> None:
    manual = (DOCS / "node-check-format.md").read_text(encoding="utf-8")
    shapes = SCHEMA["$defs"]
    words = {*SCHEMA["properties"], *get_args(IgnoredWhy), *get_args(Generation)}
    for name in ("effective", "ignored", "loaded", "side", "node", "group"):
        words |= set(shapes[name]["properties"])
    words |= set(SCHEMA["properties"]["summary"]["properties"])
    assert [word for word in sorted(words) if f"`{word}`" not in manual] == []


def test_one_node_has_its_configuration_at_the_top() -> None:
    document = node_report_to_dict(healthy())
    node = document["nodes"][0]
    assert document["effective"] == node["effective"] == node["installed"]["effective"]
    assert document["effective"]["runtimes"]["nvidia"]["SystemdCgroup"] is True
    assert node["places"]["runtimes.nvidia.BinaryName"] == {"file": DROP_IN, "line": 7}
    assert node["places"]["enable_cdi"] == {"file": None, "line": None}
    assert [one["path"] for one in node["loaded"]] == [MAIN, DROP_IN]
    assert (node["planned"], node["changes"], document["exitCode"]) == (None, [], 0)


def test_several_nodes_have_none() -> None:
    document = node_report_to_dict(fleet())
    assert document["effective"] is None
    assert [node["effective"] is None for node in document["nodes"]] == [False, False, False, False, True]
    assert document["groups"][1]["differences"][0] == {
        "what": "runtimes.runc.SystemdCgroup",
        "usual": True,
        "here": False,
        "file": MAIN,
        "line": 16,
    }


def test_the_planned_version_is_the_one_asked_for() -> None:
    document = node_report_to_dict(upgraded())
    node = document["nodes"][0]
    assert document["planned"] == node["planned"]["version"] == "2.3.0"
    assert document["effective"] == node["planned"]["effective"] != node["installed"]["effective"]
    changes = {change["setting"]: change for change in node["changes"]}
    assert list(changes) == ["runtimes.nvidia", "sandbox_image"]
    assert changes["runtimes.nvidia"]["after"] is changes["runtimes.nvidia"]["afterAt"] is None
    assert changes["sandbox_image"]["beforeAt"] == {"file": MAIN, "line": 5}


def test_what_has_no_effect_is_told_with_its_places() -> None:
    installed = node_report_to_dict(lost())["nodes"][0]["installed"]
    assert installed["ignored"][1] == {
        "path": 'plugins."io.containerd.grpc.v1.cri".sandbox_image',
        "setting": "sandbox_image",
        "value": "registry.example.com/pause:3.8",
        "file": MAIN,
        "line": 4,
        "why": "overridden",
        "text": "a later file sets another value",
        "by": {"file": DROP_IN, "line": 9},
    }


def test_no_secret_is_told() -> None:
    masked = json.dumps(node_report_to_dict(hostile()))
    assert "hunter" not in masked and "ghp_" not in masked
    assert "hunter" in json.dumps(node_report_to_dict(hostile(), show_secrets=True))
