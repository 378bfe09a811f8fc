"""When Kubernetes deprecated and removed its own APIs: the generated table rules/data/api-lifecycle.json."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cache

import msgspec

from helmguard.model.json_value import JSONObject
from helmguard.rules.context.record import UNKNOWN, Unknown


class Lifecycle(msgspec.Struct, frozen=True):
    """One kind in one version; releases are ``1.25``, empty for never or not known.

    ``replacement`` is ``policy/v1 PodDisruptionBudget``, empty where nothing takes its place.
    """

    introduced_in: str = ""
    deprecated_in: str = ""
    removed_in: str = ""
    replacement: str = ""

    def is_served(self, kubernetes: str) -> bool | Unknown:
        """Whether a server of that version (``v1.36.3``) has it; unknown without one where that matters.

        What a server serves on request only counts as served.
        """
        if not kubernetes:
            return UNKNOWN if self.removed_in else True
        early = bool(self.introduced_in) and release(kubernetes) < release(self.introduced_in)
        return not early and not self.is_removed(kubernetes)

    def is_removed(self, kubernetes: str) -> bool:
        """Whether a server of that version (``v1.36.3``) lacks it."""
        return bool(self.removed_in and kubernetes) and release(kubernetes) >= release(self.removed_in)

    def is_deprecated(self, kubernetes: str) -> bool:
        """Whether it is deprecated in a server of that version."""
        return bool(self.deprecated_in and kubernetes) and release(kubernetes) >= release(self.deprecated_in)


def release(version: str) -> tuple[int, int]:
    """``(1, 36)`` of ``v1.36.3`` and of ``1.36+``; ``(0, 0)`` for what is none."""
    parts = version.lstrip("v").split(".")
    numbers = ["".join(letter for letter in part if letter.isdigit()) for part in parts[:2]]
    return (int(numbers[0]), int(numbers[1])) if len(numbers) == 2 and all(numbers) else (0, 0)


@cache
def lifecycles() -> Mapping[tuple[str, str], Lifecycle]:
    """Every built-in kind by apiVersion and kind."""
    # The packs are read by a module that knows the context, whose builders come here.
    from helmguard.rules.packs import rules_folder

    table = json.loads((rules_folder() / "data" / "api-lifecycle.json").read_text())
    newest = _newest_version(table["kinds"])
    return {
        (_api_version(entry), entry["kind"]): Lifecycle(
            introduced_in=entry["introduced"] or "",
            deprecated_in=entry["deprecated"] or "",
            removed_in=min((one for one in (entry["removed"], entry["left_source"]) if one), key=release)
            if entry["removed"] or entry["left_source"]
            else "",
            replacement=_replacement(entry, newest),
        )
        for entry in table["kinds"]
    }


def _replacement(entry: JSONObject, newest: Mapping[tuple[str, str], str]) -> str:
    """What the table names, else the stable version of the same group."""
    named = entry["replacement"]
    if named:
        return f"{_api_version(named)} {named['kind']}"
    version = newest.get((entry["group"], entry["kind"]), "")
    if not version or version == entry["version"]:
        return ""
    return f"{_api_version({**entry, 'version': version})} {entry['kind']}"


def _newest_version(entries: list[JSONObject]) -> Mapping[tuple[str, str], str]:
    """The stable version of each kind that is not deprecated, by group and kind."""
    return {
        (entry["group"], entry["kind"]): entry["version"]
        for entry in entries
        if not entry["deprecated"] and not entry["left_source"] and entry["version"] in ("v1", "v2")
    }


def _api_version(entry: JSONObject) -> str:
    return f"{entry['group']}/{entry['version']}" if entry["group"] else str(entry["version"])
