"""What of a node's file system a pod has to see to collect its facts, and why; nothing else is mounted.

A path that is not there must not be mounted as if it were: containerd would make an empty folder of it on the
node (containerd@v2.1.4 internal/cri/opts/spec_linux_opts.go), and on a node without kubeadm a folder
``/var/lib/kubelet/config.yaml`` would be in the way later. So each mount says what it must be, and the pod
stays in ContainerCreating on a node that has it otherwise.
"""

from __future__ import annotations

from typing import Final, Literal

import msgspec

HostPathType = Literal["Directory", "File", "DirectoryOrCreate"]


class Mount(msgspec.Struct, frozen=True):
    """A path of the node, mounted read-only below ``/host``; ``why`` is for whoever reads the manifest."""

    path: str
    type: HostPathType
    why: str


BASE: Final = (
    Mount("/etc/containerd", "DirectoryOrCreate", "containerd's configuration and its drop-ins"),
    Mount("/etc/cdi", "DirectoryOrCreate", "CDI specs that were written by hand or by nvidia-ctk"),
    Mount("/var/run/cdi", "DirectoryOrCreate", "CDI specs that were made since the last start"),
    Mount("/usr", "Directory", "runtimes, wrappers, the driver's libraries, units of packages, os-release"),
)
"""There on every Linux node; folders that may be missing are made, empty, by the kubelet.

What the kernel tells (the driver's version, its modules, the devices on the bus, cgroup v1 or v2) stands in
the pod's own ``/proc`` and ``/sys``: those need no mount."""

_K3S = "/var/lib/rancher/k3s/agent/etc/containerd"
_RKE2 = "/var/lib/rancher/rke2/agent/etc/containerd"

DISTRIBUTIONS: Final[dict[str, tuple[Mount, ...]]] = {
    "kubeadm": (
        Mount("/var/lib/kubelet/config.yaml", "File", "the kubelet's cgroup driver"),
        Mount("/var/lib/kubelet/kubeadm-flags.env", "File", "flags of the kubelet that outweigh it"),
    ),
    "k3s": (Mount(_K3S, "Directory", "the configuration that k3s generates, and its templates"),),
    "rke2": (Mount(_RKE2, "Directory", "the configuration that RKE2 generates, and its templates"),),
    "eks": (Mount("/etc/kubernetes/kubelet", "Directory", "the kubelet's configuration, without its keys"),),
    "gke": (
        Mount("/home/kubernetes/kubelet-config.yaml", "File", "the kubelet's cgroup driver"),
        Mount("/home/kubernetes/bin", "Directory", "runtimes and the driver's libraries"),
    ),
    "aks": (Mount("/etc/default/kubelet", "File", "the kubelet's flags"),),
    "microk8s": (
        Mount("/var/snap/microk8s/current/args", "Directory", "containerd's and the kubelet's settings"),
    ),
    "other": (),
}
"""What is there on the nodes of each distribution alone, and must be there for the pod to start."""


def mounts_of(
    distribution: str, more: tuple[str, ...] = (), without: tuple[str, ...] = ()
) -> tuple[Mount, ...]:
    """The mounts for a distribution's nodes.

    ``more`` are paths that the user adds, each there on every node chosen; ``without`` those to leave out.
    """
    own = tuple(Mount(path, "Directory", "added by --mount") for path in more)
    found = {mount.path: mount for mount in (*BASE, *DISTRIBUTIONS[distribution], *own)}
    return tuple(mount for path, mount in found.items() if path not in without)
