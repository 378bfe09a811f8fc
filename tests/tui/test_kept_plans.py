"""Plans kept by what was asked for, the value modes of a form, and the commands behind it."""

from __future__ import annotations

import shlex

import pytest
from msgspec.structs import replace
from planned_demo import FORM, demo_plan

from helmguard.cli.rollback import build_parser as rollback_parser
from helmguard.cli.upgrade import build_parser as upgrade_parser
from helmguard.masking.masker import Masker
from helmguard.model.execution import Acceptance
from helmguard.report.page import Page, Pen
from helmguard.tui.command_lines import run_command
from helmguard.tui.kept_plans import KeptPlan, KeptPlans
from helmguard.tui.mode_plans import mode_forms, mode_rows
from helmguard.tui.plan_form import PlanForm

REUSE = FORM.with_mode("reuse")


class Closed(list[str]):
    """The names of what was closed, in order."""

    def plan(self, name: str, form: PlanForm = FORM) -> KeptPlan:
        return KeptPlan(replace(demo_plan(form), closing=lambda: self.append(name)), Masker())


def test_what_is_replaced_is_closed() -> None:
    kept, closed = KeptPlans(), Closed()
    assert kept.keep(FORM, closed.plan("first"), 0)
    assert kept.keep(REUSE, closed.plan("reuse"), 0)
    assert closed == []
    assert kept.keep(FORM, closed.plan("second"), 0)
    assert closed == ["first"]
    kept.drop_others(FORM)
    assert closed == ["first", "reuse"] and kept.get(REUSE) is None
    kept.close()
    assert closed == ["first", "reuse", "second"]
    assert not kept.keep(FORM, closed.plan("late"), 0)
    assert closed[-1] == "late" and kept.get(FORM) is None


def test_what_comes_late_takes_the_place_of_nothing_newer() -> None:
    kept, closed = KeptPlans(), Closed()
    first, newer = closed.plan("given up"), closed.plan("newer")
    assert kept.keep(FORM, first, 0, lambda: False) and kept.get(FORM) is first.planned
    assert kept.keep(FORM, newer, 0) and closed == ["given up"]
    assert not kept.keep(FORM, closed.plan("late"), 0, lambda: False)
    assert closed == ["given up", "late"]
    assert kept.get(FORM) is newer.planned and kept.masker(FORM) is newer.masker
    begun = kept.round
    kept.begin_anew()
    assert not kept.keep(REUSE, closed.plan("of before"), begun)
    assert closed[-1] == "of before" and kept.get(REUSE) is None


def test_what_is_lent_is_closed_by_who_took_it() -> None:
    kept, closed = KeptPlans(), Closed()
    assert kept.lend(FORM) is None
    kept.keep(FORM, closed.plan("lent"), 0)
    lent = kept.lend(FORM)
    kept.close()
    assert closed == [] and lent is not None
    lent.close()
    assert closed == ["lent"]


@pytest.mark.parametrize(
    ("mode", "names", "typed"),
    [
        ("given: reset", ["reset", "reuse", "reset-then-reuse"], "reset"),
        ("reuse", ["reset", "reuse", "reset-then-reuse"], "reuse"),
        ("none given: previous reused", ["", "reset", "reuse", "reset-then-reuse"], ""),
    ],
)
def test_helms_own_choice_stands_under_the_mode_it_comes_to(mode: str, names: list[str], typed: str) -> None:
    plan = demo_plan(FORM).plan
    forms = mode_forms(FORM, replace(plan, values=replace(plan.values, mode=mode)))
    assert list(forms) == names
    assert [name for name, form in forms.items() if form == FORM] == [typed]
    assert mode_forms(FORM, replace(plan, operation="install")) == {}


def test_the_rows_of_the_modes() -> None:
    planned = demo_plan(FORM)
    forms = mode_forms(FORM, planned.plan)
    pen = Pen(Page(), Masker.for_plan(planned.plan))
    rows = mode_rows(forms, planned.losses, {FORM: planned}.get, pen)
    shown = [(row.key, row.name, "".join(span.text for span in row.loss), row.verdict != ()) for row in rows]
    assert shown == [
        ("1", "reset, as typed", "loses 1: driver.enabled", True),
        ("2", "reuse", "keeps all", False),
        ("3", "reset-then-reuse", "keeps all", False),
    ]


ACCEPTED = (Acceptance("values-lost-override", "nodes are drained"),)


@pytest.mark.parametrize(
    ("form", "words"),
    [
        (
            PlanForm("web", "shop", "./web", sets=("a=b c",), mode="reuse", other="--atomic"),
            "upgrade web ./web --fail-on=blocker -n shop --set 'a=b c' --reuse-values --atomic",
        ),
        (
            PlanForm("web", "shop", rollback_to=3, other="--no-hooks"),
            "rollback web 3 --fail-on=blocker -n shop --no-hooks",
        ),
        (PlanForm("web", rollback_to=0), "rollback web --fail-on=blocker"),
    ],
)
def test_the_command_that_runs_it_is_one_that_helmguard_takes(form: PlanForm, words: str) -> None:
    command = run_command(form, ("--fail-on=blocker",), ACCEPTED)
    assert command == f"helmguard {words} --accept 'values-lost-override=nodes are drained'"
    parser = rollback_parser() if form.is_rollback else upgrade_parser()
    assert parser.parse(shlex.split(command)[2:]).release == "web"
