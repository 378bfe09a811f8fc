"""Where nothing live could be read: what the manifests tell all the same, and what only live objects do."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from helmguard.model.finding import Finding
from helmguard.model.plan import Plan
from helmguard.planner.offline import plan_from_bundle

TRACES = Path(__file__).parents[2] / "fixtures" / "traces"


def without_live(trace: str, scratch: Path) -> Plan:
    """The plan of a recording without its live objects."""
    bundle = scratch / trace
    shutil.copytree(TRACES / trace, bundle)
    (bundle / "live-before.json").unlink()
    return plan_from_bundle(bundle)


def of_rule(plan: Plan, rule: str) -> list[Finding]:
    return [finding for finding in plan.findings if finding.rule == rule]


@pytest.mark.parametrize("trace", ["selector-immutable--h3", "selector-immutable--h4"])
def test_a_change_that_is_refused_whatever_is_live_is_foretold(trace: str, tmp_path: Path) -> None:
    known = {finding.where.name for finding in of_rule(plan_from_bundle(TRACES / trace), "immutable-field")}
    found = of_rule(without_live(trace, tmp_path), "immutable-field")
    assert known
    assert known <= {finding.where.name for finding in found}
    assert {(finding.severity, finding.result) for finding in found} == {("blocker", "fires")}
    assert all("As the previous manifest made it" in finding.consequence for finding in found)


@pytest.mark.parametrize("trace", ["selector-immutable--h3", "keep-policy--h3", "scaled-by-hand--h3"])
def test_nothing_is_assumed_where_live_objects_are_known(trace: str) -> None:
    assert plan_from_bundle(TRACES / trace).around.assumed_failures == ()


def test_changes_that_are_allowed_are_not_taken_for_refused(tmp_path: Path) -> None:
    for trace in ("scaled-by-hand--h3", "scaled-by-hand--h4", "nulls-and-quantities--h3", "ports--h4"):
        assert without_live(trace, tmp_path).around.assumed_failures == (), trace


def test_whether_another_manager_is_in_the_way_is_unknown(tmp_path: Path) -> None:
    (found,) = of_rule(without_live("scaled-by-hand--h4", tmp_path), "drift-conflict-ssa")
    assert (found.result, found.missing) == ("unknown", ("live",))
    assert "ConfigMap/conf" in found.effects


def test_with_force_conflicts_nobody_is_in_the_way(tmp_path: Path) -> None:
    assert of_rule(without_live("scaled-by-hand--h4fc", tmp_path), "drift-conflict-ssa") == []


def test_whether_a_new_object_is_there_already_is_unknown(tmp_path: Path) -> None:
    (found,) = of_rule(without_live("adoption-refused--h3", tmp_path), "adoption-conflict")
    assert (found.result, found.missing) == ("unknown", ("live",))


@pytest.mark.parametrize("trace", ["adoption-taken--h3", "adoption-taken--h4"])
def test_with_take_ownership_nothing_is_in_the_way(trace: str, tmp_path: Path) -> None:
    assert of_rule(without_live(trace, tmp_path), "adoption-conflict") == []
