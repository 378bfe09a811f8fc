"""The file around a page: its head, style and script, and the rule that nothing is loaded from anywhere."""

from __future__ import annotations

from base64 import b64encode
from functools import cache
from hashlib import sha256
from importlib.resources import files

from helmguard.report.html.markup import Markup, element, joined
from helmguard.version import __version__


def document(title: str, header: Markup, body: Markup, *, releases: bool) -> str:
    """The whole file. ``title`` is safe already; ``releases``: the page has several to walk through."""
    style, script = _asset("page.css"), _asset("page.js")
    head = element(
        "head",
        element("meta", charset="utf-8"),
        element("meta", http_equiv="Content-Security-Policy", content=_policy(style, script)),
        element("meta", name="viewport", content="width=device-width, initial-scale=1"),
        element("meta", name="color-scheme", content="light dark"),
        element("meta", name="referrer", content="no-referrer"),
        element("title", title),
        element("style", Markup(style)),
    )
    content = element(
        "body",
        element("header", header),
        _tools(releases),
        element("main", body),
        element("footer", f"helmguard {__version__}"),
        element("script", Markup(script)),
    )
    return f"<!doctype html>\n{element('html', head, content, lang='en')}\n"


def _policy(style: str, script: str) -> str:
    """Only this style and this script; no image, font, frame, request or form."""
    sources = f"style-src {_digest(style)}; script-src {_digest(script)}"
    return f"default-src 'none'; {sources}; base-uri 'none'; form-action 'none'"


def _digest(text: str) -> str:
    return f"'sha256-{b64encode(sha256(text.encode()).digest()).decode()}'"


@cache
def _asset(name: str) -> str:
    return files("helmguard.report.html").joinpath(name).read_text(encoding="utf-8")


def _tools(releases: bool) -> Markup:
    """What needs the script, hidden until that runs."""
    keys = (
        [("/", "filter")] + ([("j k", "next, previous")] if releases else []) + [("e c", "open, close all")]
    )
    hints = joined(joined([element("kbd", key), f" {what}  "]) for key, what in keys)
    return element(
        "div",
        element(
            "input",
            type="search",
            placeholder="Filter: a name, a field, a rule, blocker",
            aria_label="Filter the page",
            autocomplete="off",
            spellcheck="false",
        ),
        element("output", aria_live="polite"),
        element("button", "Open all", type="button", class_="expand"),
        element("button", "Close all", type="button", class_="collapse"),
        element("span", hints, class_="small s-dim keys"),
        class_="tools",
        role="search",
        hidden=True,
    )
