"""What came of an upgrade, install or rollback that helm was let run."""

from __future__ import annotations

from typing import Literal

import msgspec

from helmguard.model.action import Action
from helmguard.model.resource_key import ResourceKey
from helmguard.model.unshown import Unshown

ObjectState = Literal["done", "not done", "otherwise", "unknown"]
"""Against the plan: as foretold, as it was before, something else, not to be found out."""

RunEnd = Literal["succeeded", "failed", "stopped", "killed"]
"""How helm ended: ``stopped`` at the user's wish, ``killed`` by a signal."""


class Acceptance(msgspec.Struct, frozen=True):
    """A finding's rule, accepted for one run, and why."""

    rule: str
    reason: str


class MissingRight(msgspec.Struct, frozen=True):
    """A write of helm's that the user may not make: of what, and the API server's words."""

    what: str
    why: str


class ObjectOutcome(msgspec.Struct, frozen=True):
    """One object that the plan meant to change, as it was found after helm had ended."""

    key: ResourceKey
    action: Action
    state: ObjectState
    why: str = ""


class RevisionFound(msgspec.Struct, frozen=True):
    """A stored revision after the run: its number and what its record says."""

    number: int
    status: str
    description: str = ""


class Execution(Unshown, frozen=True):
    """One run of helm and what it left.

    ``message`` is helm's error, secrets in clear; ``exit_code`` is helm's, minus the number of the signal
    that ended it. ``revisions`` are those that are new since the plan, oldest first; ``read_back`` is empty
    where they could be read, else why not. ``own_revision`` is the one this run stored, None where it stored
    none or that could not be found out. ``objects`` are asked for only where helm did not succeed. ``said``
    are the objects that helm told to write (it may have been refused), for where nothing can be read back.
    ``others`` tells of anybody else at work on the release. ``notes`` are the chart's. Times are ISO.
    """

    end: RunEnd
    started: str
    ended: str
    exit_code: int
    message: str = ""
    revisions: tuple[RevisionFound, ...] = ()
    own_revision: RevisionFound | None = None
    read_back: str = ""
    objects: tuple[ObjectOutcome, ...] = ()
    said: tuple[str, ...] = ()
    others: tuple[str, ...] = ()
    notes: str = ""
    next_commands: tuple[str, ...] = ()
