"""What state a release is in, and the ways out of it."""

from __future__ import annotations

from typing import Literal

import msgspec

from helmguard.model.field_path import FieldPath
from helmguard.model.plan import LeftOver, Unknown
from helmguard.model.resource_key import ResourceKey
from helmguard.model.unshown import Unshown

Condition = Literal[
    "deployed",
    "last-failed",
    "last-not-deployed",
    "pending",
    "no-deployed",
    "uninstalling",
    "uninstalled",
    "last-unreadable",
    "unreadable",
]
"""``last-failed`` and ``last-not-deployed``: an older revision is deployed still. ``no-deployed``: none is.
``last-unreadable``: the record with the highest number is damaged, and Helm cannot write another under its
name. ``unreadable``: no record can be read."""


class RevisionRef(msgspec.Struct, frozen=True):
    """A stored revision in short; ``updated`` is as Helm wrote it, ``size`` in bytes, 0 where not known."""

    version: int
    status: str
    updated: str
    description: str
    chart: str
    app_version: str = ""
    apply_method: str = ""
    size: int = 0


AppliedChange = Literal["create", "update", "delete"]
AppliedState = Literal["applied", "not applied", "partly", "unknown"]


class AppliedObject(msgspec.Struct, frozen=True):
    """What a revision was to do to one object, and whether it came to it.

    ``missing`` are fields of an update that the live object does not hold; ``why`` says what is unclear.
    """

    key: ResourceKey
    api_version: str
    change: AppliedChange
    state: AppliedState
    missing: tuple[FieldPath, ...] = ()
    why: str = ""


class Progress(msgspec.Struct, frozen=True):
    """How far a revision that did not end well came: its manifest beside the one before and the live objects.

    ``compared_with`` is the revision it started from, None for a first install. ``objects`` are those it was
    to change, in Helm's order; ``unchanged`` counts the others.
    """

    revision: int
    compared_with: int | None
    objects: tuple[AppliedObject, ...]
    unchanged: int = 0

    def count(self, state: AppliedState) -> int:
        """How many of the objects are in a state."""
        return sum(item.state == state for item in self.objects)


RunningVerdict = Literal["likely", "perhaps", "unlikely", "not known"]


class Running(msgspec.Struct, frozen=True):
    """Whether the helm that left a pending record may still be at work.

    ``seconds`` is the time since the youngest sign of it, None where none has a time; ``since`` is when the
    record was last written, ``manager`` the field manager that did. ``signs`` say in words what was seen.
    """

    verdict: RunningVerdict
    seconds: int | None
    since: str
    manager: str
    signs: tuple[str, ...] = ()


class Remark(msgspec.Struct, frozen=True):
    """Something about the release that is worth knowing; ``attention``: it makes the release not whole."""

    kind: str
    text: str
    attention: bool = True
    remedy: tuple[str, ...] = ()


class WayCheck(msgspec.Struct, frozen=True):
    """What the dry run of a way out said.

    ``works``: nothing is foretold to fail and no finding refuses. ``refused``: findings at or above the gate,
    named in ``findings``. ``fails``: Helm or the API server will refuse. ``changes`` counts objects, None
    where nothing was planned.
    """

    result: Literal["works", "refused", "fails", "not checked"]
    text: str
    changes: int | None = None
    by_server: bool = False
    findings: tuple[str, ...] = ()


WayKind = Literal["wait", "rollback", "uninstall", "upgrade", "delete", "restore"]


class WayOut(msgspec.Struct, frozen=True):
    """One way out. ``commands`` are run one after the other, ``helm_commands`` do the same without helmguard.

    Both may be empty (to wait). ``revision`` is the one a rollback goes to. ``accepts`` names the rules that
    the command accepts, since they say what is its very purpose.
    """

    kind: WayKind
    why: str
    commands: tuple[str, ...]
    helm_commands: tuple[str, ...]
    check: WayCheck
    recommended: bool = False
    revision: int | None = None
    accepts: tuple[str, ...] = ()


class RecordGrowth(msgspec.Struct, frozen=True):
    """The size of the last record in bytes; ``before`` is that of the one before it, None without one.

    ``limit`` is 0 for a storage without one, ``size`` None where it is not known. ``revisions_left`` is how
    many more fit if each grows as the last did, None where they do not grow.
    """

    size: int | None
    limit: int
    kind: str
    before: int | None = None
    revisions_left: int | None = None


class Kept(msgspec.Struct, frozen=True):
    """How many revisions are stored. ``limit`` is what ``--history-max`` says by default, 0 for no limit.

    ``next_removed`` is the revision that the next operation removes, None where none goes; ``pruned`` are
    numbers that are missing between the first and the last.
    """

    stored: int
    limit: int
    first: int
    next_removed: int | None = None
    pruned: tuple[int, ...] = ()


class ReleaseState(Unshown, frozen=True):
    """A release's state, as far as it can be seen.

    ``summary`` is one line, ``story`` the sentences after it. ``base`` is the revision that the next upgrade
    would compare with, ``objects`` how many its manifest holds, ``drift`` in words what differs from them,
    empty for nothing. ``left_over`` are live objects with the release's marks that no deployed manifest
    holds. ``exit_code``: 0 deployed and whole, 2 something to know, 3 a way out is needed.
    """

    name: str
    namespace: str
    helm: str
    driver: str
    condition: Condition
    summary: str
    story: tuple[str, ...]
    exit_code: int
    last: RevisionRef | None = None
    deployed: RevisionRef | None = None
    base: int | None = None
    running: Running | None = None
    progress: Progress | None = None
    remarks: tuple[Remark, ...] = ()
    left_over: tuple[LeftOver, ...] = ()
    drift: str = ""
    objects: int = 0
    record: RecordGrowth | None = None
    kept: Kept | None = None
    ways_out: tuple[WayOut, ...] = ()
    unknown: tuple[Unknown, ...] = ()
    known_secrets: frozenset[str] = frozenset()

    @property
    def recommended(self) -> WayOut | None:
        """The way out to take, None where none is needed or none is safe."""
        return next((way for way in self.ways_out if way.recommended), None)
