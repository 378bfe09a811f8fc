"""What is in a namespace that is to be deleted."""

from __future__ import annotations

import json
from collections.abc import Callable

from controlplane.client import JSON, ControlPlane
from custom_kind import CustomKind
from recording_api import Answer, Instead, RecordingApi, refusal

from helmguard.cluster.cluster_facts import read_facts
from helmguard.cluster.connection import Connection
from helmguard.cluster.custom_resources import is_built_in_group
from helmguard.cluster.discovery import read_discovery
from helmguard.cluster.namespace_contents import kinds_of_contents
from helmguard.model.cluster_facts import WantedFacts
from helmguard.model.discovery import Discovery, ServedKind


def contents_of(*namespaces: str) -> WantedFacts:
    return WantedFacts(("namespaceContents",), ("n",), deleted_namespaces=namespaces)


def names(items: tuple[JSON, ...]) -> set[str]:
    return {f"{item['kind']}/{item['metadata']['name']}" for item in items}


def fill(control_plane: ControlPlane, namespace: str) -> None:
    core = f"/api/v1/namespaces/{namespace}"
    control_plane.create(f"{core}/configmaps", {"metadata": {"name": "settings"}, "data": {"k": "v"}})
    control_plane.create(f"{core}/secrets", {"metadata": {"name": "keys"}, "stringData": {"k": "v"}})
    event = {
        "metadata": {"name": "happened", "namespace": namespace},
        "involvedObject": {"kind": "Pod", "name": "x", "namespace": namespace},
    }
    control_plane.create(f"{core}/events", event)
    service = {"metadata": {"name": "web"}, "spec": {"ports": [{"port": 80}], "selector": {"a": "b"}}}
    control_plane.create(f"{core}/services", service)


def test_all_that_would_be_lost_is_there_and_nothing_that_every_namespace_has(
    control_plane: ControlPlane, connection: Connection, namespace: str, other_namespace: str
) -> None:
    fill(control_plane, namespace)
    discovery = discovery_without_other_tests(connection)
    facts = read_facts(connection, discovery, contents_of(namespace, other_namespace, "is-not-there"))
    assert names(facts.namespace_contents[namespace]) == {"ConfigMap/settings", "Secret/keys", "Service/web"}
    assert facts.namespace_contents[other_namespace] == facts.namespace_contents["is-not-there"] == ()
    for item in facts.namespace_contents[namespace]:
        assert set(item) == {"apiVersion", "kind", "metadata"}
    assert facts.unread == {}


def discovery_without_other_tests(connection: Connection) -> Discovery:
    """Kinds of the cluster's own: other tests define and remove theirs meanwhile."""
    found = read_discovery(connection)
    return Discovery.of(
        found.kubernetes_version, [kind for kind in found.kinds if is_built_in_group(kind.group)]
    )


def test_custom_resources_count_also_where_their_api_knows_no_metadata_alone(
    connection: Connection,
    recording: Callable[..., RecordingApi],
    widgets: CustomKind,
    namespace: str,
) -> None:
    widgets.add(namespace, "w", secret="is dropped")
    built_in = discovery_without_other_tests(connection)
    kind = ServedKind(f"{widgets.group}/v1", "Widget", "widgets", True, ("list", "delete"))
    api = recording(without_metadata_alone("/widgets"))
    discovery = Discovery.of("", [*built_in.kinds, kind])
    facts = read_facts(api.connection(), discovery, contents_of(namespace))
    assert names(facts.namespace_contents[namespace]) == {"Widget/w"}
    assert "is dropped" not in json.dumps(facts.namespace_contents[namespace])


def test_secrets_are_never_read_whole(
    connection: Connection, recording: Callable[..., RecordingApi], namespace: str
) -> None:
    api = recording(without_metadata_alone("/secrets"))
    facts = read_facts(api.connection(), discovery_without_other_tests(connection), contents_of(namespace))
    assert facts.namespace_contents == {}
    assert "secrets" in facts.unread["namespaceContents"]
    assert all("as=Partial" in asked.accept for asked in api.asked if "/secrets" in asked.path)


def without_metadata_alone(part: str) -> Instead:
    def answer(path: str, accept: str) -> Answer | None:
        picky = "as=Partial" in accept and part in path
        return refusal(406, "NotAcceptable", "no such form") if picky else None

    return answer


def test_contents_of_which_some_may_not_be_listed_are_unknown(
    control_plane: ControlPlane,
    connection: Connection,
    limited: Callable[..., Connection],
    namespace: str,
    other_namespace: str,
) -> None:
    fill(control_plane, namespace)
    right: JSON = {"apiGroups": [""], "resources": ["configmaps"], "verbs": ["list"]}
    discovery = discovery_without_other_tests(connection)
    facts = read_facts(limited(right), discovery, contents_of(namespace, other_namespace))
    assert facts.namespace_contents == {}
    why = facts.unread["namespaceContents"]
    assert f"namespace {namespace}: of " in why
    assert f"namespace {other_namespace}: of " in why
    assert 'cannot list resource "' in why


def test_an_empty_namespace_beside_a_broken_api_is_not_known_to_be_empty(
    connection: Connection, other_namespace: str
) -> None:
    built_in = discovery_without_other_tests(connection)
    broken = Discovery.of("", built_in.kinds, ["things.example.com/v1"])
    facts = read_facts(connection, broken, contents_of(other_namespace))
    assert facts.namespace_contents == {}
    assert "the API server behind things.example.com/v1 does not answer" in facts.unread["namespaceContents"]


def test_kinds_are_listed_in_one_version_and_only_those_that_hold_objects() -> None:
    verbs = ("get", "list", "delete")
    kinds = [
        ServedKind("autoscaling/v2", "HorizontalPodAutoscaler", "horizontalpodautoscalers", True, verbs),
        ServedKind("autoscaling/v1", "HorizontalPodAutoscaler", "horizontalpodautoscalers", True, verbs),
        ServedKind("v1", "Node", "nodes", False, verbs),
        ServedKind("v1", "Event", "events", True, verbs),
        ServedKind("discovery.k8s.io/v1", "EndpointSlice", "endpointslices", True, verbs),
        ServedKind("metrics.k8s.io/v1beta1", "PodMetrics", "pods", True, ("get", "list")),
        ServedKind("authorization.k8s.io/v1", "LocalSubjectAccessReview", "reviews", True, ("create",)),
    ]
    found = [kind.api_version for kind in kinds_of_contents(Discovery.of("", kinds))]
    assert found == ["autoscaling/v2"]
