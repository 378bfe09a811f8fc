"""The sign and colour of a release's or revision's status."""

from __future__ import annotations

from helmguard.model.release import PENDING_STATUSES
from helmguard.report.page import Pen
from helmguard.report.styles import Line, Span, Style


def status_line(status: str, pen: Pen) -> Line:
    """``● deployed``: every sign has its word beside it."""
    unicode_sign, ascii_sign, style = _sign(status)
    sign = unicode_sign if pen.page.unicode else ascii_sign
    return (Span(f"{sign} ", style), pen.text(status or "not known", style))


def gravity(status: str) -> int:
    """What needs eyes first: failed, under way, not known, the rest, deployed."""
    if status == "failed":
        return 0
    if is_under_way(status):
        return 1
    return {"deployed": 4, "superseded": 3, "uninstalled": 3}.get(status, 2)


def is_under_way(status: str) -> bool:
    """Whether helm is at it, or died over it."""
    return status in PENDING_STATUSES or status == "uninstalling"


def _sign(status: str) -> tuple[str, str, Style]:
    if is_under_way(status):
        return "◌", "~", "warning"
    signs: dict[str, tuple[str, str, Style]] = {
        "deployed": ("●", "*", "good"),
        "superseded": ("○", "o", "dim"),
        "uninstalled": ("-", "-", "dim"),
        "failed": ("✗", "x", "bad"),
    }
    return signs.get(status, ("?", "?", "warning"))
