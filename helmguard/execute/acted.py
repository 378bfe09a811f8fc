"""Whether helm was started in this process: from then on nobody may say that nothing was changed."""

from __future__ import annotations

from helmguard.errors import HelmguardError

_started: list[str] = []


def helm_started(status_command: str) -> None:
    """Remember it; the command tells the state that the release is in."""
    _started.append(status_command)


def all_told() -> None:
    """What came of it has been told."""
    _started.clear()


def status_command() -> str:
    """The command that tells what became of the release, empty where helm was not started."""
    return _started[-1] if _started else ""


_NOTHING = "nothing was changed"


def say_what_was_done(error: HelmguardError) -> None:
    """Let an error that ends an upgrade, a rollback or an apply tell whether anything was done before it."""
    if _started:
        error.message += "; helm was run, and what came of it was not told"
        error.remedy = f"To see the state of the release, run: {status_command()}"
    elif _NOTHING not in error.message:
        error.message += f"; {_NOTHING}"
