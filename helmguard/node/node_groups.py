"""Which nodes are configured alike, and what the others have otherwise."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence

from helmguard.containerd.flat_settings import Setting, flat_settings, setting_differences
from helmguard.model.containerd_settings import ConfigPlace, Effective
from helmguard.model.json_value import JSONObject, JSONValue
from helmguard.model.judged_node import JudgedNode
from helmguard.model.node_report import NodeDifference, NodeGroup


def node_groups(nodes: Sequence[JudgedNode]) -> tuple[NodeGroup, ...]:
    """Every node in one group, those of the most nodes first, the others by their first node.

    Alike are nodes on which the same version of containerd makes the same of their files, the same files were
    read, and the kubelet's cgroup driver and NVIDIA's driver are the same; comments, lines and the order of
    tables do not count.
    """
    alike: dict[str, list[JudgedNode]] = {}
    for node in nodes:
        alike.setdefault(_digest(node), []).append(node)
    groups = sorted(alike.values(), key=lambda group: -len(group))
    return tuple(
        NodeGroup(
            tuple(node.name for node in group),
            tuple(_differences(groups[0][0], group[0])) if number else (),
        )
        for number, group in enumerate(groups)
    )


def _digest(node: JudgedNode) -> str:
    facts = node.facts
    configs = [_comparable(one) for one in (node.installed, node.planned)]
    versions = [facts.containerd.version, facts.kubelet.cgroup_driver, facts.driver.kernel_version]
    about: list[JSONValue] = [*versions, *configs]
    return json.dumps(about, sort_keys=True, default=str)


def _comparable(effective: Effective | None) -> JSONObject | None:
    if effective is None:
        return None
    return {
        "containerd": effective.containerd,
        "daemon": effective.daemon,
        "daemonError": effective.daemon_error,
        "cri": effective.cri,
        "criError": [effective.cri_error, effective.image_error],
        "settings": {name: setting.value for name, setting in flat_settings(effective).items()},
        "errors": {name: runtime.options_error for name, runtime in effective.runtimes.items()},
        "ignored": sorted([one.place.file, one.path, one.why] for one in effective.ignored),
        "loaded": [one.path for one in effective.loaded],
    }


def _differences(usual: JudgedNode, here: JudgedNode) -> Iterator[NodeDifference]:
    """From the first node to the second, as containerd is installed, else as it is planned."""
    for what, one, other in (
        ("containerd", usual.facts.containerd.version, here.facts.containerd.version),
        ("kubelet's cgroup driver", usual.facts.kubelet.cgroup_driver, here.facts.kubelet.cgroup_driver),
        ("NVIDIA driver", usual.facts.driver.kernel_version, here.facts.driver.kernel_version),
    ):
        if one != other:
            yield NodeDifference(what, one or None, other or None)
    before, after = usual.first, here.first
    if before is not None and after is not None:
        yield from _of_configs(before, after)


def _of_configs(before: Effective, after: Effective) -> Iterator[NodeDifference]:
    state, other = _state(before), _state(after)
    if state != other:
        at = after.daemon_error_at
        yield NodeDifference("state", state, other, at.file, at.line)
    files, others = ([one.path for one in config.loaded] for config in (before, after))
    if files != others:
        yield NodeDifference("files", list(files), list(others))
    if after.daemon == before.daemon == "starts":
        for one in setting_differences(before, after):
            place = (one.after or one.before or Setting(None)).place if one.after else ConfigPlace()
            yield NodeDifference(one.name, _value(one.before), _value(one.after), place.file, place.line)


def _value(setting: Setting | None) -> JSONValue:
    return setting.value if setting is not None else None


def _state(effective: Effective) -> str:
    if effective.daemon == "refuses":
        return "refuses to start"
    return f"starts, CRI {effective.cri}"
