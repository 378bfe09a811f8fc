"""The cause of each field change."""

from __future__ import annotations

from typing import Any

import pytest
from predictions import compared, config_map, custom, deployment, owned, predict, rows, value_change

from helmguard.compare.compare_resource import compare_resource
from helmguard.compare.context import CompareContext
from helmguard.model.field_change import MISSING
from helmguard.model.live_state import Unreadable
from helmguard.model.prediction import ResourcePrediction

A_EDITED = {"f:data": {"f:a": {}}}


def test_manifest_changes_are_the_charts_if_no_value_explains_them() -> None:
    before, after = config_map({"a": "1", "gone": "x"}), config_map({"a": "2", "new": "y"})
    assert rows(compared(predict(before, after)).changes) == [
        ("data.a", "1", "2", "chart"),
        ("data.gone", "x", "-", "chart"),
        ("data.new", "-", "y", "chart"),
    ]


def test_drift_on_a_declared_field_is_reverted_with_the_name_of_who_made_it() -> None:
    manifest = config_map({"a": "1"})
    live = owned(config_map({"a": "live"}), "kubectl-edit", A_EDITED)
    (change,) = compared(predict(manifest, manifest, live, manifest)).changes
    assert (change.cause, change.manager) == ("drift reverted", "kubectl-edit")
    assert (change.previous, change.new) == ("1", "1")


def test_a_field_removed_live_comes_back() -> None:
    manifest = config_map({"a": "1", "b": "2"})
    (change,) = compared(predict(manifest, manifest, config_map({"a": "1"}), manifest)).changes
    assert (change.before, change.after, change.cause) == (MISSING, "2", "drift reverted")


def test_a_change_on_a_drifted_field_names_both() -> None:
    live = owned(config_map({"a": "live"}), "kubectl-edit", A_EDITED)
    (change,) = compared(
        predict(config_map({"a": "1"}), config_map({"a": "2"}), live, config_map({"a": "2"}))
    ).changes
    assert (change.cause, change.manager, change.note) == ("chart", "kubectl-edit", "was also changed live")


def test_a_new_key_that_somebody_set_live_before() -> None:
    live = owned(config_map({"n": "live"}), "kubectl-edit", {"f:data": {"f:n": {}}})
    (change,) = compared(
        predict(config_map({}), config_map({"n": "x"}), live, config_map({"n": "x"}))
    ).changes
    assert (change.before, change.cause, change.manager) == ("live", "chart", "kubectl-edit")


def test_live_has_the_new_value_already() -> None:
    live = config_map({"a": "2"})
    change = compared(predict(config_map({"a": "1"}), config_map({"a": "2"}), live, live, "unchanged"))
    assert rows(change.changes) == [("data.a", "2", "2", "converged")]
    assert change.drift == ()


def test_what_the_server_fills_in_has_the_server_as_cause() -> None:
    manifest = {
        "apiVersion": "v1",
        "kind": "Service",
        "metadata": {"name": "s"},
        "spec": {"type": "ClusterIP"},
    }
    new = {**manifest, "spec": {"type": "LoadBalancer"}}
    after = {**manifest, "spec": {"type": "LoadBalancer", "externalTrafficPolicy": "Cluster"}}
    assert rows(compared(predict(manifest, new, manifest, after)).changes) == [
        ("spec.type", "ClusterIP", "LoadBalancer", "chart"),
        ("spec.externalTrafficPolicy", "-", "Cluster", "server"),
    ]


def test_a_field_that_leaves_the_manifest_falls_back_to_the_default() -> None:
    live = deployment({"replicas": 9})
    (change,) = compared(
        predict(deployment({"replicas": 3}), deployment({}), live, deployment({"replicas": 1}))
    ).changes
    assert (change.before, change.after, change.cause) == (9, 1, "chart")
    assert "default" in change.note


def test_a_declared_port_that_the_merge_loses_is_named() -> None:
    def service(*protocols: str) -> dict[str, Any]:
        ports = [{"port": 53, "protocol": protocol} for protocol in protocols]
        return {"apiVersion": "v1", "kind": "Service", "metadata": {"name": "dns"}, "spec": {"ports": ports}}

    change = compared(
        predict(service("TCP"), service("TCP", "UDP"), service("TCP"), service("TCP"), "unchanged")
    )
    (lost,) = change.changes
    assert (lost.before, lost.after, lost.cause) == (MISSING, MISSING, "server")
    assert lost.note == "the manifest's change has no effect"
    assert lost.new == {"port": 53, "protocol": "UDP"}


def test_only_the_order_changes() -> None:
    def pod(*names: str) -> dict[str, Any]:
        return deployment({"initContainers": [{"name": name} for name in names]})

    (change,) = compared(predict(pod("a", "b"), pod("b", "a"))).changes
    assert (change.before, change.after, change.cause) == (["a", "b"], ["b", "a"], "chart")
    assert change.note == "only the order of the items changes"


def test_server_side_conflict_of_a_failing_object() -> None:
    manifest = config_map({"a": "1"})
    live = owned(config_map({"a": "live", "b": "1"}), "kubectl-edit", A_EDITED)
    error = 'Apply failed with 1 conflict: conflict with "kubectl-edit" using v1: .data.a'
    change = compared(predict(manifest, manifest, live, live, "fail", error=error, engine="ssa"))
    (conflict,) = change.changes
    assert (conflict.before, conflict.new, conflict.cause) == ("live", "1", "conflict")
    assert conflict.manager == "kubectl-edit"
    assert change.drift == ()


def test_a_conflict_that_is_forced() -> None:
    manifest = config_map({"a": "1"})
    live = owned(config_map({"a": "live"}), "kubectl-edit", A_EDITED)
    (change,) = compared(
        predict(manifest, manifest, live, manifest, engine="ssa"), force_conflicts=True
    ).changes
    assert (change.cause, change.manager, change.note) == ("conflict", "kubectl-edit", "taken over by force")


def test_an_atomic_list_conflicts_as_a_whole() -> None:
    def pod(*keys: str) -> dict[str, Any]:
        tolerations = [{"key": key, "operator": "Exists"} for key in keys]
        return deployment({"template": {"spec": {"tolerations": tolerations}}})

    fields = {"f:spec": {"f:template": {"f:spec": {"f:tolerations": {}}}}}
    live = owned(pod("a", "mine"), "kubectl-edit", fields)
    error = "Apply failed with 1 conflict"
    (change,) = compared(predict(pod("a"), pod("a", "b"), live, live, "fail", error=error)).changes
    assert change.path == ("spec", "template", "spec", "tolerations")


@pytest.mark.parametrize(
    ("path", "bookkeeping"),
    [
        ({"labels": {"helm.sh/chart": "x-2"}}, True),
        ({"labels": {"app.kubernetes.io/version": "2"}}, True),
        ({"labels": {"chart": "x-2"}}, True),
        ({"annotations": {"meta.helm.sh/release-name": "r"}}, True),
        ({"annotations": {"checksum/config": "2"}}, False),
        ({"labels": {"tier": "2"}}, False),
    ],
)
def test_bookkeeping_labels(path: dict[str, Any], bookkeeping: bool) -> None:
    (change,) = compared(predict(config_map({}), config_map({}, **path))).changes
    assert change.bookkeeping is bookkeeping


def test_a_version_label_inside_a_pod_template_is_no_bookkeeping() -> None:
    def pod(version: str) -> dict[str, Any]:
        labels = {"helm.sh/chart": version}
        return deployment({"template": {"metadata": {"labels": labels}}})

    (change,) = compared(predict(pod("x-1"), pod("x-2"))).changes
    assert not change.bookkeeping
    assert change.note == "version label inside the pod template"


def test_unstable_fields_are_marked() -> None:
    prediction = predict(config_map({"a": "x", "b": "1"}), config_map({"a": "y", "b": "2"}))
    context = CompareContext(unstable={prediction.key: frozenset([("data", "a")])})
    assert [change.cause for change in compare_resource(prediction, context).changes] == ["unstable", "chart"]


def test_adoption() -> None:
    live = config_map({"a": "theirs", "theirs": "x"})
    labels = {"app.kubernetes.io/managed-by": "Helm"}
    after = config_map({"a": "ours", "theirs": "x"}, labels=labels)
    change = compared(predict(None, config_map({"a": "ours"}), live, after, "adopt"))
    assert rows(change.changes) == [
        ('metadata.labels["app.kubernetes.io/managed-by"]', "-", "Helm", "chart"),
        ("data.a", "theirs", "ours", "chart"),
    ]
    assert change.changes[0].bookkeeping


def test_a_created_object_in_short_form() -> None:
    new = deployment({"replicas": 2, "template": {"spec": {"containers": []}}})
    new["metadata"]["labels"] = {"app": "web"}
    change = compared(predict(None, new, None, new, "create"))
    assert rows(change.changes) == [
        ("metadata.labels.app", "-", "web", "chart"),
        ("spec.replicas", "-", 2, "chart"),
        ("spec.template", "-", {"spec": {"containers": []}}, "chart"),
    ]


def test_an_object_that_was_deleted_live_comes_back() -> None:
    manifest = config_map({"a": "1"})
    (change,) = compared(predict(manifest, manifest, None, manifest, "recreate")).changes
    assert (change.cause, change.note) == ("drift reverted", "was deleted live")


@pytest.mark.parametrize("action", ["delete", "keep"])
def test_objects_that_leave_the_release_have_no_field_changes(action: str) -> None:
    live = config_map({"a": "1"})
    after = None if action == "delete" else live
    assert compared(predict(live, None, live, after, action)).changes == ()


def test_without_the_live_object_the_manifests_are_compared_and_nothing_is_certain() -> None:
    prediction = predict(config_map({"a": "1"}), config_map({"a": "2"}), action="unknown")
    unread = ResourcePrediction(
        prediction.key, "v1", "unknown", prediction.previous, prediction.new, Unreadable("forbidden"), None
    )
    change = compare_resource(unread, CompareContext())
    assert change.confirmed == "unknown"
    assert rows(change.changes) == [("data.a", "1", "2", "chart")]
    assert "live value is not known" in change.changes[0].note


def test_an_object_that_helm_does_not_reach_says_nothing_about_its_manifest() -> None:
    live = config_map({"a": "1"})
    prediction = predict(live, config_map({"a": "2"}), live, live, "unchanged")
    context = CompareContext(not_reached=frozenset([prediction.key]))
    assert compare_resource(prediction, context).changes == ()


def test_secret_text_is_compared_as_the_server_stores_it() -> None:
    def secret(**fields: Any) -> dict[str, Any]:
        return {"apiVersion": "v1", "kind": "Secret", "metadata": {"name": "s"}, **fields}

    live = secret(data={"a": "b25l"})
    change = compared(
        predict(
            secret(stringData={"a": "one"}), secret(stringData={"a": "two"}), live, secret(data={"a": "dHdv"})
        )
    )
    assert rows(change.changes) == [("data.a", "b25l", "dHdv", "chart")]
    assert change.drift == ()


def test_a_null_in_a_custom_resource() -> None:
    change = compared(
        predict(custom({"a": 1, "b": None}), custom({"a": None, "b": 2}), custom({"a": 1}), custom({"b": 2}))
    )
    assert rows(change.changes) == [("spec.a", 1, "-", "chart"), ("spec.b", "-", 2, "chart")]


def test_a_traced_change_carries_its_value_path() -> None:
    values = (value_change("driver.enabled", False, True, "lost override"), value_change("x", 1, 2))
    before, after = custom({"driver": {"enabled": False}}), custom({"driver": {"enabled": True}})
    (change,) = compared(predict(before, after), value_changes=values).changes
    assert (change.cause, change.value_path) == ("lost override", "driver.enabled")
