"""The kubelet's cgroup driver, and where it is set.

The kubelet reads its file (``--config``), then the ``*.conf`` files of ``--config-dir`` by name, and flags
win over both (kubernetes.io, "Set Kubelet Parameters Via A Configuration File").
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator

import msgspec

from helmguard.model.node_facts import KubeletFacts
from helmguard.node_facts.gathering import Gathering
from helmguard.node_facts.services import RANCHER
from helmguard.node_facts.units import Unit, flag_value, read_unit

_UNITS = ("kubelet.service", "snap.kubelet-eks.daemon.service", "snap.kubelet.daemon.service")
_DEFAULT_CONFIG = "/var/lib/kubelet/config.yaml"
_OTHER_CONFIGS = (
    "/etc/kubernetes/kubelet/config.json",
    "/etc/kubernetes/kubelet/kubelet-config.json",
    "/home/kubernetes/kubelet-config.yaml",
    "/etc/kubernetes/kubelet/config",
    "/etc/kubernetes/kubelet.conf.yaml",
    "/etc/kubernetes/kubelet-config.yaml",
    "/var/lib/k0s/kubelet-config.yaml",
)
"""Where EKS, GKE, Bottlerocket, Talos and k0s have it, for nodes whose unit cannot be read."""
_FLAG_FILES = ("/var/lib/kubelet/kubeadm-flags.env", "/etc/default/kubelet", "/etc/sysconfig/kubelet")
_MICROK8S_FLAGS = "/var/snap/microk8s/current/args/kubelet"
_CONFIG_FOLDERS = (
    f"{RANCHER}/k3s/agent/etc/kubelet.conf.d",
    f"{RANCHER}/rke2/agent/etc/kubelet.conf.d",
    "/etc/kubernetes/kubelet/config.json.d",
)
_MOST_FILES = 64
_FLAG = "--cgroup-driver"
_KEY = re.compile(r"(?:^|[{,])[ \t]*[\"']?cgroupDriver[\"']?[ \t]*:[ \t]*[\"']?(\w+)", re.MULTILINE)


class _Said(msgspec.Struct, frozen=True):
    driver: str
    file: str
    line: int


def kubelet_facts(gathering: Gathering, version: str) -> KubeletFacts:
    """The cgroup driver as the node's files say it; empty where no configuration of a kubelet was found."""
    unit = next((found for name in _UNITS if (found := read_unit(gathering.root, name)) is not None), None)
    found_any = unit is not None
    said: _Said | None = None
    for path in _config_files(gathering, unit):
        file = gathering.add_file(path)
        if file is None or file.text is None:
            continue
        found_any = True
        said = _in_config(path, file.text) or said
    for path in (*_FLAG_FILES, _MICROK8S_FLAGS):
        if gathering.root.exists(path):
            found_any = True
            said = _in_flags(path, gathering.root.read_text(path)) or said
    said = (_of_unit(unit) if unit else None) or said
    driver = said.driver if said else "default" if found_any else ""
    return KubeletFacts(version, driver, said.file if said else "", said.line if said else 0)


def _config_files(gathering: Gathering, unit: Unit | None) -> Iterator[str]:
    named = unit.flag("--config") if unit else ""
    if not named:
        named = next(
            (
                found
                for path in _FLAG_FILES
                if (found := _flag_in(gathering.root.read_text(path), "--config"))
            ),
            "",
        )
    if named.startswith("/"):
        yield posixpath.normpath(named)
    else:
        candidates = (_DEFAULT_CONFIG, *_OTHER_CONFIGS)
        yield from [path for path in candidates if gathering.root.exists(path)][:1]
    folders = [unit.flag("--config-dir")] if unit and unit.flag("--config-dir") else [*_CONFIG_FOLDERS]
    for folder in folders:
        if not gathering.root.exists(folder):
            continue
        for name in (gathering.folder(folder) or [])[:_MOST_FILES]:
            if name.endswith(".conf"):
                yield f"{folder}/{name}"


def _in_config(path: str, text: str) -> _Said | None:
    """A key of YAML or JSON, at its top level in either: no other key of the kubelet's has this name."""
    matches = list(_KEY.finditer(text))
    if not matches:
        return None
    found = matches[-1]
    return _Said(found[1], path, text.count("\n", 0, found.start(1)) + 1)


def _in_flags(path: str, text: str) -> _Said | None:
    value = _flag_in(text, _FLAG)
    return _Said(value, path, text.count("\n", 0, text.index(_FLAG)) + 1) if value else None


def _flag_in(text: str, flag: str) -> str:
    lines = [line for line in text.splitlines() if not line.lstrip().startswith("#")]
    words = re.sub(r"[\"'\\]", " ", "\n".join(lines)).replace("ARGS=", "ARGS= ").replace("OPTS=", "OPTS= ")
    return flag_value(words.split(), flag)


def _of_unit(unit: Unit) -> _Said | None:
    value = unit.flag(_FLAG)
    if not value:
        return None
    file, line = unit.place_of(_FLAG)
    return _Said(value, file, line)
