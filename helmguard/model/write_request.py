"""A write that Helm would send, and what the API server says to it when asked with ``dryRun=All``."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, TypeAlias

import msgspec

from helmguard.model.json_value import JSONObject
from helmguard.model.resource_key import ResourceKey

Verb = Literal["POST", "PATCH", "PUT", "DELETE"]


class WriteRequest(msgspec.Struct, frozen=True):
    """One request as Helm makes it. ``api_version`` and ``key`` name the URL, ``body`` is the JSON sent."""

    key: ResourceKey
    api_version: str
    verb: Verb
    body: JSONObject
    content_type: str = "application/json"
    query: Mapping[str, str] = {}


class Accepted(msgspec.Struct, frozen=True):
    """The server would carry it out; ``body`` is the object it would store, None for a deletion."""

    body: JSONObject | None
    warnings: tuple[str, ...] = ()


class Refused(msgspec.Struct, frozen=True):
    """The server would refuse Helm's write: ``message`` and ``reason`` are those of its Status."""

    message: str
    status: int
    reason: str = ""
    warnings: tuple[str, ...] = ()


class NoAnswer(msgspec.Struct, frozen=True):
    """The dry run says nothing about Helm's write.

    ``lacks_right``: this user may not make such a request at all, dry run or not. ``sent``: the server was
    asked.
    """

    why: str
    lacks_right: bool = False
    sent: bool = True


ServerAnswer: TypeAlias = Accepted | Refused | NoAnswer
