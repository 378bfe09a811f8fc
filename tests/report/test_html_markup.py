"""Foreign text stays text, whatever it holds."""

from __future__ import annotations

from html.parser import HTMLParser

import pytest
from hypothesis import given
from hypothesis import strategies as st

from helmguard.report.html.markup import Markup, element, joined, text

_TEXTS = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0\r"), max_size=40)
_HOSTILE = st.sampled_from(
    ["<script>alert(1)</script>", "</style>", "<!--", "-->", '"><img src=x onerror=y>', "&lt;", "]]>"]
)


class _Reader(HTMLParser):
    """What a browser would see: texts, tags and attributes."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.texts = ""
        self.tags: list[str] = []
        self.attributes: list[tuple[str, str | None]] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.attributes += attrs

    def handle_data(self, data: str) -> None:
        self.texts += data


@given(_TEXTS | _HOSTILE, _TEXTS | _HOSTILE)
def test_text_and_attributes_come_out_as_they_went_in(inside: str, attribute: str) -> None:
    reader = _Reader()
    reader.feed(element("p", inside, title=attribute))
    reader.close()
    assert (reader.texts, reader.tags) == (inside, ["p"])
    assert reader.attributes == ([("title", attribute)] if attribute else [])


def test_markup_is_not_escaped_again_and_what_is_made_of_it_is() -> None:
    inner = element("b", "<")
    assert element("p", inner, "&") == "<p><b>&lt;</b>&amp;</p>"
    assert text(inner + "<") == "&lt;b&gt;&amp;lt;&lt;/b&gt;&lt;"
    assert isinstance(joined([inner, None, "x"]), Markup)


@pytest.mark.parametrize(
    ("attributes", "written"),
    [
        ({"class_": "a"}, ' class="a"'),
        ({"aria_label": "x", "hidden": True}, ' aria-label="x" hidden'),
        ({"open": False, "id": None, "title": ""}, ""),
        ({"tabindex": 0}, ' tabindex="0"'),
    ],
)
def test_attributes(attributes: dict[str, str | bool | None], written: str) -> None:
    assert element("p", **attributes) == f"<p{written}></p>"


def test_void_elements_have_no_end() -> None:
    assert element("meta", charset="utf-8") == '<meta charset="utf-8">'
