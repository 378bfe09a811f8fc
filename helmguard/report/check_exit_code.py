"""The exit code of a check, and what decides it."""

from __future__ import annotations

from helmguard.model.check_report import CheckedRelease, CheckReport
from helmguard.report.exit_code import CHANGES, FINDINGS, NOTHING_TO_DO, is_refused, is_uncertain


def check_exit_code(report: CheckReport) -> int:
    """0 merging changes nothing and everything was read, 2 something changes or is not known, 3 refused.

    A check is refused for any release whose plan is (``report.exit_code``), and with ``fail_on_unknown`` for
    anything that is not known, unless the gate is ``none``. 1 is for a check that could not be made.
    """
    if is_check_refused(report):
        return FINDINGS
    if is_check_uncertain(report) or any(map(is_changed, report.releases)):
        return CHANGES
    return NOTHING_TO_DO


def is_check_refused(report: CheckReport) -> bool:
    """Whether the gate keeps the change from being merged."""
    if any(map(is_release_refused, report.releases)):
        return True
    return report.fail_on != "none" and report.fail_on_unknown and is_check_uncertain(report)


def is_check_uncertain(report: CheckReport) -> bool:
    """Whether something is not known, of the repository or of any release that is concerned."""
    return bool(report.unknown) or any(map(is_release_uncertain, report.releases))


def is_release_refused(release: CheckedRelease) -> bool:
    """Whether this release alone refuses the check."""
    return release.plan is not None and is_refused(release.plan)


def is_release_uncertain(release: CheckedRelease) -> bool:
    """Whether something of it is not known.

    What is rendered the same on both sides changes nothing, whatever is live.
    """
    told = release.why if release.state != "removed" else ""  # there it says what becomes of the objects
    if release.state == "unknown" or told or release.declared.unknown:
        return True
    return release.state != "same" and release.plan is not None and is_uncertain(release.plan)


def is_changed(release: CheckedRelease) -> bool:
    """Whether merging does anything to the release; of one that could not be compared that is not known."""
    return release.state not in ("same", "unknown")
