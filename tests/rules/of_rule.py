"""What one rule says about facts made by hand."""

from __future__ import annotations

from helmguard.model.finding import Finding
from helmguard.rules.facts import Facts
from helmguard.rules.judge import judge


def of_rule(facts: Facts, rule: str) -> list[Finding]:
    """The rule's findings, all packs and the whole context at work."""
    return [finding for finding in judge(facts).findings if finding.rule == rule]
