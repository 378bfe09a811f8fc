"""A danger that a rule found."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from helmguard.model.json_value import JSONValue

Severity = Literal["blocker", "danger", "warning", "info"]
SEVERITIES: tuple[Severity, ...] = ("blocker", "danger", "warning", "info")
"""Most severe first."""


@dataclass(frozen=True, slots=True)
class Place:
    """What a finding is about: ``on`` is value, object, release, chart or node; ``name`` names it."""

    on: Literal["value", "object", "release", "chart", "node"]
    name: str
    field: str = ""
    file: str = ""
    line: int = 0


@dataclass(frozen=True, slots=True)
class Waiver:
    """A finding accepted in writing; ``expires`` is an ISO date, empty for never."""

    reason: str
    by: str = ""
    expires: str = ""


@dataclass(frozen=True, slots=True)
class Finding:
    """One finding of one rule, with all a reader needs to judge and to act.

    ``result`` is ``unknown`` where a needed fact is missing (named in ``missing``). ``effects`` say what the
    change reaches, ``remedy`` are commands to paste, ``evidence`` says what the rule rests on. A ``waived``
    finding is shown and does not count against the gate.
    """

    rule: str
    severity: Severity
    title: str
    where: Place
    result: Literal["fires", "unknown"] = "fires"
    before: JSONValue = None
    after: JSONValue = None
    effects: tuple[str, ...] = field(default=())
    consequence: str = ""
    missing: tuple[str, ...] = field(default=())
    remedy: tuple[str, ...] = field(default=())
    evidence: tuple[str, ...] = field(default=())
    waived: Waiver | None = None


def at_or_above(severity: Severity, gate: Severity) -> bool:
    """Whether ``severity`` is as grave as ``gate`` or graver."""
    return SEVERITIES.index(severity) <= SEVERITIES.index(gate)
