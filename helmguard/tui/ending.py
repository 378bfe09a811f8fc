"""How the program ends: by its keys, by signals, by an error of its own; helm is never cut off silently."""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
import sys
from typing import TYPE_CHECKING, Any

from rich.console import RenderableType
from textual.app import App
from textual.worker import WorkerFailed

from helmguard.errors import HelmguardError, UsageError
from helmguard.report.exit_code import ERROR
from helmguard.tui.signals import Signals
from helmguard.tui.threads import DaemonThreads

if TYPE_CHECKING:
    from helmguard.tui.helm_at_work import HelmAtWork

_RESTORE = (
    "\x1b[?2004l\x1b[?7h\x1b[?1000l\x1b[?1003l\x1b[?1015l\x1b[?1006l\x1b[<u\x1b[?1049l\x1b[?25h\x1b[?1004l"
)
"""Paste and mouse as usual, lines wrapped, the plain keyboard, the first screen, the cursor."""


class EndingApp(App[int]):
    """``helm_at_work`` is the last run that was begun. The exit code is that of the last run that ended."""

    helm_at_work: HelmAtWork | None = None
    _run_code = 0
    _ends_after_helm = False
    _signals: Signals | None = None

    def on_load(self) -> None:
        """Before anything is shown."""
        asyncio.get_running_loop().set_default_executor(DaemonThreads())
        self._signals = Signals(self)
        self._signals.listen()

    def on_unmount(self) -> None:
        """The signals are whose they were."""
        if self._signals is not None:
            self._signals.forget()

    @property
    def failure(self) -> Exception | None:
        """The error of the program itself that ended it, for whoever started it to tell."""
        error = self._exception
        if isinstance(error, WorkerFailed) and isinstance(error.error, Exception):
            return error.error
        return error

    def run_to_end(self) -> int:
        """Show it until it is left; the exit code.

        Raises:
            Exception: the error of the program itself that ended it.
        """
        self.run()
        if self.failure is not None:
            raise self.failure
        return self.return_code or 0

    def refuse_second_run(self) -> None:
        """One at a time: how the program ends, and what it says then, is about one helm.

        Raises:
            UsageError: helm is at work.
        """
        work = self.helm_at_work
        if work is not None and work.is_going:
            release = work.planned.plan.release
            raise UsageError(
                f"helm is at work on {release.namespace}/{release.name}, and no other run begins meanwhile",
                remedy="Go back to that run (esc), and wait for its end or stop it.",
            )

    def begin(self, work: HelmAtWork) -> None:
        """Let helm go.

        Raises:
            UsageError: as `refuse_second_run`.
        """
        self.refuse_second_run()
        self.helm_at_work = work
        work.start()

    def helm_ended(self, work: HelmAtWork) -> None:
        """What came of it is shown, or the end of the program has waited for it."""
        self._run_code = work.exit_code
        if self._ends_after_helm:
            self.exit(return_code=work.exit_code)
        else:
            work.all_told()

    def action_leave(self) -> None:
        """End, after a question where helm is at work."""
        work = self.helm_at_work
        if work is None or not work.is_going:
            self.exit(self._run_code, return_code=self._run_code)
            return
        from helmguard.tui.dialogs.leave import LeaveDialog, Leaving

        def answered(leaving: Leaving | None) -> None:
            if leaving == "stop":
                work.ask_to_stop()
            elif leaving == "leave":
                self._leave_helm(work)

        if not isinstance(self.screen, LeaveDialog):
            self.push_screen(LeaveDialog(work), answered)

    async def action_quit(self) -> None:
        """The command palette's and ctrl+q's way."""
        self.action_leave()

    def told_to_end(self, number: signal.Signals) -> bool:
        """A signal: as from the keyboard where helm runs, else the end."""
        work = self.helm_at_work
        if work is not None and work.is_going:
            work.ask_to_stop(number)
            if work.phase != "plan":
                self._ends_after_helm = True
                return work.phase != "helm"
        self.exit(return_code=128 + number)
        return True

    def finish_unseen(self, number: signal.Signals) -> None:
        """The terminal is gone."""
        if self.helm_at_work is not None:
            self.helm_at_work.wait_unseen(number)

    def give_back_terminal(self) -> None:
        """As the driver would, which waits for a terminal that may take nothing any more."""
        driver: Any = self._driver
        with contextlib.suppress(Exception):
            import termios

            if driver.attrs_before is not None:
                termios.tcsetattr(driver.fileno, termios.TCSANOW, driver.attrs_before)
        with contextlib.suppress(OSError, ValueError):
            descriptor = sys.__stderr__.fileno() if sys.__stderr__ else 2
            os.set_blocking(descriptor, False)
            os.write(descriptor, _RESTORE.encode())

    def panic(self, *_: RenderableType) -> None:
        """Nothing is printed here: Textual's stack traces hold the values of variables."""
        self._handle_exception(HelmguardError("the terminal cannot be read any more"))

    def end_by(self, error: Exception) -> None:
        """An error of the program itself; see `failure`."""
        self._handle_exception(error)

    def _handle_exception(self, error: Exception) -> None:
        """As Textual calls it. Behind the end (a click on a screen that is gone) nothing is an error."""
        if not self._exit:
            self._return_code = ERROR
            if self._exception is None:
                self._exception = error
                self._exception_event.set()
        self._close_messages_no_wait()

    def _leave_helm(self, work: HelmAtWork) -> None:
        """Helm goes on by itself, which is told at the end; what has not begun never begins."""
        if work.phase == "plan":
            self.told_to_end(signal.SIGINT)
        else:
            self.exit(return_code=ERROR)
