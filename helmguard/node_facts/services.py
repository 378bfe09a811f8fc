"""Who starts containerd and the kubelet on a node, and with which configuration."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

import msgspec

from helmguard.model.node_facts import CONTAINERD_CONFIG, ContainerdFacts
from helmguard.node_facts.root import NodeRoot
from helmguard.node_facts.units import Unit, read_unit

_SEARCH_PATH: Final = ContainerdFacts().search_path
_TOLD_SETTINGS = ("PATH", "CONTAINERD_CONFIG", "ENABLE_CRI_SANDBOXES", "NVIDIA_CTK_CONFIG_FILE_PATH")
"""Settings of the unit's environment that are collected; others may hold a proxy's password."""

RANCHER = "/var/lib/rancher"


class Distribution(msgspec.Struct, frozen=True):
    """A distribution that brings a containerd of its own, and where it has it.

    ``binaries`` are folders with its programs, which are looked through first.
    """

    name: str
    config: str
    binaries: tuple[str, ...] = ()


DISTRIBUTIONS = (
    Distribution(
        "k3s",
        f"{RANCHER}/k3s/agent/etc/containerd/config.toml",
        (f"{RANCHER}/k3s/data/current/bin", f"{RANCHER}/k3s/data/current/bin/aux"),
    ),
    Distribution("rke2", f"{RANCHER}/rke2/agent/etc/containerd/config.toml", (f"{RANCHER}/rke2/bin",)),
    Distribution(
        "microk8s", "/var/snap/microk8s/current/args/containerd.toml", ("/snap/microk8s/current/bin",)
    ),
    Distribution("k0s", "/etc/k0s/containerd.toml", ("/var/lib/k0s/bin",)),
    Distribution("talos", "/etc/cri/containerd.toml"),
)
"""Sources: the documentation of each (k3s and RKE2: advanced options; MicroK8s: services and ports; k0s:
runtime; Talos: containerd)."""


class ContainerdService(msgspec.Struct, frozen=True):
    """How containerd is started: its main file, who says so, its environment, where programs are looked up.

    ``program`` is the path of its binary, empty where it is not known.
    """

    config: str = CONTAINERD_CONFIG
    config_from: str = ""
    environment: Mapping[str, str] = {}
    search_path: tuple[str, ...] = _SEARCH_PATH
    program: str = ""


def containerd_service(root: NodeRoot, config: str = "") -> ContainerdService:
    """What starts containerd on this node; ``config`` is a main file that the user names instead."""
    own = next((one for one in DISTRIBUTIONS if root.exists(one.config)), None)
    unit = None if own else read_unit(root, "containerd.service")
    path, said_by = CONTAINERD_CONFIG, ""
    if own:
        path, said_by = own.config, own.name
    elif unit and unit.flag("--config", "-c"):
        path = unit.flag("--config", "-c")
        flag = "--config" if unit.flag("--config") else "-c"
        said_by = f"{flag} of {unit.place_of(flag)[0]}"
    if config:
        path, said_by = config, "--config"
    environment = unit.environment if unit else {}
    search = _search_path(root, environment.get("PATH", ""), own)
    return ContainerdService(
        config=path if path.startswith("/") else f"/{path}",
        config_from=said_by,
        environment={name: environment[name] for name in _TOLD_SETTINGS if name in environment},
        search_path=search,
        program=_program(root, unit, search),
    )


def _search_path(root: NodeRoot, path: str, own: Distribution | None) -> tuple[str, ...]:
    folders = [one for one in path.split(":") if one.startswith("/")] or [*_SEARCH_PATH]
    # containerd's opt plugin puts the folder of programs installed with "ctr install" before all others.
    before = ["/opt/containerd/bin"] if root.exists("/opt/containerd/bin") else []
    return tuple(dict.fromkeys([*before, *(own.binaries if own else ()), *folders]))


def _program(root: NodeRoot, unit: Unit | None, search: tuple[str, ...]) -> str:
    word = unit.words[0] if unit and unit.words else ""
    candidates = [word] if word.startswith("/") else []
    candidates += [f"{folder}/containerd" for folder in search]
    return next((one for one in candidates if root.exists(one)), "")
