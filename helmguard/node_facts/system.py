"""A node's operating system, and signs that something else writes containerd's configuration."""

from __future__ import annotations

import os
import re
import shlex
from collections.abc import Iterator
from typing import Final, Literal

from helmguard.model.node_facts import ManagedBy, Marker, SystemFacts
from helmguard.node_facts.root import NodeRoot, ReadError
from helmguard.node_facts.services import RANCHER

_MARKERS: Final[tuple[tuple[ManagedBy, tuple[str, ...]], ...]] = (
    ("k3s", (f"{RANCHER}/k3s/agent", "/etc/rancher/k3s")),
    ("rke2", (f"{RANCHER}/rke2/agent", "/etc/rancher/rke2")),
    ("eks", ("/etc/eks",)),
    ("gke", ("/home/kubernetes/bin", "/home/kubernetes/kube-env")),
    (
        "aks",
        ("/opt/azure/containers", "/var/lib/waagent/ManagedIdentity-Settings", "/etc/kubernetes/azure.json"),
    ),
    ("bottlerocket", ("/etc/bottlerocket-release", "/x86_64-bottlerocket-linux-gnu")),
    ("microk8s", ("/var/snap/microk8s/current",)),
    ("talos", ("/system/state/config.yaml", "/usr/local/etc/extensions.yaml")),
    ("openshift", ("/etc/machine-config-daemon", "/etc/kubernetes/apiserver-url.env")),
)
"""The first path of each that is there tells. Sources: each one's node image or installer (amazon-eks-ami,
the Container-Optimized OS, AgentBaker, the machine-config operator; documentation of k3s, RKE2, MicroK8s)."""
_OS_MARKERS: Final[dict[str, ManagedBy]] = {
    "bottlerocket": "bottlerocket",
    "talos": "talos",
    "rhcos": "openshift",
}
_MACHINES = {
    0x03: "i386",
    0x28: "arm",
    0x3E: "x86_64",
    0xB7: "aarch64",
    0x15: "ppc64le",
    0x16: "s390x",
    0xF3: "riscv64",
}
"""``e_machine`` of the ELF header (elf(5))."""
_OWN_PROGRAMS = (
    "/bin/sh",
    "/usr/bin/sh",
    "/usr/bin/containerd",
    "/usr/local/bin/containerd",
    "/usr/bin/runc",
)


def system_facts(root: NodeRoot) -> SystemFacts:
    """What the node's files tell of its system; what they do not tell is empty."""
    release, release_file = _os_release(root)
    return SystemFacts(
        os_id=release.get("ID", ""),
        os_version=release.get("VERSION_ID", ""),
        title=release.get("PRETTY_NAME", ""),
        kernel=_kernel(root.kernel),
        architecture=_architecture(root),
        cgroup=_cgroup(root.kernel),
        systemd=root.exists("/run/systemd/system") or root.exists("/etc/systemd/system"),
        markers=tuple(_found_markers(root, release.get("ID", ""), release_file)),
    )


def _os_release(root: NodeRoot) -> tuple[dict[str, str], str]:
    for path in ("/etc/os-release", "/usr/lib/os-release"):
        found = dict(_assignments(root.read_text(path, 64 << 10)))
        if found:
            return found, path
    return {}, ""


def _assignments(text: str) -> Iterator[tuple[str, str]]:
    """os-release(5): shell's assignments."""
    for line in text.splitlines():
        key, equals, value = line.strip().partition("=")
        if equals and re.fullmatch(r"[A-Z0-9_]+", key):
            try:
                yield key, " ".join(shlex.split(value))
            except ValueError:
                yield key, value.strip("\"'")


def _kernel(kernel: NodeRoot) -> str:
    told = kernel.read_text("/proc/sys/kernel/osrelease", 4096).strip()
    if told:
        return told
    found = re.match(r"Linux version (\S+)", kernel.read_text("/proc/version", 4096))
    return found[1] if found else ""


def _architecture(root: NodeRoot) -> str:
    for path in _OWN_PROGRAMS:
        try:
            start = root.read_start(path, 20) or b""
        except ReadError:
            continue
        if start.startswith(b"\x7fELF") and len(start) == 20:
            order: Literal["big", "little"] = "big" if start[5] == 2 else "little"
            machine = _MACHINES.get(int.from_bytes(start[18:20], order), "")
            if machine:
                return machine
    return os.uname().machine if root.kernel.host else ""


def _cgroup(kernel: NodeRoot) -> Literal["v1", "v2", ""]:
    if kernel.exists("/sys/fs/cgroup/cgroup.controllers"):
        return "v2"
    if any(kernel.exists(f"/sys/fs/cgroup/{one}") for one in ("memory", "cpu", "cpu,cpuacct", "unified")):
        return "v1"
    mounted = re.search(
        r"^\S+ /sys/fs/cgroup(?:/\S+)? (cgroup2?) ", kernel.read_text("/proc/mounts"), re.MULTILINE
    )
    return ("v2" if mounted[1] == "cgroup2" else "v1") if mounted else ""


def _found_markers(root: NodeRoot, os_id: str, release_file: str) -> Iterator[Marker]:
    by_system = _OS_MARKERS.get(os_id)
    if by_system:
        yield Marker(by_system, release_file)
    for managed_by, paths in _MARKERS:
        found = next((path for path in paths if root.exists(path)), "")
        if found and managed_by != by_system:
            yield Marker(managed_by, found)
