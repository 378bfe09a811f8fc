"""How hooks ended, by the record of the revision that ran them."""

from __future__ import annotations

from typing import Any

import pytest

from helmguard.model.plan import ChartRef, Engine, HookRun, Plan, ReleaseSummary, ValuesReport
from helmguard.model.release import Revision
from helmguard.verify.hook_results import results_of_plan, results_of_revision

JSON = dict[str, Any]
MANIFEST = "apiVersion: batch/v1\nkind: Job\nmetadata: {name: migrate}\n"


def revision(last_run: JSON, events: tuple[str, ...] = ("pre-upgrade",)) -> Revision:
    hook = {
        "name": "migrate",
        "kind": "Job",
        "manifest": MANIFEST,
        "events": list(events),
        "last_run": last_run,
    }
    return Revision("web", "shop", 2, "deployed", "deployed", {}, None, "", (hook,))


def plan(name: str = "migrate") -> Plan:
    chart = ChartRef("web", "1.0.0")
    run = HookRun("pre-upgrade", "batch/v1", "Job", "shop", name, 0, (), 1)
    return Plan(
        operation="upgrade",
        release=ReleaseSummary("web", "shop", 1, 1, 2, "deployed", chart, chart),
        engine=Engine("4.3.1", "ssa", "", "given"),
        values=ValuesReport("", ""),
        resources=(),
        hooks=(run,),
    )


ENDED = "2026-11-30T01:00:00Z"


@pytest.mark.parametrize(
    ("last_run", "state", "why"),
    [
        ({"phase": "Succeeded", "completed_at": ENDED}, "succeeded", f"at {ENDED}"),
        ({"phase": "Failed", "completed_at": ENDED}, "failed", f"at {ENDED}"),
        ({"phase": "Running", "completed_at": "0001-01-01T00:00:00Z"}, "running", ""),
        ({"phase": "Unknown"}, "unknown", ""),
        ({}, "not run", ""),
    ],
)
def test_a_hook_of_the_plan(last_run: JSON, state: str, why: str) -> None:
    (found,) = results_of_plan(plan(), revision(last_run))
    assert (found.event, found.name, found.state, found.why) == ("pre-upgrade", "migrate", state, why)


def test_without_a_record_nothing_is_known() -> None:
    assert results_of_plan(plan(), None)[0].state == "unknown"
    assert results_of_plan(plan("other"), revision({"phase": "Succeeded"}))[0].state == "unknown"


def test_of_a_revision_only_what_has_run() -> None:
    assert results_of_revision(revision({})) == ()
    (found,) = results_of_revision(revision({"phase": "Failed"}, ("pre-upgrade", "test")))
    assert (found.event, found.state) == ("pre-upgrade, test", "failed")
