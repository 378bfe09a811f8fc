"""What becomes of stored data: volumes of claims, claims of StatefulSets."""

from __future__ import annotations

from helmguard.model.json_value import JSONObject
from helmguard.rules.context.leaving import Leaving
from helmguard.rules.context.manifest_maps import mapping, maps_in
from helmguard.rules.context.record import UNKNOWN, Unknown
from helmguard.rules.facts import Facts

VOLUMES = "persistentVolumes"


def reclaim_policy_of(leaving: Leaving, facts: Facts) -> tuple[str | Unknown, tuple[str, ...]]:
    """``Delete`` or ``Retain`` of the volume that is bound to the claim; empty where none is.

    With it come the facts that it lacks. For an object that is no claim: empty.
    """
    if (leaving.key.group, leaving.key.kind) != ("", "PersistentVolumeClaim"):
        return "", ()
    volumes = facts.cluster.lists.get(VOLUMES)
    if volumes is None:
        return UNKNOWN, (f"cluster.{VOLUMES}",)
    named = mapping(leaving.body.get("spec")).get("volumeName")
    for volume in volumes:
        claim = mapping(mapping(volume.get("spec")).get("claimRef"))
        is_its = (claim.get("namespace"), claim.get("name")) == (leaving.key.namespace, leaving.key.name)
        if is_its or (named and mapping(volume.get("metadata")).get("name") == named):
            return str(mapping(volume.get("spec")).get("persistentVolumeReclaimPolicy") or "Retain"), ()
    return "", ()


def claim_templates_of(body: JSONObject) -> tuple[str, ...]:
    """The names of a StatefulSet's volumeClaimTemplates."""
    templates = maps_in(mapping(body.get("spec")).get("volumeClaimTemplates"))
    return tuple(str(mapping(template.get("metadata")).get("name")) for _, template in templates)


def when_deleted_of(body: JSONObject) -> str:
    """What becomes of a StatefulSet's claims when it is deleted; empty where it has none."""
    if not claim_templates_of(body):
        return ""
    policy = mapping(mapping(body.get("spec")).get("persistentVolumeClaimRetentionPolicy"))
    return str(policy.get("whenDeleted") or "Retain")
