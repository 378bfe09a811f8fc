"""Objects that come under another name, kind or namespace, and those that only look so."""

from __future__ import annotations

from typing import Any

import pytest
from manifest_facts import upgrade

from helmguard.rules.context.likeness import is_counted, leaves_of, likeness, stems
from helmguard.rules.context.renames import renames_of


def claim(name: str, size: str = "1Gi") -> str:
    return (
        f"---\n{{apiVersion: v1, kind: PersistentVolumeClaim, metadata: {{name: {name}}}, "
        f"spec: {{accessModes: [ReadWriteOnce], resources: {{requests: {{storage: {size}}}}}}}}}\n"
    )


def workload(
    name: str, image: str = "web:1", kind: str = "Deployment", place: str = "", more: str = ""
) -> str:
    where = f"namespace: {place}, " if place else ""
    return (
        f"---\n{{apiVersion: apps/v1, kind: {kind}, metadata: {{{where}name: {name}}}, spec: {{{more}"
        f"selector: {{matchLabels: {{app: {name}}}}}, template: {{metadata: {{labels: {{app: {name}}}}}, "
        f"spec: {{containers: [{{name: main, image: '{image}'}}]}}}}}}}}\n"
    )


def service(name: str) -> str:
    return (
        f"---\n{{apiVersion: v1, kind: Service, metadata: {{name: {name}}}, "
        "spec: {ports: [{port: 80}], selector: {app: web}}}\n"
    )


def config_map(name: str) -> str:
    return f"---\n{{apiVersion: v1, kind: ConfigMap, metadata: {{name: {name}}}, data: {{a: b}}}}\n"


def named(old: str, new: str, **more: Any) -> list[tuple[str, str]]:
    return [(one.ref, one.to_ref) for one in renames_of(upgrade(old, new, **more)).names]


@pytest.mark.parametrize(
    ("old", "new", "pairs"),
    [
        (claim("web-data"), claim("web"), [("PersistentVolumeClaim/web-data", "PersistentVolumeClaim/web")]),
        (claim("a"), claim("b", "2Gi"), [("PersistentVolumeClaim/a", "PersistentVolumeClaim/b")]),
        (workload("web"), workload("rel-web"), [("Deployment/web", "Deployment/rel-web")]),
        (workload("web"), workload("rel-web", "web:2"), [("Deployment/web", "Deployment/rel-web")]),
        (service("web"), service("rel-web"), [("Service/web", "Service/rel-web")]),
        # One goes, another comes: nothing in the names says that they are one.
        (workload("api"), workload("worker"), []),
        # Charts bring a new one on purpose.
        (config_map("conf-1a2b3c"), config_map("conf-4d5e6f"), []),
        (workload("web-v1"), workload("web-v2"), []),
        (service("web-1-0-0"), service("web-1-1-0"), []),
        # Data is lost all the same.
        (
            claim("data-v1"),
            claim("data-v2"),
            [("PersistentVolumeClaim/data-v1", "PersistentVolumeClaim/data-v2")],
        ),
        # Kinds that hold nothing, run nothing and are called by nobody.
        (config_map("conf"), config_map("rel-conf"), []),
        (claim("web"), claim("web"), []),
    ],
)
def test_what_looks_renamed(old: str, new: str, pairs: list[tuple[str, str]]) -> None:
    assert named(old, new) == pairs


def test_of_several_the_likest_names_belong_together() -> None:
    old = claim("web-cache") + claim("web-data")
    new = claim("shop-data") + claim("shop-cache")
    assert dict(named(old, new)) == {
        "PersistentVolumeClaim/web-cache": "PersistentVolumeClaim/shop-cache",
        "PersistentVolumeClaim/web-data": "PersistentVolumeClaim/shop-data",
    }


def test_one_new_object_takes_the_place_of_one_old() -> None:
    assert len(named(claim("a") + claim("b"), claim("c"))) == 1


def test_many_objects_are_matched_where_they_are_equal_but_for_the_name() -> None:
    old = "".join(service(f"web{number}x") for number in range(60))
    new = "".join(service(f"rel-web{number}x") for number in range(60))
    assert len(named(old, new)) == 60


def test_a_custom_resource_that_asks_for_storage() -> None:
    text = (
        "---\n{{apiVersion: db.example/v1, kind: Postgres, metadata: {{name: {0}}}, spec: "
        "{{{1}: {{size: 1Gi}}}}}}\n"
    )
    old, new = text.format("main", "storage"), text.format("rel-main", "storage")
    (one,) = renames_of(upgrade(old, new)).names
    assert one.asks_storage
    assert named(text.format("main", "rules"), text.format("rel-main", "rules")) == []


def test_a_set_and_its_claims() -> None:
    more = "volumeClaimTemplates: [{metadata: {name: data}}], "
    facts = upgrade(
        workload("db", kind="StatefulSet", more=more), workload("rel-db", kind="StatefulSet", more=more)
    )
    (one,) = renames_of(facts).names
    assert (one.claim_templates, one.when_deleted, one.runs_pods, one.stems) == (
        ("data",),
        "Retain",
        True,
        "->rel",
    )


def test_sets_whose_names_hold_the_same_words_are_one_though_much_differs() -> None:
    old = workload("shop-shop-db", kind="StatefulSet", more="replicas: 1, minReadySeconds: 3, ")
    new = workload("shop-db", "other:9", kind="StatefulSet", more="serviceName: peers, ")
    assert named(old, new) == [("StatefulSet/shop-shop-db", "StatefulSet/shop-db")]
    assert named(old, new.replace("shop-db", "shop-queue")) == []


def test_a_workload_without_pods() -> None:
    facts = upgrade(workload("web", more="replicas: 0, "), workload("rel-web"))
    (one,) = renames_of(facts).names
    assert not one.runs_pods


def test_a_workload_of_another_kind() -> None:
    found = renames_of(upgrade(workload("web"), workload("web", kind="StatefulSet")))
    assert [(one.ref, one.to_ref) for one in found.kinds] == [("Deployment/web", "StatefulSet/web")]
    assert found.names == ()
    other = renames_of(upgrade(config_map("web"), workload("web")))
    assert other.kinds == ()


def test_an_object_that_moves() -> None:
    facts = upgrade(workload("web") + config_map("c"), workload("web", place="market") + config_map("c"))
    found = renames_of(facts)
    assert [(one.ref, one.namespace, one.to_namespace) for one in found.namespaces] == [
        ("Deployment/web", "shop", "market")
    ]
    assert found.names == ()


@pytest.mark.parametrize(
    ("old", "new", "counted"),
    [
        ("conf-1a2b3c", "conf-4d5e6f", True),
        ("task-1", "task-2", True),
        ("migrate-1.2.0", "migrate-1.2.1-rc1", True),
        ("web-v1", "web-v2", True),
        ("conf-abcdef01", "conf-fedcba10", True),
        ("web-data", "web", False),
        ("web", "rel-web", False),
        ("web-1", "rel-web-2", False),
        ("conf-blue", "conf-green", False),
        ("web", "web", False),
    ],
)
def test_names_that_differ_in_a_number_or_a_hash_only(old: str, new: str, counted: bool) -> None:
    assert is_counted(old, new) is counted


@pytest.mark.parametrize(
    ("old", "new", "found"),
    [
        ("rel-web", "web", "rel->"),
        ("web", "rel-web", "->rel"),
        ("rel-db-main", "shop-db-main", "rel->shop"),
        ("a", "b", "a->b"),
    ],
)
def test_what_differs_of_two_names(old: str, new: str, found: str) -> None:
    assert stems(old, new) == found


def test_likeness() -> None:
    one = leaves_of({"spec": {"a": 1, "name": "web-x", "l": [1, 2]}, "metadata": {"z": 1}})
    two = leaves_of({"spec": {"a": 1, "name": "api-x", "l": [1, 3]}, "kind": "K"})
    other = leaves_of({"data": {"b": 1}})
    assert likeness(one, "web", one, "web") == 1.0
    assert likeness(one, "web", two, "api") == pytest.approx(3.5 / 4)
    assert likeness(one, "web", other, "b") == 0.0
    assert likeness(leaves_of({}), "a", leaves_of({}), "b") == 1.0


def test_a_short_name_is_not_found_inside_of_words() -> None:
    one, two = leaves_of({"spec": {"mode": "ReadWriteOnce"}}), leaves_of({"spec": {"mode": "Rea"}})
    assert likeness(one, "a", two, "b") == 0.5
