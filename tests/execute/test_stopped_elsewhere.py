"""A stop that another thread asks for, and what is said where nobody is told what came of helm."""

from __future__ import annotations

import signal
import threading
import time
from collections.abc import Iterator

import pytest

from helmguard.cli.error_output import run_guarded
from helmguard.errors import HelmguardError, InterruptedByUserError
from helmguard.execute import acted
from helmguard.execute.interruption import Interruption

NEVER = 600.0


@pytest.fixture(autouse=True)
def all_told() -> Iterator[None]:
    """Nothing is left for the next test."""
    yield
    acted.helm_ended()
    acted.all_told()


def test_waiting_ends_as_soon_as_the_user_asks() -> None:
    interruption = Interruption()
    wait = interruption.waiting()
    wait(0.0)
    threading.Timer(0.05, interruption.ask).start()
    with pytest.raises(InterruptedByUserError):
        wait(NEVER)
    with pytest.raises(InterruptedByUserError):
        wait(0.0)
    assert interruption.exit_code == 130


def test_waiting_passes_over_what_was_asked_before() -> None:
    interruption = Interruption()
    interruption.ask(signal.SIGTERM)
    wait = interruption.waiting()
    begun = time.monotonic()
    wait(0.02)
    assert time.monotonic() - begun >= 0.02
    interruption.ask()
    with pytest.raises(InterruptedByUserError):
        wait(NEVER)
    # The first signal counts.
    assert interruption.exit_code == 143


def test_listening_changes_no_handler_outside_the_main_thread() -> None:
    before, seen = signal.getsignal(signal.SIGINT), []

    def listen() -> None:
        with Interruption().listening():
            seen.append(signal.getsignal(signal.SIGINT))

    thread = threading.Thread(target=listen)
    thread.start()
    thread.join()
    assert seen == [before]


def _ended_by_sigterm() -> int:
    raise SystemExit(143)


def _failed() -> int:
    raise HelmguardError("the audit log is full")


@pytest.mark.parametrize(
    ("command", "code", "said"),
    [
        (_ended_by_sigterm, 143, "Error: "),
        (lambda: 0, 0, "Error: "),
        (_failed, 1, "Error: the audit log is full; "),
    ],
    ids=["SIGTERM", "left", "error"],
)
def test_the_program_does_not_end_silently_while_helm_runs(
    command: object, code: int, said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    acted.helm_started("helmguard status web -n shop")
    assert acted.is_running()
    assert run_guarded(command, debug=False) == code  # type: ignore[arg-type]
    assert capsys.readouterr().err == (
        f"{said}helm was started, and goes on by itself if it has not ended\n"
        "To see the state of the release, run: helmguard status web -n shop\n"
    )
    acted.helm_ended()
    assert not acted.is_running()
    assert run_guarded(command, debug=False) == code  # type: ignore[arg-type]
    assert "helm was run, and what came of it was not told" in capsys.readouterr().err
    acted.all_told()
    run_guarded(command, debug=False)  # type: ignore[arg-type]
    assert "helm was" not in capsys.readouterr().err


def test_a_helm_that_could_not_be_started_has_done_nothing() -> None:
    acted.helm_started("helmguard status web -n shop")
    acted.helm_not_started()
    assert (acted.is_running(), acted.what_was_done()) == (False, "")
    assert acted.with_what_was_done("no helm") == "no helm; nothing was changed"
