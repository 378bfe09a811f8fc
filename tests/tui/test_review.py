"""The review of a plan: the tree, its folds, search, changes, and what is read of an item."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

import pytest
from one_screen import press, shown, text_of, type_text
from sample_plans import body, change, hostile, many_actions, resource, web_plan
from settled import settled
from textual.app import ComposeResult
from textual.screen import Screen
from textual.worker import WorkerFailed

from helmguard.masking.masker import Masker
from helmguard.model.finding import Finding
from helmguard.model.plan import Plan, ResourceChange
from helmguard.model.value_change import ValueChange
from helmguard.planner.demo import plan_demo
from helmguard.report.review_items import ReviewedField
from helmguard.report.styles import line
from helmguard.tui.widgets import review
from helmguard.tui.widgets.detail import DetailPane
from helmguard.tui.widgets.review import Review


class ReviewScreen(Screen[None]):
    """Shows a plan and notes what is opened."""

    def __init__(self, plan: Plan) -> None:
        super().__init__()
        self._plan = plan
        self.opened: list[str] = []

    def compose(self) -> ComposeResult:
        yield Review(id="review")

    def on_mount(self) -> None:
        self.review.show(self._plan, Masker.for_plan(self._plan), title=line("what is compared"))

    @property
    def review(self) -> Review:
        return self.query_one(Review)

    def on_review_object_opened(self, event: Review.ObjectOpened) -> None:
        self.opened.append(str(event.resource.prediction.key))


def with_review(plan: Plan, check: Callable[[Any, ReviewScreen], Any], size: tuple[int, int]) -> None:
    """Run ``check`` with the pilot and the screen."""

    async def run() -> None:
        screen = ReviewScreen(plan)
        async with shown(screen, size=size) as pilot:
            await settled(pilot)
            await check(pilot, screen)

    asyncio.run(run())


def test_findings_come_first_and_fit_a_small_terminal() -> None:
    async def check(pilot: Any, screen: ReviewScreen) -> None:
        lines = text_of(pilot).split("\n")
        assert "what is compared" in lines[0]
        assert "Findings" in lines[1] and "1 blocker" in lines[1]
        assert any("BLOCKER" in text for text in lines[:6])
        assert all(len(text) <= 80 for text in lines)
        assert screen.review.query_one(DetailPane).size.height >= 6

    with_review(plan_demo(), check, (80, 24))


def test_n_goes_from_change_to_change_and_detail_follows() -> None:
    async def check(pilot: Any, screen: ReviewScreen) -> None:
        assert "nothing in this command repeats it" in text_of(pilot)
        assert "A value you set in an earlier revision" in text_of(pilot), "what the rule says"
        assert "helmguard rules show values-lost-override" in text_of(pilot)
        await press(pilot, "n")
        assert isinstance(screen.review.selected, ValueChange)
        await press(pilot, "n", "n")
        field = screen.review.selected
        assert isinstance(field, ReviewedField) and field.change.cause == "lost override"
        assert "previous" in text_of(pilot) and "lost override" in text_of(pilot)
        await press(pilot, "n", "n")
        assert isinstance(screen.review.selected, ValueChange), "around the end, back to the first"
        await press(pilot, "N")
        assert isinstance(screen.review.selected, ReviewedField)

    with_review(plan_demo(), check, (160, 40))


def test_folding_by_keys() -> None:
    async def check(pilot: Any, screen: ReviewScreen) -> None:
        screen.review.go_to("objects")
        assert isinstance(screen.review.selected, ResourceChange), "not the heading: enter opens it"
        await press(pilot, "space")
        assert "spec.toolkit.enabled  false" not in text_of(pilot)
        await press(pilot, "right")
        assert "spec.toolkit.enabled" in text_of(pilot)
        await press(pilot, "left", "left")
        assert screen.review.tree_list.row is not None
        assert screen.review.tree_list.row.key == "objects"
        await press(pilot, "minus")
        assert "spec.toolkit.enabled" not in text_of(pilot).split("Objects")[1]
        await press(pilot, "asterisk")
        assert len(screen.review.tree_list.rows) > 40

    with_review(plan_demo(), check, (160, 50))


def test_enter_opens_an_object_and_unfolds_a_finding() -> None:
    async def check(pilot: Any, screen: ReviewScreen) -> None:
        assert isinstance(screen.review.selected, Finding), "a reader begins at the gravest"
        rows = len(screen.review.tree_list.rows)
        await press(pilot, "enter")
        assert screen.opened == [] and len(screen.review.tree_list.rows) == rows + 1
        assert "nothing in this command repeats it" in text_of(pilot)
        screen.review.go_to("objects")
        await press(pilot, "enter")
        assert screen.opened == ["ClusterPolicy/cluster-policy"]

    with_review(plan_demo(), check, (100, 40))


def test_search_unfolds_what_it_finds() -> None:
    async def check(pilot: Any, screen: ReviewScreen) -> None:
        review = screen.review
        await press(pilot, "slash")
        await type_text(pilot, "upgrade-crd")
        assert "hits" in text_of(pilot)
        await press(pilot, "enter", "n")
        await press(pilot, "escape")
        await press(pilot, "slash")
        await type_text(pilot, "gpu-policy")
        await press(pilot, "enter")
        assert isinstance(review.selected, Finding) and review.selected.rule == "gpu-policy-change"
        await press(pilot, "escape")
        assert review.tree_list.needle == ""

    with_review(plan_demo(), check, (120, 40))


def test_another_plan_of_the_release_keeps_cursor_and_folds() -> None:
    async def check(pilot: Any, screen: ReviewScreen) -> None:
        review = screen.review
        review.go_to("hooks")
        await press(pilot, "left", "space")
        other = plan_demo("reuse")
        review.show(other, Masker.for_plan(other))
        await settled(pilot)
        assert review.plan is other
        assert review.tree_list.row is not None and review.tree_list.row.key == "hooks"
        assert "pre-upgrade: Job" not in text_of(pilot)
        assert "BLOCKER" not in text_of(pilot)

    with_review(plan_demo(), check, (120, 40))


def test_every_kind_of_row_is_shown_and_no_secret() -> None:
    async def check(pilot: Any, screen: ReviewScreen) -> None:
        await press(pilot, "full_stop", "asterisk")
        seen = text_of(pilot)
        for row in screen.review.tree_list.rows:
            seen += "".join(span.text for spans in row.lines for span in spans) + "\n"
        secret = next(row.key for row in screen.review.tree_list.rows if row.key.startswith("object//Secret"))
        screen.review.tree_list.go_to(secret)
        await settled(pilot)
        assert "(secret 2)" in text_of(pilot)
        seen += text_of(pilot)
        for word in ("drift kept", "chart default", "pods restart", "keep", "recreate", "adopt"):
            assert word in seen, word
        for secret in ("hunter2", "s3cr3t", "aHVudGVyMg"):
            assert secret not in seen

    with_review(many_actions(), check, (200, 60))


def test_a_large_plan_is_opened_searched_and_unfolded() -> None:
    same = [body("v1", "ConfigMap", f"object-{number}", "shop") for number in range(400)]
    changes = [change(f"data.field{number}", number, number + 1) for number in range(4)]
    plan = web_plan(resources=tuple(resource("update", each, each, *changes) for each in same))

    async def check(pilot: Any, screen: ReviewScreen) -> None:
        review = screen.review
        assert "400 to update" in text_of(pilot)
        assert len(review.tree_list.rows) < 410
        await press(pilot, "N")
        assert "object-399" in text_of(pilot) and "field3" in text_of(pilot)
        await press(pilot, "slash")
        await type_text(pilot, "object-217")
        assert "ConfigMap/object-217" in text_of(pilot)
        await press(pilot, "enter", "escape", "asterisk")
        assert len(review.tree_list.rows) > 2000
        assert "ConfigMap/object-217" in text_of(pilot), "the cursor stays"
        await pilot.resize_terminal(90, 24)
        await settled(pilot)
        assert "ConfigMap/object-217" in text_of(pilot)

    with_review(plan, check, (120, 40))


def test_hostile_text_is_inert() -> None:
    async def check(pilot: Any, _: ReviewScreen) -> None:
        await press(pilot, "asterisk")
        seen = text_of(pilot)
        assert "\x1b" not in seen and "\u202e" not in seen
        assert "\\u202e" in seen

    with_review(hostile(), check, (120, 40))


def test_nothing_to_do_answers_every_question() -> None:
    async def check(pilot: Any, screen: ReviewScreen) -> None:
        seen = text_of(pilot)
        for heading in ("Findings  none", "Values    no change", "Hooks     none", "Drift     none"):
            assert heading in seen
        screen.review.next_change(1)
        await settled(pilot)

    with_review(web_plan(), check, (100, 30))


def test_the_mouse_folds_and_opens() -> None:
    async def check(pilot: Any, screen: ReviewScreen) -> None:
        tree = screen.review.tree_list
        screen.review.go_to("objects")
        await press(pilot, "k")
        at = next(index for index, text in enumerate(text_of(pilot).split("\n")) if "Objects" in text)
        await pilot.click(offset=(2, at))
        await settled(pilot)
        assert "spec.toolkit.enabled" not in text_of(pilot).split("Objects")[1]
        await pilot.click(offset=(2, at))
        await settled(pilot)
        assert "spec.toolkit.enabled" in text_of(pilot).split("Objects")[1]
        assert tree.row is not None and tree.row.key == "objects"
        await pilot.click(offset=(12, at + 1), times=2)
        await settled(pilot)
        assert screen.opened == ["ClusterPolicy/cluster-policy"]

    with_review(plan_demo(), check, (100, 60))


def test_an_error_in_the_background_ends_the_program_and_is_not_swallowed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def broken(*_: object, **__: object) -> None:
        raise ZeroDivisionError("in the tree")

    monkeypatch.setattr(review, "_AT_ONCE", 0)
    monkeypatch.setattr(review, "Outline", broken)

    async def check(pilot: Any, screen: ReviewScreen) -> None:
        pass

    with pytest.raises(WorkerFailed, match="in the tree"):
        with_review(plan_demo(), check, (80, 24))
