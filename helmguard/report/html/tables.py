"""Headings, tables and small diffs that the sections share."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import groupby

from helmguard.report.html.markup import Markup, element, joined
from helmguard.report.html.page_pen import PagePen, marked
from helmguard.report.section import dotted
from helmguard.report.styles import Line, Span, Style

_WORDS = {"+": "added", "-": "removed", "~": "changed", "!": "look"}


def counts_heading(name: str, counts: Sequence[tuple[str, Style]], pen: PagePen) -> Markup:
    """``Values  1 override lost · 1 set by you``."""
    said = marked(dotted([Span(*count) for count in counts], pen))
    return element("h4", name, element("span", said, class_="counts") if counts else None, class_="section")


def table(name: str, head: Sequence[str], rows: Iterable[Markup]) -> Markup:
    """Rows under a head; it scrolls by itself where it is too wide."""
    cells = [
        element("th", title, scope="col")
        if title
        else element("th", element("span", "sign", class_="unseen"), scope="col", class_="sign")
        for title in head
    ]
    inner = element("table", element("thead", element("tr", *cells)), element("tbody", *rows), class_=name)
    return element("div", inner, class_="wide")


def small_table(name: str, label: str, rows: Iterable[Markup]) -> Markup:
    """Rows that need no head, of which a page may hold thousands; ``label`` says what they are."""
    return element("table", *rows, class_=name, aria_label=label)


def sign_cell(sign: Line) -> Markup:
    """``+``, ``~``, ``-`` or ``!`` with the word it stands for."""
    text = "".join(span.text for span in sign)
    style = next((f" s-{span.style}" for span in sign if span.style), "")
    return element("td", text, class_=f"sign{style}", aria_label=_WORDS.get(text))


def text_diff(lines: Sequence[Span]) -> Markup:
    """The changed lines of a text: each with its sign, and deleted and inserted ones marked as such."""
    parts: list[Markup] = []
    for style, group in groupby(lines, lambda span: span.style):
        text = "\n".join(span.text for span in group) + "\n"
        name = {"create": "ins", "delete": "del"}.get(style)
        parts.append(element(name, text) if name else joined([text]))
    return element("pre", *parts, class_="diff")
