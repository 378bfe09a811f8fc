"""What of a dry run's object can be foretold: the rest is made anew when Helm really writes."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from helmguard.model.json_value import JSONObject, JSONValue
from helmguard.predict.api_server.created_values import AGGREGATED_RULES
from helmguard.predict.api_server.kept_values import keep_gathered_rules
from helmguard.predict.json_equality import copy_json
from helmguard.predict.replace import SERVER_METADATA

_TOKEN_VOLUME = "kube-api-access-"
"""The volume that the ServiceAccount admission adds to a Pod under a name that is random each time."""
_PROTECTION = {
    "PersistentVolume": "kubernetes.io/pv-protection",
    "PersistentVolumeClaim": "kubernetes.io/pvc-protection",
}
"""Finalizers that a controller puts back at once where a write drops them."""


class Settled(msgspec.Struct, frozen=True):
    """The object without what the server makes up for the dry run; ``unknown`` names what is left out."""

    body: JSONObject
    unknown: str = ""


def settled(stored: JSONObject, live: JSONObject | None, target: JSONObject) -> Settled:
    """The object after Helm's write, from the one that the dry run gives back.

    Metadata that only the server writes stays the live object's; a new object has none yet.
    """
    body = dict(stored)
    metadata = dict(body.get("metadata") or {})
    made_up = metadata.get("uid") if live is None else None
    for name in SERVER_METADATA:
        if name == "managedFields":
            continue
        metadata.pop(name, None)
        if live is not None and name in (live.get("metadata") or {}):
            metadata[name] = live["metadata"][name]
    protection = _PROTECTION.get(str(body.get("kind")), "")
    if live is not None and protection in ((live.get("metadata") or {}).get("finalizers") or ()):
        finalizers = metadata.get("finalizers") or []
        metadata["finalizers"] = finalizers if protection in finalizers else [*finalizers, protection]
    body["metadata"] = metadata
    if live is None and "status" not in target:
        body.pop("status", None)
    kind = body.get("kind")
    if kind == "Service":
        return _without_allocations(body, live or {}, target)
    if kind == "ClusterRole" and live is None and body.get("aggregationRule"):
        return Settled(body, AGGREGATED_RULES)
    if live is not None:
        keep_gathered_rules(body, live)
    if kind == "Pod" and live is None:
        return _without_token_volume(body)
    if made_up and (trimmed := _without_text(body, made_up)) != body:
        fields = "spec.selector and the template's controller-uid label" if kind == "Job" else "fields"
        return Settled(trimmed, f"not predictable: {fields} (the {kind}'s new uid)")
    return Settled(body)


def _without_text(value: JSONValue, text: str) -> JSONValue:
    """Without the leaves that are the given text, and the maps that held nothing else."""
    if isinstance(value, list):
        return [_without_text(item, text) for item in value]
    if not isinstance(value, dict):
        return value
    kept = {}
    for name, below in value.items():
        trimmed = _without_text(below, text)
        if below != text and (trimmed != {} or below == {}):
            kept[name] = trimmed
    return kept


def _without_allocations(body: JSONObject, live: JSONObject, target: JSONObject) -> Settled:
    """A dry run hands out addresses and ports that the real run will hand out anew."""
    spec: JSONObject = copy_json(body.get("spec") or {})
    before, wanted = live.get("spec") or {}, target.get("spec") or {}
    chosen = []
    if spec.get("clusterIP") not in (None, before.get("clusterIP"), wanted.get("clusterIP"), "None"):
        del spec["clusterIP"]
        spec.pop("clusterIPs", None)
        chosen.append("spec.clusterIP")
    known = {*_node_ports(before), *_node_ports(wanted)}
    for port in spec.get("ports") or ():
        if port.get("nodePort") and port["nodePort"] not in known:
            del port["nodePort"]
            chosen.append("spec.ports[].nodePort")
    health = spec.get("healthCheckNodePort")
    if health and health not in (before.get("healthCheckNodePort"), wanted.get("healthCheckNodePort")):
        del spec["healthCheckNodePort"]
        chosen.append("spec.healthCheckNodePort")
    fields = ", ".join(dict.fromkeys(chosen))
    unknown = f"not predictable: {fields} (chosen by the API server)" if fields else ""
    return Settled({**body, "spec": spec}, unknown)


def _node_ports(spec: JSONObject) -> Iterator[JSONValue]:
    for port in spec.get("ports") or ():
        if port.get("nodePort"):
            yield port["nodePort"]


def _without_token_volume(pod: JSONObject) -> Settled:
    spec = dict(pod.get("spec") or {})
    mounted = any(volume["name"].startswith(_TOKEN_VOLUME) for volume in spec.get("volumes") or ())
    for owner in (spec, *_containers(spec)):
        for name in ("volumes", "volumeMounts"):
            if owner.get(name):
                owner[name] = [item for item in owner[name] if not item["name"].startswith(_TOKEN_VOLUME)]
    chosen = "not predictable: the volume of the service account's token (named by the API server)"
    return Settled({**pod, "spec": spec}, chosen if mounted else "")


def _containers(spec: JSONObject) -> Iterator[JSONObject]:
    """The containers, as copies that stand in ``spec``."""
    for name in ("containers", "initContainers"):
        if spec.get(name):
            spec[name] = [dict(container) for container in spec[name]]
            yield from spec[name]
