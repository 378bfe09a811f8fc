"""``helmguard node manifest``."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from helmguard.cli.parser import Parser
from helmguard.errors import UsageError

if TYPE_CHECKING:
    from helmguard.model.json_value import JSONObject

_EXAMPLES = """\
  helmguard node manifest --image registry.example.com/helmguard:1.0 | kubectl apply -n node-facts -f -
  helmguard node manifest --node-selector nvidia.com/gpu.present=true
  helmguard node manifest --distribution k3s --all-nodes
  helmguard node manifest --mount /opt/kata --toleration dedicated=gpu:NoSchedule

The pods mount files of their node read-only; the namespace must allow the Pod Security level privileged for
that. Read the facts back with helmguard node gather, and delete the DaemonSet then.

exit codes: 0 printed, 1 error"""


def build_parser() -> Parser:
    """The action's flags."""
    from helmguard.node.manifest import DEFAULT_IMAGE, DEFAULT_NAME
    from helmguard.node.manifest_mounts import DISTRIBUTIONS

    parser = Parser(
        "node manifest",
        "Print a DaemonSet that reads each node's facts once, prints them to its log, and changes nothing.",
        _EXAMPLES,
        arguments="[flags]",
    )
    group = parser.add_argument_group("the DaemonSet")
    group.add_argument(
        "--image", default=DEFAULT_IMAGE, metavar="IMAGE", help="image with helmguard and a shell in it"
    )
    group.add_argument(
        "--image-pull-secret",
        action="append",
        default=[],
        metavar="NAME",
        help="for a private registry, repeatable",
    )
    group.add_argument(
        "--name", default=DEFAULT_NAME, metavar="NAME", help=f"its name (default {DEFAULT_NAME})"
    )
    group.add_argument(
        "-n",
        "--namespace",
        default="",
        metavar="NS",
        help="write this namespace into it; else kubectl's -n tells",
    )
    group.add_argument("--debug", action="store_true", help="show the stack trace of an error")
    nodes = parser.add_argument_group("the nodes")
    nodes.add_argument(
        "--node-selector",
        action="append",
        default=[],
        metavar="KEY=VALUE",
        help="only nodes with this label, repeatable",
    )
    nodes.add_argument(
        "--toleration",
        action="append",
        default=[],
        metavar="KEY[=VALUE][:EFFECT]",
        help="also nodes with this taint, repeatable; those with nvidia.com/gpu are read anyway",
    )
    nodes.add_argument("--all-nodes", action="store_true", help="whatever their taints, control planes too")
    files = parser.add_argument_group("what the pods see of their node")
    files.add_argument(
        "--distribution",
        choices=tuple(DISTRIBUTIONS),
        default="kubeadm",
        help="which files there are beside those of every node (default kubeadm); a file that is not there "
        "keeps the pod from starting",
    )
    files.add_argument(
        "--mount",
        action="append",
        default=[],
        metavar="PATH",
        help="one more folder, there on every node chosen: /opt/kata, /run/nvidia/driver; repeatable",
    )
    files.add_argument(
        "--without", action="append", default=[], metavar="PATH", help="leave out this mount, repeatable"
    )
    files.add_argument(
        "--config", default="", metavar="PATH", help="containerd's main file where it is another"
    )
    return parser


def run(options: argparse.Namespace) -> int:
    """Print the manifest."""
    from helmguard.cli.standard_streams import write_stdout
    from helmguard.node.manifest import ManifestRequest, manifest_text

    request = ManifestRequest(
        image=options.image,
        name=_name(options.name),
        namespace=options.namespace,
        node_selector=dict(_label(text) for text in options.node_selector),
        tolerations=tuple(_toleration(text) for text in options.toleration),
        all_nodes=options.all_nodes,
        distribution=options.distribution,
        mounts=tuple(_path(text, "--mount") for text in options.mount),
        without=tuple(_path(text, "--without") for text in options.without),
        config=_path(options.config, "--config") if options.config else "",
        pull_secrets=tuple(options.image_pull_secret),
    )
    write_stdout(manifest_text(request))
    return 0


def _name(text: str) -> str:
    import re

    if not re.fullmatch(r"[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?", text):
        raise UsageError(
            f"--name {text!r} is no name of an object", remedy="Use small letters, digits and hyphens."
        )
    return text


def _label(text: str) -> tuple[str, str]:
    key, sign, value = text.partition("=")
    if not key or not sign:
        raise UsageError(f"--node-selector {text!r} is no label", remedy="Write it as KEY=VALUE.")
    return key, value


def _toleration(text: str) -> JSONObject:
    rest, _, effect = text.partition(":")
    key, sign, value = rest.partition("=")
    effects = ("", "NoSchedule", "PreferNoSchedule", "NoExecute")
    if not key or effect not in effects:
        raise UsageError(
            f"--toleration {text!r} is no toleration",
            remedy="Write it as KEY, KEY=VALUE, KEY:NoSchedule or KEY=VALUE:NoExecute.",
        )
    found: JSONObject = {"key": key, "operator": "Equal" if sign else "Exists"}
    if sign:
        found["value"] = value
    if effect:
        found["effect"] = effect
    return found


def _path(text: str, flag: str) -> str:
    """A folder of the node; not one that holds the secrets of the node or of its pods."""
    path = "/" + "/".join(part for part in text.split("/") if part not in ("", "."))
    if not text.startswith("/") or ".." in path.split("/") or path == "/":
        raise UsageError(f"{flag} {text!r} is no path of a node", remedy="Write an absolute path below /.")
    refused = _SECRET.get(path) if flag == "--mount" else None
    if refused:
        raise UsageError(
            f"--mount {path} would show the pods {refused}", remedy="Mount the folder below it that you mean."
        )
    return path


_SECRET = {
    "/etc": "the node's keys and passwords",
    "/etc/kubernetes": "keys of the cluster",
    "/etc/ssh": "the node's keys",
    "/root": "what the administrator keeps there",
    "/home": "what users keep there",
    "/proc": "the environment of every process",
    "/run": "the sockets of containerd and others: who reaches them owns the node",
    "/var": "the volumes and secrets of every pod",
    "/var/run": "the sockets of containerd and others: who reaches them owns the node",
    "/var/lib": "the volumes and secrets of every pod",
    "/var/lib/kubelet": "the volumes and secrets of every pod",
    "/var/lib/containerd": "the file systems of every container",
    "/run/containerd": "containerd's socket: who reaches it owns the node",
    "/var/run/containerd": "containerd's socket: who reaches it owns the node",
}
