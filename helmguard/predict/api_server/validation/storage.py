"""Checks of claims, volumes and storage classes."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from helmguard.model.json_value import JSONObject
from helmguard.predict.api_server.quantity import amount
from helmguard.predict.api_server.validation.names import qualified_name
from helmguard.predict.api_server.validation.words import compact, invalid, required, unsupported

PLAIN_VOLUME_FIELDS: Final = frozenset(
    [
        "capacity",
        "accessModes",
        "claimRef",
        "persistentVolumeReclaimPolicy",
        "storageClassName",
        "mountOptions",
        "volumeMode",
        "nodeAffinity",
        "volumeAttributesClassName",
    ]
)
"""The fields of a volume's spec that do not say where it lies; any other one does."""


def claim_errors(claim: JSONObject) -> Iterator[str]:
    """A PersistentVolumeClaim."""
    yield from claim_spec_errors(claim.get("spec") or {}, "spec")


def claim_spec_errors(spec: JSONObject, path: str) -> Iterator[str]:
    """A claim's spec, its own or in a template."""
    if not spec.get("accessModes"):
        yield required(f"{path}.accessModes", "at least 1 access mode is required")
    wanted = ((spec.get("resources") or {}).get("requests") or {}).get("storage")
    if wanted is None:
        yield required(f"{path}.resources[storage]")
        return
    size = amount(str(wanted))
    if size is not None and size <= 0:
        yield invalid(f"{path}.resources[storage]", wanted, "must be greater than zero")


def volume_errors(volume: JSONObject) -> Iterator[str]:
    """A PersistentVolume."""
    spec = volume.get("spec") or {}
    if not spec.get("accessModes"):
        yield required("spec.accessModes")
    capacity = spec.get("capacity")
    if not capacity:
        yield required("spec.capacity")
    if not capacity or "storage" not in capacity or len(capacity) > 1:
        yield f'spec.capacity: Unsupported value: {compact(capacity)}: supported values: "storage"'
    if not any(field not in PLAIN_VOLUME_FIELDS for field in spec):
        yield required("spec", "must specify a volume type")


def storage_class_errors(storage_class: JSONObject) -> Iterator[str]:
    """A StorageClass."""
    provisioner = (storage_class.get("provisioner") or "").lower()
    if provisioner:
        yield from (invalid("provisioner", provisioner, problem) for problem in qualified_name(provisioner))
    policy = storage_class.get("reclaimPolicy")
    if policy not in ("Delete", "Retain", "", None):
        yield unsupported("reclaimPolicy", policy, ("Delete", "Retain"))
