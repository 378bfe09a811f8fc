"""The gate: which findings refuse an operation, and what the user has decided about them beforehand."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date

import msgspec

from helmguard.config.config import Config
from helmguard.model.finding import FailOn
from helmguard.rules.engine.rule import Pack


class Gate(msgspec.Struct, frozen=True):
    """``fail_on``: findings from this severity on refuse; ``fail_on_unknown``: so does what is not known.

    ``today`` is the day on which waivers and ignores are looked at, None to hold every one that has an end
    for expired. ``notes`` are remarks on the configuration, for the reader. ``packs`` are the rules to judge
    by beside the built-in ones.
    """

    fail_on: FailOn = "danger"
    fail_on_unknown: bool = False
    config: Config = msgspec.field(default_factory=Config)
    today: date | None = None
    notes: tuple[str, ...] = ()
    packs: tuple[Pack, ...] = ()


DEFAULT_GATE = Gate()
"""Without flags and configuration."""


def gate_of(
    config: Config,
    today: date,
    *,
    fail_on: FailOn | None = None,
    fail_on_unknown: bool = False,
    notes: tuple[str, ...] = (),
    packs: tuple[Pack, ...] = (),
) -> Gate:
    """A flag beats the file, the file beats the default: ``fail_on`` None and ``fail_on_unknown`` False were
    not given."""
    return Gate(
        fail_on=fail_on or config.fail_on or "danger",
        fail_on_unknown=fail_on_unknown or bool(config.fail_on_unknown),
        config=config,
        today=today,
        notes=(*_said_about(config, fail_on, packs), *notes),
        packs=packs,
    )


def _said_about(config: Config, flag: FailOn | None, packs: tuple[Pack, ...]) -> Iterator[str]:
    """What judges otherwise than helmguard by itself: who reviews a plan may not have seen these files."""
    if flag is None and config.fail_on in ("blocker", "none"):
        yield f"{config.file} lowers the gate: failOn is {config.fail_on}, by default it is danger"
    if packs:
        names = ", ".join(f"{pack.name} ({len(pack.rules)})" for pack in packs)
        yield f"judged also by the rules of the project's own packs: {names}"


def is_expired(expires: date | None, today: date | None) -> bool:
    """Whether an end was set and is over; the day itself still counts."""
    return expires is not None and (today is None or today > expires)
