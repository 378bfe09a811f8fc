"""A list that cannot be read is unread with the reason in words: never empty, and no other list suffers."""

from __future__ import annotations

import threading
from collections.abc import Callable

import pytest
from controlplane.client import JSON, ControlPlane
from recording_api import Answer, RecordingApi, refusal

from helmguard.cluster import fact_reader
from helmguard.cluster.cluster_facts import read_facts
from helmguard.cluster.connection import Connection
from helmguard.model.cluster_facts import FACT_NAMES, ClusterFacts, WantedFacts
from helmguard.model.discovery import Discovery, ServedKind

PODS: JSON = {"apiGroups": [""], "resources": ["pods"], "verbs": ["list"]}
Recording = Callable[..., RecordingApi]


def test_forbidden_lists_say_the_verb_the_resource_and_the_user(
    limited: Callable[..., Connection], discovery: Discovery, namespace: str
) -> None:
    wanted = WantedFacts(("pods", "secrets", "nodes"), (namespace,))
    facts = read_facts(limited(PODS), discovery, wanted)
    assert facts.lists == {"pods": ()}
    assert set(facts.unread) == {"secrets", "nodes"}
    assert 'User "limited" cannot list resource "secrets"' in facts.unread["secrets"]
    assert f'in the namespace "{namespace}"' in facts.unread["secrets"]
    assert 'cannot list resource "nodes" in API group "" at the cluster scope' in facts.unread["nodes"]


def test_a_user_without_rights_knows_nothing_and_gets_no_error(
    limited: Callable[..., Connection], discovery: Discovery, namespace: str
) -> None:
    wanted = WantedFacts(FACT_NAMES, (namespace,), ("things.example.com",), (namespace,))
    facts = read_facts(limited(), discovery, wanted)
    assert facts.lists == facts.custom_resources == facts.namespace_contents == {}
    assert set(facts.unread) == set(FACT_NAMES)
    assert all("forbidden" in why for why in facts.unread.values())


def test_one_namespace_that_may_not_be_read_leaves_the_list_unknown(
    limited: Callable[..., Connection], discovery: Discovery, namespace: str, other_namespace: str
) -> None:
    """Half a list would say that there is no more."""
    facts = read_facts(limited(PODS), discovery, WantedFacts(("pods",), (namespace, other_namespace)))
    assert facts.lists == {}
    assert f'in the namespace "{other_namespace}"' in facts.unread["pods"]
    assert namespace not in facts.unread["pods"]


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        (refusal(500, "InternalError", "etcd is full"), "etcd is full"),
        (refusal(406, "NotAcceptable", "only other media types"), "only other media types"),
        (Answer(200, "no object"), "does not answer like a Kubernetes API server"),
        (Answer(302, {}, {"Location": "http://login.example"}), "302 without JSON"),
        (Answer(403, {}), "403 Forbidden"),
    ],
)
def test_what_fails_is_told_and_the_rest_is_read(
    recording: Recording, discovery: Discovery, namespace: str, answer: Answer, words: str
) -> None:
    api = recording(lambda path, _: answer if "/secrets" in path else None)
    facts = read_facts(api.connection(), discovery, WantedFacts(("secrets", "services"), (namespace,)))
    assert facts.lists == {"services": ()}
    assert set(facts.unread) == {"secrets"}
    assert words in facts.unread["secrets"]
    assert len([path for path in api.paths() if path.endswith("/secrets")]) == 1


def test_a_server_that_hangs_is_not_asked_for_everything(
    recording: Recording, discovery: Discovery, namespace: str
) -> None:
    done = threading.Event()
    api = recording(lambda *_: Answer(200, {}, hang=done))
    try:
        wanted = WantedFacts(FACT_NAMES, (namespace, "more", "and-more"))
        facts = read_facts(api.connection(request_timeout=0.2), discovery, wanted)
    finally:
        done.set()
    assert facts.lists == {}
    assert all("did not answer within 0.2 s" in why for why in facts.unread.values())
    assert len(facts.unread) == len(FACT_NAMES) - 2, "no definitions and no namespaces are wanted"
    assert len(api.arrived) <= 2 * 8, "no more than run at the same time, and those after them"


def test_no_server_is_no_error(recording: Recording, discovery: Discovery, namespace: str) -> None:
    api = recording()
    connection = api.connection()
    api.close()
    facts = read_facts(connection, discovery, WantedFacts(("nodes", "pods"), (namespace,)))
    assert facts.lists == {}
    assert all("cannot reach the Kubernetes API server" in why for why in facts.unread.values())


def test_refused_credentials_are_no_error(recording: Recording, discovery: Discovery, namespace: str) -> None:
    api = recording(lambda *_: refusal(401, "Unauthorized", ""))
    facts = read_facts(api.connection(), discovery, WantedFacts(FACT_NAMES, (namespace,)))
    assert facts.lists == {}
    assert "did not accept the credentials" in facts.unread["nodes"]
    assert len(api.asked) <= 8


def test_the_server_may_ask_for_patience(recording: Recording, discovery: Discovery, namespace: str) -> None:
    turned_away: list[str] = []

    def answer(path: str, _: str) -> Answer | None:
        if turned_away:
            return None
        turned_away.append(path)
        return Answer(429, {}, {"Retry-After": "0"})

    facts = read_facts(recording(answer).connection(), discovery, WantedFacts(("pods",), (namespace,)))
    assert facts == ClusterFacts(lists={"pods": ()}, namespaces=(namespace,))
    assert turned_away


def test_a_snapshot_that_expires_between_pages(
    control_plane: ControlPlane, recording: Recording, discovery: Discovery, namespace: str
) -> None:
    for name in "abc":
        control_plane.create(f"/api/v1/namespaces/{namespace}/secrets", {"metadata": {"name": name}})
    api = recording(lambda path, _: refusal(410, "Expired", "too old") if "continue=" in path else None)
    facts = read_facts(api.connection(), discovery, WantedFacts(("secrets",), (namespace,)), page=2)
    assert [item["metadata"]["name"] for item in facts.lists["secrets"]] == ["a", "b", "c"]


def without(discovery: Discovery, *plurals: str) -> list[ServedKind]:
    return [kind for kind in discovery.kinds if kind.plural not in plurals]


def test_kinds_that_are_not_served(recording: Recording, discovery: Discovery, namespace: str) -> None:
    """Not served: there is none. Served in another version: unknown. Its server broken: unknown."""
    older = ServedKind("policy/v1beta1", "PodDisruptionBudget", "poddisruptionbudgets", True, ("list",))
    served = Discovery.of(
        "v1.20.0",
        [*without(discovery, "poddisruptionbudgets", "runtimeclasses", "apiservices"), older],
        ["apiregistration.k8s.io/v1"],
    )
    api = recording()
    wanted = WantedFacts(("runtimeClasses", "podDisruptionBudgets", "apiServices"), (namespace,))
    facts = read_facts(api.connection(), served, wanted)
    assert facts.lists == {"runtimeClasses": ()}
    assert facts.unread == {
        "podDisruptionBudgets": (
            "the API server serves PodDisruptionBudget in policy/v1beta1, not in policy/v1"
        ),
        "apiServices": "the API server behind apiregistration.k8s.io/v1 does not answer discovery",
    }
    assert api.asked == []


def test_a_kind_that_went_away_since_discovery(
    recording: Recording, discovery: Discovery, namespace: str
) -> None:
    api = recording(lambda *_: Answer(404, "404 page not found"))
    facts = read_facts(api.connection(), discovery, WantedFacts(("runtimeClasses",), (namespace,)))
    assert facts.lists == {"runtimeClasses": ()}


def test_a_later_reading_completes_an_earlier_one() -> None:
    first = ClusterFacts(lists={"nodes": ()}, namespaces=("a",), unread={"pods": "timeout"})
    second = ClusterFacts(lists={"pods": ()}, namespaces=("a",), unread={"secrets": "forbidden"})
    assert first.with_more(second) == ClusterFacts(
        lists={"nodes": (), "pods": ()}, namespaces=("a",), unread={"secrets": "forbidden"}
    )


def test_many_reasons_are_one_text() -> None:
    assert fact_reader.joined(["a", "a"]) == "a"
    assert fact_reader.joined(["a", "b", "a", "c", "d", "e"]) == "a; b; c; and 2 more"
