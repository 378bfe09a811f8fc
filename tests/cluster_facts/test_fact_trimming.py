"""What stays of the objects around a release."""

from __future__ import annotations

import copy

from controlplane.client import JSON

from helmguard.cluster.fact_trimming import metadata_only, trim_of
from helmguard.model.discovery import ServedKind

PODS = ServedKind("v1", "Pod", "pods", True)
POD: JSON = {
    "metadata": {
        "name": "web-1",
        "namespace": "shop",
        "uid": "u",
        "resourceVersion": "7",
        "labels": {"app": "web"},
        "annotations": {"a": "b", "kubectl.kubernetes.io/last-applied-configuration": "{}"},
        "managedFields": [{"manager": "m"}],
        "ownerReferences": [{"apiVersion": "apps/v1", "kind": "ReplicaSet", "name": "web", "uid": "u"}],
    },
    "spec": {
        "nodeName": "n1",
        "runtimeClassName": "nvidia",
        "schedulerName": "s",
        "initContainers": [{"name": "i", "image": "i:1", "command": ["x"]}],
        "containers": [
            {
                "name": "c",
                "image": "c:1",
                "env": [{"name": "PASSWORD", "value": "p"}],
                "resources": {"limits": {"nvidia.com/gpu": "1"}},
                "ports": [{"hostPort": 80, "containerPort": 80}],
            }
        ],
        "volumes": [
            {"name": "d", "persistentVolumeClaim": {"claimName": "data", "readOnly": True}},
            {"name": "m", "configMap": {"name": "settings", "optional": True, "items": [{"key": "k"}]}},
            {"name": "s", "secret": {"secretName": "keys", "defaultMode": 420}},
            {"name": "h", "hostPath": {"path": "/dev", "type": ""}},
            {
                "name": "p",
                "projected": {"sources": [{"secret": {"name": "tls", "items": []}}, {"downwardAPI": {}}]},
            },
            {"name": "e", "emptyDir": {"medium": "Memory"}},
        ],
    },
    "status": {
        "phase": "Pending",
        "podIP": "10.0.0.1",
        "conditions": [{"type": "Ready", "status": "False"}],
        "containerStatuses": [
            {
                "name": "c",
                "ready": False,
                "restartCount": 3,
                "imageID": "x",
                "state": {"waiting": {"reason": "CrashLoopBackOff", "message": "long"}},
            },
            {"name": "d", "ready": True, "restartCount": 0, "state": {"running": {"startedAt": "t"}}},
        ],
    },
}


def test_a_pod_of_the_whole_cluster() -> None:
    before = copy.deepcopy(POD)
    found = trim_of("allPods")(POD, PODS)
    assert before == POD, "nothing of the answer is changed in place"
    assert found == {
        "apiVersion": "v1",
        "kind": "Pod",
        "metadata": {
            "name": "web-1",
            "namespace": "shop",
            "labels": {"app": "web"},
            "ownerReferences": [{"kind": "ReplicaSet", "name": "web"}],
        },
        "spec": {
            "nodeName": "n1",
            "runtimeClassName": "nvidia",
            "initContainers": [{"name": "i", "image": "i:1"}],
            "containers": [
                {
                    "name": "c",
                    "image": "c:1",
                    "resources": {"limits": {"nvidia.com/gpu": "1"}},
                    "ports": [{"hostPort": 80, "containerPort": 80}],
                }
            ],
            "volumes": [
                {"name": "d", "persistentVolumeClaim": {"claimName": "data"}},
                {"name": "m", "configMap": {"name": "settings", "optional": True}},
                {"name": "s", "secret": {"secretName": "keys"}},
                {"name": "h", "hostPath": {"path": "/dev"}},
                {"name": "p", "projected": {"sources": [{"secret": {"name": "tls"}}, {}]}},
                {"name": "e"},
            ],
        },
        "status": {
            "phase": "Pending",
            "conditions": [{"type": "Ready", "status": "False"}],
            "containerStatuses": [
                {
                    "name": "c",
                    "ready": False,
                    "restartCount": 3,
                    "state": {"waiting": {"reason": "CrashLoopBackOff"}},
                },
                {"name": "d", "ready": True, "restartCount": 0},
            ],
        },
    }


def test_a_pod_around_the_release_stays_whole() -> None:
    found = trim_of("pods")(POD, PODS)
    assert (found["spec"], found["status"]) == (POD["spec"], POD["status"])
    assert set(found["metadata"]) == {
        "name",
        "namespace",
        "uid",
        "labels",
        "annotations",
        "ownerReferences",
    }
    assert found["metadata"]["annotations"] == {"a": "b"}


def test_a_node_keeps_all_but_its_images() -> None:
    node = {
        "metadata": {"name": "n"},
        "spec": {"taints": []},
        "status": {"images": [{"names": ["a"]}], "capacity": {"cpu": "4"}},
    }
    found = trim_of("nodes")(node, ServedKind("v1", "Node", "nodes", False))
    assert found["status"] == {"capacity": {"cpu": "4"}}
    assert found["spec"] == {"taints": []}


def test_metadata_alone_whatever_was_sent() -> None:
    sent = {"apiVersion": "meta.k8s.io/v1", "kind": "PartialObjectMetadata", "metadata": {"name": "s"}}
    secrets = ServedKind("v1", "Secret", "secrets", True)
    expected = {"apiVersion": "v1", "kind": "Secret", "metadata": {"name": "s"}}
    assert metadata_only(sent, secrets) == metadata_only({**sent, "data": {"k": "v"}}, secrets) == expected


def test_bodies_without_parts() -> None:
    for fact in ("allPods", "pods", "nodes"):
        found = trim_of(fact)({"metadata": None, "spec": None, "status": None}, PODS)
        assert found["kind"] == "Pod"
