"""Releases as rows of a list: what is known of each, which are shown and in which order."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from typing import Final, Literal, TypeAlias

import msgspec

from helmguard.cluster.release_list import ListedRelease
from helmguard.model.release_state import RevisionRef
from helmguard.report.drift_rows import DriftRow, is_adrift
from helmguard.report.status_signs import gravity, is_under_way

StatusFilter: TypeAlias = Literal["all", "not deployed", "pending", "failed", "drifted"]
SortBy: TypeAlias = Literal["namespace", "name", "status", "updated"]

STATUS_FILTERS: Final[tuple[StatusFilter, ...]] = ("all", "not deployed", "pending", "failed", "drifted")
SORTS: Final[tuple[SortBy, ...]] = ("namespace", "name", "status", "updated")


class ReleasesView(msgspec.Struct, frozen=True):
    """What of the list is shown: an empty ``namespace`` is all of them, ``search`` is fuzzy."""

    search: str = ""
    status: StatusFilter = "all"
    sort: SortBy = "namespace"
    namespace: str = ""

    @property
    def is_filtered(self) -> bool:
        """Whether it leaves releases out."""
        return bool(self.search or self.namespace or self.status != "all")


class ReleaseRow(msgspec.Struct):
    """One release and what has been read about it since.

    ``chart`` is None until it is read, ``chart_read`` says whether that was done. ``drift`` is None until it
    was asked for.
    """

    release: ListedRelease
    searched: str
    chart: RevisionRef | None = None
    chart_read: bool = False
    drift: DriftRow | None = None

    @property
    def key(self) -> str:
        """``namespace/name``."""
        return f"{self.release.namespace}/{self.release.name}"


def release_row(release: ListedRelease) -> ReleaseRow:
    """A release of which nothing but its labels is known."""
    return ReleaseRow(release, f"{release.namespace}/{release.name}".casefold())


def shown_releases(rows: Iterable[ReleaseRow], view: ReleasesView) -> list[ReleaseRow]:
    """Those that the view lets through, in its order; what holds the searched text as a whole comes first."""
    found = [row for row in rows if _passes(row, view)]
    found.sort(key=_sort_key(view.sort))
    wanted = "".join(view.search.casefold().split())
    if not wanted:
        return found
    scattered = re.compile(".*?".join(map(re.escape, wanted)))
    found = [row for row in found if scattered.search(row.searched)]
    whole = [row for row in found if wanted in row.searched]
    if len(whole) == len(found):
        return found
    return [*whole, *(row for row in found if wanted not in row.searched)]


def _passes(row: ReleaseRow, view: ReleasesView) -> bool:
    release, status = row.release, view.status
    if view.namespace and release.namespace != view.namespace:
        return False
    if status == "not deployed":
        return release.status != "deployed"
    if status == "pending":
        return is_under_way(release.status)
    if status == "failed":
        return release.status == "failed"
    return status == "all" or (row.drift is not None and not is_quiet(row.drift))


def _sort_key(sort: SortBy) -> Callable[[ReleaseRow], tuple[int | str, ...]]:
    def by_name(row: ReleaseRow) -> tuple[int | str, ...]:
        return row.release.name, row.release.namespace

    def by_namespace(row: ReleaseRow) -> tuple[int | str, ...]:
        return row.release.namespace, row.release.name

    def by_status(row: ReleaseRow) -> tuple[int | str, ...]:
        drift = 0 if row.drift is not None and not is_quiet(row.drift) else 1
        return gravity(row.release.status), drift, *by_namespace(row)

    def by_time(row: ReleaseRow) -> tuple[int | str, ...]:
        return -row.release.changed, *by_namespace(row)

    return {"name": by_name, "namespace": by_namespace, "status": by_status, "updated": by_time}[sort]


def is_quiet(drift: DriftRow) -> bool:
    """Whether the drift of a release needs no look."""
    return not (drift.why or drift.not_known or is_adrift(drift) or drift.counts["ownership"])
