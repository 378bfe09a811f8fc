"""What is approved, and why it is refused."""

from __future__ import annotations

from msgspec.structs import replace

from helmguard.masking.masker import Masker
from helmguard.model.execution import Acceptance
from helmguard.model.plan import Plan
from helmguard.planner.demo import plan_demo
from helmguard.report.approval_page import approval_lines, refused_lines
from helmguard.report.page import Page, Pen
from helmguard.report.styles import to_text

HOW = "accept it on the plan"


def page_of(plan: Plan, width: int = 100) -> Pen:
    return Pen(Page(width=width, unicode=False), Masker.for_plan(plan))


def test_all_that_is_approved_is_on_the_page() -> None:
    plan = plan_demo()
    command = "helm upgrade gpu-operator ./gpu-operator --set driver.password=open-sesame"
    lines = approval_lines(
        plan,
        command,
        ("prod", "https://10.0.0.1:6443"),
        (Acceptance("gpu-driver-turned-on", "the nodes are drained"),),
        ("PersistentVolumeClaim/data is deleted",),
        page_of(plan),
    )
    text = to_text(lines, colour=False)
    assert text.startswith("gpu-operator | namespace gpu-operator | revision 1 -> 2")
    assert "cluster    prod  https://10.0.0.1:6443" in text
    assert "runs       helm upgrade gpu-operator ./gpu-operator" in text
    assert "open-sesame" not in text
    assert "accepted   gpu-driver-turned-on: the nodes are drained" in text
    assert "destroys   PersistentVolumeClaim/data is deleted" in text


def test_a_refusal_names_what_refuses_and_how_to_accept_it() -> None:
    plan = plan_demo()
    text = to_text(refused_lines(plan, page_of(plan), HOW), colour=False)
    assert text.startswith("Refused: 1 blocker and 1 danger at or above the gate (danger).")
    assert "  # driver.enabled  false -> true  - your override is lost\n" in text
    assert "ClusterPolicy/cluster-policy  spec.driver.enabled" in text
    assert HOW in text


def test_nothing_is_to_be_accepted_where_something_is_not_known() -> None:
    plan = replace(plan_demo(), findings=(), fail_on_unknown=True)
    text = to_text(refused_lines(plan, page_of(plan), HOW), colour=False)
    assert HOW not in text
    assert "Nothing was changed." in text
