"""What came of an operation: objects beside their predictions, rollouts, hooks, and the packs' own steps."""

from __future__ import annotations

from typing import Literal

import msgspec

from helmguard.model.field_path import FieldPath
from helmguard.model.json_value import JSONValue
from helmguard.model.plan import Unknown
from helmguard.model.resource_key import ResourceKey
from helmguard.model.unshown import Unshown

DifferenceKind = Literal["differs", "missing", "still there", "unreadable", "not expected"]
"""``still there``: it was to be deleted; ``not expected``: it was not to be there, and came all the same."""

RolloutState = Literal["done", "progressing", "stuck", "failed", "unknown"]
"""``stuck``: not done, and a reason is known that time alone does not mend."""

HookState = Literal["succeeded", "failed", "running", "not run", "unknown"]

StepState = Literal["passed", "failed", "waiting", "skipped", "unknown"]
"""``waiting``: not passed yet, and time may mend it."""


class FieldDifference(Unshown, frozen=True):
    """One field; what one side lacks is MISSING. Both values are masked where they are shown.

    ``manager`` is the field manager that wrote the actual value where another than Helm did, ``since`` when
    it last wrote to the object, as the API gave it. ``note`` adds words.
    """

    path: FieldPath
    predicted: JSONValue
    actual: JSONValue
    manager: str = ""
    since: str = ""
    note: str = ""


class ObjectDifference(msgspec.Struct, frozen=True):
    """One object that is not as predicted; ``why`` says in words what is not told by the kind."""

    key: ResourceKey
    api_version: str
    kind: DifferenceKind
    fields: tuple[FieldDifference, ...] = ()
    why: str = ""


class Rollout(msgspec.Struct, frozen=True):
    """One workload: ``words`` say how far it is (``2 of 3 pods ready``), ``reasons`` why it is no further."""

    key: ResourceKey
    state: RolloutState
    words: str
    reasons: tuple[str, ...] = ()


class HookResult(msgspec.Struct, frozen=True):
    """How the last run of a hook ended, by Helm's record; ``event`` is one of Helm's (``pre-upgrade``)."""

    event: str
    kind: str
    name: str
    state: HookState
    why: str = ""


class VerificationStep(msgspec.Struct, frozen=True):
    """One step that a pack asks for; ``on_fail`` is a command to paste that shows more."""

    pack: str
    id: str
    what: str
    state: StepState
    why: str = ""
    on_fail: str = ""


class Verification(msgspec.Struct, frozen=True):
    """What there is beside what there was to be. ``against`` says what the objects were compared with.

    ``compared`` counts them. ``remarks`` are fields that differ and count for nothing: what the API server or
    a controller filled in or changed after Helm. ``trouble`` is what is wrong with the release itself (a
    failed revision). ``unknown`` is what could not be compared. ``revision`` is None where there is none.
    """

    release: str
    namespace: str
    revision: int | None
    against: str
    compared: int = 0
    differences: tuple[ObjectDifference, ...] = ()
    remarks: tuple[ObjectDifference, ...] = ()
    rollouts: tuple[Rollout, ...] = ()
    hooks: tuple[HookResult, ...] = ()
    steps: tuple[VerificationStep, ...] = ()
    trouble: tuple[str, ...] = ()
    unknown: tuple[Unknown, ...] = ()

    @property
    def nothing_compared(self) -> bool:
        """Whether there was something to compare, and not one object could be."""
        return bool(self.unknown) and not self.compared

    @property
    def ok(self) -> bool:
        """Whether all is well: every object that could be predicted, every workload, hook and step.

        A workload or step of which nothing is known is not well. An object without a certain prediction, and
        a hook without a record, are listed as unknown, and do not count, unless no object could be compared.
        """
        return not (
            self.nothing_compared
            or self.trouble
            or self.differences
            or any(rollout.state != "done" for rollout in self.rollouts)
            or any(hook.state in ("failed", "running") for hook in self.hooks)
            or any(step.state not in ("passed", "skipped") for step in self.steps)
        )
