"""Rights that the user lacks: why a run is refused that would end half way."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from helmguard.masking.masker import Masker
from helmguard.model.execution import MissingRight
from helmguard.model.json_value import JSONValue
from helmguard.report.layout import wrapped
from helmguard.report.page import Page, Pen
from helmguard.report.plural import plural
from helmguard.report.styles import EMPTY, Line, Span, to_text


def render_missing_rights(missing: Sequence[MissingRight], page: Page, masker: Masker) -> str:
    """What is forbidden, and the verdict; ends with a line feed."""
    return to_text(missing_rights_lines(missing, Pen(page, masker)), colour=page.colour)


def missing_rights_lines(
    missing: Sequence[MissingRight], pen: Pen, *, goes_on: bool = False
) -> Iterator[Line]:
    """The same, for whoever prints nothing; ``goes_on``: without the exit code."""
    yield EMPTY
    title = [
        Span(f"{pen.symbols.fail} NOT ALLOWED", "blocker"),
        Span("  helm would fail half way: you may not do all of it", "bold"),
    ]
    yield from wrapped(title, pen.page.columns, 4)
    for each in missing:
        yield from wrapped([Span("    "), pen.text(each.what, "bold")], pen.page.text_width, 6)
        yield from wrapped([Span("      "), pen.prose(each.why)], pen.page.text_width, 6)
    yield EMPTY
    text = f"Refused: {plural(len(missing), 'write')} not allowed; nothing was changed."
    code = [] if goes_on else [Span(" Exit 3.", "bold")]
    yield from wrapped([Span(text, "bad"), *code], pen.page.columns)
    hint = (
        "Ask for the rights, or use another user (--kube-context); --fail-on none lets it run all the same."
    )
    yield from wrapped([Span(hint, "dim")], pen.page.columns)


def missing_rights_to_list(missing: Sequence[MissingRight], masker: Masker) -> list[JSONValue]:
    """As JSON."""
    return [{"what": masker.text(each.what), "why": masker.text(each.why)} for each in missing]
