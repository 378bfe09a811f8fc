"""``helmguard upgrade`` and ``rollback`` as their users run them: the real Helms, the real API server."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from controlplane.chart_folder import write_chart
from controlplane.client import ControlPlane
from controlplane.helm import Helm
from helmguard_program import CHECKOUT, Ended, Helmguard
from jsonschema import Draft202012Validator
from live_state import differences
from which_helm import with_helm_3

SCHEMA = Draft202012Validator(
    json.loads((CHECKOUT / "docs" / "execution.schema.json").read_text(encoding="utf-8"))
)

CHART = {
    "Chart.yaml": "apiVersion: v2\nname: shop\nversion: 1.0.0\n",
    "values.yaml": "colour: blue\nsize: 1\nkeep: true\n",
    "templates/all.yaml": """\
apiVersion: v1
kind: ConfigMap
metadata: {name: shop}
data: {colour: "{{ .Values.colour }}", size: "{{ .Values.size }}"}
{{- if .Values.keep }}
---
apiVersion: v1
kind: PersistentVolumeClaim
metadata: {name: data}
spec:
  accessModes: [ReadWriteOnce]
  storageClassName: ""
  resources: {requests: {storage: 1Gi}}
{{- end }}
""",
    "templates/NOTES.txt": "the colour is {{ .Values.colour }}\n",
}


@pytest.fixture
def chart(tmp_path: Path) -> Path:
    return write_chart(tmp_path / "shop", CHART)


@pytest.fixture
def installed(helm: Helm, chart: Path) -> Helm:
    helm.run("install", "shop", chart, "--set", "size=2")
    return helm


@pytest.fixture
def with_data(helm: Helm, chart: Path, control_plane: ControlPlane) -> Iterator[Helm]:
    """Installed, with a volume bound to the claim. The volume is there first: else binding takes its time."""
    volume = f"/api/v1/persistentvolumes/{helm.namespace}"
    claim = f"/api/v1/namespaces/{helm.namespace}/persistentvolumeclaims/data"
    spec = {
        "capacity": {"storage": "1Gi"},
        "accessModes": ["ReadWriteOnce"],
        "hostPath": {"path": "/none"},
        "persistentVolumeReclaimPolicy": "Delete",
        "claimRef": {"namespace": helm.namespace, "name": "data"},
    }
    control_plane.create("/api/v1/persistentvolumes", {"metadata": {"name": helm.namespace}, "spec": spec})
    helm.run("install", "shop", chart, "--set", "size=2")
    control_plane.wait_for(claim, lambda found: (found or {}).get("status", {}).get("phase") == "Bound")
    yield helm
    control_plane.remove(volume)


def document(ended: Ended) -> dict[str, Any]:
    found = ended.json
    SCHEMA.validate(found)
    assert found["exitCode"] == ended.code
    return found


def colour(cluster: ControlPlane, helm: Helm) -> str:
    found = cluster.get(f"/api/v1/namespaces/{helm.namespace}/configmaps/shop")
    return str(found["data"]["colour"])


def revisions(helm: Helm) -> list[tuple[int, str, str]]:
    history = json.loads(helm.run("history", "shop", "-o", "json").stdout)
    return [(each["revision"], each["status"], each["description"]) for each in history]


def test_an_upgrade_is_planned_run_and_verified(
    installed: Helm, helmguard: Helmguard, control_plane: ControlPlane, chart: Path
) -> None:
    done = helmguard.run("upgrade", "shop", chart, "--reuse-values", "--set", "colour=red", "--yes").expect(0)
    assert "ConfigMap/shop" in done.out
    assert "revision 2 is deployed and as planned" in done.out.splitlines()[-1]
    assert done.out.splitlines()[-1].endswith("Exit 0.")
    assert "notes of the chart" in done.out
    assert "the colour is red" in done.out
    assert "writes ConfigMap/shop" in done.err
    assert colour(control_plane, installed) == "red"
    assert revisions(installed)[-1] == (2, "deployed", "Upgrade complete")
    stored = json.loads(installed.run("get", "values", "shop", "-o", "json").stdout)
    assert stored == {"colour": "red", "size": 2}


def test_the_json_tells_it_all(
    installed: Helm, helmguard: Helmguard, control_plane: ControlPlane, chart: Path
) -> None:
    words = ["upgrade", "shop", chart, "--reuse-values", "--set", "colour=red", "--yes", "-o", "json"]
    found = document(helmguard.run(*words, "--show-secrets").expect(0))
    assert (found["outcome"], found["execution"]["end"]) == ("executed", "succeeded")
    assert (found["execution"]["revision"], found["execution"]["status"]) == (2, "deployed")
    assert found["verification"]["differences"] == []
    assert differences(control_plane, found["plan"]) == []
    back = found["execution"]["next"]
    assert back[0].startswith(f"helmguard rollback shop 1 -n {installed.namespace}")


@with_helm_3
def test_nothing_but_yes_lets_it_go(installed: Helm, helmguard: Helmguard, chart: Path) -> None:
    words = ["upgrade", "shop", chart, "--reuse-values", "--set", "colour=red", "-q"]
    for answer in ("no\n", "\n", "y\n", "Yes\n", "yes please\n"):
        done = helmguard.run(*words, stdin=answer).expect(1)
        assert "Not confirmed; nothing was changed." in done.err
    done = helmguard.run(*words, stdin="").expect(1)
    assert "nobody confirmed" in done.err
    assert "--yes" in done.err
    assert len(revisions(installed)) == 1
    helmguard.run(*words, stdin="yes\n").expect(0)
    assert len(revisions(installed)) == 2


@with_helm_3
def test_a_dry_run_is_a_plan(installed: Helm, helmguard: Helmguard, chart: Path) -> None:
    words = ["upgrade", "shop", chart, "--reuse-values", "--set", "colour=red", "--yes"]
    for flag in ("--dry-run", "--dry-run=server", "--dry-run=client"):
        done = helmguard.run(*words, flag, "-o", "json").expect(2)
        assert document(done)["outcome"] == "planned"
    assert len(revisions(installed)) == 1
    helmguard.run(*words, "--dry-run=none").expect(0)
    assert len(revisions(installed)) == 2


@with_helm_3
def test_the_gate_refuses_whoever_says_yes(with_data: Helm, helmguard: Helmguard, chart: Path) -> None:
    """The claim goes with ``keep``."""
    words = ["upgrade", "shop", chart, "--reuse-values", "--set", "keep=false", "--yes"]
    done = helmguard.run(*words).expect(3)
    assert "Nothing was changed." in done.err
    assert "--accept delete-pvc=REASON" in done.err
    assert document(helmguard.run(*words, "-o", "json").expect(3))["outcome"] == "refused"
    assert len(revisions(with_data)) == 1


def test_what_is_accepted_is_recorded(
    with_data: Helm, helmguard: Helmguard, chart: Path, tmp_path: Path
) -> None:
    audit = tmp_path / "audit.jsonl"
    words = ["upgrade", "shop", chart, "--reuse-values", "--set", "keep=false", "--audit-log", audit]
    helmguard.run(*words, "--yes").expect(3)
    accept = ["--accept", "delete-pvc=the data was moved"]
    asked = helmguard.run(*words, *accept, stdin="yes\n").expect(1)
    assert "This destroys data. Type the release's name to go on:" in asked.err
    helmguard.run(*words, *accept, stdin="shop\n").expect(0)
    assert revisions(with_data)[-1][2] == "Upgrade complete (accepted: delete-pvc: the data was moved)"
    lines = [json.loads(line) for line in audit.read_text().splitlines()]
    assert [line["event"] for line in lines] == ["refused", "declined", "started", "ended"]
    assert lines[2]["accepted"] == [{"rule": "delete-pvc", "reason": "the data was moved"}]
    assert (lines[3]["end"], lines[3]["revision"], lines[3]["exitCode"]) == ("succeeded", 2, 0)


def test_what_the_user_describes_stays(with_data: Helm, helmguard: Helmguard, chart: Path) -> None:
    words = ["upgrade", "shop", chart, "--reuse-values", "--set", "keep=false", "--yes"]
    helmguard.run(*words, "--accept", "delete-pvc=moved", "--description", "move to disk 2").expect(0)
    assert revisions(with_data)[-1][2] == "move to disk 2 (accepted: delete-pvc: moved)"


@with_helm_3
def test_helms_own_limits_hold(installed: Helm, helmguard: Helmguard, chart: Path) -> None:
    """No default of a library comes between: as many revisions are kept as helm keeps, none is pruned."""
    for number in range(11):
        installed.run("upgrade", "shop", chart, "--set", f"size={number}", "--history-max", "0")
    helmguard.run("upgrade", "shop", chart, "--reuse-values", "--yes", "--history-max", "0").expect(0)
    assert len(revisions(installed)) == 13
    helmguard.run("upgrade", "shop", chart, "--reuse-values", "--yes").expect(0)
    assert len(revisions(installed)) == 10
    helmguard.run("upgrade", "shop", chart, "--reuse-values", "--yes", "--history-max", "3").expect(0)
    assert len(revisions(installed)) == 3


def test_an_install(helm: Helm, helmguard: Helmguard, chart: Path) -> None:
    helmguard.run("upgrade", "shop", chart, "--yes").expect(1)
    done = helmguard.run("upgrade", "shop", chart, "--install", "--yes", "-q").expect(0)
    assert done.out.startswith("Done: revision 1 is deployed and as planned")
    assert "to go back" not in done.out
    assert revisions(helm) == [(1, "deployed", "Install complete")]


def test_a_rollback(installed: Helm, helmguard: Helmguard, control_plane: ControlPlane, chart: Path) -> None:
    installed.run("upgrade", "shop", chart, "--reuse-values", "--set", "colour=red")
    found = document(helmguard.run("rollback", "shop", "--yes", "-o", "json").expect(0))
    assert (found["plan"]["operation"], found["execution"]["revision"]) == ("rollback", 3)
    assert colour(control_plane, installed) == "blue"
    assert revisions(installed)[-1] == (3, "deployed", "Rollback to 1")
    done = helmguard.run("rollback", "shop", "2", "--yes").expect(0)
    assert f"helmguard rollback shop 3 -n {installed.namespace}" in done.out
    assert colour(control_plane, installed) == "red"
    assert helmguard.run("rollback", "shop", "2", "--dry-run", "-q").expect(0).out.startswith("Nothing to do")
    assert len(revisions(installed)) == 4


def test_the_chart_that_was_read_is_the_chart_that_runs(
    installed: Helm, helmguard: Helmguard, control_plane: ControlPlane, chart: Path, tmp_path: Path
) -> None:
    """Standard input holds the values, so that the answer can only be --yes; the file is read once."""
    words = ["upgrade", "shop", chart, "-f", "-", "--reuse-values", "--yes"]
    helmguard.run(*words, stdin="colour: green\n").expect(0)
    assert colour(control_plane, installed) == "green"


@with_helm_3
def test_no_value_is_seen_in_the_list_of_processes(
    installed: Helm, helmguard: Helmguard, chart: Path, tmp_path: Path
) -> None:
    seen = tmp_path / "words"
    spy = tmp_path / "helm"
    spy.write_text(f'#!/bin/sh\necho "$@" >> {seen}\nexec {installed.binary} "$@"\n')
    spy.chmod(0o755)
    words = ["upgrade", "shop", chart, "--reuse-values", "--set", "colour=hunter2", "--yes"]
    helmguard.run(*words, "--helm-bin", spy).expect(0)
    ran = [line for line in seen.read_text().splitlines() if line.startswith("upgrade")]
    assert ran
    assert not any("hunter2" in line for line in ran)
