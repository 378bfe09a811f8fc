"""What the cluster holds for one resource key."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from helmguard.model.json_value import JSONObject


@dataclass(frozen=True, slots=True)
class Present:
    """The object as the API server gave it, managedFields included."""

    body: JSONObject


@dataclass(frozen=True, slots=True)
class Absent:
    """The API server said 404 for the object (its kind is served)."""


@dataclass(frozen=True, slots=True)
class KindNotServed:
    """The API server does not serve this kind and version."""

    api_version: str
    kind: str


@dataclass(frozen=True, slots=True)
class Unreadable:
    """It could not be found out: RBAC, a timeout, a bundle that lacks it."""

    why: str


LiveState: TypeAlias = Present | Absent | KindNotServed | Unreadable
