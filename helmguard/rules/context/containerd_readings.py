"""What each containerd of a node, installed and planned, makes of its files; and what is lost on the way."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, TypeVar

import msgspec
from msgspec.structs import replace

from helmguard.model.containerd_settings import ConfigPlace, Effective, Ignored, RuntimeSettings
from helmguard.model.json_value import JSONValue
from helmguard.model.judged_node import JudgedNode
from helmguard.model.node_facts import NodeFacts

LOST = ("generation", "unmigrated", "hidden", "replaced")
"""Reasons for which a setting has no effect though nobody set another value."""

_PART = re.compile(r'"([^"]*)"|([^.]+)')
_Item = TypeVar("_Item", bound=msgspec.Struct)


class Reading(msgspec.Struct, frozen=True):
    """One containerd of one node. ``planned``: it is not the one that is installed."""

    node: JudgedNode
    effective: Effective
    planned: bool

    @property
    def facts(self) -> NodeFacts:
        """The node's facts."""
        return self.node.facts

    @property
    def main(self) -> str:
        """The main configuration file's path."""
        return self.facts.containerd.config_path

    @property
    def said(self) -> Mapping[str, int | None]:
        """The ``version`` that each file says, by path."""
        return {file.path: file.version for file in self.effective.loaded}

    @property
    def is_first(self) -> bool:
        """containerd 1.x."""
        return self.effective.generation == "1"


def readings_of(node: JudgedNode) -> list[Reading]:
    """The installed containerd first; those whose version is not known have none."""
    found = [(node.installed, False), (node.planned, True)]
    return [Reading(node, one, planned) for one, planned in found if one is not None]


def told_once(
    nodes: Iterable[JudgedNode],
    detect: Callable[[Reading], Iterable[_Item]],
    same: Callable[[_Item], tuple[object, ...]] | None = None,
) -> Iterator[_Item]:
    """All items; what holds for both versions is told for the installed one alone.

    ``same`` gives what an item tells, first its own name, then what it tells beside; without it an item is
    what it holds, apart from the version.
    """
    for node in nodes:
        told: list[object] = []
        for reading in readings_of(node):
            mine: list[object] = []
            for item in detect(reading):
                names = same(item) if same is not None else (_unversioned(item),)
                if names[0] not in told:
                    mine += names
                    yield item
            told += mine


def _unversioned(item: Any) -> object:
    return replace(item, version="", planned=False)


def place_text(place: ConfigPlace) -> str:
    """``/etc/containerd/config.toml:12``; what no file says is a default."""
    return f"{place.file}:{place.line}" if place.line else place.file or "default"


def path_parts(path: str) -> list[str]:
    """A dotted TOML path as its parts."""
    return [quoted or bare for quoted, bare in _PART.findall(path)]


def plugin_of(ignored: Ignored) -> str:
    """The plugin whose table a setting stands in."""
    parts = path_parts(ignored.path)
    return parts[1] if len(parts) > 1 else ""


def lost_settings(reading: Reading, *whys: str) -> list[Ignored]:
    """Settings that have no effect for one of these reasons, and whose value does not hold otherwise."""
    return [
        one
        for one in reading.effective.ignored
        if one.why in (whys or LOST) and not _holds_anyway(reading.effective, one)
    ]


def lost_runtimes(effective: Effective, lost: Iterable[Ignored]) -> tuple[str, ...]:
    """Runtimes among lost settings that are not there at all any more, each once."""
    names = (runtime_of(one.setting) for one in lost)
    return tuple(dict.fromkeys(name for name in names if name and name not in effective.runtimes))


def runtime_of(setting: str) -> str:
    """The runtime that a setting belongs to: ``runtimes.nvidia.BinaryName``. Its name may hold no dot."""
    parts = setting.split(".")
    return parts[1] if len(parts) > 1 and parts[0] == "runtimes" else ""


def lost_texts(effective: Effective, lost: Iterable[Ignored]) -> tuple[str, ...]:
    """Lost settings in words, those of a runtime that is gone as one."""
    lost = list(lost)
    gone = lost_runtimes(effective, lost)
    texts: dict[str, None] = {}
    told: set[str] = set()
    for one in lost:
        runtime = runtime_of(one.setting)
        if runtime in gone:
            if runtime not in told:
                told.add(runtime)
                texts[f"runtime {runtime} ({place_text(one.place)})"] = None
            continue
        name = one.setting or ".".join(path_parts(one.path)[2:]) or one.path
        value = "" if one.value is None else f" = {_value_text(one.value)}"
        texts[f"{name}{value} ({place_text(one.place)})"] = None
    return tuple(texts)


def _value_text(value: JSONValue) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, list):
        return f"[{', '.join(map(_value_text, value))}]"
    return str(value)


def _holds_anyway(effective: Effective, lost: Ignored) -> bool:
    """Whether what a setting says is so all the same: by a default, or by another file."""
    runtime = runtime_of(lost.setting)
    if runtime:
        found = effective.runtimes.get(runtime)
        field = lost.setting.partition(f"runtimes.{runtime}")[2].removeprefix(".")
        return found is not None and (lost.value is None or _same(_field(found, field), lost.value))
    if lost.value is None:
        return True
    if lost.setting == "registry_mirrors":
        ends: Any = lost.value
        return isinstance(ends, list) and tuple(ends) in effective.registry_mirrors.values()
    if lost.setting and lost.setting != "registry":
        return _same(getattr(effective, lost.setting, None), lost.value)
    return _is_default(effective, path_parts(lost.path)[2:], lost.value)


def _field(runtime: RuntimeSettings, field: str) -> Any:
    known = {
        "type": runtime.type,
        "path": runtime.path,
        "BinaryName": runtime.binary_name,
        "SystemdCgroup": runtime.systemd_cgroup,
    }
    if field in known:
        return known[field]
    if field == "sandboxer":
        return runtime.others.get(field, "podsandbox")
    return runtime.options.get(field, runtime.others.get(field))


def _same(one: Any, other: Any) -> bool:
    """What is not set is the same as what is empty or false."""
    if not one and not other:
        return True
    return bool(one == (tuple(other) if isinstance(other, list) and isinstance(one, tuple) else other))


def _is_default(effective: Effective, path: list[str], value: JSONValue) -> bool:
    from helmguard.containerd.schema import schema_of

    found = [_at(plugin, path) for plugin in schema_of(effective.generation).defaults.values()]
    known = [one for one in found if one is not None]
    if path == ["cni", "bin_dir"]:
        known += [
            text
            for one in (_at(plugin, ["cni", "bin_dirs"]) for plugin in _plugins(effective))
            if one
            for text in one
        ]
    return any(_same(one, value) for one in known) if known else not value


def _plugins(effective: Effective) -> Iterable[Any]:
    from helmguard.containerd.schema import schema_of

    return schema_of(effective.generation).defaults.values()


def _at(values: Any, path: list[str]) -> Any:
    for part in path:
        values = values.get(part) if isinstance(values, dict) else None
    return values
