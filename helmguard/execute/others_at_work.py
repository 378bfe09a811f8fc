"""Somebody else at work on the same release: before helm starts, and while it runs."""

from __future__ import annotations

import contextlib
import threading
import time
from collections.abc import Callable

from helmguard.cluster.release_storage import read_revision_index
from helmguard.errors import HelmguardError, ReleaseError
from helmguard.execute.operation import Operation

_EVERY_SECONDS = 2.0


def refuse_if_moved(operation: Operation) -> None:
    """The last look before helm starts: nothing may have been stored since the plan was made.

    Raises:
        ReleaseError: there is a revision that the plan does not know.
        HelmguardError: the records cannot be read.
    """
    found, known = _last_revision(operation), operation.plan.release.last_revision
    if operation.session.connection.driver != "sql" and found != known:
        raise ReleaseError(
            f"{operation.plan.release.name} has changed since it was planned: its last revision was "
            f"{known or 'none'} and is {found or 'none'} now; nothing was changed",
            remedy="Somebody else is at work on this release. Plan again.",
        )


class RevisionWatch:
    """Tells once of each revision beyond the expected one that appears while helm runs.

    It reads in the background: an API server that does not answer must not keep a signal from helm.
    """

    def __init__(self, operation: Operation, say: Callable[[str], None]) -> None:
        self._operation = operation
        self._say = say
        self._expected = operation.plan.release.to_revision or 0
        self._last = 0
        self._next_look = time.monotonic() + _EVERY_SECONDS
        self._reading: threading.Thread | None = None

    def look(self) -> None:
        """Tell what the last reading found, and begin another one where that was some time ago."""
        if self._reading is not None and not self._reading.is_alive():
            self._reading = None
            self._tell(self._last)
        if self._reading is None and time.monotonic() >= self._next_look:
            self._next_look = time.monotonic() + _EVERY_SECONDS
            self._reading = threading.Thread(target=self._read, daemon=True)
            self._reading.start()

    def _read(self) -> None:
        # Whether the cluster can be read is told once helm has ended.
        with contextlib.suppress(HelmguardError):
            self._last = _last_revision(self._operation) or 0

    def _tell(self, last: int) -> None:
        # Helm itself adds a revision when it rolls back a failed upgrade.
        options = self._operation.request.options
        own = self._expected + (1 if options.atomic or options.rollback_on_failure else 0)
        if last > own:
            self._expected = last
            self._say(f"somebody else has stored revision {last} of this release meanwhile")


def _last_revision(operation: Operation) -> int | None:
    """None where the records are not in the cluster, and helm's own check must do."""
    session = operation.session
    if session.connection.driver == "sql":
        return None
    index = read_revision_index(session.connection, session.namespace, operation.plan.release.name)
    return max((stored.version or 0 for stored in index), default=0) or None
