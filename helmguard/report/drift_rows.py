"""Many releases' drift: one row each, and what they amount to together."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import msgspec

from helmguard.compare.object_drift import drift_of
from helmguard.model.plan import Plan
from helmguard.model.unread_release import UnreadRelease
from helmguard.report.drift_json import drift_counts
from helmguard.report.exit_code import CHANGES, ERROR, FINDINGS, NOTHING_TO_DO, exit_code
from helmguard.report.unknown import unknown_items


class DriftRow(msgspec.Struct, frozen=True):
    """One release. ``counts`` is empty and ``why`` says the reason where it could not be read."""

    namespace: str
    name: str
    revision: int | None
    status: str
    counts: Counter[str]
    not_known: int
    code: int
    why: str = ""

    @property
    def is_quiet(self) -> bool:
        """Whether there is nothing to say of it."""
        return self.code == NOTHING_TO_DO and self.status in ("deployed", "")


def row_of(found: Plan | UnreadRelease) -> DriftRow:
    """The release in numbers; one that could not be read counts as uncertain, never as without drift."""
    if isinstance(found, UnreadRelease):
        return DriftRow(found.namespace, found.name, None, "", Counter(), 1, CHANGES, found.why)
    return DriftRow(
        found.release.namespace,
        found.release.name,
        found.release.last_revision,
        found.release.status,
        Counter(drift_counts(drift_of(found), found.left_over)),
        len(unknown_items(found)),
        exit_code(found),
    )


def exit_code_of_all(rows: Sequence[DriftRow]) -> int:
    """The gravest of all; 1 where there are releases and none of them could be read."""
    if rows and all(row.why for row in rows):
        return ERROR
    codes = {row.code for row in rows}
    return next((code for code in (FINDINGS, CHANGES) if code in codes), NOTHING_TO_DO)


def summary_of_all(rows: Sequence[DriftRow]) -> dict[str, int]:
    """Releases, and the sum of what they count."""
    totals: Counter[str] = Counter()
    for row in rows:
        totals.update(row.counts)
    return {
        "releases": len(rows),
        "withDrift": sum(is_adrift(row) for row in rows),
        "refused": sum(row.code == FINDINGS for row in rows),
        "notKnown": sum(bool(row.why or row.not_known) for row in rows),
        **{name: totals[name] for name in drift_counts((), ())},
    }


def is_adrift(row: DriftRow) -> bool:
    """Whether an object or field of the release is not as it says."""
    return bool(row.counts["objectsAdrift"] or row.counts["leftOver"])
