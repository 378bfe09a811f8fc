"""What a node's containerd should say about one runtime, by what the node has."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from helmguard.containerd.schema import LINUX_V1
from helmguard.model.containerd_settings import ConfigPlace, Effective, RuntimeSettings
from helmguard.model.json_value import JSONObject, JSONValue
from helmguard.model.node_facts import NodeFacts, PathFacts

RUNC_V2 = "io.containerd.runc.v2"
RUNC_V1 = "io.containerd.runc.v1"
_TOOLKIT_FOLDERS = ("/usr/bin", "/usr/local/nvidia/toolkit", "/usr/local/bin", "/opt/nvidia/bin")
"""Where NVIDIA's packages, its operator and hand-made installations put the toolkit."""


class Asked(msgspec.Struct, frozen=True):
    """What the user asks for. An empty ``runtime_path`` is looked up on the node."""

    runtime: str = "nvidia"
    runtime_path: str = ""
    set_as_default: bool = False
    cdi: bool = False


class Wanted(msgspec.Struct, frozen=True):
    """The settings that should hold. Empty texts and None leave a setting as it is.

    ``kubelet``: whether the kubelet uses systemd's cgroups, so that all runtimes of runc's type should; None
    where it does not say. ``cgroups`` are the other runtimes whose cgroups are not the kubelet's.
    ``needs_runc``: containerd 1.x has lost its built-in runc, and the default runtime is runc.
    """

    runtime: str
    type: str = ""
    binary: str = ""
    systemd: bool | None = None
    kubelet: bool | None = None
    cgroups: tuple[str, ...] = ()
    default: str = ""
    cdi: bool = False
    needs_runc: bool = False
    is_new: bool = False

    def unmet(self, effective: Effective) -> Iterator[tuple[str, JSONValue]]:
        """The settings that do not hold, by name, with what they should be; a missing runtime first."""
        found = effective.runtimes.get(self.runtime)
        if found is None:
            yield f"runtimes.{self.runtime}", None
        else:
            yield from self._of_runtime(found)
        if self.needs_runc and "runc" not in effective.runtimes:
            yield "runtimes.runc", None
        for name in _other_cgroups(effective, self.kubelet, self.runtime):
            yield f"runtimes.{name}.SystemdCgroup", self.kubelet
        if self.default and effective.default_runtime_name != self.default:
            yield "default_runtime_name", self.default
        if self.cdi and not effective.enable_cdi:
            yield "enable_cdi", True

    def _of_runtime(self, found: RuntimeSettings) -> Iterator[tuple[str, JSONValue]]:
        head = f"runtimes.{self.runtime}"
        if self.type and found.type != self.type:
            yield f"{head}.type", self.type
        if self.binary and (found.binary_name or "") != self.binary:
            yield f"{head}.BinaryName", self.binary
        if self.systemd is not None and (bool(found.systemd_cgroup) != self.systemd or found.options_error):
            yield f"{head}.SystemdCgroup", self.systemd

    def covers(self, name: str) -> bool:
        """Whether a setting may change: because that is what is wanted."""
        head = f"runtimes.{self.runtime}"
        if name == head or (self.is_new and name.startswith(f"{head}.")):
            return True
        if name in (f"{head}.BinaryName", f"{head}.SystemdCgroup"):
            return True
        if self.needs_runc and (name == "runtimes.runc" or name.startswith("runtimes.runc.")):
            return True
        if self.kubelet is not None and name.endswith(".SystemdCgroup"):
            return True
        return (bool(self.default) and name == "default_runtime_name") or (self.cdi and name == "enable_cdi")

    def table(self) -> dict[str, JSONValue]:
        """The runtime's table, for a file that has none."""
        options: dict[str, JSONValue] = {}
        if self.binary:
            options["BinaryName"] = self.binary
        if self.systemd is not None:
            options["SystemdCgroup"] = self.systemd
        return {"runtime_type": self.type or RUNC_V2, **({"options": options} if options else {})}


def wanted_settings(
    facts: NodeFacts, before: Effective, kept: Effective, written: JSONObject, asked: Asked
) -> Wanted:
    """What should hold on this node.

    Args:
        facts: the node.
        before: what containerd makes of its files.
        kept: what it makes of them without the drop-ins that name the runtime: the other runtimes' settings.
        written: the runtime's options as some file has them, in effect or not.
        asked: what the user asks for.
    """
    found = before.runtimes.get(asked.runtime)
    kind = _type(found, before)
    is_runc = kind in (RUNC_V2, RUNC_V1)
    default = before.default_runtime_name or "runc"
    return Wanted(
        asked.runtime,
        type=kind,
        binary=_binary(facts, written, found, asked) if is_runc else "",
        systemd=_systemd(facts, found, written, before, kept) if is_runc else None,
        kubelet=kubelet_systemd(facts),
        cgroups=tuple(_other_cgroups(before, kubelet_systemd(facts), asked.runtime)),
        default=asked.runtime if asked.set_as_default else "",
        cdi=asked.cdi,
        needs_runc=before.generation == "1"
        and before.daemon == "starts"
        and "runc" not in before.runtimes
        and default == "runc",
        is_new=found is None,
    )


def _type(found: RuntimeSettings | None, before: Effective) -> str:
    if found is None or not found.type:
        return RUNC_V2
    removed = before.generation != "1" and found.type in (LINUX_V1, RUNC_V1)
    return RUNC_V2 if removed else found.type


def _binary(facts: NodeFacts, written: JSONObject, found: RuntimeSettings | None, asked: Asked) -> str:
    if asked.runtime_path:
        return asked.runtime_path
    named = [found.binary_name if found is not None else None, written.get("BinaryName")]
    known = [str(path) for path in named if path and not is_broken(facts.paths.get(str(path)))]
    if known:
        return known[0]
    return next(
        iter(present_programs(facts, program_of(asked.runtime))), f"/usr/bin/{program_of(asked.runtime)}"
    )


def program_of(runtime: str) -> str:
    """NVIDIA's program for a runtime's name: ``nvidia-container-runtime.cdi`` for ``nvidia-cdi``."""
    mode = runtime.removeprefix("nvidia-")
    return f"nvidia-container-runtime.{mode}" if mode in ("cdi", "legacy") else "nvidia-container-runtime"


def present_programs(facts: NodeFacts, name: str) -> list[str]:
    """Where a program of NVIDIA's toolkit is on the node."""
    paths = (f"{folder}/{name}" for folder in _TOOLKIT_FOLDERS)
    return [path for path in paths if is_program(facts.paths.get(path))]


def is_program(found: PathFacts | None) -> bool:
    """Whether it is known to be there, and can be run."""
    return found is not None and found.kind == "file" and found.executable


def is_broken(found: PathFacts | None) -> bool:
    """Whether it is known that it is not there, or cannot be run."""
    return found is not None and found.kind != "unknown" and not is_program(found)


def kubelet_systemd(facts: NodeFacts) -> bool | None:
    """Whether the kubelet is told to use systemd's cgroups; None where nothing tells it."""
    kubelet = facts.kubelet
    if kubelet.cgroup_driver not in ("systemd", "cgroupfs") or kubelet.file == "default":
        return None
    return kubelet.cgroup_driver == "systemd"


def _systemd(
    facts: NodeFacts,
    found: RuntimeSettings | None,
    written: JSONObject,
    before: Effective,
    kept: Effective,
) -> bool | None:
    told = kubelet_systemd(facts)
    if told is not None:
        return told
    if found is not None and found.systemd_cgroup is not None:
        return found.systemd_cgroup
    if isinstance(written.get("SystemdCgroup"), bool):
        return bool(written["SystemdCgroup"])
    return _systemd_of_runc(before, kept)


def _systemd_of_runc(before: Effective, kept: Effective) -> bool | None:
    """As a file says it; a default of containerd's counts last."""
    both = [one.runtimes["runc"] for one in (before, kept) if "runc" in one.runtimes]
    found = [one for one in both if one.type in (RUNC_V2, RUNC_V1)]
    said = [one for one in found if one.places.get("SystemdCgroup", ConfigPlace()).file]
    return next((one.systemd_cgroup for one in (*said, *found)), None)


def _other_cgroups(effective: Effective, systemd: bool | None, but: str) -> Iterator[str]:
    """The runtimes of runc's type whose cgroups are not the kubelet's."""
    for name, other in sorted(effective.runtimes.items()):
        if systemd is None or name == but or other.type not in (RUNC_V2, RUNC_V1):
            continue
        if bool(other.systemd_cgroup) != systemd:
            yield name
