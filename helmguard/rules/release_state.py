"""Findings about the release itself: records that cannot be read, a chart that goes backwards."""

from __future__ import annotations

from collections.abc import Iterator

from helmguard.model.finding import Finding, Place
from helmguard.rules.facts import Facts


def release_state(facts: Facts) -> Iterator[Finding]:
    """Damaged records, and an upgrade whose base is not the last revision."""
    release = facts.release
    for damaged in release.damaged:
        yield Finding(
            rule="record-unreadable",
            severity="warning",
            title="a release record cannot be read",
            where=Place("release", release.name),
            consequence=f"{damaged}; Helm skips such a record without a word.",
        )
    if (
        facts.operation == "upgrade"
        and release.from_revision is not None
        and release.last_revision is not None
        and release.from_revision != release.last_revision
        and release.status == "failed"
    ):
        yield Finding(
            rule="last-failed-partial",
            severity="warning",
            title=f"revision {release.last_revision} failed; revision {release.from_revision} is the base",
            where=Place("release", release.name),
            consequence=(
                "What the failed revision created or added is not cleaned up by this upgrade "
                "unless the new manifest names it."
            ),
        )
