"""What is wrong with a manifest itself."""

from __future__ import annotations

import json
from typing import Any

import pytest
from facts_of import facts, resource
from manifest_facts import upgrade
from msgspec.structs import replace

from helmguard.model.plan import ChartRef
from helmguard.model.resource_key import ResourceKey
from helmguard.model.surroundings import (
    DroppedFields,
    LostItems,
    RecordPart,
    RecordSize,
    Surroundings,
)
from helmguard.rules.context.manifest_faults import manifest_faults_of

WEB = ResourceKey("apps", "Deployment", "shop", "web")


def test_a_misspelt_field_comes_with_the_one_that_was_meant() -> None:
    paths = ("spec.template.spec.containers[0].imagee", "spec.replica", "metadata.lables", "spec.zzz")
    around = Surroundings(dropped_fields=(DroppedFields(WEB, "apps/v1", paths, False),))
    (found,) = manifest_faults_of(facts(around=around)).dropped_fields
    assert found.fields == paths
    assert found.suggestions == (
        "spec.template.spec.containers[0].image",
        "spec.replicas",
        "metadata.labels",
    )


@pytest.mark.parametrize(
    ("error", "fields"),
    [
        (
            "failed to create typed patch object (a/b; v1, Kind=W): .spec.x: field not declared in schema",
            ("spec.x",),
        ),
        ('strict decoding error: unknown field "spec.y"', ("spec.y",)),
    ],
)
def test_an_error_tells_of_fields_where_no_schema_does(error: str, fields: tuple[str, ...]) -> None:
    (found,) = manifest_faults_of(facts(resource(error=error, action="fail"))).dropped_fields
    assert (found.ref, found.fields, found.error, found.custom) == ("Deployment/web", fields, error, False)


def test_an_error_tells_of_nulls() -> None:
    error = 'spec.a: Invalid value: "null": spec.a in body must be of type object: "null"'
    (found,) = manifest_faults_of(facts(resource(error=error, action="fail"))).nulls
    assert (found.fields, found.error) == (("spec.a",), error)


def test_items_are_shown_as_json_and_cut() -> None:
    lost = LostItems(WEB, ("spec", "ports"), 2, 1, ({"port": 53}, {"name": "x" * 200}))
    (found,) = manifest_faults_of(facts(around=Surroundings(lost_items=(lost,)))).lost_items
    assert (found.field, found.list, found.items[0]) == ("spec.ports", "ports", '{"port": 53}')
    assert found.items[1].endswith("...") and len(found.items[1]) == 123


@pytest.mark.parametrize(("size", "told"), [(None, 0), (799, 0), (800, 1), (1100, 1)])
def test_records_near_the_limit(size: int | None, told: int) -> None:
    record = RecordSize(size, 1000, parts=tuple(RecordPart(f"p{n}", 1024) for n in range(6)))
    found = manifest_faults_of(facts(around=Surroundings(record=record))).records
    assert len(found) == told
    assert all(one.parts == "p0 1 KiB, p1 1 KiB, p2 1 KiB, p3 1 KiB" for one in found)


def workload(kind: str, selector: dict[str, str], **spec: Any) -> str:
    body = {
        "apiVersion": "apps/v1",
        "kind": kind,
        "metadata": {"name": "db"},
        "spec": {"selector": {"matchLabels": selector}, **spec},
    }
    return json.dumps(body)


CLAIM = {"metadata": {"name": "data", "labels": {"release": "web-1.0.0"}}}


@pytest.mark.parametrize(
    ("document", "labels"),
    [
        (workload("Deployment", {"app": "db"}), []),
        (workload("Deployment", {"helm.sh/chart": "x-1"}), [("helm.sh/chart=x-1",)]),
        (workload("DaemonSet", {"app.kubernetes.io/version": "7"}), [("app.kubernetes.io/version=7",)]),
        (workload("Deployment", {"release": "web-1.0.0"}), [("release=web-1.0.0",)]),
        (workload("StatefulSet", {"app": "db"}, volumeClaimTemplates=[CLAIM]), [("release=web-1.0.0",)]),
        (workload("Deployment", {"app": "db"}, volumeClaimTemplates=[CLAIM]), []),
    ],
)
def test_selectors_that_hold_a_version(document: str, labels: list[tuple[str, ...]]) -> None:
    found = upgrade("", document)
    chart = replace(found.release, new_chart=ChartRef("web", "1.0.0"))
    selectors = manifest_faults_of(replace(found, release=chart)).version_selectors
    assert [one.labels for one in selectors] == labels


def service(**spec: Any) -> dict[str, Any]:
    return {"apiVersion": "v1", "kind": "Service", "metadata": {"name": "web"}, "spec": spec}


PORT = {"port": 80, "nodePort": 30080}


@pytest.mark.parametrize(
    ("old", "new", "after", "field"),
    [
        (service(clusterIP="10.0.0.7"), service(), service(clusterIP="10.0.0.7"), "spec.clusterIP"),
        (service(clusterIP="None"), service(clusterIP=""), service(clusterIP="None"), "spec.clusterIP"),
        (service(clusterIP="None"), service(clusterIP="None"), service(clusterIP="None"), ""),
        (service(clusterIP="10.0.0.7"), service(type="ExternalName"), service(type="ExternalName"), ""),
        (
            service(ports=[PORT]),
            service(ports=[{"port": 80}]),
            service(ports=[PORT]),
            "spec.ports[80].nodePort",
        ),
        (
            service(ports=[PORT]),
            service(ports=[{"port": 80}]),
            service(ports=[{"port": 80, "nodePort": 3}]),
            "",
        ),
        (service(ports=[PORT]), service(type="ClusterIP", ports=[{"port": 80}]), service(ports=[PORT]), ""),
    ],
)
def test_changes_that_the_server_leaves_undone(old: Any, new: Any, after: Any, field: str) -> None:
    found = upgrade(json.dumps(old), json.dumps(new))
    (only,) = found.resources
    predicted = replace(only, prediction=replace(only.prediction, predicted=after))
    told = manifest_faults_of(replace(found, resources=(predicted,))).ineffective
    assert [one.field for one in told] == ([field] if field else [])
