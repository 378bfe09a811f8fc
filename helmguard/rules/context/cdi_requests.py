"""CDI devices that pods ask for by their annotations, and whether their node has them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Annotated

from helmguard.cdi.names import asked_devices, read_qualified
from helmguard.model.json_value import JSONObject
from helmguard.rules.context.cdi_readings import CdiReading
from helmguard.rules.context.record import UNKNOWN, Record, Unknown
from helmguard.rules.node_side import NodeSide

_ENDED = ("Succeeded", "Failed")


class AskedDevice(Record, frozen=True):
    """A device that a pod asks for on a node whose facts were collected."""

    node: Annotated[str, "the pod's node"]
    pod: Annotated[str, "`namespace/name`"]
    device: Annotated[str, "the device as it is written: `nvidia.com/gpu=0`"]
    annotation: Annotated[str, "the annotation that asks for it"] = ""
    valid: Annotated[bool, "it is written as `vendor/class=name`"] = True
    known: Annotated[bool | Unknown, "a spec of the node has it; unknown where specs were not collected"] = (
        UNKNOWN
    )
    conflict: Annotated[tuple[str, ...], "specs of one folder that both have it: then nobody can"] = ()
    same_kind: Annotated[tuple[str, ...], "devices of its kind that are there"] = ()
    running: Annotated[bool, "the pod runs; it would fail when it starts again"] = False
    lacks: Annotated[tuple[str, ...], "what was not collected"] = ()


def asked_by_pods(readings: Iterable[CdiReading], side: NodeSide) -> Iterator[AskedDevice]:
    """As the containerd of each node has its devices now; nothing where it injects none."""
    readings = [reading for reading in readings if not reading.planned and reading.on is not False]
    by_node = {reading.node.facts.name: reading for reading in readings}
    for pod in side.cluster.lists.get("allPods", ()):
        reading = by_node.get((pod.get("spec") or {}).get("nodeName") or "")
        if reading is not None and (pod.get("status") or {}).get("phase") not in _ENDED:
            yield from _asked(pod, reading)


def _asked(pod: JSONObject, reading: CdiReading) -> Iterator[AskedDevice]:
    metadata = pod.get("metadata") or {}
    node, devices = reading.node.facts.name, reading.devices
    for annotation, names in asked_devices(metadata.get("annotations") or {}).items():
        for name in names:
            qualified = read_qualified(name)
            kind = f"{name.partition('=')[0]}="
            there = name in devices.devices
            unseen = qualified is not None and not there and bool(devices.missing)
            yield AskedDevice(
                node=node,
                pod=f"{metadata.get('namespace', 'default')}/{metadata.get('name', '')}",
                device=name,
                annotation=annotation,
                valid=qualified is not None,
                known=UNKNOWN if unseen else there,
                conflict=devices.conflicts.get(name, ()),
                same_kind=tuple(other for other in sorted(devices.devices) if other.startswith(kind)),
                running=(pod.get("status") or {}).get("phase") == "Running",
                lacks=tuple(f"{folder} on node {node}" for folder in devices.missing) if unseen else (),
            )
