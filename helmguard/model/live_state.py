"""What the cluster holds for one resource key."""

from __future__ import annotations

from typing import TypeAlias

import msgspec

from helmguard.model.json_value import JSONObject


class Present(msgspec.Struct, frozen=True, tag_field="state", tag="present"):
    """The object as the API server gave it, managedFields included."""

    body: JSONObject


class Absent(msgspec.Struct, frozen=True, tag_field="state", tag="absent"):
    """The API server said 404 for the object (its kind is served)."""


class KindNotServed(msgspec.Struct, frozen=True, tag_field="state", tag="kind not served"):
    """The API server does not serve this kind and version."""

    api_version: str
    kind: str


class Unreadable(msgspec.Struct, frozen=True, tag_field="state", tag="unreadable"):
    """It could not be found out: RBAC, a timeout, a bundle that lacks it."""

    why: str


LiveState: TypeAlias = Present | Absent | KindNotServed | Unreadable
