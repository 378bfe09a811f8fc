"""The type of one value inside an object, as far as merging and storing go by it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from helmguard.model.json_value import JSONObject, JSONValue

Shape = Literal["struct", "map", "list", "scalar", "any"]
ListType = Literal["atomic", "set", "map"]


@dataclass(frozen=True, slots=True, kw_only=True)
class ValueType:
    """The type of a value; ``field`` and ``element`` lead down.

    ``struct`` has named fields, ``map`` free keys, ``any`` holds anything. ``scalar`` is one of string, bool,
    int, float, bytes, quantity, intstr, time. ``list_type``, ``list_keys`` and ``atomic`` (for structs and
    maps) are what server-side apply goes by; ``patch_strategies`` and ``patch_merge_key`` what a strategic
    merge patch goes by. ``pointer``: an explicit zero is stored; ``always_written``: stored even when empty.
    ``default`` is the default the schema states (None: none). ``name`` names the Go type of a struct.
    """

    shape: Shape
    name: str = ""
    scalar: str = ""
    list_type: ListType = "atomic"
    list_keys: tuple[str, ...] = ()
    atomic: bool = False
    patch_strategies: tuple[str, ...] = ()
    patch_merge_key: str = ""
    pointer: bool = False
    always_written: bool = False
    nullable: bool = False
    preserves_unknown: bool = False
    default: JSONValue = None
    known_to: Literal["both", "helm", "server"] = "both"
    schema: JSONObject | None = field(default=None, repr=False, compare=False)

    def field(self, name: str) -> ValueType | None:  # noqa: ARG002 - kinds of types override it
        """The type of a named field of a struct, None where it has no such field."""
        return None

    def field_names(self) -> tuple[str, ...]:
        """The names of a struct's fields."""
        return ()

    def element(self) -> ValueType:
        """The type of a list's items or a map's values."""
        return ANY

    def child(self, name: str) -> ValueType | None:
        """The type below a key, be it a field or free; None where the schema does not know it."""
        if self.shape == "struct":
            found = self.field(name)
            if found is None and self.preserves_unknown:
                return ANY
            return found
        if self.shape == "map":
            return self.element()
        return ANY if self.shape == "any" else None


@dataclass(frozen=True, slots=True, kw_only=True)
class AnyType(ValueType):
    """Anything goes: maps are merged key by key, lists are replaced whole."""

    shape: Shape = "any"
    preserves_unknown: bool = True


ANY = AnyType()
