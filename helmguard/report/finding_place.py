"""Where a finding is, and what changes there."""

from __future__ import annotations

from helmguard.model.field_change import MISSING
from helmguard.model.finding import Finding
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
    """The value before and after, masked; nothing where the finding has neither, or they are alike."""
    if finding.before == finding.after:
        return []
    before, after = pen.masker.finding(finding)
    # What is on one side only is not there on the other: null would be something else.
    return [
        Span("  "),
        *pen.change(MISSING if before is None else before, MISSING if after is None else after),
    ]
