"""Text from charts, repositories and clusters made safe for the page: masked, escaped, as markup."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from hashlib import sha256

from helmguard.masking.masker import Masker
from helmguard.report.html.markup import Markup, element, joined, text
from helmguard.report.page import Page, Pen
from helmguard.report.styles import Span
from helmguard.report.value_text import ValueWriter

_VALUE_WIDTH = 96
_LINE_WIDTH = 400


class PagePen(Pen, frozen=True):
    """A pen for a page that scrolls: there is room for longer values than on a terminal."""

    @property
    def values(self) -> ValueWriter:
        """Writes values that are masked already."""
        return ValueWriter(self.symbols, False, _VALUE_WIDTH, _LINE_WIDTH)


def pen_for(masker: Masker) -> PagePen:
    """The pen of a page."""
    return PagePen(Page(width=200), masker)


def marked(spans: Iterable[Span]) -> Markup:
    """Safe spans, each with its style as a class."""
    return joined(
        element("span", span.text, class_=f"s-{span.style}") if span.style else text(span.text)
        for span in spans
    )


def plain(spans: Iterable[Span]) -> str:
    """The spans' texts alone."""
    return "".join(span.text for span in spans)


def code(spans: Sequence[Span], class_: str = "") -> Markup:
    """Spans in the face of code."""
    return element("code", marked(spans), class_=class_)


def anchor(*names: str) -> str:
    """The id of what has these names: the same on every page."""
    digest = sha256("\0".join(names).encode(errors="surrogatepass")).hexdigest()
    return f"h{digest[:10]}"


def folded(title: Markup | str, *body: Markup, class_: str = "", is_open: bool = False) -> Markup:
    """What is shown on request."""
    return element(
        "details", element("summary", title), *body, class_=f"fold {class_}".rstrip(), open=is_open
    )
