"""The values of two revisions as texts beside each other: what the user supplied, and what came of it."""

from __future__ import annotations

from collections.abc import Iterator

from helmguard.model.json_value import JSONObject
from helmguard.report.page import Pen
from helmguard.report.side_by_side import SideRow, side_rows
from helmguard.values.comparison import RecordedValues


def value_side_rows(before: RecordedValues, after: RecordedValues, pen: Pen) -> Iterator[SideRow]:
    """Masked YAML below two headings; keys are sorted, since their order says nothing."""
    yield SideRow("head", "user-supplied values")
    yield from side_rows(_lines(before.config, pen), _lines(after.config, pen))
    yield SideRow("head", "effective values: these over the chart's defaults")
    yield from side_rows(_lines(before.effective, pen), _lines(after.effective, pen))


def _lines(values: JSONObject, pen: Pen) -> list[str]:
    from helmguard.manifest import yaml

    if not values:
        return ["{}"]
    # Digests stay until both sides are compared: they tell a changed secret from an unchanged one.
    text = yaml.dump(pen.masker.tree(values), sort_keys=True)
    return [pen.escape(line) for line in text.rstrip("\n").split("\n")]
