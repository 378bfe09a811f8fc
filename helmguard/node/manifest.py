"""The objects that collect facts on every node: a read-only DaemonSet and its service account. Pure."""

from __future__ import annotations

import shlex
from collections.abc import Mapping
from typing import Final

import msgspec

from helmguard.model.json_value import JSONObject
from helmguard.node.manifest_mounts import Mount, mounts_of
from helmguard.report.yaml_output import to_yaml

DEFAULT_IMAGE: Final = "registry.example.com/helmguard:latest"
DEFAULT_NAME: Final = "helmguard-node-facts"
CONTAINER: Final = "collect"
ROOT: Final = "/host"
APP_LABEL: Final = "app.kubernetes.io/name"
PART_LABEL: Final = "app.kubernetes.io/component"
PART: Final = "node-facts"
"""How gather finds the DaemonSet: by this component."""


class ManifestRequest(msgspec.Struct, frozen=True):
    """What the flags say. ``config`` is a main file that is not the default one, empty for none."""

    image: str = DEFAULT_IMAGE
    name: str = DEFAULT_NAME
    namespace: str = ""
    node_selector: Mapping[str, str] = {}
    tolerations: tuple[JSONObject, ...] = ()
    all_nodes: bool = False
    distribution: str = "kubeadm"
    mounts: tuple[str, ...] = ()
    without: tuple[str, ...] = ()
    config: str = ""
    pull_secrets: tuple[str, ...] = ()


def manifest(request: ManifestRequest) -> list[JSONObject]:
    """The service account and the DaemonSet, as the API server takes them."""
    labels = {APP_LABEL: request.name, PART_LABEL: PART}
    place = {"namespace": request.namespace} if request.namespace else {}
    account: JSONObject = {
        "apiVersion": "v1",
        "kind": "ServiceAccount",
        "metadata": {"name": request.name, **place, "labels": labels},
        "automountServiceAccountToken": False,
    }
    daemon_set: JSONObject = {
        "apiVersion": "apps/v1",
        "kind": "DaemonSet",
        "metadata": {"name": request.name, **place, "labels": labels},
        "spec": {
            "selector": {"matchLabels": labels},
            # Every pod reads its own node: there is no reason to wait for one before the next.
            "updateStrategy": {"type": "RollingUpdate", "rollingUpdate": {"maxUnavailable": "100%"}},
            "template": {"metadata": {"labels": labels}, "spec": _pod(request)},
        },
    }
    return [account, daemon_set]


def _pod(request: ManifestRequest) -> JSONObject:
    mounts = mounts_of(request.distribution, request.mounts, request.without)
    pod: JSONObject = {
        "serviceAccountName": request.name,
        "automountServiceAccountToken": False,
        "enableServiceLinks": False,
        # The program that waits is the first of its container, and does not hear SIGTERM.
        "terminationGracePeriodSeconds": 1,
        "nodeSelector": {"kubernetes.io/os": "linux", **request.node_selector},
        "tolerations": _tolerations(request),
        "securityContext": {
            "runAsUser": 0,
            "runAsGroup": 0,
            "seccompProfile": {"type": "RuntimeDefault"},
        },
        "containers": [_container(request, mounts)],
        "volumes": [
            {"name": volume_name(mount.path), "hostPath": {"path": mount.path, "type": mount.type}}
            for mount in mounts
        ],
    }
    if request.pull_secrets:
        pod["imagePullSecrets"] = [{"name": name} for name in request.pull_secrets]
    return pod


def _container(request: ManifestRequest, mounts: tuple[Mount, ...]) -> JSONObject:
    words = ["helmguard", "node", "collect", "--root", ROOT, "--name", '"$NODE_NAME"']
    if request.config:
        words += ["--config", shlex.quote(request.config)]
    return {
        "name": CONTAINER,
        "image": request.image,
        "command": ["sh", "-c", " ".join([*words, "-o", "-", "&&", "exec", "sleep", "infinity"])],
        "env": [{"name": "NODE_NAME", "valueFrom": {"fieldRef": {"fieldPath": "spec.nodeName"}}}],
        "resources": {
            "requests": {"cpu": "10m", "memory": "64Mi"},
            "limits": {"cpu": "1", "memory": "256Mi"},
        },
        "securityContext": {
            "privileged": False,
            "allowPrivilegeEscalation": False,
            "readOnlyRootFilesystem": True,
            "capabilities": {"drop": ["ALL"]},
        },
        "volumeMounts": [
            {"name": volume_name(mount.path), "mountPath": ROOT + mount.path, "readOnly": True}
            for mount in mounts
        ],
    }


def _tolerations(request: ManifestRequest) -> list[JSONObject]:
    if request.all_nodes:
        return [{"operator": "Exists"}]
    return [{"key": "nvidia.com/gpu", "operator": "Exists"}, *request.tolerations]


def volume_name(path: str) -> str:
    """``etc-containerd`` of ``/etc/containerd``: at most 63 small letters, digits and hyphens."""
    words = "".join(sign if sign.isalnum() else "-" for sign in path.casefold()).strip("-")
    return words[-63:].strip("-")


def manifest_text(request: ManifestRequest) -> str:
    """The manifest as YAML for ``kubectl apply``, with a reason beside each mount and setting.

    What stands in it is what ``manifest`` gives; the comments say why.
    """
    account, daemon_set = manifest(request)
    reasons = {
        mount.path: mount.why for mount in mounts_of(request.distribution, request.mounts, request.without)
    }
    parts = [_header(request), to_yaml(account), "---\n", to_yaml(daemon_set)]
    return "".join(_with_reasons("".join(parts), reasons))


def _header(request: ManifestRequest) -> str:
    namespace = request.namespace or "node-facts"
    where = f" -n {namespace}"
    return f"""\
# Collects the facts of each node once, prints them to its log, and waits. It has no token, no capability and
# nothing of the host's network or processes, and writes nothing; folders for CDI specs and containerd's files
# are made, empty, where a node has none. It runs as root since a config.toml with registry credentials is
# readable by root alone (they are dropped before anything is printed). Because of its hostPath mounts its
# namespace must allow the Pod Security level "privileged":
#   kubectl create namespace {namespace}
#   kubectl label namespace {namespace} pod-security.kubernetes.io/enforce=privileged
#   helmguard node manifest --image IMAGE | kubectl apply{where} -f -
#   helmguard node gather{where} -o facts && helmguard node check facts
#   kubectl delete namespace {namespace}
# IMAGE has helmguard, sh and sleep, from a Containerfile of two lines:
#   FROM python:3.13-slim
#   RUN pip install --no-cache-dir helmguard
"""


def _with_reasons(text: str, reasons: Mapping[str, str]) -> list[str]:
    found: list[str] = []
    for line in text.splitlines(keepends=True):
        path = line.partition("mountPath: ")[2].strip().removeprefix(ROOT)
        why = reasons.get(path, "")
        found.append(f"{line.rstrip()}  # {why}\n" if why else line)
    return found
