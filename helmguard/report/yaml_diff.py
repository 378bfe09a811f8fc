"""An object's change as a diff of its YAML, with context."""

from __future__ import annotations

import difflib
from collections.abc import Iterator

from helmguard.compare.comparable import comparable
from helmguard.masking.secret_marks import without_digest
from helmguard.model.json_value import JSONObject
from helmguard.model.live_state import Present, Unreadable
from helmguard.model.plan import ResourceChange
from helmguard.model.prediction import ResourcePrediction
from helmguard.report.display_width import display_width, split_at
from helmguard.report.page import Pen
from helmguard.report.styles import Line, Span, Style

_INDENT = 6
_LONGEST = 20_000
"""Lines of both sides together; longer objects are compared by field only."""


def yaml_diff(resource: ResourceChange, pen: Pen, context: int) -> Iterator[Line]:
    """The lines that change, with ``context`` lines around each; all of an object that comes or goes."""
    for text, style in yaml_diff_lines(resource, pen, context):
        for part in _fitting(text, pen.page.columns - _INDENT):
            yield (Span(" " * _INDENT), Span(part, style))


def yaml_diff_lines(resource: ResourceChange, pen: Pen, context: int) -> Iterator[tuple[str, Style]]:
    """The same as texts, for outputs that lay out lines by themselves."""
    before, after = (yaml_lines(body, pen) for body in _sides(resource.prediction))
    if len(before) + len(after) > _LONGEST:
        yield (
            f"{len(before)} {pen.symbols.arrow} {len(after)} lines: too long for a diff, -o json has all",
            "dim",
        )
        return
    for index, text in enumerate(
        list(difflib.unified_diff(before, after, n=max(0, context), lineterm=""))[2:]
    ):
        if text.startswith("@@"):
            if index:
                yield pen.symbols.ellipsis, "dim"
        else:
            styles: dict[str, Style] = {"+": "create", "-": "delete"}
            yield text, styles.get(text[0], "dim")


def _sides(prediction: ResourcePrediction) -> tuple[JSONObject | None, JSONObject | None]:
    """Live and predicted; where it is not known what is live, the two manifests."""
    if isinstance(prediction.live, Unreadable):
        return prediction.previous, prediction.new
    live = prediction.live.body if isinstance(prediction.live, Present) else None
    return live, prediction.predicted


def yaml_lines(body: JSONObject | None, pen: Pen) -> list[str]:
    """The object's YAML, masked, one safe text a line; masks keep their digests, to be compared."""
    if body is None:
        return []
    from helmguard.manifest import yaml

    masked = pen.masker.object(comparable(body)) or {}
    text = yaml.dump(masked, sort_keys=True)
    # Digests stay until both sides are compared: they tell a changed secret from an unchanged one.
    return [pen.escape(line) for line in text.rstrip("\n").split("\n")]


def _fitting(text: str, width: int) -> Iterator[str]:
    text = without_digest(text)
    while display_width(text) > width:
        head, text = split_at(text, width)
        yield head
        text = f"    {text}"
    yield text
