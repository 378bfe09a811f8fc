"""Flags about letting a plan go: confirmation, acceptance, the audit log, verification."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

import msgspec

from helmguard.cli.durations import duration, seconds

if TYPE_CHECKING:
    from helmguard.model.execution import Acceptance


THE_WAY = """\
It plans, shows the plan, asks, lets your helm run exactly that, and compares what is there with the plan.
exit codes: 0 done and as planned; 1 error, not confirmed, or helm failed; 3 refused, nothing was changed;
4 done, but something is not as planned or does not become ready; 130, 143 interrupted"""
"""What the help of ``upgrade`` and ``rollback`` ends with."""


class ExecuteOptions(msgspec.Struct, frozen=True):
    """``yes``: ask nobody. ``verify_seconds``: how long to wait for rollouts."""

    yes: bool
    acceptances: tuple[Acceptance, ...]
    audit_log: str
    verify_seconds: float
    test_pod: bool


def add_execute_flags(parser: argparse.ArgumentParser) -> None:
    """``--yes``, ``--accept``, ``--audit-log``, ``--verify-timeout``, ``--test-pod``."""
    group = parser.add_argument_group("execution")
    group.add_argument("-y", "--yes", action="store_true", help="ask nobody; the gate still refuses")
    group.add_argument(
        "--accept",
        action="append",
        default=[],
        metavar="RULE=REASON",
        help="let the findings of this rule pass the gate, for this run; recorded in the release's "
        "description and the audit log; repeatable",
    )
    group.add_argument(
        "--audit-log", default="", metavar="FILE", help="append what was decided and done, as JSON lines"
    )
    group.add_argument(
        "--verify-timeout",
        type=duration,
        default="5m",
        metavar="DURATION",
        help="how long to wait for rollouts and verification steps (default 5m, 0s: look once)",
    )
    group.add_argument(
        "--test-pod", action="store_true", help="verification may run a pod, where a pack has a step for it"
    )


def read_execute_options(options: argparse.Namespace) -> ExecuteOptions:
    """What the flags say.

    Raises:
        UsageError: an acceptance lacks its reason.
    """
    from helmguard.execute.approval import read_acceptance

    return ExecuteOptions(
        yes=options.yes,
        acceptances=tuple(read_acceptance(word) for word in options.accept),
        audit_log=options.audit_log,
        verify_seconds=seconds(options.verify_timeout),
        test_pod=options.test_pod,
    )
