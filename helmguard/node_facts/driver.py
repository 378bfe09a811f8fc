"""NVIDIA's driver on a node: the kernel's module, device nodes, libraries."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator

from helmguard.model.node_facts import DriverFacts, Library
from helmguard.node_facts.gathering import Gathering
from helmguard.node_facts.root import NodeRoot, NotGivenError, ReadError

_LIBRARY_FOLDERS = (
    "/usr/lib/x86_64-linux-gnu",
    "/usr/lib/aarch64-linux-gnu",
    "/usr/lib/x86_64-linux-gnu/nvidia/current",
    "/usr/lib/aarch64-linux-gnu/nvidia/current",
    "/usr/lib64",
    "/usr/lib",
    "/lib64",
    "/lib/x86_64-linux-gnu",
    "/lib/aarch64-linux-gnu",
    "/usr/lib/wsl/lib",
    "/usr/local/glibc/usr/lib",
    "/x86_64-bottlerocket-linux-gnu/sys-root/usr/lib/nvidia/tesla",
    "/aarch64-bottlerocket-linux-gnu/sys-root/usr/lib/nvidia/tesla",
    "/run/opengl-driver/lib",
    "/home/kubernetes/bin/nvidia/lib64",
    "/usr/local/nvidia/lib64",
    "/opt/nvidia/lib64",
)
"""Debian and Ubuntu on both architectures (with Debian's alternatives), RHEL, SUSE, WSL, Talos, Bottlerocket,
NixOS, GKE's driver installer, and where installers put it that keep the root as it is."""
DRIVER_ROOTS = ("/", "/run/nvidia/driver")
"""The host itself, and the GPU Operator's driver container."""
_CORE = re.compile(r"(?:libcuda|libnvidia-ml)\.so(?:\.[\d.]+)?")
_VERSION = re.compile(r"\.so\.(\d+\.\d+(?:\.\d+)*)$")
_KERNEL_VERSION = re.compile(
    r"(?:Kernel Module|for [\w-]+)\s+(\d+\.\d+(?:\.\d+)*)\b|\b(\d{3,}\.\d+(?:\.\d+)?)\b"
)
_NVIDIA = "0x10de"
_DISPLAY = "0x03"
"""Class of display controllers: ``0x030000`` VGA, ``0x030200`` 3D."""
_MOST_DEVICES = 4096


def driver_facts(gathering: Gathering) -> DriverFacts:
    """What there is of the driver."""
    kernel = gathering.root.kernel
    version, known = _kernel_version(gathering, kernel)
    place, libraries = _libraries(gathering)
    return DriverFacts(
        kernel_version=version,
        kernel_known=known,
        modules=tuple(_modules(kernel.read_text("/proc/modules", 4 << 20))),
        devices=tuple(_devices(gathering)),
        root=place,
        libraries=tuple(libraries),
        pci=_pci(gathering, kernel),
    )


def _kernel_version(gathering: Gathering, kernel: NodeRoot) -> tuple[str, bool]:
    path = "/proc/driver/nvidia/version"
    try:
        content = kernel.read_bytes(path, 64 << 10)
    except ReadError as error:
        gathering.note(path, str(error))
        return "", False
    if content is None:
        # A folder of files without a /proc says nothing of what was loaded.
        return "", bool(kernel.names_if_any("/proc"))
    first = content.decode("utf-8", "replace").partition("\n")[0]
    found = _KERNEL_VERSION.search(first)
    if found is None:
        gathering.note(path, "no version is in it")
    return (found[1] or found[2], True) if found else ("", False)


def _modules(text: str) -> Iterator[str]:
    for line in text.splitlines():
        name = line.partition(" ")[0]
        if name.startswith(("nvidia", "nouveau")):
            yield name


def _devices(gathering: Gathering) -> Iterator[str]:
    if not gathering.root.covers("/dev"):
        gathering.note("/dev", "it is not among what was mounted: which devices there are is not known")
        return
    for name in gathering.root.names_if_any("/dev"):
        if name.startswith("nvidia") and name != "nvidia-caps":
            yield f"/dev/{name}"
    for name in gathering.root.names_if_any("/dev/nvidia-caps"):
        yield f"/dev/nvidia-caps/{name}"


def _libraries(gathering: Gathering) -> tuple[str, list[Library]]:
    for place in DRIVER_ROOTS:
        found = list(_libraries_below(gathering, "" if place == "/" else place))
        if found:
            return place, found
    if not any(gathering.root.covers(folder) for folder in _LIBRARY_FOLDERS[:6]):
        gathering.note("the driver's libraries", "their folders are not among what was mounted")
    return "/", []


def _libraries_below(gathering: Gathering, place: str) -> Iterator[Library]:
    seen: set[str] = set()
    for folder in _LIBRARY_FOLDERS:
        try:
            found = gathering.root.find(place + folder)
            if found is None or found.path in seen:
                continue
            seen.add(found.path)
            names = gathering.root.names(place + folder) or []
        except ReadError as error:
            if not isinstance(error, NotGivenError):
                gathering.note(f"libraries in {place}{folder}", str(error))
            continue
        for name in names:
            library = _library(gathering.root, f"{place}{folder}/{name}") if _CORE.fullmatch(name) else None
            if library is not None:
                yield library


def _library(root: NodeRoot, path: str) -> Library | None:
    """None for a link that leads nowhere: no program finds a library by it."""
    try:
        found = root.find(path)
    except ReadError:
        return Library(posixpath.basename(path), path)
    if found is None:
        return None
    version = _VERSION.search(found.path)
    return Library(posixpath.basename(path), path, version[1] if version else "")


def _pci(gathering: Gathering, kernel: NodeRoot) -> tuple[str, ...] | None:
    folder = "/sys/bus/pci/devices"
    try:
        names = kernel.names(folder)
    except ReadError as error:
        gathering.note(folder, str(error))
        return None
    if names is None:
        return None
    return tuple(name for name in names[:_MOST_DEVICES] if _is_gpu(kernel, f"{folder}/{name}"))


def _is_gpu(kernel: NodeRoot, device: str) -> bool:
    return kernel.read_text(f"{device}/vendor", 64).strip().lower() == _NVIDIA and kernel.read_text(
        f"{device}/class", 64
    ).strip().startswith(_DISPLAY)
