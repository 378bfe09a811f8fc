"""The name of a kind's collection, as messages of the API server give it."""

from __future__ import annotations

from helmguard.model.discovery import Discovery
from helmguard.model.resource_key import group_of


def resource_name(api_version: str, kind: str, discovery: Discovery | None) -> str:
    """``deployments.apps``, ``configmaps``; by English rules where discovery does not say."""
    served = discovery.find(api_version, kind) if discovery is not None else None
    plural = served.plural if served is not None else _plural(kind.lower())
    group = group_of(api_version)
    return f"{plural}.{group}" if group else plural


def _plural(word: str) -> str:
    if word == "endpoints":
        return word
    if word.endswith(("s", "x", "ch", "sh")):
        return f"{word}es"
    if word.endswith("y") and word[-2:-1] not in "aeiou":
        return f"{word[:-1]}ies"
    return f"{word}s"
