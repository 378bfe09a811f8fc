"""A node's facts with what containerd makes of them: now, and under a version that is planned."""

from __future__ import annotations

from helmguard.model.containerd_settings import Effective
from helmguard.model.node_facts import NodeFacts
from helmguard.model.unshown import Unshown


class JudgedNode(Unshown, frozen=True):
    """``installed`` is None where containerd's version is not known, ``planned`` where none was asked for."""

    facts: NodeFacts
    installed: Effective | None = None
    planned: Effective | None = None

    @property
    def name(self) -> str:
        """The node's name; no two of a check have the same."""
        return self.facts.name

    @property
    def asked(self) -> Effective | None:
        """The configuration that the user asks about: under the planned version, else as it is now."""
        return self.planned or self.installed

    @property
    def first(self) -> Effective | None:
        """The configuration as it is now, else under the planned version."""
        return self.installed or self.planned

    @property
    def both(self) -> tuple[Effective, ...]:
        """What is known, the installed one first."""
        return tuple(one for one in (self.installed, self.planned) if one is not None)
