"""Nodes where CDI is expected, and whether their containerd has it on."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Annotated

from helmguard.cdi.library import cdi_library
from helmguard.cdi.names import ANNOTATION_PREFIX
from helmguard.containerd.version import read_version
from helmguard.model.containerd_settings import ConfigPlace, Effective
from helmguard.rules.context.cdi_readings import CdiReading
from helmguard.rules.context.driver_runtimes import working_runtime
from helmguard.rules.context.record import UNKNOWN, Record, Unknown
from helmguard.rules.node_side import NodeSide


class CdiSwitch(Record, frozen=True):
    """A node whose CRI plugin runs, and where something counts on CDI: a policy, pods, or specs."""

    node: Annotated[str, "the node's name"]
    file: Annotated[str, "where `enable_cdi` is set; else containerd's main configuration file"] = ""
    line: Annotated[int, "the line, 0 where nothing sets it"] = 0
    enabled: Annotated[bool | Unknown, "containerd injects CDI devices"] = UNKNOWN
    too_old: Annotated[bool, "it is older than 1.7, which is the first to know CDI"] = False
    set_off: Annotated[bool, "a file says false; else the default of this version does"] = False
    wanted_by: Annotated[tuple[str, ...], "the policy, and pods (`namespace/name`) that ask for devices"] = ()
    specs: Annotated[tuple[str, ...], "specs that are there"] = ()
    runtime: Annotated[str, "a runtime of NVIDIA's, which injects without containerd's CDI"] = ""
    version: Annotated[str, "containerd's version"] = ""
    plugin: Annotated[str, "the plugin whose table has `enable_cdi` in this version"] = ""
    planned: Annotated[bool, "under the planned version alone"] = False
    lacks: Annotated[tuple[str, ...], "files that were not read"] = ()


def cdi_switches(readings: Iterable[CdiReading], side: NodeSide) -> Iterator[CdiSwitch]:
    """For the installed version, and for the planned one where that is another answer."""
    told: dict[str, bool | None] = {}
    for reading in readings:
        effective, node = reading.effective, reading.node.facts.name
        if effective is None or effective.cri != "ok" or (node in told and told[node] == reading.on):
            continue
        wanted_by, specs = _wanted_by(node, side), _specs(reading)
        if wanted_by or specs:
            told[node] = reading.on
            yield _switch(reading, effective, wanted_by, specs)


def _switch(
    reading: CdiReading, effective: Effective, wanted_by: tuple[str, ...], specs: tuple[str, ...]
) -> CdiSwitch:
    facts = reading.node.facts
    version = read_version(effective.containerd)
    place = effective.places.get("enable_cdi", ConfigPlace())
    runtime = working_runtime(facts, effective)
    return CdiSwitch(
        node=facts.name,
        file=place.file or facts.containerd.config_path,
        line=place.line,
        enabled=reading.on if reading.on is not None else UNKNOWN,
        too_old=version is None or cdi_library(version) is None,
        set_off=bool(place.file) and effective.enable_cdi is False,
        wanted_by=wanted_by,
        specs=specs,
        runtime=runtime.name if runtime is not None else "",
        version=reading.version,
        plugin="io.containerd.grpc.v1.cri" if effective.generation == "1" else "io.containerd.cri.v1.runtime",
        planned=reading.planned,
        lacks=tuple(effective.unread),
    )


def _wanted_by(node: str, side: NodeSide) -> tuple[str, ...]:
    found = [side.cdi_wanted_by] if side.cdi_wanted_by else []
    for pod in side.cluster.lists.get("allPods", ()):
        metadata = pod.get("metadata") or {}
        asks = any(key.startswith(ANNOTATION_PREFIX) for key in metadata.get("annotations") or {})
        if asks and (pod.get("spec") or {}).get("nodeName") == node:
            found.append(f"{metadata.get('namespace', 'default')}/{metadata.get('name', '')}")
    return tuple(found)


def _specs(reading: CdiReading) -> tuple[str, ...]:
    return tuple(sorted(reading.devices.used))
