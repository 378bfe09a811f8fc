"""Where a value comes from, in a few words."""

from __future__ import annotations

from helmguard.model.value_change import Provenance, ValueChange

NO_LONGER_SET = "no longer set"
"""How the note begins of a value that a repository gave before the change and gives no more."""


def provenance_text(provenance: Provenance | None) -> str:
    """``--set``, ``prod.yaml:12``, ``revision 3``, ``chart default``; empty where it is not known."""
    if provenance is None:
        return ""
    if provenance.kind == "values file":
        return f"{provenance.source}:{provenance.line}" if provenance.line else provenance.source
    if provenance.kind == "previous revision":
        return f"revision {provenance.revision}" if provenance.revision else "an earlier revision"
    if provenance.kind == "subchart default":
        return f"default of {provenance.source}" if provenance.source else "subchart default"
    if provenance.kind == "null":
        return f"null in {provenance.source}" if provenance.source else "null"
    return provenance.kind


def cause_text(change: ValueChange) -> str:
    """Why a value changes, in a few words."""
    if change.cause == "lost override":
        before = change.provenance_before
        since = provenance_text(before)
        if before is not None and before.kind == "values file":
            return f"lost, it was set in {since}"
        return f"lost, you set it in {since}" if since.startswith("revision") else "lost, you set it earlier"
    if change.note.startswith(NO_LONGER_SET):
        return change.note
    if change.cause == "values":
        return provenance_text(change.provenance_after) or "set by you"
    if change.cause == "default":
        return "chart default changed"
    return change.note or "the chart changed"
