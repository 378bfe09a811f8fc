"""What happens to each object of one plan: its fields with their causes, and its YAML on request."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

import msgspec

from helmguard.compare.weight import is_counted
from helmguard.masking.secret_marks import without_digest
from helmguard.model.field_change import FieldChange
from helmguard.model.plan import Plan, ResourceChange
from helmguard.model.resource_key import ResourceKey
from helmguard.report.counts_text import noise_words, object_counts
from helmguard.report.field_rows import field_row, text_lines
from helmguard.report.html.markup import NOTHING, Markup, element, joined
from helmguard.report.html.page_pen import PagePen, anchor, code, folded, marked
from helmguard.report.html.tables import counts_heading, sign_cell, small_table, text_diff
from helmguard.report.objects import is_shown, object_head
from helmguard.report.plan_counts import is_noise, objects_of
from helmguard.report.plural import plural
from helmguard.report.remark import NEEDS_EYES
from helmguard.report.styles import Span
from helmguard.report.yaml_diff import yaml_diff_lines

_CONTEXT = 3
_MOST_LINES = 400
_OPEN_FIELDS = 12
"""An object with more changed fields is folded at first."""


class YamlRoom:
    """How much YAML the page may still hold: what does not fit is named, so that the page stays usable."""

    def __init__(self, characters: int) -> None:
        self._left = characters

    def take(self, characters: int) -> bool:
        """Whether that much fits; it is then taken."""
        if characters > self._left:
            return False
        self._left -= characters
        return True


class ObjectsOptions(msgspec.Struct, frozen=True):
    """``prefix`` tells the ids of this release's objects from others'; ``are_open``: their fields show."""

    prefix: str
    room: YamlRoom
    are_open: bool = True


def object_anchors(plan: Plan, prefix: str, pen: PagePen) -> dict[str, str]:
    """The ids of the objects that the page shows, by name; where two have one name, none of them."""
    keys = [item.prediction.key for item in objects_of(plan) if is_shown(item, pen)]
    names = Counter(map(str, keys))
    return {str(key): _anchor(key, prefix) for key in keys if names[str(key)] == 1}


def objects(plan: Plan, pen: PagePen, options: ObjectsOptions) -> Iterator[Markup]:
    """The objects that change, in Helm's order; unchanged ones are a number, noise is folded."""
    yield counts_heading("Objects", object_counts(plan), pen)
    found = objects_of(plan)
    yield from (_object(item, plan, pen, options) for item in found if is_shown(item, pen))
    noise = [item for item in found if item.action == "update" and is_noise(item)]
    if noise:
        yield _noise(noise, pen)


def _object(item: ResourceChange, plan: Plan, pen: PagePen, options: ObjectsOptions) -> Markup:
    key = item.prediction.key
    counted = sorted(
        (change for change in item.changes if is_counted(change)),
        key=lambda change: change.cause not in NEEDS_EYES,
    )
    comes_or_goes = item.action in ("create", "recreate", "delete", "keep")
    fields = _fields(key, counted, plan, pen) if counted and not comes_or_goes else NOTHING
    is_open = bool(fields) and options.are_open and len(counted) <= _OPEN_FIELDS
    return element(
        "details",
        element("summary", _head(item, plan, pen)),
        fields,
        _more(item, counted, comes_or_goes),
        _yaml(item, pen, options, is_folded=bool(fields)),
        class_="object item" if fields else "object item whole",
        id=_anchor(key, options.prefix),
        open=is_open,
    )


def _head(item: ResourceChange, plan: Plan, pen: PagePen) -> Markup:
    sign, blank, name, *rest = object_head(item, plan, pen)
    signed = element("span", sign.text, class_=f"sign s-{sign.style}")
    return joined([signed, blank.text, element("code", name.text, class_="name"), marked(rest)])


def _fields(key: ResourceKey, changes: Sequence[FieldChange], plan: Plan, pen: PagePen) -> Markup:
    rows = []
    for change in changes:
        sign, path, value, why = field_row(key, change, plan, pen)
        lines = text_lines(key, change, pen)
        rows.append(
            element(
                "tr",
                sign_cell(sign),
                element("th", code(path, "path"), scope="row"),
                element("td", text_diff(lines) if lines else code(value, "change")),
                element("td", marked(why)),
            )
        )
    return small_table("fields", "fields, before and after, cause", rows)


def _more(item: ResourceChange, counted: Sequence[FieldChange], comes_or_goes: bool) -> Markup:
    hidden = len(item.changes) - len(counted)
    if not hidden or comes_or_goes or item.action in ("unchanged", "fail"):
        return NOTHING
    return element("p", f"and {plural(hidden, 'field')} of no weight", class_="small s-dim")


def _yaml(item: ResourceChange, pen: PagePen, options: ObjectsOptions, *, is_folded: bool) -> Markup:
    if item.action in ("unchanged", "unknown"):
        return NOTHING
    spans = [Span(without_digest(text), style) for text, style in yaml_diff_lines(item, pen, _CONTEXT)]
    if not spans:
        return NOTHING
    if not options.room.take(sum(len(span.text) for span in spans[:_MOST_LINES])):
        text = f"{plural(len(spans), 'line')} of YAML left out to keep the page small: -o json has all"
        return element("p", text, class_="small s-dim")
    more = len(spans) - _MOST_LINES
    if more > 0:
        spans = [*spans[:_MOST_LINES], Span(f"{pen.symbols.ellipsis} {plural(more, 'more line')}", "dim")]
    diff = text_diff(spans)
    source = item.prediction.source
    title = joined(["YAML, from ", element("code", pen.text(source).text)]) if source else Markup("YAML")
    if is_folded:
        return folded(title, diff, class_="yaml")
    return joined([element("p", title, class_="small s-dim") if source else NOTHING, diff])


def _noise(noise: Sequence[ResourceChange], pen: PagePen) -> Markup:
    """Objects that only carry another version label and the like: their names, and what differs, once."""
    kinds = Counter(noise_words(item) for item in noise)
    title = ", ".join(f"{plural(count, 'object')} {words}" for words, count in kinds.items())
    seen: Counter[Markup] = Counter()
    for item in noise:
        for change in item.changes:
            path = Span(pen.escape(without_digest(pen.masker.path(change.path))))
            sides = pen.change(*pen.masker.field_change(item.prediction.key, change))
            seen[joined([code([path], "path"), " ", code(sides, "change")])] += 1
    most = seen.most_common(30)
    changes = [element("li", said, f" × {count}" if count > 1 else None) for said, count in most]
    if len(seen) > len(most):
        changes.append(element("li", f"and {len(seen) - len(most)} more", class_="s-dim"))
    names = ", ".join(str(item.prediction.key) for item in noise)
    return element(
        "div",
        folded(title, element("ul", *changes), element("p", pen.text(names).text), class_="noise"),
        class_="item",
    )


def _anchor(key: ResourceKey, prefix: str) -> str:
    return anchor(prefix, key.group, key.kind, key.namespace or "", key.name)
