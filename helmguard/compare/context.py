"""What a comparison knows beside the object itself."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeAlias

import msgspec

from helmguard.model.field_path import FieldPath
from helmguard.model.json_value import JSONObject
from helmguard.model.resource_key import ResourceKey
from helmguard.model.value_change import ValueCause, ValueChange
from helmguard.predict.schema.builtin_types import builtin_type
from helmguard.predict.schema.value_type import ANY, ValueType

Manifests: TypeAlias = Mapping[ResourceKey, JSONObject]


class CompareContext(msgspec.Struct, frozen=True):
    """Shared by all objects of one plan.

    ``same_chart``: both manifests come from one chart. ``counterfactuals`` holds, for a cause, the manifests
    that the new chart renders when the value changes of that cause are undone; ``needs_counterfactual`` says
    which are worth rendering. ``target`` are the objects of the new manifest. ``unstable`` names, by object,
    the manifest fields that differ from rendering to rendering. ``not_reached`` are the objects that Helm
    will not get to, since it fails before: nothing is said about why they stay as they are.
    ``force_conflicts``: Helm takes over fields of other managers. ``custom_types`` are the types of custom
    kinds by apiVersion and kind, as their CRDs describe them.
    """

    value_changes: tuple[ValueChange, ...] = ()
    same_chart: bool = False
    counterfactuals: Mapping[ValueCause, Manifests] = {}
    target: Manifests = {}
    unstable: Mapping[ResourceKey, frozenset[FieldPath]] = {}
    not_reached: frozenset[ResourceKey] = frozenset()
    force_conflicts: bool = False
    custom_types: Mapping[tuple[str, str], ValueType] = {}

    def type_of(self, api_version: str, kind: str) -> ValueType:
        """The type of a kind's objects; ANY where nothing is known of it."""
        return builtin_type(api_version, kind) or self.custom_types.get((api_version, kind), ANY)
