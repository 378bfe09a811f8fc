"""What failed revisions left behind, and this operation leaves too."""

from __future__ import annotations

from collections.abc import Iterator

from helmguard.model.field_path import format_path
from helmguard.model.finding import Finding, Place
from helmguard.model.release import PENDING_STATUSES
from helmguard.model.surroundings import Orphan
from helmguard.rules.facts import Facts
from helmguard.rules.kubectl import kubectl


def orphaned_objects(facts: Facts) -> Iterator[Finding]:
    """One finding an object."""
    for orphan in facts.around.orphans:
        if facts.release.status in PENDING_STATUSES and facts.release.last_revision in orphan.revisions:
            continue  # that helm may be at work; the way out, a rollback, cleans up
        numbers = ", ".join(map(str, orphan.revisions))
        failed = f"revision {numbers}" if len(orphan.revisions) == 1 else f"revisions {numbers}"
        yield Finding(
            rule="orphaned-by-failed-revision",
            severity="warning",
            title=f"is left over from failed {failed}",
            where=Place("object", str(orphan.key)),
            consequence=(
                "It is live and bears this release's marks; neither the manifest Helm compares with nor the "
                "new one names it, so no upgrade and no uninstall will ever remove it."
            ),
            remedy=_clean_up(orphan, facts),
            evidence=("helm/helm#11748",),
        )


def _clean_up(orphan: Orphan, facts: Facts) -> tuple[str, ...]:
    """A rollback starts from the last revision: what that one brought goes with it."""
    release = facts.release
    if release.last_revision in orphan.revisions and release.from_revision and facts.operation == "upgrade":
        return (f"helm rollback {release.name} {release.from_revision} -n {release.namespace}",)
    return (kubectl("delete", orphan.key),)


def last_failed(facts: Facts) -> Iterator[Finding]:
    """``last-failed-partial``: Helm compares with an older revision than the last; danger where that leaves
    something of the failed one."""
    release = facts.release
    if (
        facts.operation == "upgrade"
        and release.from_revision is not None
        and release.last_revision is not None
        and release.from_revision != release.last_revision
        and release.status == "failed"
    ):
        yield _last_failed(facts)


def _last_failed(facts: Facts) -> Finding:
    release, around = facts.release, facts.around
    fields = [
        f"{left.key} {format_path(left.path)} stays: revision {left.revision} added it"
        for left in around.left_fields
    ]
    objects = [
        f"{orphan.key} stays" for orphan in around.orphans if release.last_revision in orphan.revisions
    ]
    stays = bool(fields or objects)
    return Finding(
        rule="last-failed-partial",
        severity="danger" if stays else "warning",
        title=f"revision {release.last_revision} failed; revision {release.from_revision} is the base",
        where=Place("release", release.name),
        effects=(*objects, *fields),
        consequence=(
            "Helm compares with the last deployed revision and has never seen what the failed one changed"
            + (": this upgrade does not clean it up." if stays else "; nothing of it will stay.")
        ),
        remedy=(f"helm rollback {release.name} {release.from_revision} -n {release.namespace}",)
        if stays
        else (),
    )
