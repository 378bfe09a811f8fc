"""Which versions of containerd and the kubelet are on a node."""

from __future__ import annotations

import re
import subprocess

from helmguard.containerd.version import read_version
from helmguard.node_facts.package_versions import package_version
from helmguard.node_facts.root import NodeRoot

_SECONDS = 10.0
_MOST_BYTES = 256 << 20
"""k3s's one program has 70 MiB, the kubelet 80."""
_CONTAINERD_IN_PROGRAM = re.compile(
    rb"github\.com/containerd/containerd(?:/v2)?/version\.Version=v?(\d+\.\d+\.\d+[\w.+~-]*)|"
    rb"(?:mod|dep)\tgithub\.com/(?:containerd|k3s-io)/containerd(?:/v2)?\tv(\d+\.\d+\.\d+[\w.+~-]*)"
)
"""What Go's linker flags say in a program's build information; else the version of its module."""
_KUBELET_IN_PROGRAM = re.compile(rb"k8s\.io/component-base/version\.gitVersion=(v\d+\.\d+\.\d+[\w.+~-]*)")
_CONTAINERD_PACKAGES = ("containerd.io", "containerd")
_KUBELET_PACKAGES = ("kubelet",)
_BY_PACKAGES = ("/usr/bin/", "/usr/sbin/", "/bin/", "/sbin/")


def containerd_version(root: NodeRoot, program: str) -> tuple[str, str]:
    """The version, and what tells it; both empty where it is not known.

    On this machine itself the program is asked; elsewhere nothing of the node is run: the package manager's
    database tells for a program in its folders, else the program's own build information.
    """
    if root.host and program:
        words = _asked(program, "--version").split()
        told = next((word for word in words[2:] if read_version(word) and word[:1] in "v0123456789"), "")
        if told:
            return told, f"{program} --version"
    packaged = package_version(root, *_CONTAINERD_PACKAGES)
    if packaged[0] and (not program or program.startswith(_BY_PACKAGES)):
        return packaged
    told = _in_program(root, program, _CONTAINERD_IN_PROGRAM)
    return (told, program) if told else packaged


def kubelet_version(root: NodeRoot) -> str:
    """The kubelet's version, empty where it is not known."""
    program = next(
        (
            one
            for one in ("/usr/bin/kubelet", "/usr/local/bin/kubelet", "/opt/bin/kubelet")
            if root.exists(one)
        ),
        "",
    )
    if root.host and program:
        told = _asked(program, "--version").rpartition(" ")[2].strip()
        if read_version(told):
            return told
    packaged = package_version(root, *_KUBELET_PACKAGES)[0]
    return packaged or _in_program(root, program, _KUBELET_IN_PROGRAM)


def _asked(program: str, *arguments: str) -> str:
    """What a program of this machine prints; empty where it does not answer."""
    try:
        done = subprocess.run(
            [program, *arguments],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=_SECONDS,
            check=False,
            text=True,
            errors="replace",
        )
    except (OSError, subprocess.SubprocessError):
        return ""
    return done.stdout[:4096] if done.returncode == 0 else ""


def _in_program(root: NodeRoot, program: str, pattern: re.Pattern[bytes]) -> str:
    if not program:
        return ""
    before = b""
    for chunk in root.chunks(program, _MOST_BYTES):
        found = pattern.search(before + chunk)
        if found:
            return next(group for group in found.groups() if group).decode("ascii", "replace")
        before = chunk[-256:]
    return ""
