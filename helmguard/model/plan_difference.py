"""What of a plan no longer holds when it is made again."""

from __future__ import annotations

import msgspec


class PlanDifference(msgspec.Struct, frozen=True):
    """One thing that the plan rests on and that has changed in a way that changes the plan.

    ``what`` is its kind in words (``revision``, ``live object``, ``helm``), ``name`` names it, may be empty.
    ``planned`` and ``now`` are both sides in words, without secrets.
    """

    what: str
    name: str
    planned: str
    now: str
