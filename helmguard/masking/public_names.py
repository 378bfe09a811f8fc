"""Texts that objects use as names: no secret, even where a Secret holds the same word."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from helmguard.model.json_value import JSONObject, JSONValue

_NAME = re.compile(r"[a-z0-9]([a-z0-9.-]{0,61}[a-z0-9])?")
_NAMING_FIELDS = frozenset(
    [
        "name",
        "namespace",
        "claimName",
        "configMapName",
        "ingressClassName",
        "nodeName",
        "priorityClassName",
        "runtimeClassName",
        "secretName",
        "serviceAccountName",
        "serviceName",
        "storageClassName",
        "volumeName",
    ]
)
_MAPS_OF_NAMES = frozenset(["labels", "matchLabels", "selector", "nodeSelector"])
_RELEASE_MARKS = ("meta.helm.sh/release-name", "meta.helm.sh/release-namespace")


def without_names(secrets: Iterable[str], bodies: Iterable[JSONObject]) -> frozenset[str]:
    """The secrets that are not also names in one of the objects.

    A database user ``shop`` of an application ``shop`` is such a word: to hide it would change labels,
    selectors and names, and hide nothing.
    """
    doubtful = {secret for secret in secrets if _NAME.fullmatch(secret)}
    public: set[str] = set()
    if doubtful:
        for body in bodies:
            public.update(name for name in _names(body) if name in doubtful)
    return frozenset(secret for secret in secrets if secret not in public)


def _names(value: JSONValue) -> Iterator[str]:
    """Names of objects, containers, ports and so on, values of labels and selectors, and the release's marks.

    What a Secret holds is not looked at.
    """
    if isinstance(value, list):
        for item in value:
            yield from _names(item)
    if not isinstance(value, dict):
        return
    is_secret = value.get("kind") == "Secret"
    for key, inner in value.items():
        if is_secret and key in ("data", "stringData"):
            continue
        if isinstance(inner, str):
            if key in _NAMING_FIELDS or key in _RELEASE_MARKS:
                yield inner
        elif key in _MAPS_OF_NAMES and isinstance(inner, dict):
            yield from (name for name in inner.values() if isinstance(name, str))
            yield from _names(inner)
        else:
            yield from _names(inner)
