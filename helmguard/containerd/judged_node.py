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
    def asked(self) -> Effective | None:
        """The configuration that the user asks about: under the planned version, else as it is now."""
        return self.planned or self.installed

    @property
    def both(self) -> tuple[Effective, ...]:
        """What is known, the installed one first."""
        return tuple(one for one in (self.installed, self.planned) if one is not None)


def judged_node(facts: NodeFacts, planned: str = "") -> JudgedNode:
    """What containerd makes of a node's files; ``planned`` is a version (``2.1.4``), empty for none."""
    # Plans name this record, and few judge a node: the tables behind it are read when they are needed.
    from helmguard.containerd.effective import effective_config
    from helmguard.containerd.version import read_version

    path = facts.containerd.config_path
    version = facts.containerd.version
    return JudgedNode(
        facts,
        effective_config(facts.files, facts.paths, version, path) if read_version(version) else None,
        effective_config(facts.files, facts.paths, planned, path) if planned else None,
    )
