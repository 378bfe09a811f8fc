"""The cause of a field change in words, and who or what stands behind it."""

from __future__ import annotations

from typing import Final

from helmguard.compare.causes import ADOPTED, ALSO_LIVE
from helmguard.model.field_change import Cause, FieldChange
from helmguard.model.field_path import format_path
from helmguard.model.plan import Plan
from helmguard.report.provenance_text import provenance_text

NEEDS_EYES: Final[frozenset[Cause]] = frozenset(["lost override", "drift reverted", "drift kept", "conflict"])
"""Causes that are marked with ``!``."""

_WORDS: dict[Cause, str] = {
    "chart": "chart",
    "lost override": "lost override",
    "drift reverted": "drift reverted",
    "drift kept": "drift kept",
    "conflict": "conflict",
    "converged": "live already",
    "server": "",
    "unstable": "differs at each rendering",
    "latent owner": "equal now",
}


def remark(change: FieldChange, plan: Plan) -> str:
    """``--set``, ``chart default image.tag``, ``drift reverted, set by kubectl-edit``."""
    if change.cause == "values":
        words = _value_source(change, plan) or "values"
    elif change.cause == "default":
        words = f"chart default {change.value_path}".rstrip()
    else:
        words = _WORDS[change.cause]
    if change.note == ALSO_LIVE:
        return (
            f"{words}, also changed live by {change.manager}" if change.manager else f"{words}, {ALSO_LIVE}"
        )
    parts = [words, _who(change), "" if change.note == ADOPTED else change.note]
    return ", ".join(part for part in parts if part)


def _who(change: FieldChange) -> str:
    """The manager behind the live value, where that is part of the cause."""
    if not change.manager or change.cause in ("server", "converged"):
        return ""
    return f"set by {change.manager}"


def _value_source(change: FieldChange, plan: Plan) -> str:
    """``--set``; with the value's name where the field's own does not end in it."""
    for value in plan.values.changes:
        name = format_path(value.path)
        if name == change.value_path:
            source = provenance_text(value.provenance_after)
            return source if format_path(change.path).endswith(name) else f"{name}, {source}".rstrip(", ")
    return change.value_path
