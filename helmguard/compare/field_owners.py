"""Who owns a live field, read from managedFields (kubernetes-sigs/structured-merge-diff fieldpath format)."""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import lru_cache

import msgspec

from helmguard.compare.list_items import choose_keys, find_item, item_key
from helmguard.compare.list_keys import below, keys_of
from helmguard.model.field_path import FieldPath, ItemKey, PathStep
from helmguard.model.json_value import JSONObject, JSONValue
from helmguard.predict.schema.value_type import ANY, ValueType

HELM_MANAGERS = frozenset(["helm"])
"""Helm writes as ``helm``, both majors (helm/helm@v4.3.1 cmd/helm/helm.go)."""

_CONTROLLERS = frozenset(
    [
        "kube-controller-manager",
        "kube-apiserver",
        "kube-scheduler",
        "kubelet",
        "cloud-controller-manager",
        "kube-proxy",
        "cainjector",
        "keda",
        "operator",
        "controller",
        "manager",
        "Go-http-client",
    ]
)
_CONTROLLER_ENDINGS = (
    "-controller",
    "-controller-manager",
    "-operator",
    "-injector",
    "-cainjector",
    "-webhook",
    "-manager",
)
_APPLIERS = ("kustomize-controller", "helm-controller", "argocd-controller", "argocd-application-controller")


class FieldOwner(msgspec.Struct, frozen=True):
    """One entry of managedFields. ``time`` is as the API gave it, empty where absent."""

    manager: str
    operation: str
    subresource: str
    time: str

    def __str__(self) -> str:
        return f"{self.manager} ({self.subresource})" if self.subresource else self.manager

    @property
    def is_helm(self) -> bool:
        """Whether this is Helm itself."""
        return self.manager in HELM_MANAGERS

    @property
    def is_controller(self) -> bool:
        """Whether the manager is a controller that fills fields as its work, by its name.

        GitOps appliers end in ``-controller`` too, but write what a person put down: they are not counted.
        """
        if self.manager in _APPLIERS:
            return False
        return self.manager in _CONTROLLERS or self.manager.endswith(_CONTROLLER_ENDINGS)


class OwnedField(msgspec.Struct, frozen=True):
    """A field that an owner holds, with its live value."""

    path: FieldPath
    value: JSONValue
    owner: FieldOwner


def field_owners(live: JSONObject) -> list[FieldOwner]:
    """Everybody who owns a field of the object, in the order of its managedFields."""
    return [owner for owner, _ in _entries(live)]


def owners_of(live: JSONObject, path: FieldPath) -> list[FieldOwner]:
    """The owners of the field, latest first; also those that own it as part of something whole."""
    owners = [owner for owner, fields in _entries(live) if _owns(fields, live, path)]
    return sorted(owners, key=lambda owner: owner.time, reverse=True)


def foreign_owner(live: JSONObject, path: FieldPath) -> FieldOwner | None:
    """The latest owner that is not Helm, people and appliers before controllers."""
    foreign = [
        owner for owner in owners_of(live, path) if not owner.is_helm and owner.subresource != "status"
    ]
    return next((owner for owner in foreign if not owner.is_controller), foreign[0] if foreign else None)


def held_path(live: JSONObject, path: FieldPath, owner: FieldOwner) -> FieldPath:
    """The field at the path, or the whole that the owner holds as one and that the field is part of."""
    for found, fields in _entries(live):
        if found == owner:
            value: JSONValue = live
            for length, step in enumerate(path):
                if not fields:
                    return path[:length]
                child, value = _child(fields, value, step)
                if child is None:
                    break
                fields = child
    return path


def fields_of_others(
    live: JSONObject, schema: ValueType = ANY, *, controllers: bool = False
) -> Iterator[OwnedField]:
    """The live fields, down to the leaves, of every owner but Helm; of ``controllers`` only if asked for.

    Fields of the status subresource are left out. A list item that the owner added is one field, and its own
    fields follow.
    """
    for owner, fields in _entries(live):
        if owner.is_helm or (owner.is_controller and not controllers) or owner.subresource == "status":
            continue
        for path, value in _leaves(fields, live, (), schema):
            yield OwnedField(path, value, owner)


def _entries(live: JSONObject) -> Iterator[tuple[FieldOwner, JSONObject]]:
    metadata = live.get("metadata")
    entries = metadata.get("managedFields") if isinstance(metadata, dict) else None
    for entry in entries if isinstance(entries, list) else ():
        fields = entry.get("fieldsV1") if isinstance(entry, dict) else None
        if isinstance(fields, dict) and fields:
            yield (
                FieldOwner(
                    str(entry.get("manager") or "unknown"),
                    str(entry.get("operation") or ""),
                    str(entry.get("subresource") or ""),
                    str(entry.get("time") or ""),
                ),
                fields,
            )


def _owns(fields: JSONObject, value: JSONValue, path: FieldPath) -> bool:
    for step in path:
        if not fields:
            return True  # a leaf of the set: the owner holds all below it as one
        child, value = _child(fields, value, step)
        if child is None:
            return False
        fields = child
    return True


def _child(fields: JSONObject, value: JSONValue, step: PathStep) -> tuple[JSONObject | None, JSONValue]:
    if isinstance(step, str):
        inner = value.get(step) if isinstance(value, dict) else None
        return fields.get(f"f:{step}"), inner
    if not isinstance(value, list):
        return None, None
    if isinstance(step, ItemKey):
        item: JSONValue = find_item(value, step)
    else:
        item = value[step] if step < len(value) else None
    for name, child in fields.items():
        if _names_item(name, item):
            return child, item
    return None, item


def _names_item(name: str, item: JSONValue) -> bool:
    kind, colon, text = name.partition(":")
    if not colon or kind not in ("k", "v"):
        return False
    wanted = _parsed(text)
    if kind == "v":
        return bool(wanted == item)
    return (
        isinstance(wanted, dict)
        and isinstance(item, dict)
        and all(field in item and item[field] == value for field, value in wanted.items())
    )


@lru_cache(maxsize=4096)
def _parsed(text: str) -> JSONValue:
    try:
        return json.loads(text)
    except ValueError:
        return None


def _leaves(
    fields: JSONObject, value: JSONValue, path: FieldPath, schema: ValueType
) -> Iterator[tuple[FieldPath, JSONValue]]:
    if not fields:
        yield path, value
        return
    if isinstance(value, list):
        yield from _items(fields, value, path, schema)
        return
    for name, child in fields.items():
        step = name.removeprefix("f:")
        if name.startswith("f:") and isinstance(value, dict) and step in value:
            yield from _leaves(child, value[step], (*path, step), below(schema, step))


def _items(
    fields: JSONObject, items: list[JSONValue], path: FieldPath, schema: ValueType
) -> Iterator[tuple[FieldPath, JSONValue]]:
    keys = choose_keys(items, (), keys_of(schema))
    for name, child in fields.items():
        for index, item in enumerate(items):
            if not _names_item(name, item):
                continue
            step: PathStep = item_key(item, keys) if keys else index
            if "." in child:
                yield (*path, step), item
            yield from _leaves(child, item, (*path, step), schema.element())
            break
