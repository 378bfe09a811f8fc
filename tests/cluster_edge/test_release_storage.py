"""Release histories that real Helm wrote, and records that something damaged."""

from __future__ import annotations

import base64
import gzip
import json
import os
import subprocess
from collections.abc import Callable
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest
from controlplane.client import JSON, ControlPlane
from controlplane.helm import Helm

from helmguard.cluster.connect import connect
from helmguard.cluster.connection import Connection
from helmguard.cluster.kube_options import KubeOptions
from helmguard.cluster.release_list import list_releases, nearest_release_names, release_not_found
from helmguard.cluster.release_storage import read_history, read_revision_index, versions_for_upgrade
from helmguard.errors import PermissionDeniedError, ReleaseError

CHART = {
    "Chart.yaml": "apiVersion: v2\nname: tiny\nversion: 0.1.0\nappVersion: '7'\n",
    "values.yaml": "size: 1\n",
    "templates/map.yaml": "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: '{{ .Release.Name }}'}\n"
    "data: {size: '{{ .Values.size }}'}\n",
    "templates/hook.yaml": "apiVersion: v1\nkind: ConfigMap\n"
    "metadata: {name: '{{ .Release.Name }}-hook', annotations: {helm.sh/hook: pre-upgrade}}\n",
}


@pytest.fixture
def chart(tmp_path: Path) -> Path:
    for name, text in CHART.items():
        file = tmp_path / "tiny" / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
    return tmp_path / "tiny"


def run_helm(helm: Helm, *words: str | Path, driver: str = "") -> None:
    environment = helm.environment() | ({"HELM_DRIVER": driver} if driver else {})
    subprocess.run([helm.binary, *words], env=environment, check=True, capture_output=True)


def open_with_driver(control_plane: ControlPlane, driver: str) -> Connection:
    return connect(KubeOptions(kubeconfig=str(control_plane.kubeconfig), driver=driver), {})


@pytest.mark.parametrize("driver", ["", "configmap"])
def test_the_history_that_helm_wrote(
    helm: Helm, control_plane: ControlPlane, chart: Path, driver: str
) -> None:
    run_helm(helm, "install", "web", chart, "--labels", "team=blue", driver=driver)
    run_helm(helm, "upgrade", "web", chart, "--set", "size=2", "--description", "bigger", driver=driver)
    connection = open_with_driver(control_plane, driver)
    history = read_history(connection, helm.namespace, "web")
    assert history.damaged == ()
    first, second = history.revisions
    assert (first.version, first.status, first.label_status) == (1, "superseded", "superseded")
    assert (second.version, second.status, second.label_status) == (2, "deployed", "deployed")
    assert (first.config, second.config) == ({}, {"size": 2}) or first.config is None
    assert (second.chart_name, second.chart_version, second.app_version) == ("tiny", "0.1.0", "7")
    assert "size: '2'" in second.manifest
    assert [hook["name"] for hook in second.hooks] == ["web-hook"]
    assert second.labels == (("team", "blue"),)
    assert second.description == "bigger"
    assert second.storage_name == "sh.helm.release.v1.web.v2"
    assert second.namespace == helm.namespace
    helm4 = "helm4" in str(helm.binary)
    assert second.apply_method == ("ssa" if helm4 else "")
    assert history.current_for_upgrade() is second


def test_only_the_wanted_revisions_are_read(helm: Helm, connection: Connection, chart: Path) -> None:
    for size in ("1", "2", "3"):
        run_helm(helm, "upgrade", "--install", "web", chart, "--set", f"size={size}")
    index = read_revision_index(connection, helm.namespace, "web")
    assert [(stored.version, stored.status) for stored in index] == [
        (1, "superseded"),
        (2, "superseded"),
        (3, "deployed"),
    ]
    assert versions_for_upgrade(index) == (3,)
    part = read_history(connection, helm.namespace, "web", versions=[1, 3])
    assert [revision.version for revision in part.revisions] == [1, 3]
    assert read_history(connection, helm.namespace, "web", versions=[]).revisions == ()


def stored_record(name: str, version: int, *, driver: str = "", **changes: Any) -> JSON:
    """A storage object as Helm makes it; ``data`` replaces its record, ``labels`` some labels."""
    record = {"name": name, "version": version, "namespace": "x", "info": {"status": "deployed"}}
    packed = base64.b64encode(gzip.compress(json.dumps(record).encode())).decode()
    labels = {"owner": "helm", "name": name, "status": "deployed", "version": str(version)}
    labels |= changes.get("labels", {})
    data = changes.get("data", {"release": packed})
    if driver != "configmap":
        data = {key: base64.b64encode(value.encode()).decode() for key, value in data.items()}
    metadata = {"name": f"sh.helm.release.v1.{name}.v{version}", "labels": labels}
    kind = {} if driver == "configmap" else {"type": "helm.sh/release.v1"}
    return {"metadata": metadata, "data": data, **kind}


@pytest.mark.parametrize("driver", ["secret", "configmap"])
def test_damaged_records_are_named_and_the_rest_is_read(
    control_plane: ControlPlane, namespace: str, driver: str
) -> None:
    path = f"/api/v1/namespaces/{namespace}/{driver}s"
    whole = stored_record("web", 1, driver=driver)
    truncated = base64.b64encode(gzip.compress(json.dumps({"name": "web"} | CHART).encode())[:-30]).decode()
    other = json.dumps({"name": "api", "version": 5})
    shifted = json.dumps({"name": "web", "version": 9})
    records = [
        whole,
        stored_record("web", 2, driver=driver, data={"release": "%%%"}),
        stored_record("web", 3, driver=driver, data={"release": truncated}),
        stored_record("web", 4, driver=driver, data={"other": "x"}),
        stored_record("web", 5, driver=driver, data={"release": base64.b64encode(other.encode()).decode()}),
        stored_record("web", 6, driver=driver, data={"release": base64.b64encode(shifted.encode()).decode()}),
        stored_record("web", 7, driver=driver, labels={"version": "seven"}),
        stored_record("api", 1, driver=driver),
    ]
    for record in records:
        control_plane.create(path, record)
    history = read_history(open_with_driver(control_plane, driver), namespace, "web")
    assert [(revision.version, revision.label_status) for revision in history.revisions] == [
        (1, "deployed"),
        (7, "deployed"),
    ]
    assert [(damage.version, damage.why) for damage in history.damaged] == [
        (2, "the record is not valid base64"),
        (3, "the record's gzip data is truncated"),
        (4, "the storage object has no data.release"),
        (5, "the record inside is of release 'api'"),
        (6, "the record inside is revision 9, its label says 6"),
    ]
    assert history.damaged[0].storage_name == "sh.helm.release.v1.web.v2"


def test_label_and_record_may_disagree_about_the_status(
    control_plane: ControlPlane, connection: Connection, namespace: str
) -> None:
    record = stored_record("web", 1, labels={"status": "failed"})
    control_plane.create(f"/api/v1/namespaces/{namespace}/secrets", record)
    (revision,) = read_history(connection, namespace, "web").revisions
    assert (revision.status, revision.label_status) == ("deployed", "failed")


def test_releases_are_listed_by_their_last_revision(
    control_plane: ControlPlane, connection: Connection, namespace: str
) -> None:
    path = f"/api/v1/namespaces/{namespace}/secrets"
    for version in (1, 2, 10):
        control_plane.create(path, stored_record("web", version, labels={"modifiedAt": "100"}))
    control_plane.create(path, stored_record("api", 1, labels={"status": "failed"}))
    control_plane.create(path, {"metadata": {"name": "unrelated", "labels": {"owner": "someone"}}})
    record = control_plane.get(f"{path}/sh.helm.release.v1.web.v10")
    made = int(datetime.fromisoformat(record["metadata"]["creationTimestamp"]).timestamp())
    listed = list_releases(connection, namespace)
    assert [(item.name, item.version, item.status, item.changed) for item in listed] == [
        ("api", 1, "failed", listed[0].changed),
        ("web", 10, "deployed", made),  # Helm keeps the label of the revision before.
    ]
    everywhere = [item for item in list_releases(connection) if item.namespace == namespace]
    assert everywhere == listed


def test_a_release_that_is_not_there(
    control_plane: ControlPlane, connection: Connection, namespace: str
) -> None:
    path = f"/api/v1/namespaces/{namespace}/secrets"
    for name in ("gpu-operator", "grafana"):
        control_plane.create(path, stored_record(name, 1))
    assert read_history(connection, namespace, "gpu-opertor").revisions == ()
    error = release_not_found(connection, namespace, "gpu-opertor")
    assert error.nearest == ("gpu-operator",)
    assert "Did you mean gpu-operator?" in error.remedy
    assert nearest_release_names(connection, namespace, "operator") == ("gpu-operator",)
    elsewhere = release_not_found(connection, "kube-system", "grafana")
    assert f"-n {namespace}" in elsewhere.remedy
    other_driver = release_not_found(open_with_driver(control_plane, "configmap"), namespace, "grafana")
    assert "set HELM_DRIVER=secret" in other_driver.remedy
    assert "helm list -a" in release_not_found(connection, "kube-system", "zzzz").remedy


def test_without_permission_the_error_names_it(limited: Callable[..., Connection], namespace: str) -> None:
    connection = limited()
    with pytest.raises(PermissionDeniedError, match='cannot list resource "secrets"') as caught:
        read_history(connection, namespace, "web")
    assert "--resource=secrets" in caught.value.remedy
    error = release_not_found(connection, namespace, "web")
    assert error.nearest == ()


def test_listing_in_one_namespace_is_enough(limited: Callable[..., Connection], namespace: str) -> None:
    connection = limited({"apiGroups": [""], "resources": ["secrets"], "verbs": ["get", "list"]})
    assert read_history(connection, namespace, "web").revisions == ()
    assert "Did you mean" not in release_not_found(connection, namespace, "web").remedy


@pytest.mark.parametrize(
    ("driver", "message", "remedy"),
    [
        ("memory", "HELM_DRIVER is memory", "Unset"),
        ("sql", "in a database", "through helm itself"),
        ("Secret", "unknown HELM_DRIVER 'Secret'", "secret"),
    ],
)
def test_drivers_without_records_in_the_cluster(
    control_plane: ControlPlane, driver: str, message: str, remedy: str
) -> None:
    connection = open_with_driver(control_plane, driver)
    with pytest.raises(ReleaseError, match=message) as caught:
        read_history(connection, "default", "web")
    assert remedy in caught.value.remedy


def test_the_driver_comes_from_the_environment(control_plane: ControlPlane) -> None:
    environ = dict(os.environ) | {"HELM_DRIVER": "sql", "KUBECONFIG": str(control_plane.kubeconfig)}
    with pytest.raises(ReleaseError, match="in a database"):
        read_history(connect(KubeOptions(), environ), "default", "web")


@pytest.mark.parametrize("name", ["", "Web", "a,owner=x", "a" * 54, "a b"])
def test_names_that_no_release_can_have(connection: Connection, name: str) -> None:
    with pytest.raises(ReleaseError, match="release name is invalid"):
        read_history(connection, "default", name)
