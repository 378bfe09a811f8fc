"""What may run, what was accepted, and what is asked."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from helmguard.errors import UsageError
from helmguard.execute.approval import (
    accepted,
    question,
    read_acceptance,
    used,
    why_useless,
    without_effect,
)
from helmguard.execute.helm_words import with_acceptances
from helmguard.model.execution import Acceptance
from helmguard.model.finding import Finding, Place, Waiver
from helmguard.model.plan import ChartRef, Engine, Plan, PlanOperation, ReleaseSummary, ValuesReport
from helmguard.report.exit_code import is_refused

LOSS = Finding(
    "delete-pvc",
    "blocker",
    "is deleted",
    Place("object", "PersistentVolumeClaim/data"),
    data_loss=True,
)
LOST = Finding("values-lost-override", "blocker", "is lost", Place("value", "driver.enabled"))


def plan_of(*findings: Finding, operation: PlanOperation = "upgrade") -> Plan:
    chart = ChartRef("web", "1.0.0")
    release = ReleaseSummary("web", "shop", 3, 3, 4, "deployed", chart, chart)
    engine = Engine("3.22.0", "csa", "", "template")
    return Plan(operation, release, engine, ValuesReport("reuse", ""), (), findings=findings)


@pytest.mark.parametrize("word", ["", "=", "rule", "rule=", "rule=  ", "=reason"])
def test_a_reason_is_wanted(word: str) -> None:
    with pytest.raises(UsageError, match="a rule and a reason are wanted"):
        read_acceptance(word)


def test_a_reason_may_hold_anything_on_one_line() -> None:
    assert read_acceptance("a-rule= because a=b,\n  and c ") == Acceptance("a-rule", "because a=b, and c")


def test_a_reason_cannot_steer_a_terminal() -> None:
    """Helm prints a description as it is stored."""
    assert read_acceptance("r=moved \x1b[2J\x9b31m\x07 by me").reason == "moved [2J 31m by me"


REASONS = (Acceptance("delete-pvc", "moved " * 20), Acceptance("downtime", "at night " * 20))


def test_a_description_tells_everything() -> None:
    text = with_acceptances("x" * 300, REASONS, None)
    assert text == "x" * 300 + f" (accepted: delete-pvc: {REASONS[0].reason}; downtime: {REASONS[1].reason})"


@pytest.mark.parametrize("length", [0, 1, 17, 100, 200])
def test_where_helm_takes_no_more_the_reasons_are_cut(length: int) -> None:
    text = with_acceptances("x" * length, REASONS, 256)
    assert 240 <= len(text) <= 256
    assert text.startswith("x" * length + " (accepted: delete-pvc: ")
    assert "; downtime: " in text
    assert text.endswith("...)")


def test_a_description_that_leaves_no_room_is_refused() -> None:
    with pytest.raises(UsageError, match="too long"):
        with_acceptances("x" * 250, REASONS, 256)


def test_what_is_accepted_passes_the_gate_and_is_marked() -> None:
    plan = plan_of(LOSS, LOST)
    assert is_refused(plan)
    once = accepted(plan, [Acceptance("delete-pvc", "moved")])
    assert is_refused(once)
    assert once.findings[0].waived == Waiver("moved", file="--accept")
    both = [Acceptance("delete-pvc", "moved"), Acceptance("values-lost-override", "meant so")]
    assert not is_refused(accepted(plan, both))


def test_a_waiver_of_the_configuration_stays() -> None:
    waiver = Waiver("agreed", by="ops", file=".helmguard.yaml", line=3)
    plan = plan_of(replace(LOST, waived=waiver))
    acceptance = Acceptance(LOST.rule, "again")
    again = accepted(plan, [acceptance])
    assert again.findings[0].waived == waiver
    assert used(again, [acceptance]) == ()
    assert without_effect(again, [acceptance]) == ()


def test_what_was_accepted_for_nothing_is_told() -> None:
    plan = accepted(plan_of(LOST), [Acceptance("no-such", "x"), Acceptance(LOST.rule, "y")])
    assert without_effect(plan, [Acceptance("no-such", "x"), Acceptance(LOST.rule, "y")]) == ("no-such",)
    assert used(plan, [Acceptance("no-such", "x"), Acceptance(LOST.rule, "y")]) == (
        Acceptance(LOST.rule, "y"),
    )


def test_a_slip_of_the_pen_is_no_rule_that_found_nothing() -> None:
    known = {"delete-pvc", "values-lost-override"}
    assert why_useless("delete-pvc", known) == "this rule found nothing here"
    assert "no rule is called 'of-a-pack-elsewhere' here" in why_useless("of-a-pack-elsewhere", known)
    with pytest.raises(UsageError, match="did you mean 'delete-pvc'"):
        why_useless("deleted-pvc", known)


@pytest.mark.parametrize(
    ("operation", "verb"), [("upgrade", "Upgrade"), ("install", "Install"), ("rollback", "Roll back")]
)
def test_yes_is_asked_for(operation: PlanOperation, verb: str) -> None:
    asked = question(plan_of(LOST, operation=operation))
    assert (asked.text, asked.answer) == (
        f"{verb} web in namespace shop? Only 'yes' is accepted:",
        "yes",
    )


def test_where_data_is_destroyed_the_name_is_asked_for() -> None:
    for plan in (plan_of(LOSS), accepted(plan_of(LOSS), [Acceptance(LOSS.rule, "moved")])):
        asked = question(plan)
        assert asked.answer == "web"
        assert "destroys data" in asked.text
        assert asked.why == ("PersistentVolumeClaim/data is deleted",)


def test_an_unknown_loss_does_not_ask_for_the_name() -> None:
    assert question(plan_of(replace(LOSS, result="unknown"))).answer == "yes"
