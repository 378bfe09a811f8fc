"""What is served: the real server's answer, the older form, and broken groups."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from controlplane.client import ControlPlane
from local_api import Answer, LocalApi, status

from helmguard.cluster.connection import Connection
from helmguard.cluster.discovery import read_discovery
from helmguard.errors import ClusterError
from helmguard.model.discovery import ServedKind

LocalApiMaker = Callable[[Callable[[str], Answer]], LocalApi]
POD = {"name": "pods", "kind": "Pod", "namespaced": True, "verbs": ["get", "list"]}


def test_the_real_server(control_plane: ControlPlane, connection: Connection) -> None:
    discovery = read_discovery(connection)
    assert discovery.kubernetes_version == control_plane.get("/version")["gitVersion"]
    assert discovery.unavailable == ()
    deployment = discovery.find("apps/v1", "Deployment")
    assert deployment is not None
    assert (deployment.plural, deployment.namespaced) == ("deployments", True)
    assert {"get", "list", "patch"} <= set(deployment.verbs)
    assert discovery.is_namespaced("v1", "Namespace") is False
    assert discovery.find("apps/v1", "Scale") is None
    assert discovery.find("extensions/v1beta1", "Deployment") is None


def test_both_forms_of_discovery_agree(control_plane: ControlPlane, connection: Connection) -> None:
    """The older form is asked of the real server, by asking for nothing newer."""

    class Older(Connection):
        def get_json(self, path: str, query: Any = None, accept: str = "application/json") -> Any:
            return super().get_json(path, query, "application/json")

    older = Older.__new__(Older)
    older.__dict__.update(connection.__dict__)
    by_key = lambda kind: (kind.api_version, kind.kind)  # noqa: E731
    assert sorted(read_discovery(older).kinds, key=by_key) == sorted(
        read_discovery(connection).kinds, key=by_key
    )


def aggregated(group: str, version: str, resources: list[dict[str, Any]], **more: Any) -> dict[str, Any]:
    return {"metadata": {"name": group}, "versions": [{"version": version, "resources": resources, **more}]}


def test_a_stale_group_is_unavailable(local_api: LocalApiMaker) -> None:
    def answer(path: str) -> Answer:
        if path == "/version":
            return Answer({"gitVersion": "v1.30.1-eks"})
        resource = {
            "resource": "things",
            "responseKind": {"kind": "Thing"},
            "scope": "Cluster",
            "verbs": ["get"],
        }
        groups = {
            "/api": [],
            "/apis": [
                aggregated("a.example", "v1", [resource, {"resource": "nokind"}]),
                aggregated("metrics.k8s.io", "v1beta1", [], freshness="Stale"),
            ],
        }
        return Answer({"kind": "APIGroupDiscoveryList", "items": groups[path]})

    discovery = read_discovery(local_api(answer).connection())
    assert discovery.kubernetes_version == "v1.30.1-eks"
    assert discovery.kinds == (ServedKind("a.example/v1", "Thing", "things", False, ("get",)),)
    assert discovery.unavailable == ("metrics.k8s.io/v1beta1",)


def test_the_older_form_with_a_broken_group(local_api: LocalApiMaker) -> None:
    answers = {
        "/version": Answer({"gitVersion": "v1.20.0"}),
        "/api": Answer({"kind": "APIVersions", "versions": ["v1"]}),
        "/apis": Answer(
            {"kind": "APIGroupList", "groups": [{"versions": [{"groupVersion": "x.example/v1"}]}]}
        ),
        "/api/v1": Answer({"resources": [POD, {**POD, "name": "pods/status"}]}),
        "/apis/x.example/v1": Answer(b"service unavailable\n", 503),
    }
    discovery = read_discovery(local_api(lambda path: answers[path]).connection())
    assert discovery.kinds == (ServedKind("v1", "Pod", "pods", True, ("get", "list")),)
    assert discovery.unavailable == ("x.example/v1",)


def test_a_kind_with_two_resources_has_the_first(local_api: LocalApiMaker) -> None:
    second = {**POD, "name": "podviews"}
    answers = {
        "/version": Answer({}),
        "/api": Answer({"kind": "APIVersions", "versions": ["v1"]}),
        "/apis": Answer({"kind": "APIGroupList", "groups": []}),
        "/api/v1": Answer({"resources": [POD, second]}),
    }
    discovery = read_discovery(local_api(lambda path: answers[path]).connection())
    assert [kind.plural for kind in discovery.kinds] == ["pods"]


def test_no_discovery_at_all_is_an_error(local_api: LocalApiMaker) -> None:
    with pytest.raises(ClusterError):
        read_discovery(local_api(lambda _: status(500, "InternalError")).connection())
