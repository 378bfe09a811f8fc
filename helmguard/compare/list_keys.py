"""Which fields tell the items of a list apart."""

from __future__ import annotations

from helmguard.predict.schema.value_type import ANY, ValueType


def keys_of(list_type: ValueType) -> tuple[str, ...]:
    """The keys of server-side apply, which are the finer ones, else the strategic merge key, else none."""
    if list_type.list_type == "map" and list_type.list_keys:
        return list_type.list_keys
    return (list_type.patch_merge_key,) if list_type.patch_merge_key else ()


def below(value_type: ValueType, name: str) -> ValueType:
    """The type under a key; anything where the schema does not know it."""
    return value_type.child(name) or ANY
