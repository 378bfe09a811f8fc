"""The release gpu-operator on nodes with GPUs, a stand-in for its operator, and helmguard to work on it."""

from __future__ import annotations

import json
import time
import uuid
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from controlplane.client import ControlPlane
from controlplane.helm import Helm
from controlplane.operators_chart import alone_with_the_operator
from helmguard_program import CHARTS, Ended, Helmguard
from live_state import program_for
from stand_in_operator import POLICY, StandInOperator

JSON = dict[str, Any]

CHART = CHARTS / "gpu-operator"
OVERRIDES = [
    *("--set", "driver.enabled=false"),
    *("--set", "toolkit.enabled=false"),
    *("--set", "devicePlugin.enabled=true"),
    *("--set", "dcgmExporter.enabled=true"),
    *("--set", "nfd.enabled=true"),
]
_FOLDERS = ("/api/v1", "/apis/apps/v1", "/apis/batch/v1", "/apis/rbac.authorization.k8s.io/v1")
_RESTLESS = ("events", "pods", "endpoints")
_SETTLED_SECONDS = 0.3


@dataclass(frozen=True)
class Story:
    """``operator`` is at work; two nodes have a GPU and a driver of the host, and one a pod that uses it."""

    helm: Helm
    helmguard: Helmguard
    cluster: ControlPlane
    operator: StandInOperator

    @property
    def namespace(self) -> str:
        return self.helm.namespace

    def run(self, *words: str | Path, stdin: str = "", columns: int = 100) -> Ended:
        """``helmguard WORDS``."""
        ended = self.helmguard.run(*words, stdin=stdin, settings={"COLUMNS": str(columns)})
        assert "Traceback" not in ended.err
        return ended

    def document(self, code: int, *words: str | Path) -> JSON:
        """What ``helmguard WORDS -o json`` prints, where it ends with this code."""
        found = self.run(*words, "-o", "json").expect(code).json
        assert found["exitCode"] == code
        return found

    def policy(self) -> JSON:
        """The spec of the live ClusterPolicy."""
        spec: JSON = self.cluster.get(POLICY)["spec"]
        return spec

    def components(self) -> tuple[bool, bool]:
        """Whether the live policy has the driver and the toolkit."""
        policy = self.policy()
        return policy["driver"]["enabled"], policy["toolkit"]["enabled"]

    def stored(self) -> dict[int, str]:
        """The description of each stored revision."""
        listed = self.document_of_helm("history", "gpu-operator")
        return {each["revision"]: each["description"] for each in listed}

    def document_of_helm(self, *words: str) -> list[JSON]:
        """What ``helm WORDS -o json`` prints."""
        found: list[JSON] = json.loads(self.helm.run(*words, "-o", "json").stdout)
        return found

    def written(self) -> dict[str, object]:
        """What tells of the last write to each object of the release and around it, once they stand still."""
        before = _writes(self.cluster, self.namespace)
        while True:
            time.sleep(_SETTLED_SECONDS)
            now = _writes(self.cluster, self.namespace)
            if now == before:
                return now
            before = now


def _writes(cluster: ControlPlane, namespace: str) -> dict[str, object]:
    found = {"policy": _last_write(cluster.get(POLICY))}
    for folder in _FOLDERS:
        for resource in cluster.get(folder)["resources"]:
            kind = resource["name"]
            if not resource["namespaced"] or "list" not in resource["verbs"] or kind in _RESTLESS:
                continue
            for item in cluster.items(f"{folder}/namespaces/{namespace}/{kind}"):
                found[f"{kind}/{item['metadata']['name']}"] = _last_write(item)
    return found


def _last_write(body: JSON) -> object:
    """Its version; of what has a status, which follows others' nodes, who wrote the rest, and when."""
    metadata = body["metadata"]
    if "generation" not in metadata:
        return metadata["resourceVersion"]
    writers = [each for each in metadata["managedFields"] if each.get("subresource") != "status"]
    return metadata["uid"], metadata["generation"], writers


@contextmanager
def installed_story(binary: Path, cluster: ControlPlane, home: Path, *more: str) -> Iterator[Story]:
    """Installed with the five flags and ``more``; no other release has the operator, and nothing is left."""
    namespace = f"gpu-{uuid.uuid4().hex[:8]}"
    helm = Helm(binary, home, cluster.kubeconfig, namespace)
    nodes = (f"{namespace}-a", f"{namespace}-b")
    with ExitStack() as stack:
        stack.enter_context(alone_with_the_operator(cluster))
        stack.callback(cluster.remove, f"/api/v1/namespaces/{namespace}")
        for name in nodes:
            stack.callback(cluster.remove, f"/api/v1/nodes/{name}")
            cluster.create("/api/v1/nodes", _gpu_node(name))
        helm.run("install", "gpu-operator", CHART, "--create-namespace", *OVERRIDES, *more)
        stack.callback(helm.run, "uninstall", "gpu-operator", check=False)
        operator = stack.enter_context(StandInOperator(cluster, namespace, nodes).at_work())
        stack.callback(cluster.remove, f"/api/v1/namespaces/default/pods/{namespace}")
        _train(cluster, namespace, nodes[0])
        operator.await_ready()
        yield Story(helm, program_for(helm), cluster, operator)


def _gpu_node(name: str) -> JSON:
    amounts = {"cpu": "32", "memory": "64Gi", "pods": "110", "nvidia.com/gpu": "1"}
    labels = {
        "kubernetes.io/hostname": name,
        "feature.node.kubernetes.io/pci-10de.present": "true",
        "nvidia.com/cuda.driver-version.full": "570.195.03",
    }
    node_info = {"containerRuntimeVersion": "containerd://2.1.4"}
    status = {"capacity": amounts, "allocatable": amounts, "nodeInfo": node_info}
    return {"metadata": {"name": name, "labels": labels}, "status": status}


def _train(cluster: ControlPlane, name: str, node: str) -> None:
    """A pod that uses the node's GPU, and runs."""
    limits = {"nvidia.com/gpu": "1"}
    container = {"name": "train", "image": "train:1", "resources": {"limits": limits}}
    body = {"metadata": {"name": name}, "spec": {"nodeName": node, "containers": [container]}}
    pods = "/api/v1/namespaces/default/pods"
    cluster.create(pods, body)
    cluster.wait_for(
        f"{pods}/{name}", lambda pod: ((pod or {}).get("status") or {}).get("phase") == "Running"
    )
