"""Releases and revisions as Helm's storage holds them."""

from __future__ import annotations

from typing import Literal

import msgspec

from helmguard.model.json_value import JSONObject

ApplyMethod = Literal["csa", "ssa"]

PENDING_STATUSES = frozenset({"pending-install", "pending-upgrade", "pending-rollback"})


class Revision(msgspec.Struct, frozen=True):
    """One release record.

    ``status`` is the one inside the record, ``label_status`` the one on the storage object's label: Helm's
    search for the deployed revision uses the label (helm/helm@v3.22.0 pkg/storage/storage.go), its other
    checks the record. ``apply_method`` is empty for records that Helm 3 wrote. ``config`` is what the user
    supplied (None where the record has none). ``chart`` is the record's chart as stored: ``metadata``,
    ``values``, ``templates`` and so on, parent chart only. ``hooks`` are the record's hook entries.
    ``stored_size`` are the bytes that count against the storage's limit, 0 where the storage was not read.
    """

    name: str
    namespace: str
    version: int
    status: str
    label_status: str
    chart: JSONObject
    config: JSONObject | None
    manifest: str
    hooks: tuple[JSONObject, ...] = ()
    apply_method: str = ""
    first_deployed: str = ""
    last_deployed: str = ""
    description: str = ""
    notes: str = ""
    labels: tuple[tuple[str, str], ...] = ()
    storage_name: str = ""
    stored_size: int = 0

    @property
    def chart_name(self) -> str:
        """The chart's name, ``?`` for a record without chart metadata."""
        return str((self.chart.get("metadata") or {}).get("name") or "?")

    @property
    def chart_version(self) -> str:
        """The chart's version, empty for a record without chart metadata."""
        return str((self.chart.get("metadata") or {}).get("version") or "")

    @property
    def app_version(self) -> str:
        """The chart's appVersion, empty where it has none."""
        return str((self.chart.get("metadata") or {}).get("appVersion") or "")

    @property
    def effective_apply_method(self) -> ApplyMethod:
        """How Helm treats the record: a missing method counts as client-side."""
        return "ssa" if self.apply_method == "ssa" else "csa"


class DamagedRecord(msgspec.Struct, frozen=True):
    """A storage object that should hold a revision and cannot be read; Helm itself skips it silently."""

    storage_name: str
    version: int | None
    why: str


class History(msgspec.Struct, frozen=True):
    """All revisions of one release, oldest first, and the records that could not be read."""

    name: str
    namespace: str
    revisions: tuple[Revision, ...]
    damaged: tuple[DamagedRecord, ...] = ()

    def last(self) -> Revision | None:
        """The revision with the highest number, whatever its status."""
        return self.revisions[-1] if self.revisions else None

    def get(self, version: int) -> Revision | None:
        """The revision with this number."""
        return next((revision for revision in self.revisions if revision.version == version), None)

    def deployed(self) -> Revision | None:
        """The highest revision whose storage label says ``deployed``."""
        deployed = [revision for revision in self.revisions if revision.label_status == "deployed"]
        return deployed[-1] if deployed else None

    def current_for_upgrade(self) -> Revision | None:
        """The revision an upgrade takes as previous manifest and previous values, None where Helm refuses.

        The last one if it is deployed, else the last deployed one, else a last one that failed or was
        superseded (helm/helm@v3.22.0 pkg/action/upgrade.go). A pending last revision also gives its
        predecessor here; that Helm refuses such an upgrade is the planner's finding to make.
        """
        last = self.last()
        if last is None or last.status == "deployed":
            return last
        deployed = self.deployed()
        if deployed is not None:
            return deployed
        return last if last.status in ("failed", "superseded") else None
