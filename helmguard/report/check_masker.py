"""One masker for all outputs of a check."""

from __future__ import annotations

from helmguard.masking.masker import Masker
from helmguard.model.check_report import CheckReport


def check_masker(report: CheckReport, *, salt: bytes | None = None, show: bool = False) -> Masker:
    """It knows the secrets of every release: what one holds may stand in another's text."""
    plans = (release.plan for release in report.releases if release.plan is not None)
    return Masker.for_plans(plans, report.known_secrets, salt=salt, show=show)
