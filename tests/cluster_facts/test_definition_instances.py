"""Custom resources by their definition: the bodies up to a number, and how many there are in truth."""

from __future__ import annotations

import json
from collections.abc import Callable
from urllib.parse import parse_qsl

import pytest
from controlplane.client import JSON, ControlPlane
from custom_kind import CustomKind
from msgspec.structs import replace
from recording_api import Answer, RecordingApi

from helmguard.cluster import definition_instances
from helmguard.cluster.cluster_facts import read_facts
from helmguard.cluster.connection import Connection
from helmguard.cluster.discovery import read_discovery
from helmguard.model.cluster_facts import ClusterFacts, WantedFacts
from helmguard.model.discovery import Discovery, ServedKind


def served(widgets: CustomKind, connection: Connection) -> Discovery:
    """Discovery may follow the definition's condition by a moment: the kind is what no test depends on."""
    discovery = read_discovery(connection)
    verbs = ("get", "list", "delete")
    kind = ServedKind(f"{widgets.group}/v1", "Widget", "widgets", True, verbs)
    others = [one for one in discovery.kinds if one.group != widgets.group]
    return replace(Discovery.of(discovery.kubernetes_version, [*others, kind]), unavailable=())


def wanted(*definitions: str) -> WantedFacts:
    return WantedFacts(("customResources",), ("n",), definitions)


def test_instances_of_all_namespaces(
    connection: Connection, widgets: CustomKind, namespace: str, other_namespace: str
) -> None:
    for place, name in ((namespace, "a"), (namespace, "b"), (other_namespace, "a")):
        widgets.add(place, name, size=3)
    facts = read_facts(connection, served(widgets, connection), wanted(widgets.definition))
    found = facts.custom_resources[widgets.definition]
    places = {(item["metadata"]["namespace"], item["metadata"]["name"]) for item in found}
    assert places == {(namespace, "a"), (namespace, "b"), (other_namespace, "a")}
    assert all(item["spec"] == {"size": 3} and item["kind"] == "Widget" for item in found)
    for item in found:
        (writer,) = item["metadata"]["managedFields"]
        assert writer["apiVersion"] == f"{widgets.group}/v1"
        assert writer["operation"] == "Update"
        assert "manager" in writer
        assert "fieldsV1" not in writer
    assert facts.custom_resource_counts == {widgets.definition: 3}
    assert facts.unread == {}


@pytest.mark.parametrize("server_counts", [True, False])
def test_bodies_are_kept_up_to_a_number_and_all_are_counted(
    control_plane: ControlPlane,
    connection: Connection,
    recording: Callable[..., RecordingApi],
    widgets: CustomKind,
    namespace: str,
    monkeypatch: pytest.MonkeyPatch,
    server_counts: bool,
) -> None:
    monkeypatch.setattr(definition_instances, "MOST_BODIES", 4)
    for number in range(9):
        widgets.add(namespace, f"w{number}")

    def uncounted(path: str, _: str) -> Answer:
        """The real page, but for the number of those that follow, which a server need not give."""
        plain, _, query = path.partition("?")
        page = control_plane.get(plain, **dict(parse_qsl(query)))
        page["metadata"].pop("remainingItemCount", None)
        return Answer(200, page)

    api = recording(lambda *_: None) if server_counts else recording(uncounted)
    facts = read_facts(api.connection(), served(widgets, connection), wanted(widgets.definition), page=2)
    assert len(facts.custom_resources[widgets.definition]) == 4
    assert facts.custom_resource_counts == {widgets.definition: 9}
    assert len(api.asked) == (2 if server_counts else 5)
    if server_counts:
        assert json.loads(api.asked[-1].answer)["metadata"]["remainingItemCount"] == 5
    else:
        assert all("as=Partial" in asked.accept for asked in api.asked[2:])


def test_a_definition_that_is_not_there_has_no_instances(
    connection: Connection, discovery: Discovery
) -> None:
    facts = read_facts(connection, discovery, wanted("nothings.nowhere.example.com"))
    name = "nothings.nowhere.example.com"
    assert facts == ClusterFacts(
        custom_resources={name: ()}, custom_resource_counts={name: 0}, namespaces=("n",)
    )


def test_a_definition_that_is_there_and_not_served_is_unknown(
    connection: Connection, widgets: CustomKind
) -> None:
    discovery = served(widgets, connection)
    others = [kind for kind in discovery.kinds if kind.group != widgets.group]
    unserved = Discovery.of(discovery.kubernetes_version, others)
    facts = read_facts(connection, unserved, wanted(widgets.definition))
    assert facts.custom_resources == {}
    assert facts.custom_resource_counts == {}
    assert "serves no version of it" in facts.unread["customResources"]


def test_forbidden_instances_are_unknown(
    connection: Connection, limited: Callable[..., Connection], widgets: CustomKind, namespace: str
) -> None:
    widgets.add(namespace, "a")
    right: JSON = {"apiGroups": [widgets.group], "resources": ["widgets"], "verbs": ["list"]}
    facts = read_facts(limited(right), served(widgets, connection), wanted(widgets.definition))
    assert facts.custom_resources == {}
    assert 'cannot list resource "widgets"' in facts.unread["customResources"]
    assert "at the cluster scope" in facts.unread["customResources"]
