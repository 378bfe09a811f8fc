"""One release on the page: what was found, what changes, what is not known."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

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
    """``name`` makes ids unique. ``said`` is what the page says of all releases, and need not repeat."""

    name: str
    room: YamlRoom
    said: frozenset[Item] = frozenset()
    objects_open: bool = True


def plan_sections(plan: Plan, pen: PagePen, options: ReleaseOptions) -> Markup:
    """Findings, the picture, values, objects, hooks, drift, what was configured, what is not known."""
    anchors = object_anchors(plan, options.name)
    fields = ObjectsOptions(options.name, options.room, options.objects_open)
    return joined(
        [
            _section("findings", findings(plan, pen, anchors)),
            picture(ways_of(plan), pen, options.name),
            _section("values", values(plan, pen)),
            _section("objects", objects(plan, pen, fields)),
            _section("hooks", hooks(plan, pen)),
            _section("drift", drift(plan, pen)),
            _section("unknown", _unknown(plan, pen, options)),
            _section("more", [notes(plan, pen), *configuration(plan, pen), *unstable(plan, pen)]),
        ]
    )


def unknown_of(plan: Plan) -> list[Item]:
    """What is not known of a plan beside the rules that lack facts, and why."""
    items = [(item.what, item.why) for item in plan.unknown]
    said = {what for what, _ in items}
    for resource in plan.resources:
        name = str(resource.prediction.key)
        if resource.prediction.unknown and name not in said:
            items.append((name, resource.prediction.unknown))
    return items


def _unknown(plan: Plan, pen: PagePen, options: ReleaseOptions) -> Iterator[Markup]:
    items = [item for item in unknown_of(plan) if item not in options.said]
    rules = rules_not_judged(plan, pen)
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
