"""Causes of what the real Helm did, where the recordings are at hand."""

from __future__ import annotations

from typing import Any

import pytest
from recorded import predictions, recordings, scenario

from helmguard.compare.compare_resource import compare_resource
from helmguard.compare.context import CompareContext
from helmguard.compare.differences import differences
from helmguard.compare.documents import Documents
from helmguard.model.field_path import format_path
from helmguard.model.plan import ResourceChange

REPLICAS = "spec.replicas"


def compared(name: str) -> list[ResourceChange]:
    folder = recordings() / name
    forced = "--force-conflicts" in (scenario(folder)["operation"]["flags"] or [])
    context = CompareContext(force_conflicts=forced)
    return [compare_resource(prediction, context) for prediction in predictions(folder)]


def row(resource: ResourceChange, change: Any) -> tuple[str, str, str, str]:
    return resource.prediction.key.kind, format_path(change.path), change.cause, change.manager


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("cm-live-edit-untouched--h3", ("ConfigMap", "data.a", "drift reverted", "kubectl-edit")),
        ("cm-live-edit-untouched--h4", ("ConfigMap", "data.a", "conflict", "kubectl-edit")),
        ("cm-live-edit-untouched--h4fc", ("ConfigMap", "data.a", "conflict", "kubectl-edit")),
        ("cm-live-edit-to-new-value--h3", ("ConfigMap", "data.a", "converged", "")),
        ("cm-live-edit-same-key--h3", ("ConfigMap", "data.a", "chart", "kubectl-edit")),
        ("kubectl-scale-noop--h3", ("Deployment", REPLICAS, "drift reverted", "kubectl (scale)")),
        ("kubectl-scale-noop--h4", ("Deployment", REPLICAS, "conflict", "kubectl (scale)")),
        ("cr-list-change--h4", ("Widget", "spec.items", "conflict", "kubectl-edit")),
        ("service-clusterip-to-lb--h3", ("Service", "spec.externalTrafficPolicy", "server", "")),
        ("secret-stringdata--h3", ("Secret", "data.q", "drift reverted", "kubectl-edit")),
    ],
)
def test_changes(name: str, expected: tuple[str, str, str, str]) -> None:
    found = [row(resource, change) for resource in compared(name) for change in resource.changes]
    assert expected in found


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("cm-live-key-added--h3", [("ConfigMap", "data.live", "drift kept", "kubectl-edit")]),
        ("cr-drift-untouched--h3", [("Widget", "spec.b.c", "drift kept", "kubectl-edit")]),
        ("cr-drift-untouched--h4fc", []),
        ("seed-drift-reuse--h3", [("ClusterPolicy", "spec.driver.enabled", "drift kept", "kubectl-edit")]),
        (
            "service-live-port--h4",
            [("Service", "spec.ports[port=6060,protocol=TCP]", "drift kept", "kubectl-edit")],
        ),
        ("tolerations-live-added--h3", []),
        ("image-set-live-noop--h3", []),
    ],
)
def test_drift_that_is_kept(name: str, expected: list[tuple[str, str, str, str]]) -> None:
    assert [row(resource, change) for resource in compared(name) for change in resource.drift] == expected


def test_every_real_change_has_one_entry_and_a_cause() -> None:
    seen = 0
    for folder in sorted(recordings().iterdir()):
        for prediction in predictions(folder) if (folder / "live-after.json").exists() else ():
            change = compare_resource(prediction, CompareContext())
            if prediction.action not in ("update", "fail"):
                continue
            documents = Documents.of(prediction, CompareContext())
            really = [
                (item.path, item.order_only)
                for item in differences(documents.live, documents.predicted, documents.schema)
            ]
            paths = [field.path for field in change.changes]
            assert [path for path, _ in really] == paths[: len(really)], folder.name
            assert len(set(really)) == len(really)
            drifted = {field.path for field in change.drift}
            assert not drifted & {path for path, _ in really}
            seen += len(really)
    assert seen > 1000
