"""The releases of a check that could not be compared, those with one and the same reason together."""

from __future__ import annotations

import msgspec

from helmguard.model.check_report import CheckReport
from helmguard.report.check_cells import release_names
from helmguard.report.plural import plural

_ROWS = 3
"""So many alike still have a row each in a table."""


class UnreadAlike(msgspec.Struct, frozen=True):
    """Releases, by identity and by name, with why they could not be compared and what helps."""

    why: str
    remedy: str
    identities: tuple[str, ...]
    names: tuple[str, ...]

    @property
    def title(self) -> str:
        """The release's name, or how many there are."""
        return self.names[0] if len(self.names) == 1 else plural(len(self.names), "release")

    @property
    def listed(self) -> str:
        """The names where the title does not say them."""
        return ", ".join(self.names) if len(self.names) > 1 else ""


def unread_alike(report: CheckReport) -> list[UnreadAlike]:
    """In the order of their first releases."""
    found: dict[tuple[str, str], list[str]] = {}
    for release in report.releases:
        if release.state == "unknown":
            why = release.why or "it could not be compared"
            found.setdefault((why, release.remedy), []).append(release.declared.identity)
    known = release_names(report)
    return [
        UnreadAlike(why, remedy, tuple(identities), tuple(known[one] for one in identities))
        for (why, remedy), identities in found.items()
    ]


def without_rows(report: CheckReport) -> list[UnreadAlike]:
    """Those too many for a row each: a table says them in one line."""
    return [one for one in unread_alike(report) if len(one.names) > _ROWS]
