"""The types of Kubernetes' own kinds, from the generated table ``helmguard/data/merge_keys.json``."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from functools import cache
from importlib import resources

from helmguard.model.json_value import JSONObject
from helmguard.predict.schema.value_type import ANY, ValueType

OBJECT_META = "meta/v1.ObjectMeta"


@cache
def _table() -> JSONObject:
    """The generated table: package data, read once."""
    text = resources.files("helmguard").joinpath("data/merge_keys.json").read_text(encoding="utf-8")
    table: JSONObject = json.loads(text)
    return table


def in_compiled_scheme(api_version: str, kind: str) -> bool:
    """Whether Helm patches the kind strategically: client-go's scheme plus apiextensions, as Helm links them.

    CRDs of v1beta1 are in the scheme, but Helm sends them a JSON merge patch on purpose
    (helm/helm@v3.22.0 pkg/kube/client.go, createPatch).
    """
    if (api_version, kind) == ("apiextensions.k8s.io/v1beta1", "CustomResourceDefinition"):
        return False
    return f"{api_version}/{kind}" in _compiled()


@cache
def _compiled() -> frozenset[str]:
    return frozenset(_table()["compiled"])


@cache
def builtin_type(api_version: str, kind: str) -> ValueType | None:
    """The type of a built-in kind, None for a kind that Kubernetes itself does not define."""
    name = _table()["gvk"].get(f"{api_version}/{kind}")
    return struct_type(name) if name else None


@cache
def struct_type(name: str) -> ValueType:
    """A struct by its Go type's name, ``core/v1.PodSpec``."""
    return BuiltinType(shape="struct", name=name)


@dataclass(frozen=True, slots=True, kw_only=True)
class BuiltinType(ValueType):
    """A value inside a built-in kind; ``element_of``: the (type, field) whose items or values it holds.

    Types are asked for at every field of every object: each remembers those below it.
    """

    element_of: tuple[str, str] | None = None
    _fields: dict[str, ValueType | None] = field(
        default_factory=dict, init=False, repr=False, compare=False, hash=False
    )
    _elements: list[ValueType] = field(
        default_factory=list, init=False, repr=False, compare=False, hash=False
    )

    def field(self, name: str) -> ValueType | None:
        try:
            return self._fields[name]
        except KeyError:
            found = self._fields[name] = _field_type(self.name, name)
            return found

    def field_names(self) -> tuple[str, ...]:
        return tuple(_table()["types"].get(self.name, ()))

    def element(self) -> ValueType:
        if not self._elements:
            self._elements.append(_element_type(*self.element_of) if self.element_of else ANY)
        return self._elements[0]


@cache
def _field_type(type_name: str, field_name: str) -> ValueType | None:
    described = _table()["types"].get(type_name, {}).get(field_name)
    if described is None:
        return None
    container = described.get("c")
    shared = {
        "patch_strategies": tuple(filter(None, described.get("smp", "").split(","))),
        "patch_merge_key": described.get("key", ""),
        "pointer": described.get("p", False),
        "always_written": described.get("keep", False),
        "default": described.get("d"),
        "known_to": {"compiled": "helm", "server": "server"}.get(described.get("src", ""), "both"),
    }
    if container == "list":
        return BuiltinType(
            shape="list",
            element_of=(type_name, field_name),
            list_type=described.get("list", "atomic"),
            list_keys=tuple(described.get("keys", ())),
            **shared,
        )
    atomic = described.get("map") == "atomic"
    if container == "map":
        return BuiltinType(shape="map", element_of=(type_name, field_name), atomic=atomic, **shared)
    return _value_type(described, atomic=atomic, **shared)


@cache
def _element_type(type_name: str, field_name: str) -> ValueType:
    described = _table()["types"][type_name][field_name]
    return _value_type(described, atomic=described.get("items") == "atomic", pointer=True)


def _value_type(described: JSONObject, **shared: object) -> ValueType:
    if "ref" in described:
        return BuiltinType(shape="struct", name=described["ref"], **shared)  # type: ignore[arg-type]
    scalar = described.get("t", "any")
    if scalar == "any":
        return BuiltinType(shape="any", preserves_unknown=True, **shared)  # type: ignore[arg-type]
    return BuiltinType(shape="scalar", scalar=scalar, **shared)  # type: ignore[arg-type]


@cache
def is_builtin_namespaced(api_version: str, kind: str) -> bool | None:
    """Whether objects of a built-in kind live in a namespace; None for kinds Kubernetes does not define."""
    if f"{api_version}/{kind}" not in _table()["gvk"]:
        return None
    return f"{api_version}/{kind}" not in _cluster_scoped()


@cache
def _cluster_scoped() -> frozenset[str]:
    return frozenset(_table()["cluster"])
