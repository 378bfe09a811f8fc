"""Headings, tables and small diffs that the sections share."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

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
    cells = [element("th", title or element("span", "sign", class_="unseen"), scope="col") for title in head]
    inner = element("table", element("thead", element("tr", *cells)), element("tbody", *rows), class_=name)
    return element("div", inner, class_="wide")


def sign_cell(sign: Line) -> Markup:
    """``+``, ``~``, ``-`` or ``!`` with the word it stands for."""
    word = {"+": "added", "-": "removed", "~": "changed", "!": "look"}.get(
        "".join(span.text for span in sign)
    )
    title = element("span", word, class_="unseen") if word else None
    return element("td", element("span", marked(sign), aria_hidden="true"), title, class_="sign")


def text_diff(lines: Sequence[Span]) -> Markup:
    """The changed lines of a text: each with its sign, and deleted and inserted ones marked as such."""
    return element("pre", joined(_diff_line(span) for span in lines), class_="diff")


def _diff_line(span: Span) -> Markup:
    name = {"create": "ins", "delete": "del"}.get(span.style)
    line = span.text + "\n"
    return element(name, line) if name else joined([line])
