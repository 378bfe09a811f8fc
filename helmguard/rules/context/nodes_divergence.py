"""Nodes of one pool that are not configured alike, setting by setting."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from typing import Annotated, Any

import msgspec

from helmguard.model.containerd_settings import ConfigPlace, Effective
from helmguard.model.json_value import JSONValue
from helmguard.model.judged_node import JudgedNode
from helmguard.rules.context.containerd_readings import place_text
from helmguard.rules.context.handler_nodes import HandlerNode, handler_nodes
from helmguard.rules.context.record import Record
from helmguard.rules.node_side import NodeSide

POOL_LABELS = (
    "cloud.google.com/gke-nodepool",
    "eks.amazonaws.com/nodegroup",
    "kubernetes.azure.com/agentpool",
    "karpenter.sh/nodepool",
    "node.cluster.x-k8s.io/deployment",
)
"""Labels that name a pool of nodes that are made alike; the first that a node has counts."""
_KIND_LABELS = ("node.kubernetes.io/instance-type", "nvidia.com/gpu.product")
"""Where no label names a pool, nodes of the same machine type with the same GPU belong together."""
_NONE = "not set"


class DifferingNodes(Record, frozen=True):
    """Nodes that are configured otherwise than most of their pool."""

    node: Annotated[str, "the first of them"]
    nodes: Annotated[tuple[str, ...], "all of them, alike among themselves"] = ()
    pool: Annotated[str, "their pool, in words: `eks.amazonaws.com/nodegroup gpu`; empty for all nodes"] = ""
    file: Annotated[str, "where the first of them says what is different, else its main file"] = ""
    line: Annotated[int, "the line, 0 for nowhere"] = 0
    usual: Annotated[tuple[str, ...], "the nodes that they are compared with: the most that are alike"] = ()
    even: Annotated[bool, "as many nodes are one way as the other: which is right nobody can tell"] = False
    settings: Annotated[tuple[str, ...], "the names of the settings that differ"] = ()
    differences: Annotated[tuple[str, ...], "each with the usual value, the value here, and its place"] = ()
    versions_only: Annotated[bool, "nothing but containerd's version, and its defaults, differs"] = False
    versions: Annotated[tuple[str, ...], "the versions of containerd, where they differ"] = ()


class _Value(msgspec.Struct, frozen=True):
    value: JSONValue
    place: ConfigPlace = msgspec.field(default_factory=ConfigPlace)


def differing_nodes(side: NodeSide) -> Iterator[DifferingNodes]:
    """By pool; nodes with GPUs and nodes without are never compared."""
    if len(side.nodes) < 2:
        return
    pools: dict[tuple[str, bool], list[JudgedNode]] = {}
    known = {node.judged.facts.name: node for node in handler_nodes(side) or () if node.judged is not None}
    for node in side.nodes:
        found = known.get(node.facts.name)
        pools.setdefault((_pool(node, found), _has_gpu(node, found)), []).append(node)
    for (pool, _), nodes in sorted(pools.items()):
        yield from _of_pool(pool, nodes)


def _of_pool(pool: str, nodes: Iterable[JudgedNode]) -> Iterator[DifferingNodes]:
    alike: dict[str, list[tuple[JudgedNode, Mapping[str, _Value]]]] = {}
    for node in sorted(nodes, key=lambda one: one.facts.name):
        values = _values(node)
        digest = json.dumps({name: one.value for name, one in values.items()}, sort_keys=True, default=str)
        alike.setdefault(digest, []).append((node, values))
    groups = sorted(alike.values(), key=lambda group: -len(group))
    usual = groups[0]
    for group in groups[1:]:
        node, here = group[0]
        yield _difference(
            pool,
            tuple(one.facts.name for one, _ in group),
            tuple(one.facts.name for one, _ in usual),
            (node, here),
            usual[0][1],
        )


def _difference(
    pool: str,
    names: tuple[str, ...],
    usual_names: tuple[str, ...],
    first: tuple[JudgedNode, Mapping[str, _Value]],
    usual: Mapping[str, _Value],
) -> DifferingNodes:
    node, here = first
    differing = [
        name for name in dict.fromkeys([*usual, *here]) if _value(usual.get(name)) != _value(here.get(name))
    ]
    gone = {name for name in differing if name.count(".") == 1 and (name not in usual or name not in here)}
    # A runtime that only one side has is one difference, not one for each of its settings.
    differing = [name for name in differing if not any(name.startswith(f"{one}.") for one in gone)]
    versions = tuple(str(_value(side.get("containerd"))) for side in (usual, here))
    plain = [
        name for name in differing if not (versions[0] != versions[1] and _is_default(name, usual, here))
    ]
    places = [here[name].place for name in differing if name in here and here[name].place.file]
    place = places[0] if places else ConfigPlace(node.facts.containerd.config_path)
    return DifferingNodes(
        node=names[0],
        nodes=names,
        pool=pool,
        file=place.file,
        line=place.line,
        usual=usual_names,
        even=len(names) == len(usual_names),
        settings=tuple(differing),
        differences=tuple(_text(name, usual.get(name), here.get(name)) for name in differing),
        versions_only=not plain,
        versions=versions if versions[0] != versions[1] else (),
    )


def _is_default(name: str, usual: Mapping[str, _Value], here: Mapping[str, _Value]) -> bool:
    """A default that comes with another version of containerd, or that version itself."""
    sides = [side[name] for side in (usual, here) if name in side]
    return name == "containerd" or (
        bool(sides) and not any(one.place.file for one in sides) and "." not in name
    )


def _values(node: JudgedNode) -> Mapping[str, _Value]:
    """All that matters, by name: comments, order and names of files do not."""
    facts = node.facts
    found = {
        "containerd": _Value(facts.containerd.version),
        "kubelet's cgroup driver": _Value(
            facts.kubelet.cgroup_driver, ConfigPlace(facts.kubelet.file, facts.kubelet.line)
        ),
    }
    effective = node.installed or node.planned
    if effective is not None:
        found.update(_of_effective(effective))
    return {name: one for name, one in found.items() if one.value not in (None, "", [], {})}


def _of_effective(effective: Effective) -> Iterator[tuple[str, _Value]]:
    from helmguard.containerd.flat_settings import flat_settings

    if effective.daemon == "refuses":
        yield "state", _Value("containerd refuses to start", effective.daemon_error_at)
        return
    yield "state", _Value("" if effective.cri == "ok" else f"CRI plugin: {effective.cri}")
    for name, setting in flat_settings(effective).items():
        if not (name.endswith(".SystemdCgroup") and not setting.value):
            yield name, _Value(setting.value, setting.place)
    for name, runtime in effective.runtimes.items():
        yield f"runtimes.{name}.options", _Value(runtime.options_error)
    yield from _other_settings(effective)


def _other_settings(effective: Effective) -> Iterator[tuple[str, _Value]]:
    """What the files write beside the settings that helmguard knows by name."""
    from helmguard.containerd.settings import is_cri, setting_name

    for path, value in _flat(effective.document or {}, ()):
        if not is_cri(path[0]):
            yield "plugins." + ".".join(path), _Value(value)
        elif len(path) > 1 and not setting_name(path[1:]):
            yield "CRI " + ".".join(path[1:]), _Value(value)


def _flat(values: Mapping[str, Any], path: tuple[str, ...]) -> Iterator[tuple[tuple[str, ...], JSONValue]]:
    for name, value in values.items():
        if isinstance(value, dict):
            yield from _flat(value, (*path, name))
        else:
            yield (*path, name), value


def _value(found: _Value | None) -> JSONValue:
    return found.value if found is not None else None


def _text(name: str, usual: _Value | None, here: _Value | None) -> str:
    where = f" ({place_text(here.place)})" if here is not None and here.place.file else ""
    return f"{name}: {_written(usual)} on most, {_written(here)} here{where}"


def _written(found: _Value | None) -> str:
    if found is None:
        return _NONE
    return found.value if isinstance(found.value, str) else json.dumps(found.value, default=str)


def _pool(node: JudgedNode, found: HandlerNode | None) -> str:
    labels = {**(found.labels if found is not None else {}), **node.facts.labels}
    for label in POOL_LABELS:
        if label in labels:
            return f"{label} {labels[label]}"
    return ", ".join(f"{label} {labels[label]}" for label in _KIND_LABELS if label in labels)


def _has_gpu(node: JudgedNode, found: HandlerNode | None) -> bool:
    driver = node.facts.driver
    return (found is not None and found.gpu) or bool(driver.pci or driver.kernel_version or driver.devices)
