"""Letting helm run and listening to it."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Sequence

import msgspec

from helmguard.execute.interruption import Interruption
from helmguard.helm.command import HelmCommand
from helmguard.helm.helm_errors import error_text
from helmguard.helm.long_run import LongRun
from helmguard.helm.run_events import RunEvent, event_of, without_debug
from helmguard.model.execution import RunEnd
from helmguard.model.unshown import Unshown

_EVERY_SECONDS = 0.1

_ASKED = "helm was asked to stop, and marks the revision as failed; once more (Ctrl-C) kills it"
_CANNOT_STOP = (
    "helm rollback has no clean way to stop: waiting for its end; once more (Ctrl-C) kills it, which leaves"
    " the release pending-rollback"
)
_KILLED = "helm was killed"


class Listener(msgspec.Struct, frozen=True):
    """``event`` gets what helm does, ``say`` a line that the user must read, ``pause`` runs now and then."""

    event: Callable[[RunEvent], None]
    say: Callable[[str], None]
    pause: Callable[[], None] = lambda: None


class HelmRun(Unshown, frozen=True):
    """How helm ended. ``message`` is its error, ``notes`` the chart's notes, ``said`` the objects that it
    told to write, ``version`` the revision that it told to have made, None where it did not."""

    end: RunEnd
    exit_code: int
    message: str = ""
    notes: str = ""
    said: tuple[str, ...] = ()
    version: int | None = None


def run_helm(
    command: HelmCommand,
    words: Sequence[str],
    text: bytes | None,
    interruption: Interruption,
    listener: Listener,
) -> HelmRun:
    """Start helm and stay with it to its end, whatever signals come.

    The first signal asks an upgrade or install to stop (a rollback cannot), the second kills helm.

    Raises:
        HelmError: it cannot be started.
    """
    stoppable = words[0] != "rollback"
    run = command.start(words, text)
    said: dict[str, None] = {}
    answered = 0
    code = None
    while code is None:
        code = run.poll(_EVERY_SECONDS)
        _tell(run, listener, said)
        if code is None and interruption.asked > answered:
            answered += 1
            _answer(run, answered, stoppable, listener)
        listener.pause()
    output = run.output()
    message = "" if code == 0 else _message(without_debug(output.stderr), code)
    version, notes = told(output.stdout) if code == 0 else (None, "")
    return HelmRun(_end(code, answered), code, message, notes, tuple(said), version)


def _tell(run: LongRun, listener: Listener, said: dict[str, None]) -> None:
    for line in run.new_lines():
        event = event_of(line)
        if event is None:
            continue
        if event.kind in ("created", "updated", "deleting"):
            said[event.name] = None
        listener.event(event)


def _answer(run: LongRun, answered: int, stoppable: bool, listener: Listener) -> None:
    if answered > 1:
        listener.say(_KILLED)
        run.kill()
    elif stoppable:
        listener.say(_ASKED)
        run.ask_to_stop()
    else:
        listener.say(_CANNOT_STOP)


def _end(code: int, answered: int) -> RunEnd:
    if code == 0:
        return "succeeded"
    if code < 0:
        return "killed"
    return "stopped" if answered else "failed"


def _message(stderr: str, code: int) -> str:
    if code < 0 and "Error: " not in stderr:
        return f"helm was ended by signal {-code} before it could say what it had done"
    return error_text(stderr)


def told(stdout: bytes) -> tuple[int | None, str]:
    """The revision and the notes in ``-o json``; a rollback prints none.

    A program around helm may have written lines of its own.
    """
    text = stdout.decode(errors="replace")
    for start in re.finditer(r"^\{", text, re.MULTILINE):
        try:
            record, _ = json.JSONDecoder().raw_decode(text, start.start())
        except ValueError:
            continue
        if "info" in record:
            version, info = record.get("version"), record["info"] or {}
            return version if isinstance(version, int) else None, str(info.get("notes") or "")
    return None, ""
