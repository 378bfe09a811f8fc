"""Plays the GPU Operator on the test cluster: what the real one would make of a ClusterPolicy, in small.

It labels the GPU nodes, keeps a DaemonSet for each component that the policy switches on and one for the
validator, makes the RuntimeClasses, and tells the state of the policy. There is no kubelet but kwok: its pods
only seem to run.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, Literal

from controlplane.client import ApiError, ControlPlane

JSON = dict[str, Any]
Trouble = Literal["", "stuck", "no runtime", "GPU lost"]

POLICY = "/apis/nvidia.com/v1/clusterpolicies/cluster-policy"
_CLASSES = "/apis/node.k8s.io/v1/runtimeclasses"
_EVERY_SECONDS = 0.1
_SLOWNESS_SECONDS = 0.5

NO_RUNTIME = (
    "Failed to create pod sandbox: rpc error: code = Unknown desc = failed to get sandbox runtime: "
    'no runtime for "nvidia" is configured'
)
_SWITCHES = {
    "driver": ("nvidia-driver-daemonset", "driver"),
    "toolkit": ("nvidia-container-toolkit-daemonset", "container-toolkit"),
    "devicePlugin": ("nvidia-device-plugin-daemonset", "device-plugin"),
    "dcgmExporter": ("nvidia-dcgm-exporter", "dcgm-exporter"),
    "gfd": ("gpu-feature-discovery", "gpu-feature-discovery"),
}
"""Each switch of the policy, its DaemonSet, and the end of the label of the nodes that this one is for."""
_VALIDATOR = ("nvidia-operator-validator", "operator-validator")
_LABEL = "nvidia.com/gpu.deploy."


@dataclass
class StandInOperator:
    """Works on the release's ClusterPolicy as long as `at_work` lasts.

    ``next_trouble`` is what goes wrong as soon as it has seen the next change of the policy: it calls the
    policy notReady whatever there is; or the nodes know no runtime ``nvidia``, so that the pods it makes do
    not start, and an event says why; or the last node loses its GPU.
    """

    cluster: ControlPlane
    namespace: str
    nodes: tuple[str, ...]
    next_trouble: Trouble = ""
    _trouble: Trouble = ""
    _generation: int = 0
    _seen: float | None = None
    _failed: list[BaseException] = field(default_factory=list)
    _stopped: threading.Event = field(default_factory=threading.Event)

    @contextmanager
    def at_work(self) -> Iterator[StandInOperator]:
        """In a thread of its own until the block ends; what went wrong there is raised then."""
        thread = threading.Thread(target=self._work)
        thread.start()
        try:
            yield self
        finally:
            self._stopped.set()
            thread.join()
            for name in ("nvidia", "nvidia-cdi", "nvidia-legacy"):
                self.cluster.remove(f"{_CLASSES}/{name}")
        if self._failed:
            raise self._failed[0]

    @contextmanager
    def trouble_with_next_policy(self, trouble: Trouble) -> Iterator[None]:
        """That goes wrong then; at the end of the block all is well again."""
        self.next_trouble = trouble
        try:
            yield
        finally:
            self.next_trouble = self._trouble = ""
            self._give_gpus(self.nodes[-1], "1")
            self.await_ready()

    def await_ready(self) -> None:
        """Until the policy is ready; other tests may keep the controllers busy for a while."""
        self.cluster.wait_for(
            POLICY, lambda policy: policy is not None and _state(policy) == "ready", seconds=120.0
        )

    def _work(self) -> None:
        while not self._stopped.wait(_EVERY_SECONDS):
            try:
                self._reconcile()
            except ApiError as error:
                # Somebody else was first, or the release has just gone: the next round sees it.
                if error.code not in (404, 409):
                    self._failed.append(error)
                    return
            except BaseException as error:
                self._failed.append(error)
                return

    def _reconcile(self) -> None:
        """Once: from the policy to what there has to be, and the policy's state by what there is."""
        policy = self.cluster.find(POLICY)
        if policy is None or policy["metadata"].get("deletionTimestamp") or not self._has_seen(policy):
            return
        spec = policy["spec"]
        self._label_nodes()
        self._apply_classes(spec)
        wanted = [operand for switch, operand in _SWITCHES.items() if spec[switch]["enabled"]]
        for operand in _SWITCHES.values():
            if operand not in wanted:
                self.cluster.remove(f"{self._sets}/{operand[0]}")
        sets = [self._daemon_set(operand, spec) for operand in (*wanted, _VALIDATOR)]
        if self._trouble == "no runtime":
            self._tell_of_pods_that_wait()
        self._end_test_pods()
        state = "ready" if self._trouble != "stuck" and all(map(_is_done, sets)) else "notReady"
        if _state(policy) != state:
            status = {"status": {"state": state, "namespace": self.namespace}}
            self.cluster.patch(f"{POLICY}/status", status, field_manager="gpu-operator")

    def _has_seen(self, policy: JSON) -> bool:
        """Whether it knows this policy: a change takes it a while, as everybody."""
        generation = policy["metadata"]["generation"]
        if generation == self._generation:
            return True
        if self._seen is None:
            self._seen = time.monotonic()
        if time.monotonic() - self._seen < _SLOWNESS_SECONDS:
            return False
        self._seen, self._generation = None, generation
        if self.next_trouble:
            self._trouble, self.next_trouble = self.next_trouble, ""
            if self._trouble == "GPU lost":
                self._give_gpus(self.nodes[-1], "0")
        return True

    def _label_nodes(self) -> None:
        labels = {f"{_LABEL}{end}": "true" for _, end in (*_SWITCHES.values(), _VALIDATOR)}
        for name in self.nodes:
            known = self.cluster.get(f"/api/v1/nodes/{name}")["metadata"]["labels"]
            if not labels.items() <= known.items():
                body = {"metadata": {"labels": {**labels, "nvidia.com/gpu.present": "true"}}}
                self.cluster.patch(f"/api/v1/nodes/{name}", body)

    def _give_gpus(self, node: str, count: str) -> None:
        amounts = {"nvidia.com/gpu": count}
        body = {"status": {"capacity": amounts, "allocatable": amounts}}
        self.cluster.patch(f"/api/v1/nodes/{node}/status", body)

    def _apply_classes(self, spec: JSON) -> None:
        names = [spec["operator"]["runtimeClass"]]
        names += ["nvidia-cdi", "nvidia-legacy"] if spec["cdi"]["enabled"] else []
        for name in names:
            kind = {"apiVersion": "node.k8s.io/v1", "kind": "RuntimeClass"}
            self._apply(f"{_CLASSES}/{name}", {**kind, "metadata": {"name": name}, "handler": name})

    @property
    def _sets(self) -> str:
        return f"/apis/apps/v1/namespaces/{self.namespace}/daemonsets"

    @property
    def _pods(self) -> str:
        return f"/api/v1/namespaces/{self.namespace}/pods"

    def _daemon_set(self, operand: tuple[str, str], spec: JSON) -> JSON:
        name, label = operand
        image = f"registry.example.com/gpu/{name}:{_version(operand, spec)}"
        pod: JSON = {
            "nodeSelector": {f"{_LABEL}{label}": "true"},
            "tolerations": [{"operator": "Exists"}],
            "containers": [{"name": name, "image": image}],
        }
        if self._trouble == "no runtime":
            # Nobody takes these pods up, so they are Pending like those whose sandbox cannot be made.
            pod["schedulerName"] = "nobody"
        body = {
            "apiVersion": "apps/v1",
            "kind": "DaemonSet",
            "metadata": {"name": name},
            "spec": {
                "selector": {"matchLabels": {"app": name}},
                "template": {"metadata": {"labels": {"app": name}}, "spec": pod},
            },
        }
        return self._apply(f"{self._sets}/{name}", body)

    def _apply(self, path: str, body: JSON) -> JSON:
        return self.cluster.apply(path, body, field_manager="gpu-operator", force=True)

    def _tell_of_pods_that_wait(self) -> None:
        """In the kubelet's words."""
        for pod in self.cluster.items(self._pods, fieldSelector="status.phase=Pending"):
            metadata = pod["metadata"]
            about = {"kind": "Pod", "namespace": self.namespace, "name": metadata["name"]}
            event = {
                "metadata": {"name": f"{metadata['name']}.sandbox"},
                "involvedObject": {**about, "uid": metadata["uid"]},
                "reason": "FailedCreatePodSandBox",
                "message": NO_RUNTIME,
                "type": "Warning",
                "firstTimestamp": metadata["creationTimestamp"],
                "lastTimestamp": metadata["creationTimestamp"],
            }
            path = f"/api/v1/namespaces/{self.namespace}/events"
            if self.cluster.find(f"{path}/{event['metadata']['name']}") is None:
                self.cluster.create(path, event)

    def _end_test_pods(self) -> None:
        """Kwok runs a pod for ever that no Job has made; these would be done soon."""
        for pod in self.cluster.items(self._pods, fieldSelector="status.phase=Running"):
            if pod["metadata"]["name"].startswith("helmguard-test-"):
                path = f"{self._pods}/{pod['metadata']['name']}/status"
                self.cluster.patch(path, {"status": {"phase": "Succeeded"}})


def _version(operand: tuple[str, str], spec: JSON) -> str:
    versions = [spec[switch].get("version") for switch, each in _SWITCHES.items() if each == operand]
    return str(next(iter(versions), None) or "v1")


def _state(policy: JSON) -> str:
    return str((policy.get("status") or {}).get("state"))


def _is_done(daemon_set: JSON) -> bool:
    status = daemon_set.get("status") or {}
    desired = status.get("desiredNumberScheduled", 0)
    return (
        status.get("observedGeneration", 0) >= daemon_set["metadata"]["generation"]
        and desired > 0
        and status.get("numberReady", 0) == desired
        and status.get("updatedNumberScheduled", 0) == desired
    )
