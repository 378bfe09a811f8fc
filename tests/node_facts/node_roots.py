"""Roots of nodes' file systems in a test's own folder."""

from __future__ import annotations

import os
import textwrap
from collections.abc import Mapping
from pathlib import Path

import msgspec

DRIVER = "570.195.03"


class Link(msgspec.Struct, frozen=True):
    """A symbolic link; ``target`` is its text."""

    target: str


class Program(msgspec.Struct, frozen=True):
    """A file that can be executed: an ELF file unless ``text`` says what is in it."""

    text: str = "\x7fELF\x02\x01\x01"


class Folder(msgspec.Struct, frozen=True):
    """A folder with nothing in it."""


class Fifo(msgspec.Struct, frozen=True):
    """A named pipe that nobody writes to."""


Entry = str | bytes | Link | Program | Folder | Fifo


def write_root(folder: Path, entries: Mapping[str, Entry]) -> Path:
    """Write the entries (absolute paths of the node) below the folder, and give it back.

    Texts are dedented, so that they may be written indented in a test.
    """
    folder.mkdir(parents=True, exist_ok=True)
    for path, entry in entries.items():
        _write(folder / path.lstrip("/"), entry)
    return folder


def _write(place: Path, entry: Entry) -> None:
    if isinstance(entry, Folder):
        place.mkdir(parents=True, exist_ok=True)
        return
    place.parent.mkdir(parents=True, exist_ok=True)
    if isinstance(entry, Link):
        place.symlink_to(entry.target)
    elif isinstance(entry, Fifo):
        os.mkfifo(place)
    elif isinstance(entry, Program):
        place.write_text(entry.text)
        place.chmod(0o755)
    elif isinstance(entry, bytes):
        place.write_bytes(entry)
    else:
        place.write_text(textwrap.dedent(entry).lstrip("\n"))


SYSTEM: Mapping[str, Entry] = {
    "/etc/os-release": 'ID=ubuntu\nVERSION_ID="22.04"\nPRETTY_NAME="Ubuntu 22.04.5 LTS"\n',
    "/proc/sys/kernel/osrelease": "5.15.0-130-generic\n",
    "/sys/fs/cgroup/cgroup.controllers": "cpuset cpu io memory pids\n",
    "/run/systemd/system": Folder(),
    "/usr/bin/runc": Program(),
    "/usr/bin/containerd-shim-runc-v2": Program(),
    "/usr/bin/containerd": Program(),
    "/var/lib/kubelet/config.yaml": """
        apiVersion: kubelet.config.k8s.io/v1beta1
        kind: KubeletConfiguration
        cgroupDriver: systemd
        """,
}
"""A node with containerd's and the kubelet's programs, without a GPU and without a config.toml."""


def installed(version: str) -> Mapping[str, Entry]:
    """containerd of this version, as Debian's package manager knows it."""
    return {
        "/var/lib/dpkg/status": f"""
            Package: containerd.io
            Status: install ok installed
            Version: {version}-1
            """
    }


def driver(version: str = DRIVER, *, kernel: str = "") -> Mapping[str, Entry]:
    """NVIDIA's driver: user space of ``version``, the kernel's module of ``kernel``, else the same."""
    folder = "/usr/lib/x86_64-linux-gnu"
    loaded = kernel or version
    return {
        "/proc/driver/nvidia/version": f"""
            NVRM version: NVIDIA UNIX x86_64 Kernel Module  {loaded}  Sat Aug 30 23:00:00 UTC 2025
            GCC version:  gcc version 12.3.0 (Ubuntu 12.3.0-1ubuntu1~22.04)
            """,
        "/proc/modules": """
            nvidia_uvm 1724416 0 - Live 0x0000000000000000 (OE)
            nvidia 9744384 1 nvidia_uvm, Live 0x0000000000000000 (OE)
            fuse 176128 1 - Live 0x0000000000000000
            """,
        "/dev/nvidia0": "",
        "/dev/nvidiactl": "",
        "/dev/nvidia-uvm": "",
        f"{folder}/libcuda.so.{version}": b"\x7fELF",
        f"{folder}/libcuda.so.1": Link(f"libcuda.so.{version}"),
        f"{folder}/libcuda.so": Link("libcuda.so.1"),
        f"{folder}/libnvidia-ml.so.{version}": b"\x7fELF",
        f"{folder}/libnvidia-ml.so.1": Link(f"libnvidia-ml.so.{version}"),
        "/sys/bus/pci/devices/0000:01:00.0/vendor": "0x10de\n",
        "/sys/bus/pci/devices/0000:01:00.0/class": "0x030000\n",
        "/sys/bus/pci/devices/0000:01:00.1/vendor": "0x10de\n",
        "/sys/bus/pci/devices/0000:01:00.1/class": "0x040300\n",
    }


TOOLKIT_FOLDER = "/usr/local/nvidia/toolkit"
TOOLKIT: Mapping[str, Entry] = {
    f"{TOOLKIT_FOLDER}/nvidia-container-runtime": Program(
        "#! /bin/sh\n"
        'if ! grep -q "^nvidia " /proc/modules; then\n'
        '  exec runc "$@"\n'
        "fi\n"
        f"PATH={TOOLKIT_FOLDER}:$PATH \\\n"
        f"  {TOOLKIT_FOLDER}/nvidia-container-runtime.real \\\n"
        '    "$@"\n'
    ),
    f"{TOOLKIT_FOLDER}/nvidia-container-runtime.real": Program(),
    f"{TOOLKIT_FOLDER}/nvidia-ctk": Program(),
    f"{TOOLKIT_FOLDER}/nvidia-cdi-hook": Program(),
}
"""The container toolkit where the operator puts it."""

MAIN = """
    version = 2
    imports = ["/etc/containerd/conf.d/*.toml"]

    [plugins."io.containerd.grpc.v1.cri".containerd.runtimes.runc]
      runtime_type = "io.containerd.runc.v2"
      [plugins."io.containerd.grpc.v1.cri".containerd.runtimes.runc.options]
        SystemdCgroup = true
    """
DROP_IN = f"""
    version = 2

    [plugins."io.containerd.grpc.v1.cri".containerd.runtimes.nvidia]
      runtime_type = "io.containerd.runc.v2"
      [plugins."io.containerd.grpc.v1.cri".containerd.runtimes.nvidia.options]
        BinaryName = "{TOOLKIT_FOLDER}/nvidia-container-runtime"
        SystemdCgroup = true
    """


def gpu_node(containerd: str = "2.1.4") -> dict[str, Entry]:
    """A node whose config.toml has no word of nvidia: a drop-in of the operator's toolkit registers it."""
    return {
        **SYSTEM,
        **installed(containerd),
        **driver(),
        **TOOLKIT,
        "/etc/containerd/config.toml": MAIN,
        "/etc/containerd/conf.d/99-nvidia.toml": DROP_IN,
    }
