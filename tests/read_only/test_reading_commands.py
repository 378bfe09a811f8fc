"""The proof that commands keep the promise to change nothing: the API server's log of their requests."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from urllib.parse import urlencode

import pytest
import urllib3
from controlplane.audit import Request
from controlplane.audited_user import AuditedUser
from controlplane.chart_folder import write_chart
from controlplane.client import JSON, ControlPlane
from controlplane.helm import Helm
from helmguard_program import Helmguard
from kept_state import kept_state
from reading_commands import ASKING, SILENT
from released import Released

SETTINGS = "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: {{ .Release.Name }}-settings\n"


def writes(requests: Iterable[Request]) -> list[Request]:
    return [request for request in requests if not request.changes_nothing]


@pytest.mark.parametrize("text", ASKING.values(), ids=ASKING.keys())
def test_a_reading_command_writes_nothing(
    text: str, released: Released, helmguard: Helmguard, audited_user: AuditedUser, tmp_path: Path
) -> None:
    before = kept_state(released.cluster, released.helm.namespace)
    ended = helmguard.run(*released.words(text, tmp_path))
    assert ended.code in (0, 2, 3, 4), ended.out + ended.err
    requests = audited_user.requests()
    assert requests != []
    assert writes(requests) == []
    assert kept_state(released.cluster, released.helm.namespace) == before
    dry_runs = [request for request in requests if request.dry_run]
    assert dry_runs or "--server-dry-run always" not in text
    assert not dry_runs or "--server-dry-run never" not in text


@pytest.mark.parametrize("released", ["helm4"], indirect=True)
@pytest.mark.parametrize("text", SILENT.values(), ids=SILENT.keys())
def test_a_command_without_a_cluster_asks_it_nothing(
    text: str, released: Released, helmguard: Helmguard, audited_user: AuditedUser, tmp_path: Path
) -> None:
    ended = helmguard.run(*released.words(text, tmp_path))
    assert ended.code in (0, 2, 3), ended.out + ended.err
    assert audited_user.requests() == []


def test_what_helm_writes_is_in_the_log(helm: Helm, audited_user: AuditedUser, tmp_path: Path) -> None:
    """The proof above can fail: here is a command that does write, beside its own dry run."""
    chart = write_chart(tmp_path / "chart", {"templates/settings.yaml": SETTINGS})
    audited = replace(helm, kubeconfig=audited_user.kubeconfig)
    audited.run("install", "web", chart, "--dry-run=server")
    assert writes(audited_user.requests()) == []
    audited.run("install", "web", chart)
    found = {request.resource for request in writes(audited_user.requests())}
    assert found == {"secrets", "configmaps"}


@pytest.mark.parametrize(
    ("query", "body", "stays"),
    [
        ({"dryRun": "All"}, None, True),
        ({}, {"dryRun": ["All"]}, True),
        ({"dryRun": "All"}, {"propagationPolicy": "Background"}, False),
        ({}, None, False),
    ],
    ids=["by its query", "by its body", "the body outweighs the query", "none"],
)
def test_a_deletion_is_told_from_a_dry_run_of_it(
    query: JSON,
    body: JSON | None,
    stays: bool,
    audited_user: AuditedUser,
    control_plane: ControlPlane,
    namespace: str,
) -> None:
    settings = f"/api/v1/namespaces/{namespace}/configmaps"
    control_plane.create(settings, {"metadata": {"name": "short-lived"}})
    files = {"cert_file": str(audited_user.certificate), "key_file": str(audited_user.key)}
    with urllib3.PoolManager(ca_certs=str(control_plane.ca), **files) as pool:
        url = f"{control_plane.server}{settings}/short-lived?{urlencode(query)}"
        assert pool.request("DELETE", url, json=body).status == 200
    assert (control_plane.find(f"{settings}/short-lived") is not None) == stays
    assert [request.dry_run for request in audited_user.requests()] == [stays]
