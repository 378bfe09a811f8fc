"""A plan in one line."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from helmguard.masking.masker import Masker
from helmguard.model.finding import Waiver
from helmguard.model.plan import Plan, Unknown
from helmguard.planner.demo import plan_demo
from helmguard.planner.mode_losses import lost_paths
from helmguard.report.page import Page, Pen
from helmguard.report.plan_title import (
    loss_line,
    plan_remark,
    plan_title,
    plan_word,
    waived_in_file,
)
from helmguard.report.styles import Line


def pen_of(plan: Plan, *, unicode: bool = True) -> Pen:
    return Pen(Page(unicode=unicode), Masker.for_plan(plan))


def text(line: Line) -> str:
    return "".join(span.text for span in line)


def waived(plan: Plan) -> Plan:
    waiver = Waiver("agreed", file=".helmguard.yaml", line=3)
    return replace(plan, findings=tuple(replace(finding, waived=waiver) for finding in plan.findings))


def test_the_demo_in_two_modes() -> None:
    lost, kept = plan_demo(), plan_demo("reuse")
    assert text(plan_title(lost, pen_of(lost, unicode=False))) == (
        "Plan: gpu-operator 1 -> 2 | 1 BLOCKER | 1 DANGER | 2 WARNING | refused"
    )
    assert text(plan_title(kept, pen_of(kept))) == "Plan: gpu-operator 1 → 2 · 2 WARNING · passes"
    assert text(plan_remark(lost, pen_of(lost))).startswith("values RESET to chart defaults")


@pytest.mark.parametrize(
    ("plan", "word"),
    [
        (plan_demo(), "refused"),
        (waived(plan_demo()), "passes"),
        (replace(plan_demo(), fail_on="none"), "passes, no gate"),
        (replace(plan_demo("reuse"), unknown=(Unknown("an object", "not read"),)), "passes, not certain"),
        (replace(plan_demo("reuse"), resources=(), hooks=(), findings=()), "nothing to do"),
    ],
)
def test_the_verdict_in_a_word(plan: Plan, word: str) -> None:
    assert plan_word(plan).text == word


def test_a_rollback_says_where_to() -> None:
    plan = plan_demo()
    plan = replace(plan, operation="rollback", around=replace(plan.around, rollback_to=1))
    assert text(plan_title(plan, pen_of(plan))).startswith("Rollback to 1: gpu-operator 1 → 2 · ")


def test_an_install_has_no_revision_before() -> None:
    plan = plan_demo()
    plan = replace(plan, operation="install", release=replace(plan.release, from_revision=None))
    assert text(plan_title(plan, pen_of(plan))).startswith("Install: gpu-operator revision 2 · ")


def test_waived_findings_are_counted_apart() -> None:
    plan = waived(plan_demo())
    assert (
        text(plan_title(plan, pen_of(plan)))
        == f"Plan: gpu-operator 1 → 2 · {len(plan.findings)} waived · passes"
    )
    waiver = plan.findings[0].waived
    assert waiver is not None
    assert (
        waived_in_file(waiver, pen_of(plan)) == "It is waived in .helmguard.yaml:3 (agreed); change it there."
    )


def test_what_a_mode_loses() -> None:
    plan = plan_demo()
    pen = pen_of(plan)
    assert text(loss_line(lost_paths(plan.values.changes), "", pen)) == "loses 1: driver.enabled"
    assert text(loss_line((), "", pen)) == "keeps all"
    assert text(loss_line((), "Helm refuses\x1b[31m it", pen)) == "not known: Helm refuses\\x1b[31m it"
    many = tuple((name,) for name in "abcde")
    assert text(loss_line(many, "", pen)) == "loses 5: a, b, c and 2 more"
