"""The pods of ``--test-pod``: created in the release's namespace, watched, and always removed."""

from __future__ import annotations

import copy
import secrets
import time
from collections.abc import Callable

from helmguard.cluster.api_errors import NotFoundError
from helmguard.cluster.connection import Connection
from helmguard.cluster.pod_writes import create_pod, delete_pod, read_pod
from helmguard.errors import ClusterError
from helmguard.model.json_value import JSONObject, JSONValue
from helmguard.rules.engine.cel import CelFailure
from helmguard.rules.engine.verification_steps import StepPods, StepRule
from helmguard.verify.rollout_reasons import Surrounding, reasons_of
from helmguard.verify.steps import StepScope

_POLL_SECONDS = 1.0
_ENDED = ("Succeeded", "Failed")


def pod_run(
    connection: Connection,
    namespace: str,
    timeout: float,
    progress: Callable[[str], None],
    sleep: Callable[[float], None] = time.sleep,
) -> Callable[[StepRule, StepScope], list[JSONObject]]:
    """What runs a step's pods: one on each of its nodes, all at once, for at most the step's time.

    It gives ``{name, node, phase, message}`` for each. Whatever happens, Ctrl-C included, they are removed.
    """

    def run(step: StepRule, scope: StepScope) -> list[JSONObject]:
        assert step.test_pods is not None
        nodes = scope.ask(step.test_pods.nodes)
        if isinstance(nodes, CelFailure) or not isinstance(nodes, list):
            return []
        seconds = min(float(step.timeout_seconds), timeout)
        suffix = secrets.token_hex(4)
        pods = [
            {"name": f"helmguard-test-{suffix}-{index}", "node": str(node), "phase": "Pending", "message": ""}
            for index, node in enumerate(nodes)
        ]
        begun: list[JSONObject] = []
        try:
            for pod in pods:
                # Counted as begun before it is: a create whose answer is lost may have gone through.
                begun.append(pod)
                _create(connection, namespace, pod, _spec(step.test_pods, scope, str(pod["node"]), seconds))
            _watch(connection, namespace, pods, seconds, progress, sleep)
        finally:
            for pod in begun:
                _remove(connection, namespace, pod)
        return pods

    return run


def _spec(test_pods: StepPods, scope: StepScope, node: str, seconds: float) -> JSONObject:
    """The step's spec, bound to a node by affinity, so that the scheduler counts what the pod asks for."""
    spec: JSONObject = copy.deepcopy(test_pods.spec)
    for path, template in test_pods.texts.items():
        holder: JSONValue = spec
        for step in path[:-1]:
            holder = holder[step]
        holder[path[-1]] = scope.write(template)
    terms = [{"matchFields": [{"key": "metadata.name", "operator": "In", "values": [node]}]}]
    spec["affinity"] = {
        "nodeAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": {"nodeSelectorTerms": terms}}
    }
    spec.setdefault("tolerations", [{"operator": "Exists"}])
    spec.setdefault("restartPolicy", "Never")
    # Should helmguard be killed, the pod ends by itself.
    spec.setdefault("activeDeadlineSeconds", max(1, int(seconds)))
    return spec


def _create(connection: Connection, namespace: str, pod: JSONObject, spec: JSONObject) -> None:
    labels = {"app.kubernetes.io/managed-by": "helmguard"}
    body = {
        "apiVersion": "v1",
        "kind": "Pod",
        "metadata": {"name": pod["name"], "namespace": namespace, "labels": labels},
        "spec": spec,
    }
    try:
        create_pod(connection, namespace, body)
    except ClusterError as error:
        pod["phase"], pod["message"] = "Failed", f"could not be created: {error.message}"


def _watch(
    connection: Connection,
    namespace: str,
    pods: list[JSONObject],
    seconds: float,
    progress: Callable[[str], None],
    sleep: Callable[[float], None],
) -> None:
    until = time.monotonic() + seconds
    while True:
        open_pods = [pod for pod in pods if pod["phase"] not in _ENDED]
        for pod in open_pods:
            _look(connection, namespace, pod)
        open_pods = [pod for pod in open_pods if pod["phase"] not in _ENDED]
        if not open_pods or time.monotonic() >= until:
            return
        progress(f"pod {open_pods[0]['name']} on {open_pods[0]['node']}: {open_pods[0]['phase']}")
        sleep(_POLL_SECONDS)


def _look(connection: Connection, namespace: str, pod: JSONObject) -> None:
    try:
        body = read_pod(connection, namespace, str(pod["name"]))
    except NotFoundError:
        pod["phase"], pod["message"] = "Failed", "somebody removed it"
        return
    except ClusterError as error:
        pod["message"] = error.message
        return
    status = body.get("status") or {}
    pod["phase"] = status.get("phase") or "Pending"
    pod["message"] = "; ".join(reasons_of({**body, "kind": "Pod"}, Surrounding()).texts)


def _remove(connection: Connection, namespace: str, pod: JSONObject) -> None:
    try:
        delete_pod(connection, namespace, str(pod["name"]))
    except NotFoundError:
        return
    except ClusterError as error:
        command = f"kubectl -n {namespace} delete pod {pod['name']}"
        pod["message"] = f"{pod['message']} It could not be removed ({error.message}): {command}".strip()
