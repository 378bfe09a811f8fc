"""The ways of a change as a picture: boxes in columns and lines between them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import msgspec

from helmguard.report.html.markup import NOTHING, Markup, element, joined
from helmguard.report.html.page_pen import PagePen
from helmguard.report.html.ways import COLUMNS, Column, Stop, Ways
from helmguard.report.layout import wrapped
from helmguard.report.plural import plural
from helmguard.report.styles import Span

_CHARACTER = 6.7
"""Width of a character of the picture's face, 11 px high."""
_LINE = 15
_PADDING = 8
_GAP = 46
_SPACE = 10
_HEAD = 24
_MOST_LINES = 7
_COLUMNS: dict[Column, tuple[int, str]] = {
    "source": (28, "value or chart"),
    "object": (34, "object"),
    "action": (40, "what happens then"),
    "node": (32, "nodes"),
}


class _Box(msgspec.Struct, frozen=True):
    stop: Stop
    title: tuple[str, ...]
    texts: tuple[str, ...]
    x: float
    y: float
    width: float

    @property
    def height(self) -> float:
        return _PADDING * 2 + _LINE * (len(self.title) + len(self.texts)) - 3

    @property
    def middle(self) -> float:
        return self.y + self.height / 2


def picture(ways: Ways, pen: PagePen, name: str) -> Markup:
    """An SVG with the same told in words for those who do not see it; nothing where it tells nothing.

    ``name`` makes its ids unique on the page.
    """
    if not ways.tells_something:
        return NOTHING
    boxes = _placed(ways, pen)
    label = "The way of the change"
    width = max(box.x + box.width for box in boxes) + 1
    height = max(box.y + box.height for box in boxes) + 1
    drawing = element(
        "svg",
        element("title", label, id=f"{name}-title"),
        element("desc", " ".join(_sentences(ways, pen)), id=f"{name}-words"),
        *_heads(boxes),
        *(_line(boxes[start], boxes[end]) for start, end in ways.steps),
        *map(_box, boxes),
        viewBox=f"0 0 {width:.0f} {height:.0f}",
        width=f"{width:.0f}",
        role="img",
        aria_labelledby=f"{name}-title {name}-words",
    )
    more = f"{plural(ways.left_out, 'more object')} in the list below" if ways.left_out else ""
    return element(
        "figure",
        element("div", drawing, class_="wide", tabindex="0", role="group", aria_label=label),
        element("figcaption", more, class_="small s-dim") if more else None,
        class_="ways",
    )


def _placed(ways: Ways, pen: PagePen) -> list[_Box]:
    """Each column below its head, each box as near as it may be to the middle of those that lead to it."""
    used = [column for column in COLUMNS if any(stop.column == column for stop in ways.stops)]
    boxes: list[_Box | None] = [None] * len(ways.stops)
    x = 0.0
    for column in used:
        width = _COLUMNS[column][0] * _CHARACTER + 2 * _PADDING + 4
        bottom = float(_HEAD)
        places = [place for place, stop in enumerate(ways.stops) if stop.column == column]
        for place in places:
            box = _made(ways.stops[place], pen, x, bottom, width)
            before = [other.middle for start, end in ways.steps if end == place and (other := boxes[start])]
            wanted = sum(before) / len(before) - box.height / 2 if before else bottom
            box = _made(ways.stops[place], pen, x, max(bottom, wanted), width)
            boxes[place] = box
            bottom = box.y + box.height + _SPACE
        x += width + _GAP
    return [box for box in boxes if box is not None]


def _made(stop: Stop, pen: PagePen, x: float, y: float, width: float) -> _Box:
    room = _COLUMNS[stop.column][0]
    title = _lines(pen.prose(stop.title).text, room)
    texts = [line for text in stop.texts for line in _lines(pen.prose(text).text, room)]
    if len(texts) > _MOST_LINES:
        texts = [*texts[: _MOST_LINES - 1], pen.symbols.ellipsis]
    return _Box(stop, tuple(title), tuple(texts), x, y, width)


def _lines(text: str, room: int) -> list[str]:
    return ["".join(span.text for span in spans) for spans in wrapped([Span(text)], room)]


def _heads(boxes: Sequence[_Box]) -> Iterator[Markup]:
    for column, x in dict.fromkeys((box.stop.column, box.x) for box in boxes):
        yield element("text", _COLUMNS[column][1], x=f"{x:.1f}", y="12", class_="head")


def _box(box: _Box) -> Markup:
    name = f"box {box.stop.column} {box.stop.style}".rstrip()
    frame = element(
        "rect",
        x=f"{box.x:.1f}",
        y=f"{box.y:.1f}",
        width=f"{box.width:.1f}",
        height=f"{box.height:.1f}",
        rx="3",
    )
    stripe = element(
        "rect", x=f"{box.x:.1f}", y=f"{box.y:.1f}", width="3", height=f"{box.height:.1f}", class_="stripe"
    )
    rows = [(line, "title") for line in box.title] + [(line, "") for line in box.texts]
    lines = [
        element(
            "text",
            line,
            x=f"{box.x + _PADDING + 3:.1f}",
            y=f"{box.y + _PADDING + 9 + _LINE * index:.1f}",
            class_=kind,
        )
        for index, (line, kind) in enumerate(rows)
    ]
    return element("g", frame, stripe, *lines, class_=name)


def _line(start: _Box, end: _Box) -> Markup:
    x, far = start.x + start.width, end.x - 6
    bend = (far - x) / 2
    way = (
        f"M{x:.1f} {start.middle:.1f}C{x + bend:.1f} {start.middle:.1f} "
        f"{far - bend:.1f} {end.middle:.1f} {far:.1f} {end.middle:.1f}"
    )
    tip = f"M{far:.1f} {end.middle - 3.5:.1f}l6 3.5l-6 3.5z"
    return joined([element("path", d=way, class_="way"), element("path", d=tip, class_="tip")])


def _sentences(ways: Ways, pen: PagePen) -> Iterator[str]:
    """``driver.enabled leads to ClusterPolicy/cluster-policy.``"""
    for start, end in ways.steps:
        first, then = (pen.prose(ways.stops[place].title).text for place in (start, end))
        yield f"{first} leads to {then}."
