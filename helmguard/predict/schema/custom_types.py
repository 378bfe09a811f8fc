"""The types of custom resources, from the OpenAPI schema in their CustomResourceDefinition."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import msgspec

from helmguard.model.json_value import JSONObject
from helmguard.predict.schema.builtin_types import OBJECT_META, BuiltinType, struct_type
from helmguard.predict.schema.value_type import ANY, Shape, ValueType

_SCALARS = {"string": "string", "boolean": "bool", "integer": "int", "number": "float"}


class CustomKind(msgspec.Struct, frozen=True):
    """One version of a custom kind; ``root`` is ANY where the CRD carries no schema.

    ``may_change``: the definition may be another by the time objects are written; ``root`` then lets
    undeclared fields through, while ``declared`` is what the known definition says. ``brought_by`` names
    the hooks that seem to apply this definition before objects are written, empty for what is live.
    ``guessed``: it stands in for a live definition that is not known.
    """

    api_version: str
    kind: str
    namespaced: bool
    served: bool
    root: ValueType
    status_subresource: bool
    declared: ValueType = ANY
    may_change: bool = False
    brought_by: str = ""
    guessed: bool = False


def custom_kinds(
    crds: Iterable[JSONObject], *, may_change: bool = False, brought_by: str = "", guessed: bool = False
) -> dict[tuple[str, str], CustomKind]:
    """Every version of every CRD (apiextensions v1), by apiVersion and kind; later CRDs win."""
    kinds = {}
    for crd in crds:
        spec = crd.get("spec") or {}
        names = spec.get("names") or {}
        for version in spec.get("versions") or []:
            api_version = f"{spec.get('group')}/{version.get('name')}"
            schema = (version.get("schema") or {}).get("openAPIV3Schema")
            kinds[(api_version, names.get("kind", ""))] = CustomKind(
                api_version=api_version,
                kind=names.get("kind", ""),
                namespaced=spec.get("scope") != "Cluster",
                served=version.get("served", True) is not False,
                root=_root_type(schema, lenient=may_change),
                declared=_root_type(schema, lenient=False),
                may_change=may_change,
                brought_by=brought_by,
                guessed=guessed,
                status_subresource="status" in (version.get("subresources") or {}),
            )
    return kinds


def _root_type(schema: JSONObject | None, *, lenient: bool) -> ValueType:
    if not isinstance(schema, dict):
        return ANY
    return CustomType(
        shape="struct",
        schema=schema,
        is_object_root=True,
        lenient=lenient,
        preserves_unknown=lenient or bool(schema.get("x-kubernetes-preserve-unknown-fields")),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class CustomType(ValueType):
    """A value described by a structural schema; the root of an object also has apiVersion, kind, metadata.

    ``lenient`` types let undeclared fields through, all the way down.
    """

    is_object_root: bool = False
    lenient: bool = False

    def field(self, name: str) -> ValueType | None:
        if self.is_object_root and name == "metadata":
            return struct_type(OBJECT_META)
        if self.is_object_root and name in ("apiVersion", "kind"):
            return BuiltinType(shape="scalar", scalar="string")
        described = ((self.schema or {}).get("properties") or {}).get(name)
        return type_of(described, lenient=self.lenient) if isinstance(described, dict) else None

    def field_names(self) -> tuple[str, ...]:
        return tuple((self.schema or {}).get("properties") or ())

    def element(self) -> ValueType:
        schema = self.schema or {}
        below = schema.get("items") if self.shape == "list" else schema.get("additionalProperties")
        return type_of(below, lenient=self.lenient) if isinstance(below, dict) else ANY


def type_of(schema: JSONObject, *, lenient: bool = False) -> ValueType:
    """The type that a structural schema describes; an empty schema describes anything."""
    preserves = lenient or bool(schema.get("x-kubernetes-preserve-unknown-fields"))
    nullable = bool(schema.get("nullable"))
    default = schema.get("default")
    if schema.get("x-kubernetes-int-or-string"):
        return CustomType(
            shape="scalar", scalar="intstr", schema=schema, nullable=nullable, default=default, pointer=True
        )
    kind = schema.get("type")
    if kind == "array":
        return CustomType(
            shape="list",
            schema=schema,
            list_type=schema.get("x-kubernetes-list-type", "atomic"),
            list_keys=tuple(schema.get("x-kubernetes-list-map-keys") or ()),
            nullable=nullable,
            default=default,
            lenient=lenient,
        )
    if kind == "object" or "properties" in schema or "additionalProperties" in schema:
        atomic = schema.get("x-kubernetes-map-type") == "atomic"
        additional = schema.get("additionalProperties")
        shape: Shape = "map" if additional and "properties" not in schema else "struct"
        return CustomType(
            shape=shape,
            schema=schema,
            atomic=atomic,
            nullable=nullable,
            default=default,
            lenient=lenient,
            preserves_unknown=preserves or bool(schema.get("x-kubernetes-embedded-resource")),
        )
    if kind in _SCALARS:
        return CustomType(
            shape="scalar",
            scalar=_SCALARS[kind],
            schema=schema,
            nullable=nullable,
            default=default,
            pointer=True,
        )
    return ANY
