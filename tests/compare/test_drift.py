"""Drift that Helm leaves, latent owners, restarts."""

from __future__ import annotations

from typing import Any

import pytest
from predictions import compared, config_map, custom, deployment, owned, predict

from helmguard.compare.context import CompareContext
from helmguard.compare.latent_owners import latent_owners
from helmguard.compare.weight import is_counted, restarts_pods
from helmguard.model.field_path import format_path


def kept(prediction: Any) -> list[tuple[str, Any, Any, str]]:
    return [
        (format_path(change.path), change.before, change.new, change.manager)
        for change in compared(prediction).drift
    ]


def test_a_custom_resource_keeps_its_drift() -> None:
    live = owned(custom({"a": 1, "mode": "DANGEROUS"}), "kubectl-patch", {"f:spec": {"f:mode": {}}})
    after = custom({"a": 2, "mode": "DANGEROUS"})
    prediction = predict(custom({"a": 1, "mode": "safe"}), custom({"a": 2, "mode": "safe"}), live, after)
    assert kept(prediction) == [("spec.mode", "DANGEROUS", "safe", "kubectl-patch")]


def test_fields_that_defaulting_adds_are_no_drift() -> None:
    live = deployment({"replicas": 1, "revisionHistoryLimit": 10})
    assert (
        kept(predict(deployment({"replicas": 1}), deployment({"replicas": 1}), live, live, "unchanged")) == []
    )


@pytest.mark.parametrize(
    ("manager", "more", "is_drift"),
    [
        ("kubectl-edit", {}, True),
        ("kustomize-controller", {"operation": "Apply"}, True),
        ("kube-controller-manager", {}, False),
        ("cainjector", {}, False),
        ("helm", {}, False),
        ("kubectl-edit", {"subresource": "status"}, False),
    ],
)
def test_fields_that_no_manifest_sets_count_only_if_somebody_set_them(
    manager: str, more: dict[str, Any], is_drift: bool
) -> None:
    manifest = config_map({"a": "1"})
    live = owned(config_map({"a": "1", "live": "x"}), manager, {"f:data": {"f:live": {}}}, **more)
    assert bool(kept(predict(manifest, manifest, live, live, "unchanged"))) is is_drift


def test_an_injected_container_is_one_entry() -> None:
    def pod(*names: str) -> dict[str, Any]:
        return deployment(
            {"template": {"spec": {"containers": [{"name": name, "image": "i"} for name in names]}}}
        )

    fields = {'k:{"name":"side"}': {".": {}, "f:name": {}, "f:image": {}}}
    live = owned(
        pod("web", "side"),
        "kubectl-edit",
        {"f:spec": {"f:template": {"f:spec": {"f:containers": fields}}}},
    )
    found = compared(predict(pod("web"), pod("web"), live, live, "unchanged")).drift
    assert [format_path(change.path) for change in found] == ["spec.template.spec.containers[name=side]"]


def test_last_applied_and_helms_marks_are_no_drift() -> None:
    annotations = {"kubectl.kubernetes.io/last-applied-configuration": "{}", "meta.helm.sh/release-name": "r"}
    fields = {"f:metadata": {"f:annotations": {f"f:{name}": {} for name in annotations}}}
    live = owned(config_map({}, annotations=annotations), "kubectl-client-side-apply", fields)
    assert kept(predict(config_map({}), config_map({}), live, live, "unchanged")) == []


def test_drift_that_is_reverted_is_not_kept() -> None:
    manifest = config_map({"a": "1"})
    live = owned(config_map({"a": "x"}), "kubectl-edit", {"f:data": {"f:a": {}}})
    assert kept(predict(manifest, manifest, live, manifest)) == []


def test_latent_owner_of_an_equal_value() -> None:
    live = owned(deployment({"replicas": 2}), "kubectl", {"f:spec": {"f:replicas": {}}}, subresource="scale")
    prediction = predict(deployment({"replicas": 2}), deployment({"replicas": 2}), live, live, "unchanged")
    (field,) = latent_owners(prediction, CompareContext())
    assert (format_path(field.path), str(field.owner)) == ("spec.replicas", "kubectl (scale)")


@pytest.mark.parametrize(
    ("kind", "strategy", "restarts"),
    [("Deployment", {}, True), ("DaemonSet", {"type": "OnDelete"}, False), ("Job", {}, False)],
)
def test_restarts(kind: str, strategy: dict[str, Any], restarts: bool) -> None:
    def workload(image: str) -> dict[str, Any]:
        containers = [{"name": "c", "image": image}]
        spec = {"template": {"spec": {"containers": containers}}, "updateStrategy": strategy}
        return {**deployment(spec), "kind": kind}

    assert restarts_pods(compared(predict(workload("a:1"), workload("a:2")))) is restarts


def test_what_counts() -> None:
    change = compared(predict(config_map({"a": "1"}), config_map({"a": "2"}, labels={"helm.sh/chart": "x"})))
    counted = {format_path(field.path): is_counted(field) for field in change.changes}
    assert counted == {"data.a": True, 'metadata.labels["helm.sh/chart"]': False}
