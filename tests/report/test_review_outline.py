"""The tree of a review: what it holds, its folds, and where the next change or hit is."""

from __future__ import annotations

from typing import Any

import pytest
from every_cause import SECRET, every_cause
from sample_plans import (
    body,
    change,
    config,
    hostile,
    install,
    many_actions,
    nothing_to_do,
    resource,
    seed_story,
    ssa_conflict,
    web_plan,
)

from helmguard.masking.masker import Masker
from helmguard.model.finding import Finding, Place, Waiver
from helmguard.model.plan import LeftOver, Plan
from helmguard.model.resource_key import ResourceKey
from helmguard.report.item_detail import detail_lines
from helmguard.report.page import Page, Pen
from helmguard.report.review_items import Counted, ReviewedField, Section, SeverityGroup
from helmguard.report.review_outline import Outline
from helmguard.report.styles import to_text, width_of

PLANS = [seed_story, ssa_conflict, many_actions, nothing_to_do, install, hostile, every_cause]


def pen_for(plan: Plan, width: int = 100, *, unicode: bool = True) -> Pen:
    return Pen(Page(width=width, unicode=unicode), Masker.for_plan(plan))


def text_of(outline: Outline, width: int = 100) -> str:
    rows = outline.rows(pen_for(outline.plan, width))
    return to_text([line for row in rows for line in row.lines], colour=False)


def large(objects: int = 300, fields: int = 5) -> Plan:
    bodies = [body("v1", "ConfigMap", f"object-{number}", "shop") for number in range(objects)]
    changes = [change(f"data.field{number}", number, number + 1) for number in range(fields)]
    return web_plan(resources=tuple(resource("update", each, each, *changes) for each in bodies))


@pytest.mark.parametrize("make", PLANS)
@pytest.mark.parametrize("width", [60, 120])
@pytest.mark.parametrize("unicode", [True, False])
def test_rows_of_everything_fit_and_are_safe(make: object, width: int, unicode: bool) -> None:
    plan: Plan = make()  # type: ignore[operator]
    outline = Outline(plan, show_noise=True)
    outline.fold_all(unfolded=True)
    keys = set()
    for row in outline.rows(pen_for(plan, width, unicode=unicode)):
        assert row.lines and row.node.key not in keys
        keys.add(row.node.key)
        for line in row.lines:
            text = "".join(span.text for span in line)
            assert text.isprintable() and (unicode or text.isascii())
            assert width_of(line) <= width + 22, text


def test_sections_in_the_readers_order() -> None:
    titles = [node.item.title for node in Outline(many_actions()).roots if isinstance(node.item, Section)]
    assert titles == ["Findings", "Values", "Objects", "Hooks", "Drift", "Unknown", "Unchanged"]
    failing = web_plan(failure=ssa_conflict().failure)
    assert isinstance(Outline(failing).roots[0].item, Section)
    assert Outline(failing).roots[0].item.title == "Will fail"


def test_findings_by_severity_waived_last() -> None:
    found = [
        Finding(rule, severity, "t", Place("release", "web"), waived=waived)
        for rule, severity, waived in (
            ("a", "info", None),
            ("b", "blocker", Waiver("we know")),
            ("c", "danger", None),
            ("d", "blocker", None),
        )
    ]
    outline = Outline(web_plan(findings=tuple(found)))
    groups = outline.roots[0].children
    assert [node.item for node in groups] == [
        SeverityGroup("blocker", 1),
        SeverityGroup("danger", 1),
        SeverityGroup("info", 1),
        SeverityGroup(None, 1),
    ]
    assert outline.first.startswith("finding/d/")
    told = [
        to_text(detail_lines(node.item, outline.plan, pen_for(outline.plan)), colour=False) for node in groups
    ]
    assert all(text.startswith("web") and len(text.splitlines()) == 1 for text in told)
    assert Outline(web_plan(findings=(found[0], found[1]))).first == "findings", "nothing to decide about"
    text = text_of(outline)
    assert "BLOCKER" in text and "WAIVED" in text and "1 waived" in text


def test_noise_is_counted_until_it_is_asked_for() -> None:
    plan = many_actions()
    quiet, noisy = text_of(Outline(plan)), text_of(Outline(plan, show_noise=True))
    assert "(. shows them)" in quiet and "ConfigMap/labels" not in quiet
    assert "ConfigMap/labels" in noisy


def test_next_change_goes_through_folded_objects_and_around() -> None:
    outline = Outline(large())
    outline.fold_all(unfolded=False)
    found = outline.next_change("objects", 1)
    assert found == "object//ConfigMap/shop/object-0/change/data.field0"
    assert outline.next_change(found, -1) == "object//ConfigMap/shop/object-299/change/data.field4"
    assert outline.seen_from(found) == "object//ConfigMap/shop/object-0"
    assert outline.unfold_to(found)
    assert outline.seen_from(found) == found
    assert not outline.unfold_to(found)
    assert Outline(web_plan()).next_change("values", 1) is None


def test_next_change_stops_once_at_an_object_that_is_new() -> None:
    new = body("v1", "ConfigMap", "new", "shop")
    fields = [change(f"data.field{number}", None, number) for number in range(5)]
    outline = Outline(web_plan(resources=(resource("create", None, new, *fields),)))
    assert outline.next_change("objects", 1) == "object//ConfigMap/shop/new"
    assert outline.next_change("object//ConfigMap/shop/new", 1) == "object//ConfigMap/shop/new"


def test_search_finds_names_and_no_secret_values() -> None:
    plan = every_cause()
    outline, pen = Outline(plan, show_noise=True), pen_for(plan)
    hit = outline.next_hit("", 1, "DRIFT-KEPT", pen)
    assert hit is not None and hit.endswith("spec.drift-kept")
    assert outline.next_hit("", 1, SECRET, pen) is None
    assert outline.next_hit(hit, 1, "drift-kept", pen, here=True) == hit
    assert outline.count_hits("spec.", pen) == 11, "a latent owner is drift's"


def test_large_plans_have_one_line_each_that_is_written_when_seen() -> None:
    plan = large()
    outline = Outline(plan)
    outline.fold_all(unfolded=True)
    rows = outline.rows(pen_for(plan, 50))
    assert len(rows) > 1800
    assert all(len(row.lines) == 1 for row in rows)
    [row] = [row for row in rows if row.node.key == "object//ConfigMap/shop/object-250"]
    assert "ConfigMap/object-250" in to_text(row.lines, colour=False)
    few = Outline(large(3))
    assert any(isinstance(row.node.item, ReviewedField) for row in few.rows(pen_for(plan))), "unfolded"
    assert not any(isinstance(row.node.item, ReviewedField) for row in Outline(plan).rows(pen_for(plan)))


def test_a_drift_plan_shows_what_is_adrift() -> None:
    def marked(found: Any) -> Any:
        found["metadata"]["labels"] = {"app.kubernetes.io/managed-by": "Helm"}
        found["metadata"]["annotations"] = {
            "meta.helm.sh/release-name": "web",
            "meta.helm.sh/release-namespace": "shop",
        }
        return found

    deployment = marked(body("apps/v1", "Deployment", "web", "shop"))
    gone = resource("recreate", None, config({"a": "1"}, "gone"), previous=config({"a": "1"}, "gone"))
    scaled = resource(
        "update",
        deployment,
        deployment,
        change("spec.replicas", 7, 3, "drift reverted", manager="kubectl (scale)"),
    )
    same = resource("unchanged", marked(config({"b": "2"}, "same")), marked(config({"b": "2"}, "same")))
    left = LeftOver(ResourceKey("", "ConfigMap", "shop", "old"), "v1", 3, "failed", False, "")
    plan = web_plan(operation="drift", resources=(gone, scaled, same), left_over=(left,))
    text = text_of(Outline(plan))
    assert "Values" not in text and "Hooks" not in text
    assert "ConfigMap/gone  missing" in text
    assert "1 set back by the next upgrade" in text
    assert "r spec.replicas  7 → 3  kubectl (scale)" in text
    assert "ConfigMap/old  left over, of revision 3 (failed)" in text
    assert "Unchanged 1 object" in text


def test_a_comparison_asks_only_what_two_revisions_can_answer() -> None:
    item = resource("update", config({"a": "1"}), config({"a": "2"}), change("data.a", "1", "2"))
    hook = resource("create", None, config({}, "hook"))
    hook = type(hook)(hook.prediction, hook_events=("pre-upgrade",))
    text = text_of(Outline(web_plan(operation="comparison", resources=(item, hook))))
    for heading in ("Findings", "Drift", "Unknown"):
        assert heading not in text
    assert "1 differ" in text and "pre-upgrade" in text
    assert "ConfigMap/web" in text.split("Hooks")[0] and "ConfigMap/hook" in text.split("Hooks")[1]


def test_folds_outlive_the_plan() -> None:
    folds: dict[str, bool] = {}
    Outline(seed_story(), folds).fold("objects", unfolded=False)
    again = Outline(seed_story(), folds)
    assert not any(isinstance(row.node.item, ReviewedField) for row in again.rows(pen_for(again.plan)))


def test_hidden_fields_are_counted_below_their_object() -> None:
    outline = Outline(many_actions())
    texts = [node.item.text for node in outline.walk() if isinstance(node.item, Counted)]
    assert any("of no weight" in text for text in texts)
