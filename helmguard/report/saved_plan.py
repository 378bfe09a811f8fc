"""What a saved plan says of itself, for people."""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Sequence
from itertools import pairwise

from helmguard.masking.secret_marks import MARK
from helmguard.model.saved_plan_header import NeededAgain, SavedPlanHeader
from helmguard.report.drift_fields import moment
from helmguard.report.layout import wrapped
from helmguard.report.markdown_text import code, prose
from helmguard.report.page import Pen
from helmguard.report.plural import plural
from helmguard.report.styles import EMPTY, Line, to_text

_NO_SECRETS = "It holds the chart and the values: applying it needs no more than the file."


def about_texts(header: SavedPlanHeader) -> Iterator[str]:
    """When it was saved and by what, the command, and what applying it needs; one line each."""
    yield f"Saved {moment(header.created)} by {header.written_by}, for Helm {header.helm}:"
    yield "helm " + " ".join(word if MARK.search(word) else shlex.quote(word) for word in header.command)
    if header.sealed is not None and header.sealed.by == "keys":
        keys = plural(header.sealed.recipients, "key")
        yield f"Chart and values are sealed to {keys}: applying it needs a private key (--identity FILE)."
    elif header.sealed is not None:
        yield "Chart and values are sealed with a passphrase, which applying it needs."
    elif header.operation != "rollback":
        yield _needed(header.needs)
    program = _post_renderer(header.command)
    if program:
        yield f"Applying it runs the post-renderer {program} of the machine that applies it."
    if header.needs.packs:
        names = ", ".join(header.needs.packs)
        yield f"The project's own rules judged it, too ({names}); applying it looks for them again."


def about_page(header: SavedPlanHeader, pen: Pen) -> str:
    """The sentences above a page for people."""
    lines: list[Line] = [EMPTY]
    for text in about_texts(header):
        lines += wrapped([pen.text(text, "dim")], pen.page.text_width, 2)
    return to_text(lines, colour=pen.page.colour)


def about_markdown(header: SavedPlanHeader) -> str:
    """The same above a review comment."""
    said, command, *needs = about_texts(header)
    lines = [prose(said), code(command), *map(prose, needs)]
    return "".join(f"> {line}\n" for line in lines) + "\n"


def _post_renderer(command: Sequence[str]) -> str:
    """The program or plugin, empty where there is none; the file does not hold it."""
    return next((after for word, after in pairwise(command) if word == "--post-renderer"), "")


def _needed(needs: NeededAgain) -> str:
    what = [*(["the value flags"] if needs.values else []), *(["the chart"] if needs.chart else [])]
    if not what:
        return _NO_SECRETS
    return f"Applying it needs {' and '.join(what)} again: {'; '.join(needs.why)}."
