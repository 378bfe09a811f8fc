"""The exit code of a check."""

from __future__ import annotations

from typing import Any

import pytest
from check_reports import checked, declared, noise_plan, without_cluster
from msgspec.structs import replace
from sample_plans import change, config, resource, web_plan

from helmguard.model.check_report import CheckedRelease, CheckReport
from helmguard.model.finding import Finding, Place
from helmguard.model.plan import Plan, Unknown
from helmguard.report.check_exit_code import check_exit_code
from helmguard.report.check_of_plan import check_of_plan

CHANGING = web_plan(
    resources=(resource("update", config({"a": "1"}), config({"a": "2"}), change("data.a", "1", "2")),)
)
SAME = web_plan(resources=(resource("unchanged", config({}), config({})),))


def found(severity: Any) -> Plan:
    return replace(CHANGING, findings=(Finding("r", severity, "t", Place("object", "ConfigMap/web")),))


def report(*releases: CheckedRelease, **more: Any) -> CheckReport:
    return CheckReport("main", "HEAD", releases, **more)


def one(state: Any, plan: Plan | None = None, **more: Any) -> CheckedRelease:
    return checked(state, declared("web"), plan, **more)


MISSING = (Unknown("values", "Secret shop/web is not in the repository"),)


@pytest.mark.parametrize(
    ("check", "code"),
    [
        (report(), 0),
        (report(one("same")), 0),
        (report(one("same", without_cluster(SAME))), 0),
        (report(one("noise", noise_plan())), 2),
        (report(one("changed", CHANGING)), 2),
        (report(one("added", CHANGING), one("same")), 2),
        (report(one("removed")), 2),
        (report(one("removed", why="Argo CD leaves its objects"), fail_on_unknown=True), 2),
        (report(one("unknown", why="it does not render")), 2),
        (report(unknown=MISSING), 2),
        (report(checked("same", declared("web", unknown=MISSING))), 2),
        (report(one("changed", found("warning"))), 2),
        (report(one("changed", found("danger"))), 3),
        (report(one("same"), one("changed", found("blocker"))), 3),
        (report(one("changed", CHANGING), fail_on_unknown=True), 2),
        (report(unknown=MISSING, fail_on_unknown=True), 3),
        (report(one("unknown", why="it does not render"), fail_on_unknown=True), 3),
        (report(checked("same", declared("web", unknown=MISSING)), fail_on_unknown=True), 3),
        (report(one("same", without_cluster(SAME)), fail_on_unknown=True), 0),
        (report(unknown=MISSING, fail_on_unknown=True, fail_on="none"), 2),
    ],
)
def test_codes(check: CheckReport, code: int) -> None:
    assert check_exit_code(check) == code


@pytest.mark.parametrize("severity", ["warning", "danger", "blocker"])
def test_a_plan_alone_has_the_same_code(severity: Any) -> None:
    from helmguard.report.exit_code import exit_code

    for plan in (found(severity), replace(found(severity), fail_on="blocker"), SAME, CHANGING):
        assert check_exit_code(check_of_plan(plan)) == exit_code(plan)
