"""Fields that a template renders differently each time."""

from __future__ import annotations

from collections.abc import Set as AbstractSet

from helmguard.compare.comparable import comparable
from helmguard.compare.differences import differences
from helmguard.model.field_path import FieldPath
from helmguard.model.json_value import JSONObject
from helmguard.predict.schema.value_type import ANY, ValueType


def unstable_fields(first: JSONObject, second: JSONObject, schema: ValueType = ANY) -> frozenset[FieldPath]:
    """The fields in which two renderings of one object differ, for ``CompareContext.unstable``."""
    return frozenset(found.path for found in differences(comparable(first), comparable(second), schema))


def is_unstable(path: FieldPath, unstable: AbstractSet[FieldPath]) -> bool:
    """Whether the field is one of those, or inside one."""
    return bool(unstable) and any(path[:length] in unstable for length in range(1, len(path) + 1))
