"""What is on a node below Kubernetes: containerd's configuration, runtimes, devices, drivers."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

import msgspec

from helmguard.model.unshown import Unshown

NODE_FACTS_FORMAT = "helmguard.node-facts/v1"
"""The format of an archive's ``node-facts.json``."""

CONTAINERD_CONFIG = "/etc/containerd/config.toml"
"""Where containerd looks for its configuration unless it is told otherwise."""

DROP_IN_FOLDERS = ("/etc/containerd/conf.d", "/etc/containerd/config.d")
"""Where drop-ins are put by habit; containerd reads what ``imports`` says."""

CDI_FOLDERS = ("/etc/cdi", "/var/run/cdi")
"""Where CDI specs are by default; those in the last folder win."""


class NodeFile(Unshown, frozen=True):
    """A text file as it is on the node, but for registry credentials, whose values are dropped.

    ``text`` is decoded as UTF-8 with ``surrogateescape`` and keeps its line ends; None where it could not be
    read (``why``). ``dropped`` counts the values that were taken out.
    """

    text: str | None = None
    why: str = ""
    dropped: int = 0


PathKind = Literal["file", "folder", "device", "other", "absent", "unknown"]


class PathFacts(msgspec.Struct, frozen=True):
    """Something that a configuration or a CDI spec names by its path; links are followed.

    ``target`` is where links lead in the end, empty where the path is no link. ``executable``: some execute
    bit is set. ``form``: how a program begins (``elf``, ``script``), empty for others. ``calls`` are the
    absolute paths that a wrapper script names after ``exec``, and ``<path>.real`` where the script names it.
    """

    kind: PathKind
    target: str = ""
    executable: bool = False
    form: Literal["elf", "script", ""] = ""
    calls: tuple[str, ...] = ()


class ContainerdFacts(msgspec.Struct, frozen=True):
    """The containerd that is installed.

    ``version`` as it tells it (``1.7.29``, ``v2.1.4``, ``1.6.20~ds1``), empty where it is not known;
    ``version_from`` says where that stands. ``config_path`` is its main file, ``config_from`` who says so
    where it is not the default (a flag of its unit, a distribution's habit). ``environment`` are the
    settings of its unit that matter to helmguard; ``search_path`` is where bare names of programs are looked
    up.
    """

    version: str = ""
    version_from: str = ""
    config_path: str = CONTAINERD_CONFIG
    config_from: str = ""
    environment: Mapping[str, str] = {}
    search_path: tuple[str, ...] = (
        "/usr/local/sbin",
        "/usr/local/bin",
        "/usr/sbin",
        "/usr/bin",
        "/sbin",
        "/bin",
    )


class KubeletFacts(msgspec.Struct, frozen=True):
    """The kubelet. ``cgroup_driver`` is ``systemd`` or ``cgroupfs``, as ``file`` (``line``) or a flag says.

    It is ``default`` where they say nothing: then ``cgroupfs`` holds, unless the kubelet asks the runtime.
    """

    version: str = ""
    cgroup_driver: str = ""
    file: str = ""
    line: int = 0


class Library(msgspec.Struct, frozen=True):
    """A library of the driver's user space: ``/usr/lib/x86_64-linux-gnu/libcuda.so.570.195.03``.

    ``version`` is that of the file's name after links are followed, empty where it bears none.
    """

    name: str
    path: str
    version: str = ""


class DriverFacts(msgspec.Struct, frozen=True):
    """The NVIDIA driver: kernel module, device nodes, user space.

    ``kernel_version`` is the loaded module's (``/proc/driver/nvidia/version``), empty where none is loaded or
    ``/proc`` was not there to be read (``kernel_known`` is False then). ``root`` is where the driver's user
    space is (``/`` or ``/run/nvidia/driver``). ``pci`` are the addresses of NVIDIA's GPUs on the bus, None
    where ``/sys`` was not there.
    """

    kernel_version: str = ""
    kernel_known: bool = False
    modules: tuple[str, ...] = ()
    devices: tuple[str, ...] = ()
    root: str = "/"
    libraries: tuple[Library, ...] = ()
    pci: tuple[str, ...] | None = None


ManagedBy = Literal["k3s", "rke2", "eks", "gke", "aks", "bottlerocket", "microk8s", "talos", "openshift"]


class Marker(msgspec.Struct, frozen=True):
    """A sign that something else writes containerd's configuration: ``path`` is what was found."""

    managed_by: ManagedBy
    path: str


class SystemFacts(msgspec.Struct, frozen=True):
    """The operating system; ``cgroup`` is ``v1``, ``v2`` or empty where it is not known."""

    os_id: str = ""
    os_version: str = ""
    title: str = ""
    kernel: str = ""
    architecture: str = ""
    cgroup: Literal["v1", "v2", ""] = ""
    systemd: bool = False
    markers: tuple[Marker, ...] = ()


class UnreadFact(msgspec.Struct, frozen=True):
    """What could not be read, and why, in words."""

    what: str
    why: str


class NodeFacts(Unshown, frozen=True):
    """One node. All paths are the node's own, absolute, whatever root they were read below.

    ``files`` are the text files by path: the main configuration, everything that it imports, whatever is in
    the drop-in folders beside, CDI specs, the kubelet's configuration. A path that is not there was not
    looked at; one that is absent on the node is in ``paths`` with kind ``absent``. ``cdi_folders`` are those
    that were listed. ``source`` says where the facts come from, in words (``node-a.tar.gz``, ``/host``);
    ``collected`` is an ISO time, empty where the facts were read just now.
    """

    name: str
    files: Mapping[str, NodeFile] = {}
    paths: Mapping[str, PathFacts] = {}
    containerd: ContainerdFacts = msgspec.field(default_factory=ContainerdFacts)
    kubelet: KubeletFacts = msgspec.field(default_factory=KubeletFacts)
    driver: DriverFacts = msgspec.field(default_factory=DriverFacts)
    system: SystemFacts = msgspec.field(default_factory=SystemFacts)
    cdi_folders: tuple[str, ...] = ()
    labels: Mapping[str, str] = {}
    collected: str = ""
    source: str = ""
    unread: tuple[UnreadFact, ...] = ()
