"""The audit log: one JSON line for each decision and its outcome, appended, never rewritten."""

from __future__ import annotations

import contextlib
import errno
import json
import os
from pathlib import Path

from helmguard.cluster.connection import Connection
from helmguard.errors import HelmguardError
from helmguard.execute.operation import Operation
from helmguard.masking.masker import Masker
from helmguard.model.execution import Execution
from helmguard.model.json_value import JSONObject
from helmguard.model.plan import Plan
from helmguard.planner.clock import clock_time
from helmguard.version import __version__

FORMAT = "helmguard.audit/v1"


class AuditLog:
    """An open log; without a path nothing is written. Lines of several processes do not mix."""

    def __init__(self, path: str) -> None:
        """Raises:
        HelmguardError: the file cannot be written to; nothing was changed.
        """
        self.path = path
        self._descriptor: int | None = None
        if path:
            try:
                self._descriptor = _opened(path)
            except OSError as error:
                reason = "nobody reads from it" if error.errno == errno.ENXIO else error.strerror or error
                raise HelmguardError(
                    f"the audit log {path} cannot be written: {reason}; nothing was changed",
                    remedy="Name another file with --audit-log.",
                ) from None

    def write(self, entry: JSONObject) -> None:
        """Append one line.

        Raises:
            HelmguardError: it cannot be written (a full disk).
        """
        if self._descriptor is None:
            return
        line = json.dumps({"formatVersion": FORMAT, "time": clock_time(), **entry}, ensure_ascii=False) + "\n"
        try:
            written = os.write(self._descriptor, line.encode("utf-8", "replace"))
        except OSError as error:
            raise HelmguardError(
                f"the audit log {self.path} cannot be written: {error.strerror or error}"
            ) from None
        if written < len(line.encode("utf-8", "replace")):
            self._take_back(written)
            raise HelmguardError(f"the audit log {self.path} cannot be written: the disk is full")

    def _take_back(self, written: int) -> None:
        """Remove half a line, which would spoil the next one too, unless somebody has written behind it."""
        assert self._descriptor is not None
        with contextlib.suppress(OSError):
            end = os.lseek(self._descriptor, 0, os.SEEK_CUR)
            if os.fstat(self._descriptor).st_size == end:
                os.ftruncate(self._descriptor, end - written)


def _opened(path: str) -> int:
    """The file's descriptor. To wait for a reader of a named pipe would be to hang."""
    flags = os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_NONBLOCK
    descriptor = os.open(Path(path), flags, 0o600)
    os.set_blocking(descriptor, True)
    return descriptor


def decision(operation: Operation, event: str, masker: Masker) -> JSONObject:
    """What was decided upon: ``refused``, ``declined`` or ``started``."""
    plan, connection = operation.plan, operation.session.connection
    return {
        "event": event,
        **_who(connection),
        **_what(plan),
        "accepted": [
            {"rule": each.rule, "reason": masker.text(each.reason)} for each in operation.acceptances
        ],
        "findings": [
            {
                "rule": finding.rule,
                "severity": finding.severity,
                "result": finding.result,
                "name": masker.text(finding.where.name),
                "waived": masker.text(finding.waived.reason) if finding.waived else None,
            }
            for finding in plan.findings
            if finding.severity != "info"
        ],
        "failOn": plan.fail_on,
    }


def outcome(operation: Operation, execution: Execution, exit_code: int, masker: Masker) -> JSONObject:
    """What came of it: ``ended``."""
    own = execution.own_revision
    return {
        "event": "ended",
        **_who(operation.session.connection),
        **_what(operation.plan),
        "end": execution.end,
        "helmExitCode": execution.exit_code,
        "revision": own.number if own else None,
        "status": own.status if own else None,
        "message": masker.text(execution.message),
        "started": execution.started,
        "ended": execution.ended,
        "exitCode": exit_code,
    }


def _who(connection: Connection) -> JSONObject:
    return {
        "helmguard": __version__,
        "user": user_name(),
        "clusterUser": connection.user,
        "context": connection.context,
        "server": connection.server,
    }


def user_name() -> str:
    """The account that this process runs as; the environment counts only without one."""
    try:
        import pwd

        return pwd.getpwuid(os.getuid()).pw_name
    except (ImportError, KeyError):
        return os.environ.get("USER") or os.environ.get("LOGNAME") or ""


def _what(plan: Plan) -> JSONObject:
    release = plan.release
    return {
        "operation": plan.operation,
        "release": release.name,
        "namespace": release.namespace,
        "fromRevision": release.from_revision,
        "toRevision": release.to_revision,
        "chart": {
            "name": release.new_chart.name,
            "version": release.new_chart.version,
            "digest": release.new_chart.digest,
        },
        "helm": plan.engine.helm,
    }
