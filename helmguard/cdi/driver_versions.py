"""The version of NVIDIA's driver that paths and arguments of a CDI spec are bound to.

The driver's files bear its version: ``libcuda.so.570.195.03``,
``/lib/firmware/nvidia/570.195.03/gsp_ga10x.bin``. Libraries that come with it and have a version of their own
(``libnvidia-egl-wayland.so.1.1.13``) do not count: the driver's begin with three digits. Source: what
``nvidia-ctk cdi generate`` of nvidia-container-toolkit writes.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

import msgspec

from helmguard.cdi.spec import CdiEdits, CdiSpec

_VERSION = r"\d{3,}\.\d+(?:\.\d+)?"
_LIBRARY = re.compile(
    rf"(?:^|/)(?:libcuda|libnv|libGLX?_nvidia|libEGL_nvidia|libGLESv\d+(?:_CM)?_nvidia|libvdpau_nvidia|"
    rf"nvidia)[\w-]*\.so\.({_VERSION})(?![\w.])"
)
_FIRMWARE = re.compile(rf"/firmware/nvidia/({_VERSION})(?:/|$)")
_ARGUMENT = re.compile(rf"^--host-driver-version=({_VERSION})$")


class VersionedPath(msgspec.Struct, frozen=True):
    """``text`` is the path or argument, ``host`` whether it is a path of the node."""

    text: str
    version: str
    host: bool
    line: int = 0


def version_in_path(path: str) -> str:
    """The driver's version that a path bears, empty for none."""
    found = _LIBRARY.search(path) or _FIRMWARE.search(path)
    return found[1] if found else ""


def versioned_paths(spec: CdiSpec) -> tuple[VersionedPath, ...]:
    """Everything in a spec that bears a version of the driver, each text once."""
    found: dict[tuple[str, bool], VersionedPath] = {}
    for edits in spec.all_edits:
        for one in _of(edits):
            found.setdefault((one.text, one.host), one)
    return tuple(found.values())


def _of(edits: CdiEdits) -> Iterator[VersionedPath]:
    for mount in edits.mounts:
        yield from _versioned(mount.host_path, mount.line, host=True)
        yield from _versioned(mount.container_path, mount.line, host=False)
    for hook in edits.hooks:
        for argument in hook.args:
            for part in argument.split("::"):
                yield from _versioned(part, hook.line, host=False)


def _versioned(text: str, line: int, *, host: bool) -> Iterator[VersionedPath]:
    argument = _ARGUMENT.match(text)
    version = argument[1] if argument else version_in_path(text)
    if version:
        yield VersionedPath(text, version, host, line)


class HostPath(msgspec.Struct, frozen=True):
    """A path of the node without which a container with a device of the spec is not made."""

    path: str
    line: int = 0


def needed_paths(spec: CdiSpec) -> tuple[HostPath, ...]:
    """Sources of bind mounts, and device nodes whose number is asked of the node; each path once.

    Hooks are not among them. A device node that gives its type and number need not be there (the library's
    container-edits_unix.go).
    """
    found: dict[str, HostPath] = {}
    for edits in spec.all_edits:
        for mount in edits.mounts:
            binds = mount.type in ("", "none", "bind") or {"bind", "rbind"} & {*mount.options}
            if binds and mount.host_path.startswith("/"):
                found.setdefault(mount.host_path, HostPath(mount.host_path, mount.line))
        for node in edits.device_nodes:
            if not node.complete:
                path = node.host_path or node.path
                found.setdefault(path, HostPath(path, node.line))
    return tuple(found.values())
