"""How the values of one release change, each with its source."""

from __future__ import annotations

from collections.abc import Iterator

from helmguard.model.field_path import format_path
from helmguard.model.plan import Plan
from helmguard.model.value_change import ValueChange, ValueWarning
from helmguard.report.counts_text import value_counts
from helmguard.report.html.markup import NOTHING, Markup, element, joined
from helmguard.report.html.page_pen import PagePen, code, folded, marked
from helmguard.report.html.tables import counts_heading, sign_cell, table, text_diff
from helmguard.report.plural import plural
from helmguard.report.provenance_text import provenance_text
from helmguard.report.values import change_rows, dropped_overrides, ranked_changes, shortened, unsaid_warnings

_HEAD = ("", "value", "before and after", "why")


def values(plan: Plan, pen: PagePen) -> Iterator[Markup]:
    """The changed leaves, lost overrides first; nothing where nothing changes and nothing is to be said."""
    changes, dropped, warnings = ranked_changes(plan), dropped_overrides(plan), unsaid_warnings(plan)
    if not changes and not dropped and not warnings:
        return
    yield counts_heading("Values", value_counts(plan), pen)
    _, hidden = shortened(changes, show_noise=False)
    shown = changes[: len(changes) - hidden] if hidden else changes
    yield table("values", _HEAD, [row for change in shown for row in _rows(change, pen)])
    if hidden:
        rows = [row for change in changes[len(shown) :] for row in _rows(change, pen)]
        yield folded(f"{plural(hidden, 'more changed chart default')}", table("values", _HEAD, rows))
    said = [(warning, pen) for warning in warnings if not warning.is_idle]
    idle = [(warning, pen) for warning in (*warnings, *dropped) if warning.is_idle or warning in dropped]
    if said:
        yield element("ul", *(_warning(*item) for item in said), class_="plain")
    if idle:
        title = f"{plural(len(idle), 'value')} without effect"
        yield folded(title, element("ul", *(_warning(*item) for item in idle), class_="plain"))


def _rows(change: ValueChange, pen: PagePen) -> Iterator[Markup]:
    """A row for the change; of a list that becomes another list, one for each item too."""
    before, after = pen.masker.value_change(change)
    lines = pen.values.line_changes(before, after)
    for index, (sign, path, *cells) in enumerate(change_rows(change, pen)):
        sides = cells[0] if cells else ()
        value = text_diff(lines) if lines and not index else code(sides, "change")
        why = element("span", marked(cells[1]), _before(change, pen)) if len(cells) > 1 else NOTHING
        name = code(path, "path")
        yield element(
            "tr",
            sign_cell(sign),
            element("th", name, scope="row"),
            element("td", value),
            element("td", why),
            class_="item",
        )


def _before(change: ValueChange, pen: PagePen) -> Markup:
    """Where the value was before, if that is elsewhere."""
    old, new = provenance_text(change.provenance_before), provenance_text(change.provenance_after)
    if not old or old == new or change.cause == "lost override":
        return NOTHING
    return element("span", pen.text(f" (before: {old})").text, class_="s-dim")


def _warning(warning: ValueWarning, pen: PagePen) -> Markup:
    name = element("code", pen.text(format_path(warning.path)).text, class_="path")
    sign = element("span", "! ", class_="s-warning")
    return element("li", joined([sign, name, " ", pen.prose(warning.message).text]), class_="item")
