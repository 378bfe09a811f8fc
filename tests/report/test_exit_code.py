"""The exit code and the last line."""

from __future__ import annotations

import pytest
from msgspec.structs import replace
from sample_plans import config, nothing_to_do, resource, seed_story, ssa_conflict, web_plan

from helmguard.model.field_change import FieldChange
from helmguard.model.finding import Finding, Place, Severity, Waiver
from helmguard.model.plan import HookRun, IgnoredChange, Plan, ResourceChange, Unknown
from helmguard.model.prediction import Failure
from helmguard.report.exit_code import exit_code
from helmguard.report.verdict import verdict


def ignoring_all(item: ResourceChange) -> ResourceChange:
    change = FieldChange(("data", "a"), "1", "2", "chart")
    return replace(
        item, changes=(), ignored=(IgnoredChange("change", change, ".helmguard.yaml", 3, "reason"),)
    )


CHANGED = web_plan(resources=(resource("update", config({"a": "1"}), config({"a": "2"})),))
IDLE = nothing_to_do()
NOTHING = "Nothing to do: no object changes, no hook runs. Exit 0."
NOT_CERTAIN = "Not certain: no change found, but 1 thing not known. Exit 2."
IGNORED = replace(CHANGED, resources=tuple(ignoring_all(item) for item in CHANGED.resources))
HOOK = HookRun("pre-upgrade", "batch/v1", "Job", "shop", "migrate", 0, (), 1)


def finding(severity: Severity, **more: object) -> Finding:
    return Finding("rule", severity, "title", Place("release", "web"), **more)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("plan", "code", "last_line"),
    [
        (IDLE, 0, "Nothing to do: no object changes, no hook runs. Exit 0."),
        (CHANGED, 2, "1 object changes; no finding at or above the gate (danger). Exit 2."),
        (replace(IDLE, hooks=(HOOK,)), 2, "1 hook runs; no finding at or above the gate (danger). Exit 2."),
        (
            replace(CHANGED, findings=(finding("warning"), finding("info"))),
            2,
            "1 object changes; 1 warning, below the gate (danger). Exit 2.",
        ),
        (
            replace(CHANGED, findings=(finding("danger"), finding("blocker"), finding("danger"))),
            3,
            "Refused: 1 blocker and 2 dangers at or above the gate (danger). Exit 3.",
        ),
        (
            replace(CHANGED, findings=(finding("danger"),), fail_on="blocker"),
            2,
            "1 object changes; 1 danger, below the gate (blocker). Exit 2.",
        ),
        (
            replace(IDLE, findings=(finding("warning"),), fail_on="warning"),
            3,
            "Refused: 1 warning at or above the gate (warning). Exit 3.",
        ),
        (
            replace(CHANGED, findings=(finding("blocker", waived=Waiver("known")),)),
            2,
            "1 object changes; no finding at or above the gate (danger); 1 waived. Exit 2.",
        ),
        (
            replace(CHANGED, findings=(finding("blocker"),), fail_on="none"),
            2,
            "1 object changes; 1 blocker, and no gate (none). Exit 2.",
        ),
        (
            replace(IDLE, failure=Failure("no", "before"), fail_on="none"),
            2,
            "Helm will fail before it changes anything. Exit 2.",
        ),
        (
            replace(IDLE, unknown=(Unknown("Secret/x", "forbidden"),), fail_on_unknown=True),
            3,
            "Refused: 1 thing not known, which refuses too. Exit 3.",
        ),
        (
            replace(IDLE, unknown=(Unknown("Secret/x", "forbidden"),), fail_on="none", fail_on_unknown=True),
            2,
            "Not certain: no change found, but 1 thing not known. Exit 2.",
        ),
        (replace(IDLE, findings=(finding("warning", result="unknown"),), fail_on_unknown=True), 0, NOTHING),
        (replace(IDLE, findings=(finding("danger", result="unknown"),), fail_on="none"), 2, NOT_CERTAIN),
        (IGNORED, 0, "Nothing to do: no object changes but for 1 ignored change, no hook runs. Exit 0."),
        (
            replace(IDLE, unknown=(Unknown("Secret/x", "forbidden"),)),
            2,
            "Not certain: no change found, but 1 thing not known. Exit 2.",
        ),
        (
            replace(IDLE, findings=(finding("danger", result="unknown"),)),
            2,
            "Not certain: no change found, but 1 thing not known. Exit 2.",
        ),
        (
            replace(IDLE, findings=(finding("warning", result="unknown"),)),
            0,
            "Nothing to do: no object changes, no hook runs. Exit 0.",
        ),
        (
            replace(IDLE, failure=Failure("no", "before")),
            3,
            "Refused: Helm will fail before it changes anything. Exit 3.",
        ),
        (ssa_conflict(), 3, "Refused: Helm will fail after changing 2 objects. Exit 3."),
        (seed_story(), 3, "Refused: 1 blocker at or above the gate (danger). Exit 3."),
    ],
)
def test_codes_and_last_lines(plan: Plan, code: int, last_line: str) -> None:
    assert exit_code(plan) == code
    assert "".join(span.text for span in verdict(plan)) == last_line


def test_an_object_that_is_not_known_is_a_change_to_reckon_with() -> None:
    plan = web_plan(resources=(resource("unchanged", config({}), config({}), confirmed="unknown"),))
    assert exit_code(plan) == 2


def test_without_details_only_a_refusal_is_an_error() -> None:
    assert exit_code(CHANGED, detailed=False) == 0
    assert exit_code(seed_story(), detailed=False) == 3
