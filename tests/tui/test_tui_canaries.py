"""Canaries put everywhere are seen on no screen, and are in nothing that the interface writes or copies."""

from __future__ import annotations

import asyncio
import base64
import tempfile
from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from canaries import CHART, canary, found_in, found_in_files, written
from controlplane.client import ControlPlane
from controlplane.helm import Helm
from msgspec.structs import replace
from one_screen import text_of
from settled import press, settled
from shop_release import Shop, answered, asked, done, planned
from textual.content import Content
from textual.pilot import Pilot
from textual.screen import ModalScreen
from textual.widgets import Input, Label, Static, TextArea
from which_helm import with_helm_4

from helmguard.execute.approval import read_acceptance
from helmguard.tui.app import HelmguardApp
from helmguard.tui.dialogs.save_plan import SavePlanDialog
from helmguard.tui.options import TuiOptions
from helmguard.tui.plan_form import PlanForm
from helmguard.tui.screens.object import ObjectScreen
from helmguard.tui.screens.plan import PlanScreen
from helmguard.tui.screens.release import ReleaseScreen
from helmguard.tui.widgets.review import Review
from helmguard.tui.widgets.row_list import RowList
from helmguard.tui.widgets.time_line import TimeLine
from helmguard.tui.widgets.title_bar import TitleBar

WALKED = {
    *("ReleasesScreen", "ReleaseScreen", "PlanScreen", "ObjectScreen", "YamlScreen", "ValuesScreen"),
    *("TextScreen", "TextDialog", "WaiveDialog", "CommandLineDialog", "SavePlanDialog", "CommandPalette"),
    *("ApproveDialog", "ExecutionScreen"),
}
"""All but those that show what was typed into them, and those without a text from outside."""


@pytest.fixture
def can(helm: Helm, control_plane: ControlPlane, tmp_path: Path) -> Shop:
    """A release with an upgrade that failed, and objects that were changed by hand."""
    said = ("--description", f"for {canary('frst', 'a')}")
    helm.run("install", "can", CHART, "-f", written(helm.home, "frst"), *said)
    failing = helm.run("upgrade", "can", CHART, "-f", written(helm.home, "next", label=True), check=False)
    assert found_in("helm", failing.stderr)
    core, live = f"/api/v1/namespaces/{helm.namespace}", canary("live", "a")
    data = {"alpha": base64.b64encode(live.encode()).decode()}
    control_plane.patch(f"{core}/secrets/store", {"data": data})
    seen = {"seen": f"by {live}", "cut": f"{live[:9]}..."}
    control_plane.patch(f"{core}/configmaps/leaks", {"metadata": {"annotations": seen}})
    return Shop(helm, control_plane, CHART, tmp_path / "audit.jsonl")


class Watch:
    """What the interface shows and copies: ``leaks`` are the canaries among it."""

    def __init__(self, pilot: Pilot[int]) -> None:
        self.pilot = pilot
        self.app: HelmguardApp = pilot.app  # type: ignore[assignment]
        self.copied: list[str] = []
        self.app.copy_to_clipboard = self.copied.append  # type: ignore[method-assign]
        self.leaks: dict[str, None] = {}
        self.visited: set[str] = set()
        self._seen: set[str] = set()

    async def press(self, *keys: str) -> None:
        """One key after the other, with a look after each; ``close`` is esc where a dialog is open."""
        for key in keys:
            if key != "close" or isinstance(self.app.screen, ModalScreen):
                await press(self.pilot, ["escape" if key == "close" else key])
                self.look(key)

    def look(self, after: str) -> None:
        """At everything that is on the screen, out of sight or not."""
        name = type(self.app.screen).__name__
        self.visited.add(name)
        for text in _texts(self.pilot):
            if text not in self._seen:
                self._seen.add(text)
                for found in found_in(f"{name} after {after}", text):
                    self.leaks.setdefault(f"{found.where}: {found.form} in {found.around[-90:]!r}")

    async def read_tree(self) -> Review:
        """All of the tree."""
        review = self.app.screen.query_one(Review)
        review.tree_list.focus()
        await self.press("asterisk")
        return review

    async def read_review(self) -> None:
        """Every row of the tree with its detail, and every object."""
        review = await self.read_tree()
        for index, row in enumerate(review.tree_list.rows):
            if row.selectable:
                review.tree_list._move_to(index)
                await settled(self.pilot)
                self.look(row.key)
        assert review.plan is not None
        for resource in review.plan.resources:
            review.post_message(Review.ObjectOpened(resource))
            await settled(self.pilot, lambda: isinstance(self.app.screen, ObjectScreen))
            await self.press("c", "a", "y", "b", "asterisk")
            self.app.pop_screen()


def _texts(pilot: Pilot[int]) -> Iterator[str]:
    """Whatever is written in front, and in passing."""
    screen = pilot.app.screen
    yield from (f"{each.title} {each.message}" for each in pilot.app._notifications)
    yield str(screen.title)
    for widget in screen.query("*"):
        yield str(widget.tooltip or "")
        yield from _texts_of(widget)
    yield text_of(pilot)


def _texts_of(widget: Any) -> Iterator[str]:
    if isinstance(widget, RowList):
        yield "\n".join("".join(span.text for span in line) for row in widget.rows for line in row.lines)
    elif isinstance(widget, TitleBar):
        yield widget.render().plain
    elif isinstance(widget, Static | Label):
        shown = widget.content
        yield shown.plain if isinstance(shown, Content) else str(shown)
    elif isinstance(widget, Input):
        yield f"{widget.value} {widget.placeholder}"
    elif isinstance(widget, TextArea):
        yield widget.text


def _watched(can: Shop, options: TuiOptions, walk: Callable[[Watch], Awaitable[None]]) -> Watch:
    async def run() -> Watch:
        async with HelmguardApp(can.source(), options).run_test(size=(120, 24)) as pilot:
            watch = Watch(pilot)
            await settled(pilot)
            await walk(watch)
        return watch

    return asyncio.run(run())


@with_helm_4
def test_no_canary_comes_out(
    can: Shop, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, plain_terminal: Path
) -> None:
    written_by_it = tmp_path / "written"
    scratch, saved = tmp_path / "scratch", written_by_it / "can.hgplan"
    scratch.mkdir()
    written_by_it.mkdir()
    can = Shop(can.helm, can.cluster, can.chart, written_by_it / "audit.jsonl")
    monkeypatch.setattr(tempfile, "tempdir", str(scratch))
    values = written(can.helm.home, "next")
    form = PlanForm("can", can.helm.namespace, str(CHART), values_files=(str(values),))

    async def walk(watch: Watch) -> None:
        await watch.press("d", "slash", "c", "enter", "question_mark", "escape")
        await _read_release(watch)
        await _read_plan(watch, form, saved)
        await _read_refusals(watch, form)
        await _run_it(watch, form)

    watch = _watched(can, can.options(), walk)
    assert list(watch.leaks) == []
    assert [str(each) for text in watch.copied for each in found_in("clipboard", text)] == []
    assert len(watch.copied) > 15
    assert watch.visited >= WALKED
    assert saved.exists() and can.decisions()[-1] == "ended"
    for folder in (plain_terminal, written_by_it):
        assert list(folder.rglob("*.*"))
        assert [str(each) for each in found_in_files(folder)] == []
    assert list(scratch.iterdir()) == []


async def _read_release(watch: Watch) -> None:
    """Two revisions, live, and every text."""
    await watch.press("enter")
    assert isinstance(watch.app.screen, ReleaseScreen)
    time_line = watch.app.screen.query_one(TimeLine)
    await watch.read_tree()
    await watch.press("y", "asterisk", "c", "escape", "V", "asterisk", "c", "escape")
    for row in list(time_line.rows):
        time_line.focus()
        time_line.go_to(row.key)
        await watch.press("t", "escape", "h", "c", "escape")
    await watch.press("x", "l")
    await watch.read_tree()
    await watch.press("y", "asterisk", "c", "escape", "i", "c", "escape")


async def _read_plan(watch: Watch, form: PlanForm, saved: Path) -> None:
    """A plan with its dialogs, and its file."""
    screen = await planned(watch.pilot, form)
    await settled(watch.pilot)
    await watch.read_review()
    tree = screen.query_one(Review).tree_list
    tree.go_to(next(row.key for row in tree.rows if row.key.startswith("finding/")))
    await watch.press("w", "close", "x", "full_stop", "colon", "close", "2", "0")
    await watch.press("c", "c", "tab", "c", "close", "s")
    dialog = watch.app.screen
    assert isinstance(dialog, SavePlanDialog)
    dialog.query_one("#file", Input).value = str(saved)
    await watch.press("enter", "enter", "escape")


async def _read_refusals(watch: Watch, form: PlanForm) -> None:
    """What templates and the API server quote, and flags that hold secrets."""
    sets = (f"store.alpha={canary('next', 'a')}", f"job.pin={canary('next', 'j')}")
    for fault in ("fail.render=true", "fail.label=true"):
        watch.app.push_screen(PlanScreen(replace(form, sets=(*sets, fault))))
        await settled(watch.pilot)
        await watch.press("c", "c", "close", "s", "close", "a", "close")
        watch.app.pop_screen()


async def _run_it(watch: Watch, form: PlanForm) -> None:
    """Through the gate, and the texts after it."""
    pilot = watch.pilot
    screen = await planned(pilot, form)
    assert screen.shown is not None
    for rule in {finding.rule for finding in screen.shown.plan.findings}:
        screen._waived(read_acceptance(f"{rule}=tested"))
    await settled(pilot)
    dialog = await asked(pilot)
    watch.look("a")
    assert dialog._asked is not None
    ran = await answered(pilot, dialog._asked.question.answer)
    watch.look("the answer")
    await done(pilot, ran)
    await watch.press("c", "l", "c", "l", "v", "i", "c", "escape")


@with_helm_4
def test_they_are_seen_where_that_is_asked_for(can: Shop) -> None:
    """Without this no test above could fail."""
    seen: list[int] = []

    async def walk(watch: Watch) -> None:
        await watch.press("enter", "V")
        for key in ("escape", "x", "V", "escape", "x", "V"):
            watch.leaks.clear()
            watch._seen.clear()
            await watch.press(key)
            seen.append(len(watch.leaks))

    _watched(can, replace(can.options(), show_secrets=True), walk)
    assert [count > 0 for count in seen] == [False, True, True, True, False, False]
