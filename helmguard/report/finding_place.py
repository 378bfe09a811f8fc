"""Where a finding is, and what changes there."""

from __future__ import annotations

from helmguard.model.field_change import MISSING
from helmguard.model.finding import Finding
from helmguard.model.json_value import JSONValue
from helmguard.report.page import Pen
from helmguard.report.styles import Span


def place_text(finding: Finding) -> str:
    """``Deployment/web  spec.replicas``, ``image.tag (prod.yaml:12)``."""
    place = finding.where
    name = f"{place.name}  {place.field}" if place.field else place.name
    if place.file:
        name += f" ({place.file}:{place.line})" if place.line else f" ({place.file})"
    return name


def changed_spans(finding: Finding, pen: Pen) -> list[Span]:
    """The value before and after, masked; nothing where the finding has neither."""
    before, after = pen.masker.finding(finding)
    if before is None and after is None:
        return []
    return [Span("  "), *pen.change(*_sides(finding, before, after))]


def _sides(finding: Finding, before: JSONValue, after: JSONValue) -> tuple[JSONValue, JSONValue]:
    """Of a value that is on one side only, the other is not there: null would be something else."""
    if finding.where.on != "value":
        return before, after
    return (MISSING if before is None else before), (MISSING if after is None else after)
