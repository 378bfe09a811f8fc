"""What makes a custom resource's schema structural: every value has a type.

Of the rules of k8s.io/apiextensions-apiserver@v0.36.3 pkg/apiserver/schema/validation.go, those on types; the
others (logical junctors, embedded metadata, extensions) are not evaluated.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from helmguard.model.json_value import JSONObject, JSONValue
from helmguard.predict.api_server.validation.words import invalid, required

_UNTYPED: Final = ("x-kubernetes-int-or-string", "x-kubernetes-preserve-unknown-fields")


def schema_errors(crd: JSONObject) -> Iterator[str]:
    """The schemas of a definition's versions; none for one that is stored as not structural."""
    conditions = (crd.get("status") or {}).get("conditions") or []
    if any(one.get("type") == "NonStructuralSchema" and one.get("status") == "True" for one in conditions):
        return
    versions = (crd.get("spec") or {}).get("versions") or []
    schemas = [(version.get("schema") or {}).get("openAPIV3Schema") for version in versions]
    if schemas and all(schema == schemas[0] for schema in schemas):
        # Inside the server, a schema that all versions share stands at the top.
        yield from _errors(schemas[0], "spec.validation.openAPIV3Schema", "at the root")
        return
    for index, schema in enumerate(schemas):
        yield from _errors(schema, f"spec.versions[{index}].schema.openAPIV3Schema", "at the root")


def _errors(schema: JSONValue, path: str, level: str) -> Iterator[str]:
    if not isinstance(schema, dict):
        return
    type_, items = schema.get("type") or "", schema.get("items")
    if type_ == "array" and items is None:
        yield required(f"{path}.items", "must be specified")
    yield from _errors(items, f"{path}.items", "for specified array items")
    for name, below in (schema.get("properties") or {}).items():
        yield from _errors(below, f"{path}.properties[{name}]", "for specified object fields")
    more = schema.get("additionalProperties")
    yield from _errors(more, f"{path}.additionalProperties", "for specified object fields")
    if schema.get("x-kubernetes-embedded-resource") is True:
        return
    if not type_ and not any(schema.get(name) is True for name in _UNTYPED):
        yield required(f"{path}.type", f"must not be empty {level}")
    elif level == "at the root" and type_ and type_ != "object":
        yield invalid(f"{path}.type", type_, "must be object at the root")
