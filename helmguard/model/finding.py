"""A danger that a rule found."""

from __future__ import annotations

from typing import Literal

import msgspec

from helmguard.model.json_value import JSONValue

Severity = Literal["blocker", "danger", "warning", "info"]
SEVERITIES: tuple[Severity, ...] = ("blocker", "danger", "warning", "info")
"""Most severe first."""

FailOn = Literal["blocker", "danger", "warning", "none"]
FAIL_ON: tuple[FailOn, ...] = ("blocker", "danger", "warning", "none")
"""The gate: from which severity on findings refuse the operation; ``none``: nothing does."""


class Place(msgspec.Struct, frozen=True):
    """What a finding is about: ``on`` is value, object, release, chart or node; ``name`` names it."""

    on: Literal["value", "object", "release", "chart", "node"]
    name: str
    field: str = ""
    file: str = ""
    line: int = 0


class Waiver(msgspec.Struct, frozen=True):
    """A finding accepted in writing, at ``file`` and ``line``; ``expires`` is an ISO date, the last day."""

    reason: str
    by: str = ""
    expires: str = ""
    ticket: str = ""
    file: str = ""
    line: int = 0


class Overridden(msgspec.Struct, frozen=True):
    """The severity that the rule gave, and why the user's configuration gives another."""

    severity: Severity
    reason: str
    file: str = ""
    line: int = 0


class Finding(msgspec.Struct, frozen=True):
    """One finding of one rule, with all a reader needs to judge and to act.

    ``result`` is ``unknown`` where a needed fact is missing (named in ``missing``). ``effects`` say what the
    change reaches, ``remedy`` are commands to paste, ``evidence`` says what the rule rests on. A ``waived``
    finding is shown and does not count against the gate. ``key`` tells it from others of its rule, empty
    where its place does. ``data_loss``: it destroys data, which a waiver must accept in so many words.
    ``overridden`` tells the rule's own severity where the configuration changed it, ``config_note`` why a
    waiver or override that names the finding has no effect on it.
    """

    rule: str
    severity: Severity
    title: str
    where: Place
    result: Literal["fires", "unknown"] = "fires"
    before: JSONValue = None
    after: JSONValue = None
    effects: tuple[str, ...] = ()
    consequence: str = ""
    missing: tuple[str, ...] = ()
    remedy: tuple[str, ...] = ()
    evidence: tuple[str, ...] = ()
    waived: Waiver | None = None
    key: str = ""
    data_loss: bool = False
    overridden: Overridden | None = None
    config_note: str = ""

    @property
    def waiver_key(self) -> str:
        """What a waiver's ``key`` is compared with: the finding's own, else its place in words."""
        return self.key or " ".join(part for part in (self.where.name, self.where.field) if part)


class Suppressed(msgspec.Struct, frozen=True):
    """A finding that a guard of its rule kept quiet, and why, in words."""

    rule: str
    name: str
    because: str


def at_or_above(severity: Severity, fail_on: FailOn) -> bool:
    """Whether ``severity`` is as grave as ``fail_on`` or graver; nothing is where that is ``none``."""
    return fail_on != "none" and SEVERITIES.index(severity) <= SEVERITIES.index(fail_on)
