"""Letting a planned operation go, and telling what came of it."""

from __future__ import annotations

import signal
from collections.abc import Callable

from helmguard.errors import HelmError
from helmguard.execute.acted import helm_ended, helm_not_started, helm_started
from helmguard.execute.helm_run import HelmRun, Listener, run_helm
from helmguard.execute.helm_words import helm_words
from helmguard.execute.interruption import Interruption
from helmguard.execute.next_steps import next_steps, status_command, way_back
from helmguard.execute.operation import Operation
from helmguard.execute.others_at_work import RevisionWatch, refuse_if_moved
from helmguard.execute.read_back import Found, new_revisions, object_outcomes, own_revision, unread_objects
from helmguard.helm.run_events import RunEvent
from helmguard.model.execution import Execution, ObjectOutcome, RevisionFound
from helmguard.planner.clock import clock_time

_GONE = "no record of the release is left: somebody has deleted it, or its namespace"
_INTERRUPTED = "interrupted while it was being read"

Words = tuple[list[str], bytes | None]


def prepared(operation: Operation) -> Words:
    """The words for helm and its input, and a last look whether the release is as it was planned.

    Raises:
        HelmguardError: it is not, or helm would refuse the words; nothing was changed.
    """
    words = helm_words(operation)
    refuse_if_moved(operation)
    return words


def perform(
    operation: Operation,
    words: Words,
    interruption: Interruption,
    *,
    event: Callable[[RunEvent], None] = lambda _: None,
    say: Callable[[str], None] = lambda _: None,
) -> Execution:
    """Run helm to its end and read back what it left.

    ``event`` gets what helm does, ``say`` lines that the user must read.

    Raises:
        HelmError: helm cannot be started; nothing was changed.
    """
    started = clock_time()
    helm_started(status_command(operation.plan, operation.session.options.cluster_words))
    watch = RevisionWatch(operation, say)
    listener = Listener(event, say, watch.look)
    try:
        with interruption.listening():
            run = run_helm(operation.session.command, words[0], words[1], interruption, listener)
    except HelmError:
        helm_not_started()
        raise
    helm_ended()
    return _execution(operation, run, started, *_read_back(operation, run, interruption))


def _read_back(
    operation: Operation, run: HelmRun, interruption: Interruption
) -> tuple[Found, tuple[ObjectOutcome, ...]]:
    """The records, and the objects where helm did not succeed. A signal ends the reading, which may hang."""
    found, succeeded = Found(read_back=_INTERRUPTED), run.end == "succeeded"
    try:
        found = new_revisions(operation)
        if succeeded:
            return found, ()
        if found.hangs:
            return found, unread_objects(operation, found.read_back)
        return found, object_outcomes(operation)
    except (KeyboardInterrupt, SystemExit) as end:
        interruption.ask(signal.SIGTERM if isinstance(end, SystemExit) else signal.SIGINT)
        return found, () if succeeded else unread_objects(operation, _INTERRUPTED)


def _execution(
    operation: Operation, run: HelmRun, started: str, found: Found, objects: tuple[ObjectOutcome, ...]
) -> Execution:
    plan = operation.plan
    own = own_revision(plan, found.revisions, run.message, run.version)
    cluster_words = operation.session.options.cluster_words
    steps = way_back(plan, cluster_words)
    if run.end != "succeeded":
        cut_off = operation.is_rollback and run.end in ("stopped", "killed")
        finish = operation.rollback_to if cut_off else None
        unread = bool(found.read_back) or found.gone
        steps = next_steps(plan, cluster_words, own, found.revisions, unread, finish)
    return Execution(
        end=run.end,
        started=started,
        ended=clock_time(),
        exit_code=run.exit_code,
        message=run.message,
        revisions=found.revisions,
        own_revision=own,
        read_back=found.read_back,
        objects=objects,
        said=run.said,
        others=_others(operation, own, found),
        notes=run.notes,
        next_commands=steps,
    )


def _others(operation: Operation, own: RevisionFound | None, stored: Found) -> tuple[str, ...]:
    """The revisions that are neither this run's nor its own rollback's, and records that are gone."""
    options = operation.request.options
    rolls_back = options.atomic or options.rollback_on_failure
    found = [_GONE] if stored.gone else []
    for revision in stored.revisions:
        is_own = own is not None and revision.number == own.number
        undone = own is not None and rolls_back and revision.number == own.number + 1
        if not is_own and not (undone and revision.description.startswith("Rollback")):
            found.append(f"revision {revision.number} ({revision.status}) was stored by somebody else")
    return tuple(found)
