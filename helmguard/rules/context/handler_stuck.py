"""Pods that hang on their node because a layer below is missing, as their events tell."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from typing import Annotated, Final, Literal

import msgspec

from helmguard.model.cluster_facts import ClusterFacts
from helmguard.model.json_value import JSONObject
from helmguard.rules.context.manifest_maps import items, mapping
from helmguard.rules.context.record import UNKNOWN, Record, Unknown

Layer = Literal["registration", "program", "kernel", "user space", "injection"]

_NO_RUNTIME: Final = re.compile(r'no runtime for "([^"]+)" is configured')
"""containerd@v2.1.4 internal/cri/config/config.go, GetSandboxRuntime; the same words in 1.7.29."""

_LAYERS: Final[tuple[tuple[Layer, re.Pattern[str]], ...]] = (
    ("registration", _NO_RUNTIME),
    (
        "kernel",
        re.compile(r"driver not loaded|nvidia-container-cli.*driver error: failed to process request"),
    ),
    ("user space", re.compile(r"load library failed: lib(nvidia-ml|cuda)|driver/library version mismatch")),
    ("injection", re.compile(r"unresolvable CDI devices|failed to inject CDI devices")),
    ("program", re.compile(r"(fork/exec|exec:) \S*nvidia\S*.*(no such file|not found|permission denied)")),
)
"""What each layer's absence reads like (NVIDIA/gpu-operator#413, #511, #1876,
NVIDIA/nvidia-container-toolkit#154, containerd's and libnvidia-container's messages)."""


class HangingPod(msgspec.Struct, frozen=True):
    """A pod that has a node and does not run there yet."""

    ref: str
    node: str
    runtime_class: str = ""


class StuckPods(Record, frozen=True):
    """Pods that hang for one reason, as the last event of each tells."""

    layer: Annotated[
        Layer,
        "what is missing: `registration` (the runtime does not know the handler), `program` (the runtime's "
        "program), `kernel` (the driver's module), `user space` (the driver's libraries), `injection` "
        "(the CDI devices)",
    ] = "registration"
    handler: Annotated[str, "the handler that the event names, else empty"] = ""
    ref: Annotated[str, "`RuntimeClass/nvidia` where the event names a handler, else empty"] = ""
    pods: Annotated[tuple[str, ...], "`namespace/name` of each"] = ()
    nodes: Annotated[tuple[str, ...], "the nodes that they hang on"] = ()
    message: Annotated[str, "the event of the first, shortened"] = ""
    configured: Annotated[
        tuple[str, ...], "nodes among them whose files configure the handler: containerd has not read them"
    ] = ()


def hanging_pods(cluster: ClusterFacts) -> Iterator[HangingPod]:
    """Pods that are on a node and whose containers do not run."""
    for pod in cluster.lists.get("allPods") or ():
        spec, metadata = mapping(pod, "spec"), mapping(pod, "metadata")
        if spec.get("nodeName") and is_hanging(pod):
            yield HangingPod(
                f"{metadata.get('namespace')}/{metadata.get('name')}",
                str(spec["nodeName"]),
                str(spec.get("runtimeClassName") or ""),
            )


def is_hanging(pod: JSONObject) -> bool:
    """Whether it waits for something: its phase is Pending, or a container of it cannot be made."""
    if mapping(pod, "metadata").get("deletionTimestamp"):
        return False
    status = mapping(pod, "status")
    if status.get("phase") == "Pending":
        return True
    states = [*items(status, "initContainerStatuses"), *items(status, "containerStatuses")]
    return any(mapping(one, "state", "waiting").get("reason") for one in states)


def missing_handler(message: str) -> str:
    """The handler of which an event says that no runtime is configured for it, else empty."""
    found = _NO_RUNTIME.search(message)
    return found[1] if found else ""


def missing_layer(message: str) -> Layer | None:
    """Which layer an event's message misses; None where it is about something else."""
    return next((layer for layer, words in _LAYERS if words.search(message)), None)


def stuck_pods(
    cluster: ClusterFacts, is_configured: Callable[[str, str], bool]
) -> tuple[StuckPods, ...] | Unknown:
    """Pods by what holds them; ``is_configured(node, handler)`` asks the node's files.

    Unknown where pods or events were not read.
    """
    events = cluster.lists.get("events")
    if events is None or "allPods" not in cluster.lists:
        return UNKNOWN
    last = _last_messages(events)
    groups: dict[tuple[Layer, str], list[tuple[HangingPod, str]]] = {}
    for pod in hanging_pods(cluster):
        message = last.get(pod.ref, "")
        layer = missing_layer(message)
        if layer is not None:
            groups.setdefault((layer, missing_handler(message)), []).append((pod, message))
    return tuple(
        StuckPods(
            layer=layer,
            handler=handler,
            ref=f"RuntimeClass/{_class_of(found, handler)}" if handler else "",
            pods=tuple(pod.ref for pod, _ in found),
            nodes=tuple(sorted({pod.node for pod, _ in found})),
            message=shortened(found[0][1]),
            configured=tuple(
                sorted({p.node for p, _ in found if handler and is_configured(p.node, handler)})
            ),
        )
        for (layer, handler), found in sorted(groups.items())
    )


def shortened(message: str, most: int = 300) -> str:
    """An event's message in one line, without a sandbox's number; where it is long, its two ends."""
    text = " ".join(re.sub(r'\\?"?[0-9a-f]{64}\\?"?', "…", message).split())
    half = most // 2
    return text if len(text) <= most else f"{text[:half]} … {text[-half:]}"


def _class_of(found: list[tuple[HangingPod, str]], handler: str) -> str:
    return next((pod.runtime_class for pod, _ in found if pod.runtime_class), handler)


def _last_messages(events: tuple[JSONObject, ...]) -> Mapping[str, str]:
    """Of each pod the last message that says which layer is missing."""
    last: dict[str, tuple[str, str]] = {}
    for event in events:
        about, message = (
            mapping(event, "involvedObject"),
            str(event.get("message") or event.get("note") or ""),
        )
        if about.get("kind") not in (None, "Pod") or missing_layer(message) is None:
            continue
        ref, when = f"{about.get('namespace')}/{about.get('name')}", _when(event)
        if ref not in last or when >= last[ref][0]:
            last[ref] = (when, message)
    return {ref: message for ref, (_, message) in last.items()}


def _when(event: JSONObject) -> str:
    """ISO times compare as texts."""
    series = mapping(event, "series").get("lastObservedTime")
    return str(
        series or event.get("lastTimestamp") or event.get("eventTime") or event.get("firstTimestamp") or ""
    )
