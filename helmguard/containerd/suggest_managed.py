"""Nodes whose configuration something else writes: where an edit must go so that it stays."""

from __future__ import annotations

import posixpath
from collections.abc import Mapping

import msgspec

from helmguard.containerd.suggest_model import FileEdit
from helmguard.model.containerd_settings import Effective
from helmguard.model.node_facts import ManagedBy, NodeFacts

_RANCHER = "/var/lib/rancher/"
_MICROK8S = "/var/snap/microk8s/"

_NOT_BY_FILES: Mapping[ManagedBy, str] = {
    "bottlerocket": "Bottlerocket writes containerd's configuration from its settings at every boot, and has "
    "no place for files of others: take its nvidia variant, which has the runtime",
    "openshift": "OpenShift's runtime is CRI-O: its nodes have no containerd to configure",
}
"""Nodes on which no file can be suggested (documentation of each)."""

_REMARKS: Mapping[ManagedBy, str] = {
    "eks": "EKS writes config.toml when a node is created: put the same into the node group's user data "
    "(spec.containerd.config of nodeadm's NodeConfig on Amazon Linux 2023), or into the image, "
    "or new nodes lack it.",
    "gke": "GKE makes nodes anew at upgrades and repairs: what is written by hand is gone then. Let a "
    "DaemonSet write it, or take a node pool with GPUs, which has driver and CDI devices by itself.",
    "aks": "AKS writes config.toml when a node is made from its image: put the same into a DaemonSet, or "
    "take a GPU node pool, whose image has the runtime.",
    "talos": "Talos takes this drop-in from the machine configuration: a file "
    "/etc/cri/conf.d/20-customization.part under machine.files, and the runtime's system extension.",
    "microk8s": "MicroK8s makes containerd.toml from containerd-template.toml at every start.",
}


def hand_over(facts: NodeFacts) -> str:
    """Why files are not the way on this node; empty where they are."""
    return next((_NOT_BY_FILES[one] for one in managers(facts) if one in _NOT_BY_FILES), "")


def managers(facts: NodeFacts) -> list[ManagedBy]:
    """What manages the node, each once."""
    return list(dict.fromkeys(marker.managed_by for marker in facts.system.markers))


def remarks_for(facts: NodeFacts) -> list[str]:
    """Where else the same must be put, for it to last."""
    return [_REMARKS[one] for one in managers(facts) if one in _REMARKS]


def template_of(facts: NodeFacts, effective: Effective) -> str:
    """The file from which the main file is generated; empty where it is none's work."""
    main = facts.containerd.config_path
    folder = posixpath.dirname(main)
    if main.startswith(_RANCHER):
        name = "config.toml.tmpl" if effective.generation == "1" else "config-v3.toml.tmpl"
        return f"{folder}/{name}"
    return f"{folder}/containerd-template.toml" if main.startswith(_MICROK8S) else ""


def as_template(facts: NodeFacts, effective: Effective, edits: tuple[FileEdit, ...]) -> tuple[FileEdit, ...]:
    """The edits with that of a generated main file made one of its template."""
    template = template_of(facts, effective)
    main = facts.containerd.config_path
    return tuple(
        _of_template(facts, edit, template) if template and edit.path == main else edit for edit in edits
    )


def _of_template(facts: NodeFacts, edit: FileEdit, template: str) -> FileEdit:
    added = (edit.after or "")[len((edit.before or "").rstrip("\n")) :]
    file = facts.files.get(template)
    before = file.text if file is not None else None
    program = "MicroK8s" if template.startswith(_MICROK8S) else distribution(facts)
    why = (
        f"{edit.why}; {program} writes {posixpath.basename(edit.path)} anew from this template at every start"
    )
    begun = before.rstrip("\n") if before is not None else '{{ template "base" . }}'
    if before is None and template.startswith(_MICROK8S):
        begun = (edit.before or "").rstrip("\n")
    return msgspec.structs.replace(edit, path=template, before=before, after=begun + added, why=why)


def distribution(facts: NodeFacts) -> str:
    """``k3s`` or ``RKE2``, by where its files are."""
    return "RKE2" if facts.containerd.config_path.startswith(f"{_RANCHER}rke2/") else "k3s"


def restart_command(facts: NodeFacts) -> str:
    """What makes containerd read its files again."""
    main = facts.containerd.config_path
    if main.startswith(f"{_RANCHER}rke2/"):
        return "systemctl restart rke2-agent"
    if main.startswith(_RANCHER):
        return "systemctl restart k3s-agent"
    if main.startswith(_MICROK8S):
        return "snap restart microk8s.daemon-containerd"
    return "systemctl restart containerd"


def restart_hint(facts: NodeFacts) -> str:
    """What to restart where the node is a server; empty where there is no such difference."""
    main = facts.containerd.config_path
    if not main.startswith(_RANCHER):
        return ""
    return "on a server: rke2-server" if main.startswith(f"{_RANCHER}rke2/") else "on a server: k3s"
