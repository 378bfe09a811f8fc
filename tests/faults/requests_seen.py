"""Requests on their way to the API server, and how a test names those that it means."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

_REVIEWS = "selfsubject"


@dataclass(frozen=True)
class Asked:
    """``path`` has its query, ``agent`` is the program that asks as it calls itself."""

    method: str
    path: str
    agent: str

    @property
    def writes(self) -> bool:
        """Whether it changes something where the API server agrees."""
        reads = self.method in ("GET", "HEAD") or _REVIEWS in self.path
        return not reads and "dryRun=All" not in self.path


Matches = Callable[[Asked], bool]


def by_helm(method: str = "", path: str = "") -> Matches:
    """Requests of a helm whose method and path these expressions match as a whole and anywhere."""
    return _matching("Helm/", method, path)


def by_helmguard(method: str = "", path: str = "") -> Matches:
    """The same of helmguard itself."""
    return _matching("helmguard/", method, path)


def by_anyone(method: str = "", path: str = "") -> Matches:
    """The same, whoever asks."""
    return _matching("", method, path)


def writes_of(kind: str, name: str = "") -> Matches:
    """Helm's writes to objects of a kind, by its name in paths (``configmaps``).

    The name of an object that is being created stands in no path: ``name`` finds changes and deletions.
    """
    path = re.compile(rf"/{kind}/{name}\b" if name else rf"/{kind}\b")
    return lambda asked: asked.writes and "Helm/" in asked.agent and bool(path.search(asked.path))


def _matching(agent: str, method: str, path: str) -> Matches:
    def matches(asked: Asked) -> bool:
        return (
            agent in asked.agent
            and (not method or re.fullmatch(method, asked.method) is not None)
            and re.search(path, asked.path) is not None
        )

    return matches


def storing_a_record(asked: Asked) -> bool:
    """Helm stores a new revision."""
    return asked.method == "POST" and "/secrets" in asked.path and "Helm/" in asked.agent


def ending_a_record(asked: Asked) -> bool:
    """Helm gives a stored revision another status."""
    return asked.method == "PUT" and "/secrets/sh.helm.release" in asked.path
