"""Work that takes time, off the event loop: it can be cancelled, tells how far it is, and fails in words."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, ParamSpec, TypeVar, cast

from textual.screen import ModalScreen, Screen
from textual.worker import NoActiveWorker, get_current_worker

from helmguard.errors import HelmguardError
from helmguard.masking.masked_errors import mask_error
from helmguard.tui.widgets.stage import Stage
from helmguard.tui.widgets.title_bar import TitleBar

if TYPE_CHECKING:
    from helmguard.tui.app import HelmguardApp

T = TypeVar("T")
R = TypeVar("R")
P = ParamSpec("P")

Report = Callable[[str], None]


class Cancelled(BaseException):
    """Nobody waits for the work any more. No `Exception`: what is meant to go on after errors ends, too."""


class WorkScreen(Screen[R]):
    """A screen whose content is read in the background, below a `TitleBar`; ``title`` is its name there."""

    def on_mount(self) -> None:
        """Runs besides the ``on_mount`` of the screen itself."""
        if not isinstance(self, ModalScreen) and not self.query(TitleBar):
            self.mount(TitleBar(), before=0)

    @property
    def program(self) -> HelmguardApp:
        """The program, by its own type."""
        return cast("HelmguardApp", self.app)

    def may_reveal(self) -> bool:
        """Whether secrets may be shown; else the user is told why not."""
        if not self.program.options.show_secrets:
            self.notify("Secrets stay masked: start with --show-secrets to reveal them.", markup=False)
        return self.program.options.show_secrets

    def work(
        self,
        task: Callable[[Report], T],
        done: Callable[[T], None],
        *,
        stage: Stage | None = None,
        what: str = "",
        group: str = "read",
        failed: Callable[[HelmguardError], None] | None = None,
    ) -> None:
        """Run ``task`` in a thread, then ``done`` with its result here.

        Work of the same ``group`` that is still going on is cancelled. ``stage`` shows ``what`` and the
        progress meanwhile, and an error with a way to try again; without it, ``failed`` or a message does.
        """

        def again() -> None:
            self.work(task, done, stage=stage, what=what, group=group, failed=failed)

        if stage is not None:
            stage.wait_for(what, again)

        def told(error: HelmguardError) -> None:
            if failed is not None:
                failed(error)
            elif stage is not None:
                stage.failed(error, again)
            else:
                self.app.notify(_words(error), severity="error", timeout=10, markup=False)

        def run() -> None:
            def report(text: str) -> None:
                if is_cancelled():
                    raise Cancelled
                if stage is not None:
                    self.show_if_wanted(stage.progress, text)

            try:
                result = task(report)
            except Cancelled:
                return
            except Exception as error:
                self.show_if_wanted(told, in_words(error))
                return
            self.show_if_wanted(done, result)

        self.run_worker(run, thread=True, group=group, exclusive=True, exit_on_error=False)

    def show_if_wanted(self, show: Callable[P, None], *args: P.args, **kwargs: P.kwargs) -> None:
        """In a thread of `work`: call ``show`` on the event loop, unless the work has been given up by then.

        What comes late never takes the place of what is newer: whether it is wanted is asked there once more.
        """
        worker = get_current_worker()

        def here() -> None:
            if worker.is_cancelled:
                return
            try:
                show(*args, **kwargs)
            except Exception as error:  # In a thread nobody would hear of it.
                self.program.end_by(error)

        if not worker.is_cancelled:
            self.app.call_from_thread(here)

    def cancel_work(self, group: str = "read") -> bool:
        """Give up what is going on; False where nothing is."""
        return bool(self.workers.cancel_group(self, group))


def is_cancelled() -> bool:
    """Whether the work that asks is wanted no more."""
    try:
        return get_current_worker().is_cancelled
    except NoActiveWorker:
        return False


def in_words(error: Exception) -> HelmguardError:
    """What is shown of it: no secret, no stack trace."""
    if isinstance(error, HelmguardError):
        mask_error(error)
        return error
    if isinstance(error, RecursionError):
        return HelmguardError("the input is nested too deeply to be read")
    if isinstance(error, OSError):
        name = f"{error.filename}: " if error.filename else ""
        return HelmguardError(f"{name}{error.strerror or error}")
    return HelmguardError(
        f"internal error ({type(error).__name__})",
        remedy="The command line does the same work: helmguard COMMAND --debug tells where it happened.",
    )


def _words(error: HelmguardError) -> str:
    from helmguard.report.escaping import escape_text

    return escape_text(f"{error.message}\n{error.remedy}".rstrip())
