"""What comes late from the background: it never takes the place of what is newer."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Awaitable, Callable

from one_screen import shown
from settled import settled
from textual.app import ComposeResult
from textual.widgets import Static

from helmguard.errors import HelmguardError
from helmguard.tui.widgets.stage import Stage
from helmguard.tui.work import Report, WorkScreen

SECONDS = 20
"""No thread waits longer than this, however broken the code."""


class Reading(WorkScreen[None]):
    """Shows what a task gives."""

    def __init__(self) -> None:
        super().__init__()
        self.done: list[str] = []
        self.told: list[str] = []
        self.errors: list[str] = []

    def compose(self) -> ComposeResult:
        yield Stage(Static("content", markup=False))

    def read(self, task: Callable[[Report], str], group: str = "read") -> None:
        self.work(task, self.done.append, group=group, failed=lambda error: self.errors.append(error.message))


Check = Callable[[Reading, threading.Event], Awaitable[None]]


def on_screen(check: Check, until: Callable[[Reading], bool] = lambda _: True) -> Reading:
    """``check`` begins the work, whose threads wait for the event: it is set when ``check`` has ended."""

    async def run() -> Reading:
        screen, go_on = Reading(), threading.Event()
        async with shown(screen) as pilot:
            await check(screen, go_on)
            go_on.set()
            await settled(pilot, lambda: until(screen))
        return screen

    return asyncio.run(run())


async def happened(event: threading.Event) -> None:
    """The event loop goes on meanwhile."""
    assert await asyncio.to_thread(event.wait, SECONDS)


def test_the_result_of_work_that_was_replaced_is_not_shown() -> None:
    begun, ended = threading.Event(), threading.Event()

    async def check(screen: Reading, go_on: threading.Event) -> None:
        def old(_: Report) -> str:
            begun.set()
            assert go_on.wait(SECONDS)
            screen.show_if_wanted(screen.told.append, "old")
            ended.set()
            return "old"

        screen.read(old)
        await happened(begun)
        screen.read(lambda _: "new")

    screen = on_screen(check, lambda screen: bool(screen.done) and ended.is_set())
    assert screen.done == ["new"] and screen.told == []


def test_what_is_on_its_way_when_work_is_given_up_is_not_shown() -> None:
    """It is given up after the thread has looked, and before the event loop comes to it."""
    on_its_way, arrived = threading.Event(), threading.Event()

    async def check(screen: Reading, go_on: threading.Event) -> None:
        call = screen.app.call_from_thread

        def slow(show: Callable[[], None]) -> None:
            on_its_way.set()
            assert go_on.wait(SECONDS)
            call(show)
            arrived.set()

        screen.app.call_from_thread = slow  # type: ignore[method-assign, assignment]
        screen.read(lambda _: "given up")
        await happened(on_its_way)
        assert screen.cancel_work()

    screen = on_screen(check, lambda _: arrived.is_set())
    assert screen.done == []


def test_the_error_of_work_that_was_given_up_is_not_told_and_others_are_in_words() -> None:
    begun, raised = threading.Event(), threading.Event()

    async def check(screen: Reading, go_on: threading.Event) -> None:
        def failing(_: Report) -> str:
            begun.set()
            assert go_on.wait(SECONDS)
            raised.set()
            raise HelmguardError("of no interest any more")

        def broken(_: Report) -> str:
            raise ZeroDivisionError("hunter2")

        screen.read(failing)
        await happened(begun)
        assert screen.cancel_work()
        screen.read(broken, "other")

    screen = on_screen(check, lambda screen: bool(screen.errors) and raised.is_set())
    assert screen.errors == ["internal error (ZeroDivisionError)"]


def test_a_report_ends_work_that_was_given_up_whatever_it_goes_on_after() -> None:
    begun, reached = threading.Event(), list[str]()

    async def check(screen: Reading, go_on: threading.Event) -> None:
        def reading(report: Report) -> str:
            begun.set()
            assert go_on.wait(SECONDS)
            reached.append("asked")
            try:
                report("half way")
            except Exception:
                reached.append("went on")
            reached.append("went on")
            return "done"

        screen.read(reading)
        await happened(begun)
        assert screen.cancel_work()

    screen = on_screen(check, lambda _: bool(reached))
    assert reached == ["asked"] and screen.done == screen.errors == []


def test_progress_takes_the_place_of_nothing_but_what_is_waited_for() -> None:
    shown_states: list[str] = []

    async def check(screen: Reading, _: threading.Event) -> None:
        stage = screen.query_one(Stage)
        ends: tuple[Callable[[], None], ...] = (
            stage.ready,
            lambda: stage.empty("nothing"),
            lambda: stage.failed(HelmguardError("broken"), None),
        )
        for end in ends:
            stage.wait_for("reading")
            end()
            state = stage.state
            stage.progress("half way")
            shown_states.append(state if stage.state == state else f"{state}, then {stage.state}")

    on_screen(check)
    assert shown_states == ["content", "empty", "error"]
