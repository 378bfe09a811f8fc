"""Findings that a change brings, and those that were there before it."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace
from sample_plans import web_plan

from helmguard.check.old_findings import BECAUSE, without_old_findings
from helmguard.model.finding import Finding, Place

KNOWN = Finding("rule", "danger", "title", Place("object", "Job/a", "spec.x", "a.yaml", 3), key="k")


@pytest.mark.parametrize(
    ("changed", "is_old"),
    [
        ({}, True),
        ({"where": replace(KNOWN.where, line=9)}, True),
        ({"where": replace(KNOWN.where, file="b.yaml")}, True),
        ({"where": replace(KNOWN.where, name="Job/b")}, False),
        ({"where": replace(KNOWN.where, field="spec.y")}, False),
        ({"rule": "other"}, False),
        ({"severity": "blocker"}, False),
        ({"key": "other"}, False),
        ({"effects": ("more",)}, False),
        ({"before": 1}, False),
        ({"after": 1}, False),
        ({"result": "unknown"}, False),
    ],
)
def test_what_is_the_same(changed: dict[str, Any], is_old: bool) -> None:
    found = replace(KNOWN, **changed)
    plan = without_old_findings(web_plan(findings=(found,)), web_plan(findings=(KNOWN,)))
    assert plan.findings == (() if is_old else (found,))
    told = [one.because for one in plan.suppressed if one.rule == "rule"]
    assert told == ([BECAUSE] if is_old else [])


def test_a_second_one_alike_is_new() -> None:
    plan = without_old_findings(web_plan(findings=(KNOWN, KNOWN)), web_plan(findings=(KNOWN,)))
    assert plan.findings == (KNOWN,)


def test_what_was_not_known_before_is_no_excuse() -> None:
    before = web_plan(findings=(replace(KNOWN, result="unknown"),))
    assert without_old_findings(web_plan(findings=(KNOWN,)), before).findings == (KNOWN,)
