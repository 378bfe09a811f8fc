"""Whether helm was started in this process: from then on nobody may say that nothing was changed."""

from __future__ import annotations

_NOTHING = "nothing was changed"
_started: list[str] = []
_running: list[str] = []


def helm_started(status_command: str) -> None:
    """Remember it; the command tells the state that the release is in."""
    _started.append(status_command)
    _running.append(status_command)


def helm_not_started() -> None:
    """It could not be."""
    _started.pop()
    _running.pop()


def helm_ended() -> None:
    """It has come to its end, and what it left is being looked at."""
    _running.clear()


def all_told() -> None:
    """What came of it has been told."""
    _started.clear()


def is_running() -> bool:
    """Whether a helm that this process started was last seen at work."""
    return bool(_running)


def status_command() -> str:
    """The command that tells what became of the release, empty where helm was not started."""
    return _started[-1] if _started else ""


def what_was_done() -> str:
    """What is to be said at the end of the process, empty where helm was not started or all was told."""
    if not _started:
        return ""
    if _running:
        return "helm was started, and goes on by itself if it has not ended"
    return "helm was run, and what came of it was not told"


def with_what_was_done(message: str) -> str:
    """The words of an error that ends an upgrade, a rollback or an apply, and whether anything was done."""
    if _started:
        return f"{message}; {what_was_done()}"
    return message if _NOTHING in message else f"{message}; {_NOTHING}"
