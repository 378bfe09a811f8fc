"""Reading live objects: lists and single reads, and every way in which an object cannot be read."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from controlplane.client import JSON, ControlPlane
from controlplane.definitions import wait_until_served
from local_api import Answer, LocalApi, status

from helmguard.cluster import object_lists
from helmguard.cluster.access_review import may, read_access_rules
from helmguard.cluster.api_errors import UnreachableError
from helmguard.cluster.connection import Connection
from helmguard.cluster.custom_resources import crd_names, read_crds
from helmguard.cluster.discovery import read_discovery
from helmguard.cluster.live_objects import read_live
from helmguard.cluster.namespaces import read_namespace
from helmguard.model.discovery import Discovery, ServedKind
from helmguard.model.live_state import Absent, KindNotServed, Present, Unreadable
from helmguard.model.resource_key import ResourceKey

LocalApiMaker = Callable[[Callable[[str], Answer]], LocalApi]

VERBS = ("get", "list")
THINGS = ServedKind("x.example/v1", "Thing", "things", True, VERBS)
MAPS = ServedKind("v1", "ConfigMap", "configmaps", True, VERBS)
SECRETS = ServedKind("v1", "Secret", "secrets", True, VERBS)
SERVED = Discovery.of("v1.36.3", [THINGS, MAPS, SECRETS], ["broken.example/v1"])


def config_map(name: str, namespace: str = "n") -> ResourceKey:
    return ResourceKey("", "ConfigMap", namespace, name)


def thing(name: str) -> ResourceKey:
    return ResourceKey("x.example", "Thing", "n", name)


def maps(*names: str, namespace: str = "n") -> list[tuple[ResourceKey, str]]:
    return [(config_map(name, namespace), "v1") for name in names]


@pytest.fixture
def filled(control_plane: ControlPlane, namespace: str) -> str:
    """A namespace with the ConfigMaps a to e and the Secret s."""
    for name in "abcde":
        body = {"metadata": {"name": name}, "data": {"k": name}}
        control_plane.create(f"/api/v1/namespaces/{namespace}/configmaps", body)
    control_plane.create(f"/api/v1/namespaces/{namespace}/secrets", {"metadata": {"name": "s"}})
    return namespace


@pytest.mark.parametrize("count", [1, 2, 5])
def test_lists_and_single_reads_give_the_same_bodies(
    control_plane: ControlPlane, connection: Connection, filled: str, count: int
) -> None:
    names = "abcde"[:count]
    wanted = [*maps(*names, "gone", namespace=filled), (ResourceKey("", "Secret", filled, "s"), "v1")]
    states = read_live(connection, read_discovery(connection), wanted)
    assert list(states) == [key for key, _ in wanted]
    for name in names:
        truth = control_plane.get(f"/api/v1/namespaces/{filled}/configmaps/{name}")
        assert states[config_map(name, filled)] == Present(truth)
    assert states[config_map("gone", filled)] == Absent()
    assert isinstance(states[ResourceKey("", "Secret", filled, "s")], Present)


def test_objects_come_in_the_version_asked_for(
    control_plane: ControlPlane, connection: Connection, namespace: str
) -> None:
    scaler = {
        "metadata": {"name": "h"},
        "spec": {
            "scaleTargetRef": {"apiVersion": "apps/v1", "kind": "Deployment", "name": "d"},
            "maxReplicas": 3,
        },
    }
    control_plane.create(f"/apis/autoscaling/v2/namespaces/{namespace}/horizontalpodautoscalers", scaler)
    discovery = read_discovery(connection)
    key = ResourceKey("autoscaling", "HorizontalPodAutoscaler", namespace, "h")
    for version in ("autoscaling/v1", "autoscaling/v2"):
        state = read_live(connection, discovery, [(key, version)])[key]
        assert isinstance(state, Present)
        assert state.body["apiVersion"] == version
    old = read_live(connection, discovery, [(key, "autoscaling/v2beta2")])[key]
    assert old == KindNotServed("autoscaling/v2beta2", "HorizontalPodAutoscaler")


def test_cluster_scoped_objects_and_names_with_colons(connection: Connection) -> None:
    discovery = read_discovery(connection)
    role = ResourceKey("rbac.authorization.k8s.io", "ClusterRole", None, "system:discovery")
    state = read_live(connection, discovery, [(role, "rbac.authorization.k8s.io/v1")])[role]
    assert isinstance(state, Present)
    assert state.body["metadata"]["name"] == "system:discovery"


def test_what_rbac_hides_is_unreadable_and_the_rest_is_read(
    connection: Connection, limited: Callable[..., Connection], filled: str
) -> None:
    only_get = limited({"apiGroups": [""], "resources": ["configmaps"], "verbs": ["get"]})
    wanted = [*maps(*"abcd", "gone", namespace=filled), (ResourceKey("", "Secret", filled, "s"), "v1")]
    states = read_live(only_get, read_discovery(connection), wanted)
    assert isinstance(states[config_map("a", filled)], Present)
    assert states[config_map("gone", filled)] == Absent()
    hidden = states[ResourceKey("", "Secret", filled, "s")]
    assert isinstance(hidden, Unreadable)
    assert 'User "limited" cannot get resource "secrets"' in hidden.why


def test_far_more_objects_than_wanted_are_not_all_listed(
    connection: Connection, filled: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(object_lists, "_LISTED_PER_READ", 1)
    asked: list[str] = []
    get_json = Connection.get_json

    def spy(self: Connection, path: str, query: Any = None, accept: str = "application/json") -> JSON:
        asked.append(path.rpartition("/")[2])
        return get_json(self, path, query, accept)

    discovery = read_discovery(connection)
    monkeypatch.setattr(Connection, "get_json", spy)
    states = read_live(connection, discovery, maps("a", "d", "e", namespace=filled))
    assert all(isinstance(state, Present) for state in states.values())
    assert asked.count("configmaps") == 1
    assert sorted(set(asked) - {"configmaps"}) == ["d", "e"]


def test_release_records_are_never_listed_beside_secrets(
    control_plane: ControlPlane, connection: Connection, filled: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = f"/api/v1/namespaces/{filled}/secrets"
    for number in range(3):
        control_plane.create(path, {"metadata": {"name": f"t{number}"}})
    record = {"metadata": {"name": "sh.helm.release.v1.web.v1"}, "type": "helm.sh/release.v1"}
    control_plane.create(path, record)
    listed: list[JSON] = []
    list_page = Connection.list_page

    def spy(self: Connection, *words: Any, **more: Any) -> JSON:
        page = list_page(self, *words, **more)
        listed.extend(page["items"])
        return page

    monkeypatch.setattr(Connection, "list_page", spy)
    names = ("s", "t0", "t1", "t2", "sh.helm.release.v1.web.v1", "gone")
    wanted = [(ResourceKey("", "Secret", filled, name), "v1") for name in names]
    states = read_live(connection, read_discovery(connection), wanted)
    assert [type(state) for state in states.values()] == [Present] * 5 + [Absent]
    assert {item["metadata"]["name"] for item in listed} == {"s", "t0", "t1", "t2"}


@pytest.mark.parametrize(
    ("key", "version", "expected"),
    [
        (ResourceKey("", "Unknown", "n", "x"), "v1", KindNotServed("v1", "Unknown")),
        (
            ResourceKey("broken.example", "Foo", "n", "x"),
            "broken.example/v1",
            Unreadable("the API server behind broken.example/v1 does not answer discovery"),
        ),
        (
            ResourceKey("", "ConfigMap", None, "x"),
            "v1",
            Unreadable("ConfigMap objects live in a namespace, and none is given"),
        ),
    ],
)
def test_what_need_not_be_asked(
    local_api: LocalApiMaker, key: ResourceKey, version: str, expected: object
) -> None:
    api = local_api(lambda _: status(500, "InternalError"))
    assert read_live(api.connection(), SERVED, [(key, version)]) == {key: expected}
    assert api.requests == []


def test_a_broken_kind_costs_two_requests_and_harms_no_other(local_api: LocalApiMaker) -> None:
    def answer(path: str) -> Answer:
        if "/things" in path:
            return Answer(b"service unavailable\n", 503)
        return Answer({"metadata": {"name": path.rpartition("/")[2]}})

    api = local_api(answer)
    wanted = [(thing(f"t{number}"), "x.example/v1") for number in range(200)]
    states = read_live(api.connection(), SERVED, [*wanted, *maps("a")])
    assert isinstance(states[config_map("a")], Present)
    for key, _ in wanted:
        state = states[key]
        assert type(state) is Unreadable
        assert "503: service unavailable" in state.why
    asked = sum("/things" in path for path in api.paths())
    assert asked <= 1 + 8, "one list, and no more single reads than run at the same time"


def test_a_list_that_fails_half_way_is_made_up_for(local_api: LocalApiMaker) -> None:
    def answer(path: str) -> Answer:
        if "continue=" in path:
            return status(410, "Expired")
        if "?" in path:
            items = [{"metadata": {"name": "a"}}, {"metadata": {"name": "foreign"}}]
            return Answer({"items": items, "metadata": {"continue": "c", "remainingItemCount": 9}})
        name = path.rpartition("/")[2]
        return status(404, "NotFound", name=name) if name == "c" else Answer({"metadata": {"name": name}})

    states = read_live(local_api(answer).connection(), SERVED, maps("a", "b", "c"))
    assert [type(state) for state in states.values()] == [Present, Present, Absent]


def test_a_kind_that_went_away_since_discovery(local_api: LocalApiMaker) -> None:
    api = local_api(lambda _: Answer(b"404 page not found\n", 404))
    wanted = [(thing(name), "x.example/v1") for name in "abc"]
    assert set(read_live(api.connection(), SERVED, wanted).values()) == {
        KindNotServed("x.example/v1", "Thing")
    }


def test_no_server_at_all_is_an_error(local_api: LocalApiMaker) -> None:
    api = local_api(lambda _: Answer({}))
    connection = api.connection()
    api.close()
    with pytest.raises(UnreachableError):
        read_live(connection, SERVED, maps(*"abcde"))


def test_definitions_of_custom_resources(
    control_plane: ControlPlane, connection: Connection, limited: Callable[..., Connection], namespace: str
) -> None:
    group = f"{namespace}.example"
    name = f"widgets.{group}"
    schema = {"type": "object", "x-kubernetes-preserve-unknown-fields": True}
    definition = {
        "metadata": {"name": name},
        "spec": {
            "group": group,
            "scope": "Namespaced",
            "names": {"kind": "Widget", "plural": "widgets"},
            "versions": [
                {"name": "v1", "served": True, "storage": True, "schema": {"openAPIV3Schema": schema}}
            ],
        },
    }
    path = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions"
    control_plane.create(path, definition)
    try:
        wait_until_served(control_plane, name)
        discovery = read_discovery(connection)
        kinds = [(f"{group}/v1", "Widget"), ("apps/v1", "Deployment"), ("networking.k8s.io/v1", "Ingress")]
        names = crd_names(discovery, kinds)
        assert names == [name]
        states = read_crds(connection, discovery, [*names, "gone.example"])
        assert isinstance(states[name], Present)
        assert states["gone.example"] == Absent()
        hidden = read_crds(limited(), discovery, names)[name]
        assert isinstance(hidden, Unreadable)
        assert "customresourcedefinitions" in hidden.why
    finally:
        control_plane.remove(f"{path}/{name}")


def test_the_namespace(connection: Connection, limited: Callable[..., Connection], namespace: str) -> None:
    assert isinstance(read_namespace(connection, namespace), Present)
    assert read_namespace(connection, "no-such-namespace") == Absent()
    assert isinstance(read_namespace(limited(), namespace), Unreadable)


def test_permissions_can_be_asked_before(
    connection: Connection, limited: Callable[..., Connection], namespace: str
) -> None:
    user = limited(
        {"apiGroups": ["apps"], "resources": ["deployments"], "verbs": ["get", "patch"]},
        {"apiGroups": [""], "resources": ["configmaps"], "resourceNames": ["only"], "verbs": ["get"]},
    )
    rules = read_access_rules(user, namespace)
    for verb, group, plural, name, expected in [
        ("patch", "apps", "deployments", "", True),
        ("delete", "apps", "deployments", "", False),
        ("get", "", "configmaps", "only", True),
        ("get", "", "configmaps", "other", False),
        ("get", "", "deployments", "", False),
    ]:
        assert rules.allows(verb, group, plural, name) is expected
        assert may(user, verb, group, plural, namespace, name) is expected
    assert read_access_rules(connection, namespace).allows("delete", "any.group", "any") is True
