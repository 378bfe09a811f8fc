"""The releases of a real cluster as the interface gets them, by reads alone."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from controlplane.audited_user import AuditedUser, make_audited_user
from controlplane.chart_folder import write_chart
from controlplane.client import ControlPlane
from controlplane.helm import Helm
from controlplane.namespaces import fresh_namespace
from controlplane.permissions import grant
from jsonschema import Draft202012Validator

import helmguard
from helmguard.cli.main import main
from helmguard.cluster.kube_options import KubeOptions
from helmguard.cluster.release_list import ListedRelease
from helmguard.errors import HelmguardError, PermissionDeniedError, ReleaseError, ReleaseNotFoundError
from helmguard.model.plan import Plan
from helmguard.report.exit_code import exit_code
from helmguard.report.plan_json import plan_to_dict
from helmguard.tui.plan_form import PlanForm
from helmguard.tui.sources.cluster import ClusterSource, cluster_name
from helmguard.tui.sources.source import OpenRelease, Source

TEMPLATE = """---
apiVersion: v1
kind: ConfigMap
metadata: {name: conf}
data: {mode: {{ .Values.mode | quote }}}
---
apiVersion: v1
kind: ConfigMap
metadata: {name: hook, annotations: {helm.sh/hook: post-upgrade}}
data: {mode: {{ .Values.mode | quote }}}
{{- if .Values.more }}
---
apiVersion: v1
kind: ConfigMap
metadata: {name: more}
{{- end }}
"""
SCHEMA = json.loads((Path(__file__).parents[2] / "docs" / "plan.schema.json").read_text())


def nothing(_: str) -> None:
    """Takes a report."""


@dataclass(frozen=True)
class Installed:
    """Two revisions of ``web``; what the source asks is written down."""

    helm: Helm
    cluster: ControlPlane
    user: AuditedUser
    chart: Path

    @property
    def namespace(self) -> str:
        return self.helm.namespace

    def source(self, **other: Any) -> ClusterSource:
        kube = KubeOptions(kubeconfig=str(self.user.kubeconfig), driver="secret", **other)
        words = (f"--kubeconfig={self.user.kubeconfig}", f"--helm-bin={self.helm.binary}")
        return ClusterSource(
            kube,
            helm_binary=str(self.helm.binary),
            common_words=words,
            all_namespaces="namespace" not in other,
        )


@pytest.fixture(scope="module", params=["helm3", "helm4"], ids=["h3", "h4"])
def installed(
    request: pytest.FixtureRequest, control_plane: ControlPlane, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Installed]:
    binary: Path = request.getfixturevalue(request.param)
    folder = tmp_path_factory.mktemp("source")
    chart = write_chart(folder / "chart", {"templates/all.yaml": TEMPLATE, "values.yaml": "mode: safe\n"})
    with fresh_namespace(control_plane) as namespace:
        helm = Helm(binary, folder, control_plane.kubeconfig, namespace)
        helm.run("install", "web", chart, "--set", "mode=fast")
        helm.run("upgrade", "web", chart, "--set", "more=true")
        yield Installed(helm, control_plane, make_audited_user(control_plane, folder), chart)


@pytest.fixture
def opened(installed: Installed) -> OpenRelease:
    return installed.source().open_release(installed.namespace, "web", nothing)


def listed(source: Source, namespace: str) -> list[ListedRelease]:
    found = source.list_releases(nothing)
    assert found.left_out == ""
    return [release for release in found.releases if release.namespace == namespace]


def test_the_list_and_a_chart(installed: Installed) -> None:
    source = installed.source()
    (release,) = listed(source, installed.namespace)
    assert (release.name, release.version, release.status) == ("web", 2, "deployed")
    assert release.changed > 0
    ref = source.chart_of(release)
    assert ref is not None
    assert (ref.version, ref.chart, ref.description) == (
        2,
        "trial-1.0.0",
        "Upgrade complete",
    )
    assert installed.source().chart_of(ListedRelease(installed.namespace, "web", 9, "deployed")) is None
    alone = installed.source(namespace=installed.namespace)
    found = alone.list_releases(nothing)
    assert (found.releases, found.left_out) == ((release,), f"only namespace {installed.namespace}")


def test_a_release_is_read_anew_each_time(installed: Installed) -> None:
    reports: list[str] = []
    opened = installed.source().open_release(installed.namespace, "web", reports.append)
    assert reports == ["reading the release", "comparing the revisions"]
    assert [entry.version for entry in opened.shown.entries] == [1, 2]
    assert [each.version for each in opened.history.revisions] == [1, 2]
    assert repr(opened) == "OpenRelease(...)"
    with pytest.raises(ReleaseNotFoundError, match="'wep' is not in namespace"):
        installed.source().open_release(installed.namespace, "wep", nothing)


def test_two_revisions(installed: Installed, opened: OpenRelease) -> None:
    plan = installed.source().compare(opened, 1, 2)
    told = {resource.prediction.key.name: resource.action for resource in plan.resources}
    assert told == {"conf": "update", "more": "create", "hook": "update"}
    assert [(change.path, change.cause) for change in plan.values.changes] == [
        (("mode",), "lost override"),
        (("more",), "values"),
    ]
    Draft202012Validator(SCHEMA).validate(plan_to_dict(plan))
    with pytest.raises(ReleaseError, match="has no revision 7"):
        installed.source().compare(opened, 1, 7)


def test_a_revision_and_what_is_live(installed: Installed, opened: OpenRelease) -> None:
    source = installed.source()
    deployed = source.against_live(opened, 2, nothing)
    assert (deployed.operation, exit_code(deployed), deployed.notes) == ("drift", 0, ())
    first = source.against_live(opened, 1, nothing)
    assert (first.release.from_revision, first.release.from_status) == (1, "superseded")
    (conf,) = first.resources
    assert [(change.before, change.after) for change in conf.changes] == [("safe", "fast")]
    assert [left.key.name for left in first.left_over] == ["more"]
    assert first.notes[0].startswith("compared with revision 1, not with revision 2")


def test_state_and_drift(installed: Installed, opened: OpenRelease) -> None:
    source = installed.source()
    state = source.status(opened, nothing)
    assert state is not None
    assert (state.condition, state.exit_code) == ("deployed", 0)
    (drift,) = source.drift_of_all(installed.namespace, nothing)
    assert isinstance(drift, Plan)
    assert (drift.release.name, exit_code(drift)) == ("web", 0)


def test_a_plan(installed: Installed) -> None:
    form = PlanForm(release="web", namespace=installed.namespace, chart=str(installed.chart))
    planned = installed.source().plan(form, nothing)
    try:
        assert planned.operation is not None
        assert (planned.plan.release.from_revision, planned.plan.release.to_revision) == (2, 3)
    finally:
        planned.close()


def test_it_was_reading_alone(installed: Installed) -> None:
    """What the tests above asked in this user's name."""
    requests = installed.user.requests()
    assert requests != []
    assert [request for request in requests if not request.changes_nothing] == []


def test_who_may_not_list_all(installed: Installed) -> None:
    """The namespace that was chosen is shown, and it is said."""
    if "helm3" in str(installed.helm.binary):
        pytest.skip("no helm has a part in it: it is tested once")
    limited = installed.cluster.as_limited()
    kube = KubeOptions(kubeconfig=str(limited.kubeconfig), namespace=installed.namespace, driver="secret")
    source = ClusterSource(kube)
    with pytest.raises(PermissionDeniedError, match="cannot be listed") as caught:
        source.list_releases(nothing)
    assert "get and list on secrets" in caught.value.remedy
    grant(
        installed.cluster,
        installed.namespace,
        [{"apiGroups": [""], "resources": ["secrets"], "verbs": ["get", "list"]}],
    )
    found = source.list_releases(nothing)
    assert [release.name for release in found.releases] == ["web"]
    assert (
        found.left_out == f"only namespace {installed.namespace}: you may not list Secrets in all namespaces"
    )


@pytest.mark.parametrize(
    ("driver", "said"), [("sql", "HELM_DRIVER is sql"), ("memory", "no release records"), ("x", "unknown")]
)
def test_records_outside_the_cluster(driver: str, said: str, control_plane: ControlPlane) -> None:
    source = ClusterSource(KubeOptions(kubeconfig=str(control_plane.kubeconfig), driver=driver))
    with pytest.raises(ReleaseError, match=said):
        source.list_releases(nothing)


def test_its_name(control_plane: ControlPlane, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("HELM_KUBECONTEXT", raising=False)
    assert cluster_name(KubeOptions(kubeconfig=str(control_plane.kubeconfig))) == "admin"
    assert cluster_name(KubeOptions(kube_context="prod")) == "prod"
    broken = tmp_path / "broken"
    broken.write_text("{")
    source = ClusterSource(KubeOptions(kubeconfig=str(broken)))
    assert source.label == "cluster"
    with pytest.raises(HelmguardError, match="broken"):
        source.list_releases(nothing)


def test_the_command_line(installed: Installed, capsys: pytest.CaptureFixture[str]) -> None:
    """``helmguard history`` with revisions, and the same from Python."""
    words = installed.helm.helmguard_words()

    def run(*said: str) -> tuple[int, str]:
        return main(["history", "web", *said, *words]), capsys.readouterr().out

    code, text = run("1", "2")
    assert code == 2
    assert "revision 1 (superseded) → 2 (deployed), as stored" in " ".join(text.split())
    assert '! data.mode  "fast" → "safe"  lost override' in text
    assert run("1") == (code, text)
    assert run("2", "-q") == (0, "No difference. Exit 0.\n")
    assert run("2", "live", "-q")[0] == 0
    code, text = run("1", "live")
    assert code == 2
    assert "1 object of the deployed revision alone" in text
    code, text = run("1", "2", "-o", "json")
    document = json.loads(text)
    assert (code, document["operation"], document["exitCode"]) == (2, "comparison", 2)
    Draft202012Validator(SCHEMA).validate(document)
    code, text = run("1", "2", "-o", "markdown")
    assert text.startswith("### helmguard: revisions 1 and 2 of `web`")
    assert "operation: comparison" in run("1", "2", "-o", "yaml")[1]
    plan = helmguard.compare_revisions("web", 1, 2, words)
    assert (plan.operation, plan.exit_code) == ("comparison", 2)
    assert helmguard.compare_revisions("web", 1, "live", words).operation == "drift"


@pytest.mark.parametrize(
    ("said", "error"),
    [
        (("0",), "'0' is no number of a revision"),
        (("live", "1"), "'live' is no number of a revision"),
        (("1", "x"), "'x' is no number of a revision"),
        (("1", "2", "3"), "two revisions can be compared, 3 are given"),
        (("1", "2", "--max", "3"), "--max limits the list of revisions"),
    ],
)
def test_what_the_command_refuses(
    said: tuple[str, ...], error: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["history", "web", *said]) == 1
    assert error in capsys.readouterr().err
