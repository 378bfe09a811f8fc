"""Configuration files of nodes, in each version."""

from __future__ import annotations

from helmguard.model.node_facts import CONTAINERD_CONFIG, KubeletFacts

MAIN = CONTAINERD_CONFIG
DROP_IN = "/etc/containerd/conf.d/99-nvidia.toml"
IMPORTS = 'imports = ["/etc/containerd/conf.d/*.toml"]\n'
BINARY = "/usr/bin/nvidia-container-runtime"
SYSTEMD = KubeletFacts("", "systemd", "/var/lib/kubelet/config.yaml", 3)

_TABLES = {
    1: "plugins.cri",
    2: 'plugins."io.containerd.grpc.v1.cri"',
    3: 'plugins."io.containerd.cri.v1.runtime"',
}


def grpc(path: str, line: str) -> str:
    return f"[{_TABLES[2]}{path}]\n  {line}\n"


def runtime_v3(path: str, line: str) -> str:
    return f"[{_TABLES[3]}{path}]\n  {line}\n"


def nvidia(version: int, name: str = "nvidia", more: str = "") -> str:
    table = f"{_TABLES[version]}.containerd.runtimes.{name}"
    return (
        f'[{table}]\n  runtime_type = "io.containerd.runc.v2"\n'
        f'[{table}.options]\n  BinaryName = "{BINARY}"\n  SystemdCgroup = true\n'
        + (f"  {more}\n" if more else "")
    )


def conf(version: int) -> str:
    """A drop-in that only adds nvidia."""
    return f"version = {version}\n\n{nvidia(version)}"


def _runc(version: int) -> str:
    table = f"{_TABLES[version]}.containerd.runtimes.runc"
    return f'[{table}]\n  runtime_type = "io.containerd.runc.v2"\n[{table}.options]\n  SystemdCgroup = true\n'


V1 = f'version = 1\n\n[{_TABLES[1]}]\n  sandbox_image = "registry.example.com/pause:3.9"\n{_runc(1)}'
V2 = (
    f'version = 2\n\n[{_TABLES[2]}]\n  sandbox_image = "registry.example.com/pause:3.9"\n'
    f"[{_TABLES[2]}.registry]\n"
    f'  config_path = "/etc/containerd/certs.d"\n{_runc(2)}'
)
V3 = (
    'version = 3\n\n[plugins."io.containerd.cri.v1.images".pinned_images]\n'
    '  sandbox = "registry.example.com/pause:3.9"\n[plugins."io.containerd.cri.v1.images".registry]\n'
    f'  config_path = "/etc/containerd/certs.d"\n{_runc(3)}'
)
SUPERSET = V2 + nvidia(2)
"""What the toolkit writes from 1.18 on: a copy of the main file's table, and nvidia."""
