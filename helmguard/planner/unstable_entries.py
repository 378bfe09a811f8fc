"""Unstable fields in a bundle's file and back."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from helmguard.errors import BundleError
from helmguard.model.field_path import FieldPath, ItemKey, PathStep
from helmguard.model.json_value import JSONObject, JSONValue
from helmguard.model.resource_key import ResourceKey

Unstable = Mapping[ResourceKey, frozenset[FieldPath]]


def unstable_entries(unstable: Unstable) -> list[JSONObject]:
    """One entry an object: its key and the paths, a list item's key as a list of pairs."""
    return [
        {
            "group": key.group,
            "kind": key.kind,
            "namespace": key.namespace,
            "name": key.name,
            "paths": sorted(([_step(step) for step in path] for path in paths), key=str),
        }
        for key, paths in unstable.items()
    ]


def read_unstable(entries: Iterable[JSONObject]) -> dict[ResourceKey, frozenset[FieldPath]]:
    """The unstable fields.

    Raises:
        BundleError: an entry is damaged.
    """
    try:
        return {
            ResourceKey(entry["group"], entry["kind"], entry["namespace"], entry["name"]): frozenset(
                tuple(_read_step(step) for step in path) for path in entry["paths"]
            )
            for entry in entries
        }
    except (KeyError, TypeError, ValueError) as error:
        raise BundleError(f"bundle.yaml: damaged list of unstable fields ({error})") from None


def _step(step: PathStep) -> JSONValue:
    if isinstance(step, ItemKey):
        return {"item": [list(pair) for pair in step.fields]}
    return step


def _read_step(step: JSONValue) -> PathStep:
    if isinstance(step, dict):
        return ItemKey(tuple((str(name), value) for name, value in step["item"]))
    if isinstance(step, str | int):
        return step
    raise ValueError(f"{step!r} is no step of a path")
