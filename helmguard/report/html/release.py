"""One release on the page: what was found, what changes, what is not known."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

import msgspec

from helmguard.model.plan import Plan
from helmguard.report.html.findings import findings, notes
from helmguard.report.html.markup import Markup, element, joined
from helmguard.report.html.objects import ObjectsOptions, YamlRoom, object_anchors, objects
from helmguard.report.html.other_sections import (
    Item,
    configuration,
    drift,
    hooks,
    not_known,
    rules_not_judged,
    unstable,
)
from helmguard.report.html.page_pen import PagePen
from helmguard.report.html.picture import picture
from helmguard.report.html.tables import counts_heading
from helmguard.report.html.values import values
from helmguard.report.html.ways import ways_of


class ReleaseOptions(msgspec.Struct, frozen=True):
    """``name`` makes ids unique. ``rules``: the rules that lack facts are told here, not elsewhere."""

    name: str
    room: YamlRoom
    objects_open: bool = True
    rules: bool = False


def plan_sections(plan: Plan, unknown: Sequence[Item], pen: PagePen, options: ReleaseOptions) -> Markup:
    """Findings, the picture, values, objects, hooks, drift, ``unknown`` things, what was configured."""
    anchors = object_anchors(plan, options.name, pen)
    fields = ObjectsOptions(options.name, options.room, options.objects_open)
    return joined(
        [
            _section("findings", findings(plan, pen, anchors)),
            picture(ways_of(plan), pen, options.name),
            _section("values", values(plan, pen)),
            _section("objects", objects(plan, pen, fields)),
            _section("hooks", hooks(plan, pen)),
            _section("drift", drift(plan, pen)),
            _section("unknown", _unknown(plan, unknown, pen, options)),
            _section("more", [notes(plan, pen), *configuration(plan, pen), *unstable(plan, pen)]),
        ]
    )


def _unknown(plan: Plan, items: Sequence[Item], pen: PagePen, options: ReleaseOptions) -> Iterator[Markup]:
    rules = rules_not_judged(plan, pen) if options.rules else None
    if not items and rules is None:
        return
    yield counts_heading("Unknown", [], pen)
    if items:
        yield not_known(items, pen)
    if rules is not None:
        yield rules


def _section(name: str, parts: Iterable[Markup]) -> Markup | None:
    body = joined(parts)
    return element("section", body, class_=name) if body else None
