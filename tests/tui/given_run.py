"""A run of helm that nobody makes: in the middle, or at its end."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from textual.pilot import Pilot

from helmguard.execute.carry_out import Outcome
from helmguard.model.execution import Execution, RevisionFound
from helmguard.model.resource_key import ResourceKey
from helmguard.model.verification import Rollout, Verification
from helmguard.report.run_page import RunPhase
from helmguard.tui.helm_at_work import HelmAtWork, ToldOfRun
from helmguard.tui.screens import execution

_WEB = ResourceKey.of("apps/v1", "Deployment", "shop", "web")
_WORKER = ResourceKey.of("apps/v1", "Deployment", "shop", "worker")


class GivenRun(HelmAtWork):
    """``has_ended``: helm succeeded, and what there is is as planned."""

    has_ended = False

    def start(self) -> None:
        self.told += [
            ToldOfRun("helm", "patch ConfigMap/web", 2.1),
            ToldOfRun("helm", "patch Deployment/web", 2.4),
            ToldOfRun("helm", "waits for 2 workloads", 3.0),
        ]
        self.rollouts = (
            Rollout(_WEB, "progressing", "2 of 3 pods ready"),
            Rollout(_WORKER, "stuck", "0 of 1 pods ready", ("ImagePullBackOff: worker:2.3",)),
        )
        if self.has_ended:
            self.end = outcome()

    @property
    def is_going(self) -> bool:
        return not self.has_ended

    def all_told(self) -> None:
        """Nothing happened that must be told."""

    def phases(self) -> list[RunPhase]:
        planned = RunPhase("plan", "done", 2)
        if self.has_ended:
            return [planned, RunPhase("helm", "done", 14), RunPhase("verification", "done", 9)]
        return [planned, RunPhase("helm", "running", 12, "waits for 2 workloads"), RunPhase("verification")]


class EndedRun(GivenRun):
    """The same at its end."""

    has_ended = True


def outcome() -> Outcome:
    """A rollback that went well."""
    revision = RevisionFound(7, "deployed", "Rollback to 6")
    return Outcome(
        Execution(
            end="succeeded",
            started="2026-11-30T06:00:00Z",
            ended="2026-11-30T06:00:14Z",
            exit_code=0,
            revisions=(revision,),
            own_revision=revision,
            next_commands=("helmguard rollback web 5 -n shop",),
        ),
        Verification(
            "web", "shop", 7, "the plan", compared=4, rollouts=(Rollout(_WEB, "done", "3 of 3 pods ready"),)
        ),
        unverified="",
        exit_code=0,
    )


@contextmanager
def _running(run: type[HelmAtWork]) -> Iterator[None]:
    real = execution.HelmAtWork
    execution.HelmAtWork = run  # type: ignore[misc]
    try:
        yield
    finally:
        execution.HelmAtWork = real  # type: ignore[misc]


async def show_run(pilot: Pilot[int], run: type[HelmAtWork]) -> None:
    """From a plan that is shown to the screen of its run."""
    planned = pilot.app.screen.shown  # type: ignore[attr-defined]
    with _running(run):
        await pilot.app.push_screen(execution.ExecutionScreen(planned))
