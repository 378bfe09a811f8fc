"""The three layers between a GPU and a container: kernel driver, user space, injection."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Annotated

import msgspec

from helmguard.cdi.spec import CdiSpec
from helmguard.model.json_value import JSONObject
from helmguard.model.node_facts import NodeFacts
from helmguard.rules.context.cdi_readings import CdiReading, cdi_readings
from helmguard.rules.context.driver_runtimes import nvidia_runtimes, working_runtime
from helmguard.rules.context.driver_version import CORE, stem
from helmguard.rules.context.record import UNKNOWN, Record, Unknown
from helmguard.rules.node_side import NodeSide

KERNEL, USER_SPACE, INJECTION = "kernel", "user space", "injection"
_PRESENT = "nvidia.com/gpu.present"


class GpuLayers(Record, frozen=True):
    """A node with a GPU, and which layers it has."""

    node: Annotated[str, "the node's name"]
    kernel: Annotated[bool | Unknown, "the module is loaded and has its device nodes"] = UNKNOWN
    user_space: Annotated[bool | Unknown, "libcuda and libnvidia-ml are there"] = UNKNOWN
    injection: Annotated[
        bool | Unknown, "containerd has a runtime of NVIDIA's whose program is there, or CDI and a spec"
    ] = UNKNOWN
    missing: Annotated[
        tuple[str, ...], "the layers that are not there: `kernel`, `user space`, `injection`"
    ] = ()
    left: Annotated[tuple[str, ...], "those of them that the operation does not bring"] = ()
    brought_by: Annotated[tuple[str, ...], "what brings the others: `ClusterPolicy/cluster-policy`"] = ()
    file: Annotated[str, "containerd's main configuration, where the injection is missing; else empty"] = ""
    handler_wanted: Annotated[
        bool, "containerd lacks a handler of NVIDIA's that is wanted: ctrd-handler-missing tells of it"
    ] = False
    told: Annotated[tuple[str, ...], "each layer in words: `kernel: module 570.195.03`"] = ()
    version: Annotated[str, "containerd's version, empty where it is not known"] = ""
    planned: Annotated[bool, "under the planned version alone"] = False
    lacks: Annotated[tuple[str, ...], "what was not looked at"] = ()


class Layer(msgspec.Struct, frozen=True):
    """``there``: None where it is not known. ``text``: what there is, what is wrong, or what is not known."""

    name: str
    there: bool | None
    text: str


def gpu_layers(side: NodeSide) -> Iterator[GpuLayers]:
    """One for each node with a GPU, and one more where only the planned containerd loses the injection."""
    labels = {_name(node): (node.get("metadata") or {}).get("labels") or {} for node in _nodes(side)}
    for node in side.nodes:
        facts = node.facts
        if not has_gpu(facts, {**labels.get(facts.name, {}), **facts.labels}):
            continue
        host = [kernel_layer(facts), user_space_layer(facts)]
        known: list[bool | None] = []
        for reading in cdi_readings(node):
            injection = injection_layer(reading)
            if not known or (injection.there is False and False not in known):
                yield _record(facts, [*host, injection], reading, side)
            known.append(injection.there)


def _record(facts: NodeFacts, layers: list[Layer], reading: CdiReading, side: NodeSide) -> GpuLayers:
    states = {layer.name: UNKNOWN if layer.there is None else layer.there for layer in layers}
    missing = [layer.name for layer in layers if layer.there is False]
    brings = dict(side.brings)
    return GpuLayers(
        node=facts.name,
        kernel=states[KERNEL],
        user_space=states[USER_SPACE],
        injection=states[INJECTION],
        missing=tuple(missing),
        left=tuple(name for name in missing if name not in brings),
        brought_by=tuple(dict.fromkeys(brings[name] for name in missing if name in brings)),
        file=facts.containerd.config_path if INJECTION in missing else "",
        handler_wanted=not _has_handler(reading) and _wants_handler(side),
        told=tuple(f"{layer.name}: {layer.text}" for layer in layers),
        version=reading.version,
        planned=reading.planned,
        lacks=tuple(f"{layer.text} on node {facts.name}" for layer in layers if layer.there is None),
    )


def _has_handler(reading: CdiReading) -> bool:
    return reading.effective is not None and any(map(_is_nvidia, reading.effective.handlers))


def _wants_handler(side: NodeSide) -> bool:
    """Whether a RuntimeClass of concern names a handler of NVIDIA's that nothing will configure.

    Of those that are live, one that no pod names does not count: its absence is told as a note.
    """
    if side.wanted is not None:
        return any(_is_nvidia(one.handler) and not one.configured_by for one in side.wanted)
    classes = {
        _name(one)
        for one in side.cluster.lists.get("runtimeClasses", ())
        if _is_nvidia(str(one.get("handler") or ""))
    }
    pods = side.cluster.lists.get("allPods")
    if pods is None:
        return bool(classes)
    return any((pod.get("spec") or {}).get("runtimeClassName") in classes for pod in pods)


def _is_nvidia(handler: str) -> bool:
    return handler.partition("-")[0] == "nvidia"


def has_gpu(facts: NodeFacts, labels: JSONObject) -> bool:
    """Whether the bus or a label says so; where the bus was not read, anything of the driver's will do.

    A runtime that is configured is no sign: nodes without a GPU often have the same configuration.
    """
    driver = facts.driver
    if driver.pci or labels.get(_PRESENT) == "true":
        return True
    if driver.kernel_version or driver.devices:
        return True
    if driver.pci is not None:
        return False
    return bool(driver.libraries) or any(module.startswith("nvidia") for module in driver.modules)


def kernel_layer(facts: NodeFacts) -> Layer:
    """The loaded module, and what it needs in ``/dev``."""
    driver = facts.driver
    if driver.kernel_version:
        if driver.devices or _unread(facts, "/dev"):
            return Layer(KERNEL, True, f"module {driver.kernel_version}")
        return Layer(KERNEL, False, f"module {driver.kernel_version} is loaded, and there is no /dev/nvidia*")
    if driver.kernel_known:
        return Layer(KERNEL, False, "the module nvidia is not loaded")
    return Layer(KERNEL, None, "/proc/driver/nvidia/version")


def user_space_layer(facts: NodeFacts) -> Layer:
    """The two libraries without which nothing uses a GPU."""
    driver = facts.driver
    found = {stem(library): library for library in driver.libraries}
    absent = [f"{name}.so" for name in CORE if name not in found]
    if not absent:
        version = found[CORE[0]].version
        return Layer(USER_SPACE, True, " ".join(filter(None, ["libraries", version, f"in {driver.root}"])))
    if not driver.libraries and (not driver.kernel_known or _unread(facts, "librar")):
        return Layer(USER_SPACE, None, "the driver's libraries")
    return Layer(USER_SPACE, False, f"no {' and no '.join(absent)} in {driver.root}")


def injection_layer(reading: CdiReading) -> Layer:
    """What puts the GPU into containers: a registered runtime, or CDI with a spec of NVIDIA's."""
    effective, facts = reading.effective, reading.node.facts
    if effective is None:
        return Layer(INJECTION, None, "containerd's version")
    if effective.daemon == "refuses":
        return Layer(INJECTION, False, f"containerd {reading.version} does not start with its configuration")
    if effective.cri != "ok":
        return Layer(INJECTION, False, f"the CRI plugin of containerd {reading.version} does not run")
    runtime = working_runtime(facts, effective)
    kinds = _nvidia_kinds(reading)
    if runtime is not None and runtime.works:
        return Layer(INJECTION, True, f"runtime {runtime.name}, {runtime.binary}")
    if reading.on and kinds:
        return Layer(INJECTION, True, f"CDI, {kinds[0]}")
    if runtime is not None:
        return Layer(INJECTION, None, runtime.binary)
    if effective.unread:
        return Layer(INJECTION, None, ", ".join(effective.unread))
    if reading.on and reading.devices.missing:
        return Layer(INJECTION, None, ", ".join(reading.devices.missing))
    return Layer(INJECTION, False, _why_not(reading, kinds))


def _why_not(reading: CdiReading, kinds: list[str]) -> str:
    effective = reading.effective
    broken = nvidia_runtimes(reading.node.facts, effective) if effective is not None else ()
    first = (
        f"runtime {broken[0].name}: {broken[0].why}"
        if broken
        else f"containerd {reading.version} has no runtime of NVIDIA's"
    )
    if reading.on:
        return f"{first}, and no CDI spec has a GPU"
    return f"{first}, and CDI is off, though {kinds[0]} is there" if kinds else f"{first}, and CDI is off"


def _nvidia_kinds(reading: CdiReading) -> list[str]:
    """Kinds of NVIDIA's that some device can be had of."""
    return [
        file.spec.kind
        for file in reading.devices.files
        if isinstance(file.spec, CdiSpec)
        and file.path in reading.devices.used
        and f".{file.spec.vendor}".endswith(".nvidia.com")
    ]


def _unread(facts: NodeFacts, what: str) -> bool:
    return any(what in one.what for one in facts.unread)


def _nodes(side: NodeSide) -> Iterable[JSONObject]:
    return side.cluster.lists.get("nodes", ())


def _name(node: JSONObject) -> str:
    return str((node.get("metadata") or {}).get("name") or "")
