"""The JSON against its published schema."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, get_args

import pytest
from jsonschema import Draft202012Validator
from msgspec.structs import replace
from sample_plans import ALL, change, config, resource, web_plan

from helmguard.manifest import yaml
from helmguard.masking.masker import Masker
from helmguard.model.action import Action
from helmguard.model.field_change import MISSING, Cause
from helmguard.model.live_state import Unreadable
from helmguard.model.value_change import ProvenanceKind, ValueCause, ValueWarningKind
from helmguard.report.page import Page
from helmguard.report.plan_json import plan_to_dict
from helmguard.report.terminal import render_terminal
from helmguard.report.yaml_output import to_yaml

DOCS = Path(__file__).parents[2] / "docs"
SCHEMA: Any = json.loads((DOCS / "plan.schema.json").read_text(encoding="utf-8"))


def closed(schema: Any) -> Any:
    """The schema with every object closed: a name that is not described is an error."""
    if isinstance(schema, list):
        return [closed(item) for item in schema]
    if not isinstance(schema, dict):
        return schema
    result = {name: closed(value) for name, value in schema.items()}
    if "properties" in result and "required" in result:
        result["additionalProperties"] = False
    return result


def through_json(document: Any) -> Any:
    return json.loads(json.dumps(document))


def test_the_schema_is_one() -> None:
    Draft202012Validator.check_schema(SCHEMA)


@pytest.mark.parametrize("show_secrets", [False, True])
@pytest.mark.parametrize("name", ALL)
def test_every_plan_is_valid_and_all_its_names_are_described(name: str, show_secrets: bool) -> None:
    document = through_json(plan_to_dict(ALL[name], show_secrets))
    errors = [error.message for error in Draft202012Validator(closed(SCHEMA)).iter_errors(document)]
    assert errors == []


@pytest.mark.parametrize(
    ("definition", "field", "words"),
    [
        ("resource", "action", set(get_args(Action)) - {"unknown"}),
        ("fieldChange", "cause", get_args(Cause)),
        ("valueChange", "cause", get_args(ValueCause)),
        ("valueWarning", "kind", get_args(ValueWarningKind)),
    ],
)
def test_the_schema_knows_every_word(definition: str, field: str, words: tuple[str, ...]) -> None:
    assert set(SCHEMA["$defs"][definition]["properties"][field]["enum"]) == set(words)


def test_the_schema_knows_every_kind_of_provenance() -> None:
    described = SCHEMA["$defs"]["provenance"]["oneOf"][1]["properties"]["kind"]["enum"]
    assert set(described) == set(get_args(ProvenanceKind))


def test_the_manual_describes_every_name_action_and_cause() -> None:
    manual = (DOCS / "plan-format.md").read_text(encoding="utf-8")
    words = {*SCHEMA["properties"], *get_args(Action), *get_args(Cause), *get_args(ValueWarningKind)}
    words |= {"previous", "new", "absent", "manager", "bookkeeping", "confirmed", "drift", "waived"}
    assert [word for word in sorted(words) if f"`{word}`" not in manual] == []


def test_absent_is_told_from_null() -> None:
    live, after = config({"a": None}), config({"b": None})
    changes = (change("data.a", None, MISSING), change("data.b", MISSING, None), change("data.c", 1, 2))
    document = plan_to_dict(web_plan(resources=(resource("update", live, after, *changes),)))
    entries = document["resources"][0]["changes"]
    assert [(entry["before"], entry["after"], entry.get("absent")) for entry in entries] == [
        (None, None, ["after"]),
        (None, None, ["before"]),
        (1, 2, None),
    ]


def test_objects_come_without_managed_fields_and_stay_as_they_are() -> None:
    live = config({"a": "1"})
    live["metadata"]["managedFields"] = [{"manager": "helm"}]
    document = plan_to_dict(web_plan(resources=(resource("unchanged", live, live),)))
    assert document["resources"][0]["before"] == config({"a": "1"})
    assert document["resources"][0]["after"] == config({"a": "1"})
    assert "managedFields" in live["metadata"]


def test_counts() -> None:
    summary = plan_to_dict(ALL["actions"])["summary"]
    assert (summary["update"], summary["bookkeepingOnly"], summary["unstableOnly"]) == (5, 1, 1)
    assert (summary["create"], summary["delete"], summary["keep"], summary["hooks"]) == (1, 1, 1, 2)
    assert summary["findings"] == {"blocker": 0, "danger": 0, "warning": 1, "info": 7}
    assert (summary["findingsUnknown"], summary["drift"]) == (1, 1)


def test_an_update_that_nothing_explains_is_no_noise() -> None:
    plan = web_plan(resources=(resource("update", config({"a": "1"}), config({"a": "2"})),))
    summary = plan_to_dict(plan)["summary"]
    assert (summary["update"], summary["bookkeepingOnly"]) == (1, 0)
    assert "~ ConfigMap/web  update" in render_terminal(plan, Page(), Masker())


@pytest.mark.parametrize("name", ALL)
def test_yaml_is_the_same_document(name: str) -> None:
    document = through_json(plan_to_dict(ALL[name], masker=Masker.for_plan(ALL[name], salt=b"fixed")))
    assert yaml.load(to_yaml(document)) == document


@pytest.mark.parametrize(
    ("previous", "new", "stated"),
    [
        (None, {"a": "1"}, "create"),
        ({"a": "1"}, None, "delete"),
        ({"a": "1"}, {"a": "2"}, "update"),
        ({"a": "1"}, {"a": "1"}, "unchanged"),
    ],
)
def test_an_object_that_was_not_read_has_the_action_the_manifests_suggest(
    previous: Any, new: Any, stated: str
) -> None:
    documents = [None if data is None else config(data) for data in (previous, new)]
    unread = resource(
        "unknown",
        None,
        config({"a": "1"}),
        previous=documents[0],
        new=documents[1],
        state=Unreadable("forbidden"),
        confirmed="unknown",
    )
    document = plan_to_dict(replace(web_plan(), resources=(unread,)))
    [entry] = document["resources"]
    assert (entry["action"], entry["confirmed"]) == (stated, "unknown")
    assert document["summary"]["unknown"] == 1
    assert document["summary"][stated] == 0
