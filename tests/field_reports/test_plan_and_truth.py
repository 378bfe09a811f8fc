"""The comparison itself: a plan that came true passes, and every lie in it is noticed."""

from __future__ import annotations

from copy import deepcopy
from subprocess import CompletedProcess
from typing import Any

import pytest
from plan_and_truth import JSON, untrue


def body(value: str) -> JSON:
    return {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "conf"}, "data": {"a": value}}


def entry(action: str, before: JSON | None, after: JSON | None) -> JSON:
    names = {"apiVersion": "v1", "kind": "ConfigMap", "namespace": "n", "name": "conf"}
    return {**names, "hook": False, "unknown": "", "action": action, "before": before, "after": after}


FAILURE = {"message": "no luck", "appliedBefore": [{"kind": "ConfigMap", "name": "conf"}]}
PLAN = {"failure": None, "resources": [entry("update", body("1"), body("2"))]}
FAILING = {**PLAN, "failure": FAILURE}
WORKED, FAILED = CompletedProcess([], 0, "", ""), CompletedProcess([], 1, "", "Error: no\nluck")


def test_true_plans() -> None:
    assert untrue(PLAN, [body("1")], [body("2")], WORKED) == []
    assert untrue(FAILING, [body("1")], [body("2")], FAILED) == []
    created = {"failure": None, "resources": [entry("create", None, body("1"))]}
    assert untrue(created, [None], [body("1")], WORKED) == []


@pytest.mark.parametrize(
    ("plan", "before", "after", "done", "told"),
    [
        (PLAN, body("1"), body("3"), WORKED, ".data.a: foretold '2', live '3'"),
        (PLAN, body("0"), body("2"), WORKED, "before .data.a: foretold '1', live '0'"),
        (PLAN, body("1"), None, WORKED, "after"),
        (PLAN, body("1"), body("2"), FAILED, "foretold failure: None"),
        (FAILING, body("1"), body("2"), WORKED, "foretold failure: {"),
        (FAILING, body("1"), body("2"), CompletedProcess([], 1, "", "Error: other"), "helm said"),
        (FAILING, body("1"), body("1"), FAILED, "really: []"),
    ],
)
def test_lies_about_values_and_failures(plan: JSON, before: Any, after: Any, done: Any, told: str) -> None:
    assert any(told in line for line in untrue(plan, [before], [after], done))


@pytest.mark.parametrize("action", ["create", "recreate", "delete", "unchanged", "keep"])
def test_lies_about_actions(action: str) -> None:
    plan = deepcopy(PLAN)
    plan["resources"][0]["action"] = action
    assert untrue(plan, [body("1")], [body("2")], WORKED)


def test_an_update_that_changes_nothing_and_a_guess() -> None:
    idle = {"failure": None, "resources": [entry("update", body("1"), body("1"))]}
    assert untrue(idle, [body("1")], [body("1")], WORKED) == ["ConfigMap/conf: update, but nothing changed"]
    guess = deepcopy(PLAN)
    guess["resources"][0]["unknown"] = "not predictable: time decides"
    assert untrue(guess, [body("1")], [body("2")], WORKED)
