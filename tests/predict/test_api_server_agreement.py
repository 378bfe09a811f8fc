"""Random writes to a real API server, predicted first: patches, server-side apply, replacement."""

from __future__ import annotations

import contextlib
import copy
import random
from dataclasses import dataclass
from typing import Any

import pytest
from controlplane.client import ApiError, ControlPlane
from random_objects import API_VERSIONS, VARIANTS, mixed
from same_as_server import comparable

from helmguard.model.resource_key import ResourceKey
from helmguard.predict.engines import choose_engine
from helmguard.predict.json_merge import merge_patch
from helmguard.predict.object_write import Write, Written, write_object
from helmguard.predict.ownership import with_ownership_marks
from helmguard.predict.schema.builtin_types import builtin_type, in_compiled_scheme
from helmguard.predict.schema.custom_types import CustomKind, custom_kinds
from helmguard.predict.strategic_directives import PatchError
from helmguard.predict.strategic_merge import three_way_patch

ROUNDS = 5
MODES = ("apply", "forced apply", "replace", "patch")
PLURALS = {"Ingress": "ingresses", "NetworkPolicy": "networkpolicies"}
WIDGET = {
    "type": "object",
    "properties": {
        "mode": {"type": "string", "default": "Auto"},
        "size": {"type": "integer"},
        "conf": {"type": "object", "additionalProperties": {"type": "string"}},
        "items": {
            "type": "array",
            "x-kubernetes-list-type": "map",
            "x-kubernetes-list-map-keys": ["name"],
            "items": {
                "type": "object",
                "required": ["name"],
                "properties": {"name": {"type": "string"}, "v": {"type": "integer", "default": 7}},
            },
        },
        "tags": {"type": "array", "x-kubernetes-list-type": "set", "items": {"type": "string"}},
        "list": {"type": "array", "items": {"type": "integer"}},
        "whole": {
            "type": "object",
            "x-kubernetes-map-type": "atomic",
            "properties": {"p": {"type": "integer"}},
        },
        "free": {"type": "object", "x-kubernetes-preserve-unknown-fields": True},
    },
}


@dataclass(frozen=True)
class Place:
    """Where a kind's objects are written."""

    kind: str
    api_version: str
    collection: str
    namespace: str
    custom: CustomKind | None = None


def _place(kind: str, control_plane: ControlPlane, namespace: str) -> Place:
    if kind == "Widget":
        return _widgets(control_plane, namespace)
    api_version = API_VERSIONS[kind]
    root = "/api/v1" if api_version == "v1" else f"/apis/{api_version}"
    plural = PLURALS.get(kind, f"{kind.lower()}s")
    return Place(kind, api_version, f"{root}/namespaces/{namespace}/{plural}", namespace)


def _widgets(control_plane: ControlPlane, namespace: str) -> Place:
    """A custom kind of the test's own."""
    group = f"{namespace}.test"
    schema = {"openAPIV3Schema": {"type": "object", "properties": {"spec": WIDGET}}}
    crd = {
        "metadata": {"name": f"widgets.{group}"},
        "spec": {
            "group": group,
            "scope": "Namespaced",
            "names": {"kind": "Widget", "plural": "widgets"},
            "versions": [{"name": "v1", "served": True, "storage": True, "schema": schema}],
        },
    }
    path = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions"
    control_plane.create(path, crd)
    control_plane.wait_for(f"{path}/widgets.{group}", _is_established)
    collection = f"/apis/{group}/v1/namespaces/{namespace}/widgets"
    custom = custom_kinds([crd])[(f"{group}/v1", "Widget")]
    return Place("Widget", f"{group}/v1", collection, namespace, custom)


def _is_established(crd: dict[str, Any] | None) -> bool:
    conditions = ((crd or {}).get("status") or {}).get("conditions") or []
    return any(one["type"] == "Established" and one["status"] == "True" for one in conditions)


@pytest.mark.parametrize("kind", [*API_VERSIONS, "Widget"])
def test_agreement(kind: str, control_plane: ControlPlane, namespace: str) -> None:
    place = _place(kind, control_plane, namespace)
    try:
        for number in range(ROUNDS):
            _one_round(f"o{number}", random.Random(f"{kind} {number}"), place, control_plane)
    finally:
        if kind == "Widget":
            group = place.api_version.partition("/")[0]
            control_plane.delete(f"/apis/apiextensions.k8s.io/v1/customresourcedefinitions/widgets.{group}")


def _one_round(name: str, dice: random.Random, place: Place, control_plane: ControlPlane) -> None:
    left, right = VARIANTS[place.kind] if dice.random() < 0.5 else reversed(VARIANTS[place.kind])
    old = _document(copy.deepcopy(left), name, place)
    path = f"{place.collection}/{name}"
    _create(old, path, dice, place, control_plane)
    edit = mixed(dice, left, right)
    with_some = {key: value for key, value in edit.items() if dice.random() < 0.7}
    # A random edit may be no valid object: then the live one stays as it was created.
    with contextlib.suppress(ApiError):
        control_plane.patch(path, with_some, field_manager="kubectl-edit")
    live = control_plane.get(path)
    new = _document(mixed(dice, left, right), name, place)
    for mode in MODES:
        _compare(mode, old, new, live, place, control_plane, path)


def _create(
    old: dict[str, Any], path: str, dice: random.Random, place: Place, control_plane: ControlPlane
) -> None:
    marked = with_ownership_marks(old, "app", place.namespace)
    if dice.random() < 0.6:
        control_plane.apply(path, marked, field_manager="helm", force=True)
    else:
        control_plane.create(place.collection, marked, field_manager="helm")


def _document(variant: dict[str, Any], name: str, place: Place) -> dict[str, Any]:
    metadata = {"name": name, "namespace": place.namespace}
    return {"apiVersion": place.api_version, "kind": place.kind, "metadata": metadata, **variant}


def _compare(
    mode: str,
    old: dict[str, Any],
    new: dict[str, Any],
    live: dict[str, Any],
    place: Place,
    control_plane: ControlPlane,
    path: str,
) -> None:
    target = with_ownership_marks(new, "app", place.namespace)
    predicted = _predict(mode, old, target, live, place)
    try:
        real: dict[str, Any] | None = _write(mode, old, target, live, place, control_plane, path)
        refusal = ""
    except (ApiError, PatchError) as error:
        real, refusal = None, str(error)
    context = (mode, live["metadata"]["name"], new)
    assert bool(predicted.error) == bool(refusal), (predicted.error, refusal, context)
    if real is not None and not predicted.unknown:
        assert comparable(predicted.body) == comparable(real), context


def _predict(
    mode: str, old: dict[str, Any], target: dict[str, Any], live: dict[str, Any], place: Place
) -> Written:
    row = choose_engine(
        "update",
        method="ssa" if "apply" in mode else "csa",
        force=mode == "replace",
        compiled=in_compiled_scheme(place.api_version, place.kind),
        adopting_install=False,
    )
    key = ResourceKey.of(place.api_version, place.kind, place.namespace, target["metadata"]["name"])
    write = Write(
        key=key,
        original=old,
        target=copy.deepcopy(target),
        live=live,
        custom=place.custom,
        helm_major=3,
        force_conflicts=mode == "forced apply",
    )
    return write_object(write, row)


def _write(
    mode: str,
    old: dict[str, Any],
    target: dict[str, Any],
    live: dict[str, Any],
    place: Place,
    control_plane: ControlPlane,
    path: str,
) -> dict[str, Any]:
    """The same for real, but for storing it."""
    if "apply" in mode:
        forced = mode == "forced apply"
        return control_plane.apply(path, target, field_manager="helm", force=forced, dry_run=True)
    if mode == "replace":
        return _replace(path, target, control_plane)
    type_ = builtin_type(place.api_version, place.kind)
    if type_ is not None:
        patch = three_way_patch(old, target, live, type_)
        return control_plane.patch(path, patch, kind="strategic", field_manager="helm", dry_run=True)
    return control_plane.patch(path, merge_patch(old, target), field_manager="helm", dry_run=True)


def _replace(path: str, target: dict[str, Any], control_plane: ControlPlane) -> dict[str, Any]:
    """As Helm does it: with the live version, again if a controller was quicker."""
    while True:
        version = control_plane.get(path)["metadata"]["resourceVersion"]
        document = {**target, "metadata": {**target["metadata"], "resourceVersion": version}}
        try:
            return control_plane.replace(path, document, field_manager="helm", dry_run=True)
        except ApiError as error:
            if error.code != 409:
                raise
