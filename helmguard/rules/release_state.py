"""Findings about the release itself: damaged records, revisions that never ran, kinds that are gone."""

from __future__ import annotations

from collections.abc import Iterator

from helmguard.model.finding import Finding, Place
from helmguard.model.release import PENDING_STATUSES
from helmguard.rules.facts import Facts
from helmguard.rules.failed_revisions import last_failed
from helmguard.rules.failure_remedies import remedies


def release_state(facts: Facts) -> Iterator[Finding]:
    """Damaged records, a base that is not the last revision, and what a rollback would go back to."""
    release = facts.release
    for damaged in release.damaged:
        yield Finding(
            rule="record-unreadable",
            severity="warning",
            title="a release record cannot be read",
            where=Place("release", release.name),
            consequence=f"{damaged}; Helm skips such a record without a word.",
        )
    yield from last_failed(facts)
    yield from _rollback_to_failed(facts)
    yield from _removed_kinds(facts)


def _rollback_to_failed(facts: Facts) -> Iterator[Finding]:
    number, release = facts.around.rollback_to, facts.release
    target = next((one for one in facts.around.history if one.version == number), None)
    if facts.operation != "rollback" or target is None:
        return
    if target.status not in ("failed", *PENDING_STATUSES):
        return
    good = [
        one.version
        for one in facts.around.history
        if one.status in ("superseded", "deployed") and one.version != release.last_revision
    ]
    yield Finding(
        rule="rollback-to-failed",
        severity="danger",
        title=f"revision {target.version} is {target.status}: it never ran successfully",
        where=Place("release", release.name),
        consequence=target.description or "Its record says no more.",
        remedy=(f"helm rollback {release.name} {max(good)} -n {release.namespace}",) if good else (),
    )


def _removed_kinds(facts: Facts) -> Iterator[Finding]:
    """Both causes at once: a pending revision hides that the stored manifest cannot be built either."""
    if facts.failure is None or facts.operation == "install":
        return
    for resource in facts.resources:
        prediction = resource.prediction
        if prediction.previous is None or prediction.key not in facts.around.unserved:
            continue
        if prediction.key != facts.failure.resource:
            yield Finding(
                rule="stored-manifest-api-removed",
                severity="blocker",
                title="the stored manifest holds a kind that the cluster does not serve",
                where=Place("object", str(prediction.key)),
                consequence=(
                    f"{prediction.key.kind} of {prediction.previous.get('apiVersion')} is not served: no "
                    "upgrade and no rollback from here will work before the record is mapped."
                ),
                remedy=remedies("stored-manifest-api-removed"),
            )
