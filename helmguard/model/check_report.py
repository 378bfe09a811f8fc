"""What a change of a repository does to the releases it concerns."""

from __future__ import annotations

from typing import Literal

from helmguard.model.declared_release import DeclaredRelease
from helmguard.model.finding import FailOn
from helmguard.model.plan import Plan, Unknown
from helmguard.model.unshown import Unshown

ReleaseState = Literal["added", "changed", "noise", "same", "removed", "unknown"]
"""``noise``: only chart labels, checksums and the like differ; ``same``: its inputs differ, and nothing that
is rendered does; ``unknown``: it could not be compared."""

LiveSide = Literal["none", "cluster", "bundle"]


class CheckedRelease(Unshown, frozen=True):
    """One release that the change concerns.

    ``base`` and ``head`` are its declarations, one is None where it comes or goes. ``plan`` is None where it
    could not be made (``why``, ``remedy``) or nothing is rendered on either side. ``because`` says which of
    its inputs differ, in words. ``plan.findings`` have ``where.file`` and ``where.line`` of the head's tree
    where they are known.
    """

    state: ReleaseState
    base: DeclaredRelease | None = None
    head: DeclaredRelease | None = None
    plan: Plan | None = None
    why: str = ""
    remedy: str = ""
    because: tuple[str, ...] = ()

    @property
    def declared(self) -> DeclaredRelease:
        """The declaration that holds after the change, else the one before."""
        found = self.head or self.base
        assert found is not None
        return found


class CheckReport(Unshown, frozen=True):
    """The whole change. ``releases`` are those concerned, by identity; ``read`` counts all in the head.

    ``base`` and ``head`` name the two sides (``origin/main (3f2a9c1)``, ``the working tree``). ``unknown`` is
    what could not be read of the files that change, and concerns no single release; ``untouched`` is what
    could not be read of files that stay as they are. ``notes`` are remarks for the reader. ``fail_on`` and
    ``fail_on_unknown`` are the gate. ``known_secrets`` are all those of the plans.
    """

    base: str
    head: str
    releases: tuple[CheckedRelease, ...] = ()
    read: int = 0
    unknown: tuple[Unknown, ...] = ()
    untouched: tuple[Unknown, ...] = ()
    notes: tuple[str, ...] = ()
    live: LiveSide = "none"
    helm: str = ""
    base_helm: str = ""
    fail_on: FailOn = "danger"
    fail_on_unknown: bool = False
    known_secrets: frozenset[str] = frozenset()
