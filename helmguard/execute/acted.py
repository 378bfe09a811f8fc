"""Whether helm was started in this process: from then on nobody may say that nothing was changed."""

from __future__ import annotations

_NOTHING = "nothing was changed"
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


def with_what_was_done(message: str) -> str:
    """The words of an error that ends an upgrade, a rollback or an apply, and whether anything was done."""
    if _started:
        return f"{message}; helm was run, and what came of it was not told"
    return message if _NOTHING in message else f"{message}; {_NOTHING}"
