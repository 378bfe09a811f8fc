"""One object by itself: its fields, its YAML, its managers; and whole manifests side by side."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

from every_cause import SECRET, every_cause, settings, web
from one_screen import press, shown, text_of, type_text
from sample_plans import hostile, web_plan
from settled import settled
from textual.pilot import Pilot
from textual.screen import Screen

from helmguard.masking.masker import Masker
from helmguard.model.plan import Plan
from helmguard.planner.demo import plan_demo
from helmguard.report.cause_marks import CAUSE_MARKS
from helmguard.report.side_by_side import Fold
from helmguard.tui.options import TuiOptions
from helmguard.tui.screens.object import ObjectScreen
from helmguard.tui.screens.yaml import YamlScreen
from helmguard.tui.widgets.detail import DetailPane
from helmguard.tui.widgets.side_by_side import SideBySide

Check = Callable[[Pilot[int]], Awaitable[None]]


def on(screen: Screen[Any], check: Check, size: tuple[int, int] = (120, 40), **options: Any) -> None:
    """Run ``check`` with this screen in front."""

    async def run() -> None:
        async with shown(screen, size=size, options=TuiOptions(**options)) as pilot:
            await settled(pilot)
            await check(pilot)

    asyncio.run(run())


def object_screen(plan: Plan, name: str) -> ObjectScreen:
    [found] = [item for item in plan.resources if str(item.prediction.key) == name]
    return ObjectScreen(plan, found, Masker.for_plan(plan))


def test_every_cause_has_its_letter_and_secrets_stay_masked_in_every_view() -> None:
    async def check(pilot: Pilot[int]) -> None:
        fields = text_of(pilot)
        for mark in CAUSE_MARKS.values():
            assert f" {mark.letter}  spec." in fields
        seen = fields
        for key in ("a", "M", "y", "w", "b"):
            await press(pilot, key)
            seen += text_of(pilot)
        assert pilot.app.focused is not None, "the other sides can be walked through at once"
        assert "kubectl (scale)" in seen and "previous manifest" in seen
        assert "(secret)" in seen and SECRET not in seen
        await press(pilot, "c")
        assert "(secret)" in pilot.app.clipboard and SECRET not in pilot.app.clipboard
        assert "kind: Deployment" in pilot.app.clipboard
        await press(pilot, "x")
        assert SECRET not in text_of(pilot)

    on(object_screen(every_cause(), "Deployment/web"), check, size=(150, 60))


def test_search_in_the_fields() -> None:
    async def check(pilot: Pilot[int]) -> None:
        pane = pilot.app.screen.query_one("#object-fields", DetailPane)
        await press(pilot, "a", "slash")
        await type_text(pilot, "latent")
        await press(pilot, "enter")
        assert "latent" in text_of(pilot) and pane.scroll_offset.y > 0
        await press(pilot, "slash")
        await type_text(pilot, "-nowhere")
        assert "not found" in text_of(pilot)
        await press(pilot, "escape")
        assert pane.needle == "" and isinstance(pilot.app.screen, ObjectScreen)

    on(object_screen(every_cause(), "Deployment/web"), check, size=(80, 24))


def test_x_reveals_only_where_it_was_allowed() -> None:
    async def check(pilot: Pilot[int]) -> None:
        await press(pilot, "x")
        assert f'"{SECRET}"' in text_of(pilot)
        await press(pilot, "y")
        assert f"password: {SECRET}-new" in text_of(pilot)
        await press(pilot, "x")
        assert SECRET not in text_of(pilot)

    on(object_screen(every_cause(), "Deployment/web"), check, size=(220, 60), show_secrets=True)


def test_yaml_opens_at_the_first_change_and_esc_goes_back_step_by_step() -> None:
    async def check(pilot: Pilot[int]) -> None:
        await press(pilot, "y")
        view = pilot.app.screen.query_one(SideBySide)
        assert view.side_list.row is not None and view.side_list.row.item.left.strip() == "enabled: false"
        assert "equal lines" in text_of(pilot)
        await press(pilot, "slash")
        await type_text(pilot, "regis")
        await press(pilot, "enter")
        assert "regis" in view.side_list.needle
        await press(pilot, "escape")
        assert view.side_list.needle == ""
        await press(pilot, "escape")
        assert "previous" in text_of(pilot)
        await press(pilot, "escape")
        assert not isinstance(pilot.app.screen, ObjectScreen)

    on(object_screen(plan_demo(), "ClusterPolicy/cluster-policy"), check)


def test_a_config_map_of_ten_thousand_lines() -> None:
    async def check(pilot: Pilot[int]) -> None:
        await press(pilot, "y")
        view = pilot.app.screen.query_one(SideBySide)
        assert "2 changes" in text_of(pilot)
        assert len(view.side_list.rows) < 30
        await press(pilot, "n")
        assert view.side_list.row is not None and "the last line" in view.side_list.row.item.right
        await press(pilot, "slash")
        await type_text(pilot, "setting.5000")
        await press(pilot, "enter")
        assert "setting.5000 = 5000" in text_of(pilot)
        await press(pilot, "escape", "asterisk")
        assert len(view.side_list.rows) > 10_000
        await press(pilot, "minus")
        assert len(view.side_list.rows) < 30

    on(object_screen(web_plan(resources=(settings(),)), "ConfigMap/settings"), check)


def test_long_lines_wrap_or_move() -> None:
    long = "word " * 60
    found = settings(10)
    body = found.prediction.predicted
    assert body is not None
    body["data"]["long"] = long
    plan = web_plan(resources=(found,))

    async def check(pilot: Pilot[int]) -> None:
        await press(pilot, "y", "n")
        cut = text_of(pilot)
        await press(pilot, "w")
        assert text_of(pilot).count("word") > cut.count("word")
        await press(pilot, "w", "right", "right")
        assert text_of(pilot) != cut

    on(object_screen(plan, "ConfigMap/settings"), check)


def test_one_column_where_the_terminal_is_narrow() -> None:
    async def check(pilot: Pilot[int]) -> None:
        await press(pilot, "y")
        seen = text_of(pilot)
        assert "- live" in seen and "+ after" in seen and "│" not in seen
        assert all(len(line) <= 80 for line in seen.splitlines())

    on(object_screen(plan_demo(), "ClusterPolicy/cluster-policy"), check, size=(80, 24))


def test_hostile_objects_are_inert() -> None:
    plan = hostile()

    async def check(pilot: Pilot[int]) -> None:
        seen = text_of(pilot)
        for key in ("M", "y", "b", "w"):
            await press(pilot, key)
            seen += text_of(pilot)
        assert "\x1b" not in seen and "\u202e" not in seen and "\u200b" not in seen

    on(ObjectScreen(plan, plan.resources[0], Masker.for_plan(plan)), check)


def test_folds_open_one_by_one_and_all_at_once() -> None:
    plan = every_cause()

    async def check(pilot: Pilot[int]) -> None:
        rows = pilot.app.screen.query_one(SideBySide).side_list

        def folds() -> list[str]:
            return [row.key for row in rows.rows if isinstance(row.item, Fold)]

        first, *others = folds()
        assert others
        assert rows.go_to(first)
        await press(pilot, "enter")
        assert folds() == others and rows.row is not None and rows.row.key == first
        await press(pilot, "asterisk")
        assert folds() == []
        await press(pilot, "minus", "g")
        assert folds() == [first, *others]
        line = next(index for index, row in enumerate(rows.rows) if row.key == first)
        await pilot.click(rows, offset=(4, line - rows.scroll_offset.y))
        await settled(pilot)
        assert folds() == others

    on(YamlScreen("manifests", plan, Masker.for_plan(plan)), check, size=(140, 50))


def test_whole_manifests_are_folded_below_their_names() -> None:
    plan = every_cause()

    async def check(pilot: Pilot[int]) -> None:
        seen = text_of(pilot)
        assert "previous manifest" in seen and "Deployment/web in shop" in seen
        assert SECRET not in seen
        await press(pilot, "b")
        assert "live" in text_of(pilot)
        await press(pilot, "c")
        assert SECRET not in pilot.app.clipboard and "kind: ConfigMap" in pilot.app.clipboard
        await press(pilot, "escape")
        assert not isinstance(pilot.app.screen, YamlScreen)

    on(YamlScreen("manifests", plan, Masker.for_plan(plan)), check, size=(140, 50))


def test_a_plan_without_objects_says_so() -> None:
    plan = web_plan()

    async def check(pilot: Pilot[int]) -> None:
        assert "no object on either side" in text_of(pilot)

    on(YamlScreen("manifests", plan, Masker.for_plan(plan)), check)


def test_the_object_of_a_comparison_has_two_sides_only() -> None:
    plan = web_plan(resources=(web(),), operation="comparison")

    async def check(pilot: Pilot[int]) -> None:
        assert "before" in text_of(pilot)
        await press(pilot, "b")
        assert "previous manifest" not in text_of(pilot)
        await press(pilot, "y")
        assert "revision 4" in text_of(pilot) and "revision 5" in text_of(pilot)

    on(ObjectScreen(plan, web(), Masker.for_plan(plan)), check)
