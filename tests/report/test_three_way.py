"""An object in four states: every cause has its letter, secrets are compared and not shown, lines fit."""

from __future__ import annotations

from typing import get_args

import pytest
from every_cause import SECRET, every_cause, web
from sample_plans import body, change, hostile, many_actions, resource, web_plan

from helmguard.masking.masker import Masker
from helmguard.model.field_change import MISSING, Cause
from helmguard.model.plan import Plan, ResourceChange
from helmguard.report.cause_marks import CAUSE_MARKS
from helmguard.report.item_detail import detail_lines, field_table
from helmguard.report.managers import manager_lines
from helmguard.report.page import Page, Pen
from helmguard.report.styles import to_text, width_of
from helmguard.report.three_way import three_way_rows, three_way_table


def pen_for(plan: Plan, width: int, *, unicode: bool = True, show: bool = False) -> Pen:
    return Pen(Page(width=width, unicode=unicode), Masker.for_plan(plan, show=show))


def table(plan: Plan, found: ResourceChange, pen: Pen, *, all_fields: bool = False) -> str:
    rows = three_way_rows(found, pen.masker, all_fields=all_fields)
    head, lines = three_way_table(found, rows, plan, pen)
    return to_text([*head, *(line for each in lines for line in each)], colour=False)


@pytest.mark.parametrize("width", [40, 60, 95, 96, 120, 200])
@pytest.mark.parametrize("unicode", [True, False])
def test_lines_fit_and_name_every_cause(width: int, unicode: bool) -> None:
    plan = every_cause()
    pen = pen_for(plan, width, unicode=unicode)
    text = table(plan, plan.resources[0], pen, all_fields=True)
    assert max(map(len, text.splitlines())) <= width
    for cause in get_args(Cause):
        path = f"spec.{cause.replace(' ', '-')}"
        [row] = [line for line in text.splitlines() if line[3:].startswith(path)]
        assert row[0] == CAUSE_MARKS[cause].letter
    assert unicode or text.isascii()


def test_four_values_in_their_order() -> None:
    found = resource(
        "update",
        body("apps/v1", "Deployment", "web", "shop"),
        body("apps/v1", "Deployment", "web", "shop"),
        change("spec.replicas", 7, 3, "drift reverted", previous=2, new=3, manager="kubectl"),
    )
    plan = web_plan(resources=(found,))
    wide = table(plan, found, pen_for(plan, 120))
    assert wide.splitlines()[0].split() == ["field", "previous", "live", "chart", "after", "cause"]
    assert wide.splitlines()[1].split()[:6] == ["r", "spec.replicas", "2", "7", "3", "3"]
    narrow = table(plan, found, pen_for(plan, 70))
    assert "previous 2   live 7   chart 3   after 3" in narrow


def test_two_stored_revisions_have_two_columns() -> None:
    found = resource(
        "update",
        body("v1", "ConfigMap", "web", "shop"),
        body("v1", "ConfigMap", "web", "shop"),
        change("data.a", MISSING, "1"),
    )
    plan = web_plan(resources=(found,), operation="comparison")
    wide = table(plan, found, pen_for(plan, 120))
    assert wide.splitlines()[0].split() == ["field", "before", "after", "cause"]
    assert wide.splitlines()[1].split()[:4] == ["c", "data.a", "-", '"1"']


def test_secrets_are_told_apart_and_never_shown() -> None:
    plan = every_cause()
    for width in (60, 120):
        pen = pen_for(plan, width)
        text = table(plan, web(), pen, all_fields=True)
        text += to_text(manager_lines(web(), pen), colour=False)
        text += to_text(field_table(web(), plan, pen, all_fields=True), colour=False)
        assert SECRET not in text
        assert "(secret 1)" in text and "(secret 2)" in text
    assert "horse-new" in table(plan, web(), pen_for(plan, 120, show=True))


def test_all_fields_are_those_that_a_manifest_declares() -> None:
    plan = every_cause()
    rows = three_way_rows(web(), Masker.for_plan(plan), all_fields=True)
    unchanged = {row.path for row in rows if row.change is None}
    assert unchanged == {("spec", "replicas"), ("spec", "equal", "a"), ("spec", "image")}


def test_of_long_texts_the_differing_end_is_seen() -> None:
    long = "registry.example.com/a/very/long/path/of/an/image/web"
    found = resource(
        "update",
        body("apps/v1", "Deployment", "web", "shop"),
        body("apps/v1", "Deployment", "web", "shop"),
        change("spec.image", f"{long}:1.27", f"{long}:1.28"),
    )
    plan = web_plan(resources=(found,))
    text = table(plan, found, pen_for(plan, 120))
    assert '…"1.27"' in text and '…"1.28"' in text


@pytest.mark.parametrize(
    "plan", [every_cause(), many_actions(), hostile()], ids=["causes", "many", "hostile"]
)
@pytest.mark.parametrize("width", [50, 120])
def test_everything_of_a_plan_can_be_read_in_the_width(plan: Plan, width: int) -> None:
    pen = pen_for(plan, width)
    items = [*plan.findings, *plan.values.changes, *plan.values.warnings, *plan.resources, *plan.unknown]
    for item in items:
        for line in detail_lines(item, plan, pen, rule="the rule's text"):
            assert width_of(line) <= max(width, 82), "".join(span.text for span in line)
            assert all(span.text.isprintable() for span in line)


def test_managers_say_who_owns_what() -> None:
    plan = every_cause()
    text = to_text(manager_lines(web(), pen_for(plan, 100)), colour=False)
    assert "kubectl (scale)" in text and "2026-11-30 06:22 UTC" in text
    assert "spec.replicas" in text.split("owns")[1]
    nobody = resource("create", None, body("v1", "ConfigMap", "new", "shop"))
    assert "no live object" in to_text(manager_lines(nobody, pen_for(plan, 100)), colour=False)
