"""Every list around a release, read from the real API server."""

from __future__ import annotations

import base64
import json
from collections.abc import Callable, Iterator

import pytest
from controlplane.client import JSON, ControlPlane
from recording_api import RecordingApi

from helmguard.cluster.cluster_facts import read_facts
from helmguard.cluster.connection import Connection
from helmguard.model.cluster_facts import FACT_KINDS, WantedFacts
from helmguard.model.discovery import Discovery, ServedKind

CANARY = "canary-of-a-secret-77"
LISTS = tuple(kind.name for kind in FACT_KINDS)
METADATA_ONLY = [kind.name for kind in FACT_KINDS if kind.metadata_only]

POD_SPEC: JSON = {"containers": [{"name": "c", "image": "i:1", "env": [{"name": "A", "value": "b"}]}]}
TEMPLATE: JSON = {"metadata": {"labels": {"a": "b"}}, "spec": POD_SPEC}
WORKLOAD: JSON = {"selector": {"matchLabels": {"a": "b"}}, "template": TEMPLATE}
JOB: JSON = {"template": {"spec": {**POD_SPEC, "restartPolicy": "Never"}}}
ROLE_REF: JSON = {"apiGroup": "rbac.authorization.k8s.io", "kind": "ClusterRole", "name": "view"}
WEBHOOK: JSON = {
    "name": "w.example.com",
    "clientConfig": {"url": "https://w.example.com"},
    "rules": [
        {"apiGroups": ["none.example.com"], "apiVersions": ["*"], "resources": ["*"], "operations": ["*"]}
    ],
    "sideEffects": "None",
    "admissionReviewVersions": ["v1"],
    "failurePolicy": "Ignore",
}
INGRESS: JSON = {"spec": {"defaultBackend": {"service": {"name": "s", "port": {"number": 80}}}}}
QUANTITIES: JSON = {"hard": {"pods": "100"}}

OBJECTS: dict[str, JSON] = {
    "nodes": {"spec": {"unschedulable": True}},
    "persistentVolumes": {
        "spec": {
            "capacity": {"storage": "1Gi"},
            "accessModes": ["ReadWriteOnce"],
            "hostPath": {"path": "/x"},
        }
    },
    "storageClasses": {"provisioner": "example.com/p"},
    "ingressClasses": {"spec": {"controller": "example.com/c"}},
    "runtimeClasses": {"handler": "h"},
    "priorityClasses": {"value": 1},
    "clusterRoles": {"rules": []},
    "clusterRoleBindings": {"roleRef": ROLE_REF, "subjects": []},
    "validatingWebhookConfigurations": {"webhooks": [WEBHOOK]},
    "mutatingWebhookConfigurations": {"webhooks": [WEBHOOK]},
    "pods": {"spec": POD_SPEC},
    "events": {"involvedObject": {"kind": "Pod", "name": "x"}, "reason": "Failed", "message": "m"},
    "services": {"spec": {"ports": [{"port": 80}]}},
    "endpointSlices": {"addressType": "IPv4", "endpoints": []},
    "ingresses": INGRESS,
    "persistentVolumeClaims": {
        "spec": {"accessModes": ["ReadWriteOnce"], "resources": {"requests": {"storage": "1Gi"}}}
    },
    "configMaps": {"data": {"k": "v"}},
    "secrets": {"stringData": {"password": CANARY}},
    "serviceAccounts": {},
    "resourceQuotas": {"spec": QUANTITIES},
    "limitRanges": {"spec": {"limits": [{"type": "Pod", "max": {"cpu": "9"}}]}},
    "networkPolicies": {"spec": {"podSelector": {}}},
    "podDisruptionBudgets": {"spec": {"minAvailable": 1, "selector": {"matchLabels": {"a": "b"}}}},
    "horizontalPodAutoscalers": {
        "spec": {
            "maxReplicas": 2,
            "scaleTargetRef": {"apiVersion": "apps/v1", "kind": "Deployment", "name": "x"},
        }
    },
    "deployments": {"spec": {**WORKLOAD, "replicas": 0}},
    "statefulSets": {"spec": {**WORKLOAD, "replicas": 0, "serviceName": "s"}},
    "daemonSets": {"spec": WORKLOAD},
    "jobs": {"spec": {**JOB, "suspend": True}},
    "cronJobs": {"spec": {"schedule": "0 0 1 1 *", "suspend": True, "jobTemplate": {"spec": JOB}}},
    "roles": {"rules": []},
    "roleBindings": {"roleRef": ROLE_REF, "subjects": []},
}
"""An object of each kind, without its name; the lists of the whole cluster hold those of namespaces, too."""


@pytest.fixture
def filled(control_plane: ControlPlane, discovery: Discovery, namespace: str) -> Iterator[str]:
    """A namespace with an object of each kind; they and those of the cluster have the namespace's name."""
    created: list[str] = []
    for fact in FACT_KINDS:
        if fact.name in OBJECTS:
            kind = discovery.find(fact.api_version, fact.kind)
            assert kind is not None
            path = collection(kind, namespace)
            body = {
                "apiVersion": fact.api_version,
                "kind": fact.kind,
                "metadata": {"name": namespace, "labels": {"l": "m"}, "annotations": {"a": "b"}},
                **OBJECTS[fact.name],
            }
            if fact.kind == "Event":
                body["involvedObject"] = {**body["involvedObject"], "namespace": namespace}
            control_plane.create(path, body)
            if fact.scope == "cluster":
                created.append(f"{path}/{namespace}")
    yield namespace
    for path in created:
        control_plane.remove(path)


def collection(kind: ServedKind, namespace: str) -> str:
    root = f"/apis/{kind.api_version}" if kind.group else f"/api/{kind.api_version}"
    return f"{root}/namespaces/{namespace}/{kind.plural}" if kind.namespaced else f"{root}/{kind.plural}"


def named(items: tuple[JSON, ...], name: str) -> list[JSON]:
    return [item for item in items if item["metadata"]["name"] == name]


def test_every_kind_is_listed(connection: Connection, discovery: Discovery, filled: str) -> None:
    facts = read_facts(connection, discovery, WantedFacts(LISTS, (filled,)))
    assert facts.unread == {}
    assert set(facts.lists) == set(LISTS)
    assert facts.namespaces == (filled,)
    for fact in FACT_KINDS:
        name = "v1." if fact.name == "apiServices" else filled
        (found,) = named(facts.lists[fact.name], name)
        assert (found["apiVersion"], found["kind"]) == (fact.api_version, fact.kind)
        assert "managedFields" not in found["metadata"]
        if fact.name in OBJECTS:
            assert found["metadata"]["labels"]["l"] == "m"
            assert found["metadata"]["annotations"]["a"] == "b"
        body = set(found) - {"apiVersion", "kind", "metadata"}
        assert bool(body) is not fact.metadata_only


def test_every_kind_of_an_empty_namespace_is_empty_and_known(
    connection: Connection, discovery: Discovery, other_namespace: str
) -> None:
    names = tuple(kind.name for kind in FACT_KINDS if kind.scope == "namespaces")
    facts = read_facts(connection, discovery, WantedFacts(names, (other_namespace, "is-not-there")))
    assert facts.unread == {}
    found = {name: {item["metadata"]["name"] for item in items} for name, items in facts.lists.items()}
    assert found.pop("serviceAccounts") <= {"default"}
    assert found.pop("configMaps") <= {"kube-root-ca.crt"}
    assert set(found) == set(names) - {"serviceAccounts", "configMaps"}
    assert not any(found.values())


def test_lists_cover_each_namespace_once(
    control_plane: ControlPlane,
    connection: Connection,
    discovery: Discovery,
    namespace: str,
    other_namespace: str,
) -> None:
    for place in (namespace, other_namespace):
        control_plane.create(
            f"/api/v1/namespaces/{place}/services", {"metadata": {"name": "s"}, **OBJECTS["services"]}
        )
    wanted = WantedFacts(("services",), (namespace, other_namespace, namespace))
    facts = read_facts(connection, discovery, wanted)
    assert [item["metadata"]["namespace"] for item in facts.lists["services"]] == [namespace, other_namespace]
    assert facts.namespaces == (namespace, other_namespace)


@pytest.mark.parametrize("page", [1, 3, 500])
def test_pages_make_one_list(
    control_plane: ControlPlane,
    recording: Callable[..., RecordingApi],
    discovery: Discovery,
    namespace: str,
    page: int,
) -> None:
    for number in range(7):
        control_plane.create(
            f"/api/v1/namespaces/{namespace}/configmaps", {"metadata": {"name": f"m{number}"}}
        )
    control_plane.wait_for(
        f"/api/v1/namespaces/{namespace}/configmaps/kube-root-ca.crt", lambda found: found is not None
    )
    api = recording()
    facts = read_facts(api.connection(), discovery, WantedFacts(("configMaps",), (namespace,)), page=page)
    names = [item["metadata"]["name"] for item in facts.lists["configMaps"]]
    assert names == ["kube-root-ca.crt", *(f"m{number}" for number in range(7))]
    assert len(api.asked) == -(-8 // page)


def test_no_content_is_sent_where_metadata_is_wanted(
    recording: Callable[..., RecordingApi], discovery: Discovery, filled: str
) -> None:
    api = recording()
    facts = read_facts(api.connection(), discovery, WantedFacts(LISTS, (filled,)))
    assert facts.unread == {}
    asked = {path.rpartition("/")[2]: request for path, request in zip(api.paths(), api.asked, strict=True)}
    for plural in ("secrets", "configmaps", "serviceaccounts"):
        assert "as=PartialObjectMetadataList" in asked[plural].accept
        assert all("as=Partial" in each for each in asked[plural].accept.split(",")), "no way back to all"
        assert json.loads(asked[plural].answer)["kind"] == "PartialObjectMetadataList"
    assert not any(encoded(CANARY) in request.answer for request in api.asked)
    assert encoded(CANARY).decode() not in json.dumps([list(items) for items in facts.lists.values()])


def encoded(text: str) -> bytes:
    return base64.b64encode(text.encode())


def test_what_kubectl_applied_last_is_not_kept(
    control_plane: ControlPlane, connection: Connection, discovery: Discovery, namespace: str
) -> None:
    """It holds all of a Secret, and it is metadata."""
    applied = {"kubectl.kubernetes.io/last-applied-configuration": CANARY, "other": "kept"}
    path = f"/api/v1/namespaces/{namespace}/secrets"
    control_plane.create(path, {"metadata": {"name": "s", "annotations": applied}})
    facts = read_facts(connection, discovery, WantedFacts(("secrets",), (namespace,)))
    (secret,) = facts.lists["secrets"]
    assert secret["metadata"]["annotations"] == {"other": "kept"}


def test_only_what_is_wanted_is_asked_for(
    recording: Callable[..., RecordingApi], discovery: Discovery, namespace: str
) -> None:
    api = recording()
    facts = read_facts(api.connection(), discovery, WantedFacts(("nodes", "pods"), (namespace,)))
    assert set(facts.lists) == {"nodes", "pods"}
    assert sorted(api.paths()) == ["/api/v1/namespaces/" + namespace + "/pods", "/api/v1/nodes"]
