"""``merge-loses-item``: the chart asks for list items that the cluster will not have."""

from __future__ import annotations

import json
from collections.abc import Iterator

from helmguard.model.field_path import format_path
from helmguard.model.finding import Finding, Place
from helmguard.model.surroundings import LostItems
from helmguard.rules.facts import Facts

_SHOWN = 3
_LONGEST = 120


def lost_list_items(facts: Facts) -> Iterator[Finding]:
    """One finding a list."""
    for lost in facts.around.lost_items:
        yield _finding(lost, facts)


def _finding(lost: LostItems, facts: Facts) -> Finding:
    what = format_path(lost.path[-1:]) if lost.path else "items"
    forced = "--server-side=true (Helm 4), or " if facts.around.helm_major >= 4 else ""
    return Finding(
        rule="merge-loses-item",
        severity="danger",
        title=_title(lost, what),
        where=Place("object", str(lost.key), field=format_path(lost.path)),
        effects=tuple(f"asked for: {_short(item)}" for item in lost.items[:_SHOWN]),
        consequence=(
            "Helm's client-side merge knows the items of this list by one field alone; items that share it "
            "are taken for one. Helm reports success."
        ),
        remedy=(f"{forced}--force puts the whole object in place", "or give each item its own key"),
        evidence=("helm/helm#12974", "kubernetes/kubernetes#62366"),
    )


def _title(lost: LostItems, what: str) -> str:
    if lost.held < lost.asked:
        return f"the chart asks for {lost.asked} {what}, the cluster will have {lost.held}"
    return f"{len(lost.items)} of {lost.asked} {what} will not be as the chart asks: they are mixed up"


def _short(item: object) -> str:
    text = json.dumps(item, sort_keys=True)
    return text if len(text) <= _LONGEST else text[:_LONGEST] + "..."
