"""Ignored changes: moved aside before anything is judged, and nothing else touched."""

from __future__ import annotations

from typing import Any

import pytest
from config_samples import FILE, TODAY, TOMORROW, YESTERDAY, change, finding, ignore, resource

from helmguard.config.ignores import expired_matches, without_ignored, without_resting_on_ignored
from helmguard.model.field_change import MISSING
from helmguard.model.field_path import ItemKey
from helmguard.model.plan import IgnoredChange, ResourceChange

REPLICAS = change("spec.replicas", 3, 5, manager="kube-controller-manager", cause="drift reverted")
IMAGE = change(("spec", "template", "spec", "containers", ItemKey((("name", "web"),)), "image"), "a", "b")


def ignoring(item: ResourceChange, **entry: Any) -> ResourceChange:
    (found,) = without_ignored([item], [ignore(**entry)], TODAY)
    return found


def test_an_update_of_which_all_is_ignored_is_no_change() -> None:
    found = ignoring(resource(REPLICAS), path="spec.replicas")
    assert found.changes == ()
    assert found.ignored == (IgnoredChange("change", REPLICAS, FILE, 20, "somebody else owns it"),)
    assert found.is_ignored
    assert found.action == "update"


def test_what_is_not_covered_stays_and_the_object_still_changes() -> None:
    found = ignoring(resource(REPLICAS, IMAGE), path="spec.replicas")
    assert found.changes == (IMAGE,)
    assert not found.is_ignored


def test_an_update_that_nobody_understands_is_not_taken_for_ignored() -> None:
    found = ignoring(resource(drift=(REPLICAS,)), path="spec.replicas")
    assert found.drift == ()
    assert found.ignored[0].kind == "drift"
    assert not found.is_ignored
    assert not ignoring(resource(REPLICAS, unknown="not predictable"), path="spec.replicas").is_ignored


def test_drift_and_latent_owners_are_ignored_too() -> None:
    item = resource(action="unchanged", drift=(REPLICAS,), latent=(IMAGE,))
    found = ignoring(item, path="spec")
    assert (found.drift, found.latent) == ((), ())
    assert [each.kind for each in found.ignored] == ["drift", "latent"]


@pytest.mark.parametrize(
    ("entry", "covers"),
    [
        ({"path": "spec.replicas"}, True),
        ({"path": "spec"}, True),
        ({"path": "spec.replica"}, False),
        ({"path": "spec.replicas", "kind": "Deployment"}, True),
        ({"path": "spec.replicas", "kind": "StatefulSet"}, False),
        ({"path": "spec.replicas", "name": "w*"}, True),
        ({"path": "spec.replicas", "name": "db"}, False),
        ({"path": "spec.replicas", "namespace": "shop"}, True),
        ({"path": "spec.replicas", "namespace": "prod"}, False),
        ({"manager": "kube-*"}, True),
        ({"manager": "kubectl"}, False),
        ({"path": "spec.template", "manager": "kube-*"}, False),
        ({"path": "spec.replicas", "expires": TODAY}, True),
        ({"path": "spec.replicas", "expires": YESTERDAY}, False),
    ],
)
def test_what_an_entry_covers(entry: dict[str, Any], covers: bool) -> None:
    assert bool(ignoring(resource(REPLICAS), **entry).ignored) is covers


def test_a_namespace_never_matches_what_has_none() -> None:
    item = resource(REPLICAS, namespace=None, kind="ClusterRole")
    assert ignoring(item, path="spec.replicas", namespace="*").ignored
    assert not ignoring(item, path="spec.replicas", namespace="shop").ignored


def test_a_manager_never_matches_what_is_helms_own() -> None:
    assert not ignoring(resource(change("spec.replicas")), manager="helm").ignored


@pytest.mark.parametrize("action", ["create", "recreate", "delete", "replace"])
def test_objects_that_come_and_go_stay_in_sight(action: Any) -> None:
    item = resource(REPLICAS, action=action)
    assert ignoring(item, path="spec.replicas") == item


def test_what_helm_fails_on_stays_in_sight() -> None:
    item = resource(change("spec.replicas", cause="conflict"), action="fail", error="conflict with kubectl")
    assert ignoring(item, path="spec.replicas") == item


def test_a_map_that_comes_as_a_whole_is_covered_entry_by_entry() -> None:
    came = change("metadata.annotations", MISSING, {"example.com/a": "1", "example.com/b": "2"})
    assert ignoring(resource(came), path='metadata.annotations["example.com/*"]').is_ignored
    assert not ignoring(resource(came), path='metadata.annotations["example.com/a"]').ignored
    replaced = change("metadata.annotations", {"example.com/a": "1", "b": "2"}, {"b": "2"})
    assert ignoring(resource(replaced), path='metadata.annotations["example.com/a"]').is_ignored
    emptied = change("spec.a", {"b": 1}, [1])
    assert not ignoring(resource(emptied), path="spec.a.b").ignored


def test_of_a_map_that_stays_what_differs_from_the_manifest_counts() -> None:
    live = {"a": "1", "example.com/b": "2"}
    kept = change("metadata.annotations", live, live, new={"a": "1"}, cause="drift kept")
    item = resource(action="unchanged", drift=(kept,))
    assert ignoring(item, path='metadata.annotations["example.com/b"]').drift == ()
    assert ignoring(item, path="metadata.annotations.a").drift == (kept,)
    assert ignoring(item, path="spec.replicas").drift == (kept,)
    silent = change("spec.a", {"b": 1}, {"b": 1}, new={"b": 1})
    assert not ignoring(resource(silent), path="spec.replicas").ignored


def test_the_first_entry_that_covers_is_named() -> None:
    entries = [
        ignore("spec.replicas", 20, expires=YESTERDAY),
        ignore("spec.replicas", 25),
        ignore("spec", 30),
    ]
    (found,) = without_ignored([resource(REPLICAS, IMAGE)], entries, TODAY)
    assert [(each.change.path[-1], each.line) for each in found.ignored] == [("replicas", 25), ("image", 30)]


def test_entries_that_have_expired_and_would_cover_something_still() -> None:
    entries = [
        ignore("spec", 20, expires=YESTERDAY),
        ignore("spec", 21, expires=TOMORROW),
        ignore("status", 22, expires=YESTERDAY),
        ignore("spec", 23),
    ]
    found = expired_matches([resource(REPLICAS, IMAGE)], entries, TODAY)
    assert [(each.entry.line, count) for each, count in found] == [(20, 2)]


def test_without_a_clock_only_what_has_no_end_is_ignored() -> None:
    item = resource(REPLICAS)
    assert without_ignored([item], [ignore("spec", expires=TOMORROW)], None) == (item,)
    assert without_ignored([item], [ignore("spec")], None)[0].is_ignored


ABOUT = finding(on="object", name="Deployment/web", field="spec.replicas")


@pytest.mark.parametrize(
    ("about", "fires"),
    [
        (ABOUT, False),
        (finding(on="object", name="Deployment/web", field="spec"), True),
        (finding(on="object", name="Deployment/web", field="spec.replicasMax"), True),
        (finding(on="object", name="Deployment/web"), True),
        (finding(on="object", name="Deployment/db", field="spec.replicas"), True),
        (finding(on="value", name="Deployment/web", field="spec.replicas"), True),
        (finding(on="object", name="Deployment/web", field="spec.replicas", data_loss=True), True),
    ],
)
def test_a_finding_about_an_ignored_field_does_not_fire(about: Any, fires: bool) -> None:
    item = ignoring(resource(REPLICAS, IMAGE), path="spec.replicas")
    assert (list(without_resting_on_ignored([about], [item])) == [about]) is fires


def test_a_finding_about_a_field_that_also_drifts_fires() -> None:
    item = resource(REPLICAS, drift=(change("spec.replicas", manager="me"),))
    (found,) = without_ignored([item], [ignore("spec.replicas", manager="kube-*")], TODAY)
    assert list(without_resting_on_ignored([ABOUT], [found])) == [ABOUT]
