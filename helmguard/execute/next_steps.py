"""What to run next, after a run that did not succeed (or to go back after one that did). Pure."""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Sequence

from helmguard.model.execution import RevisionFound
from helmguard.model.plan import Plan
from helmguard.model.release import PENDING_STATUSES


def next_steps(
    plan: Plan,
    cluster_words: Sequence[str],
    own: RevisionFound | None,
    revisions: Sequence[RevisionFound],
    unread: bool,
    finish: int | None = None,
) -> tuple[str, ...]:
    """Commands to paste, in the order to run them.

    ``unread``: what is stored could not be read, or is gone. ``finish`` is the revision to which a rollback
    that was cut off was on its way, None for all else.
    """
    return tuple(_steps(plan, cluster_words, own, revisions, unread, finish))


def _steps(
    plan: Plan,
    cluster_words: Sequence[str],
    own: RevisionFound | None,
    revisions: Sequence[RevisionFound],
    unread: bool,
    finish: int | None,
) -> Iterator[str]:
    where = ["-n", plan.release.namespace, *cluster_words]
    status = status_command(plan, cluster_words)
    if unread:
        yield status
        return
    last = revisions[-1] if revisions else None
    if last is None or last.status == "deployed":
        if last is not None and last is not own:
            yield status
        return
    yield status
    if own is None and last.status in PENDING_STATUSES:
        # Somebody else's run may still be at work.
        return
    good = finish or plan.release.from_revision
    if finish is None and _built_on_a_failed_one(plan):
        # Which revision is good takes the records: status looks for it, and checks the way.
        return
    if plan.operation == "install" or good is None:
        yield shlex.join(["helm", "uninstall", plan.release.name, *where])
    else:
        yield shlex.join(["helmguard", "rollback", plan.release.name, str(good), *where])


def status_command(plan: Plan, cluster_words: Sequence[str]) -> str:
    """The command that explains the release's state."""
    words = ["helmguard", "status", plan.release.name, "-n", plan.release.namespace]
    return shlex.join([*words, *cluster_words])


def way_back(plan: Plan, cluster_words: Sequence[str]) -> tuple[str, ...]:
    """The command that brings the revision before back; none after an install, or where it had failed."""
    before = plan.release.from_revision
    if before is None or _built_on_a_failed_one(plan):
        return ()
    words = ["helmguard", "rollback", plan.release.name, str(before), "-n", plan.release.namespace]
    return (shlex.join([*words, *cluster_words]),)


def _built_on_a_failed_one(plan: Plan) -> bool:
    """A rollback starts from the last revision, whatever became of that one."""
    return plan.operation == "rollback" and plan.release.status != "deployed"
