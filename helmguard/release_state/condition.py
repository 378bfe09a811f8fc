"""Which condition a release is in, by its records alone."""

from __future__ import annotations

from helmguard.model.release import PENDING_STATUSES, DamagedRecord, History, Revision
from helmguard.model.release_state import Condition, RevisionRef

NEEDS_WAY_OUT: frozenset[Condition] = frozenset(
    ["pending", "no-deployed", "uninstalling", "last-unreadable", "unreadable"]
)
"""Conditions in which the next upgrade is refused, or compares with a revision that never was deployed."""


WHOLE, TO_KNOW, WAY_OUT = 0, 2, 3
"""Exit codes."""


def exit_code_of(condition: Condition, *, attention: bool) -> int:
    """``attention``: there is something beside the condition that makes the release not whole."""
    if condition in NEEDS_WAY_OUT:
        return WAY_OUT
    return TO_KNOW if attention or condition != "deployed" else WHOLE


def condition_of(history: History) -> Condition:
    """The first of these that is true; how Helm looks at it is in docs/status-and-history.md."""
    last = history.last()
    if last is None:
        return "unreadable"
    if blocking_record(history) is not None:
        return "last-unreadable"
    if last.status in PENDING_STATUSES:
        return "pending"
    if last.status == "uninstalling":
        return "uninstalling"
    if last.status == "uninstalled":
        return "uninstalled"
    if last.status == "deployed":
        return "deployed"
    if history.deployed() is None:
        return "no-deployed"
    return "last-failed" if last.status == "failed" else "last-not-deployed"


def blocking_record(history: History) -> DamagedRecord | None:
    """The damaged record whose name the next revision would need, None where there is none.

    Helm counts on from the last record that it can read, and the storage refuses a second object of a name:
    ``release: already exists``.
    """
    last = history.last()
    if last is None:
        return None
    return next((record for record in history.damaged if record.version == last.version + 1), None)


def is_rollback(revision: Revision) -> bool:
    """Whether ``helm rollback`` made it, by its description."""
    text = revision.description
    return revision.status == "pending-rollback" or text.startswith(("Rollback to ", 'Rollback "'))


def started_from(history: History, revision: Revision) -> Revision | None:
    """The revision whose manifest Helm compared with when it made this one, None for a first install.

    A rollback starts from the last revision, an upgrade from the deployed one.
    """
    earlier = [each for each in history.revisions if each.version < revision.version]
    if not earlier or revision.status == "pending-install":
        return None
    if is_rollback(revision) or earlier[-1].status == "uninstalled":
        return earlier[-1]
    deployed = [each for each in earlier if each.label_status == "deployed"]
    good = deployed or [each for each in earlier if each.status == "superseded"]
    return good[-1] if good else earlier[-1]


def once_good(history: History) -> list[Revision]:
    """The revisions that were deployed once, the deployed one first, then the newest.

    A failed rollback marks the revision it started from as superseded, even one that had failed itself: its
    description still says so.
    """
    good = [
        each
        for each in history.revisions
        if each.status in ("deployed", "superseded") and '" failed: ' not in each.description
    ]
    return sorted(good, key=lambda each: (each.label_status == "deployed", each.version), reverse=True)


def revision_ref(revision: Revision) -> RevisionRef:
    """The revision in short."""
    return RevisionRef(
        version=revision.version,
        status=revision.status,
        updated=revision.last_deployed,
        description=revision.description,
        chart=f"{revision.chart_name}-{revision.chart_version}".rstrip("-"),
        app_version=revision.app_version,
        apply_method=revision.apply_method,
        size=revision.stored_size,
    )
