"""Plans that forms ask for: of a real cluster, of bundles, and of saved plans; nothing here is executed."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from controlplane.chart_folder import write_chart
from controlplane.client import ControlPlane
from controlplane.helm import Helm
from controlplane.namespaces import fresh_namespace
from msgspec.structs import replace

from helmguard.cli.main import main
from helmguard.cluster.kube_options import KubeOptions
from helmguard.errors import BundleError, HelmguardError, SavedPlanError, UsageError
from helmguard.model.execution import Acceptance
from helmguard.planner.bundle_read import read_bundle
from helmguard.planner.demo import demo_bundle
from helmguard.planner.mode_losses import ModeLoss
from helmguard.report.exit_code import exit_code
from helmguard.report.plan_json import plan_to_dict
from helmguard.saved_plan.read import read_saved_plan
from helmguard.saved_plan.staleness import what_differs
from helmguard.tui.plan_form import PlanForm
from helmguard.tui.sources.execution import waive
from helmguard.tui.sources.planning import form_of_bundle, plan_in_bundle, plan_in_cluster, save
from helmguard.tui.sources.saved import SavedPlanSource

TEMPLATE = """---
apiVersion: v1
kind: ConfigMap
metadata: {name: conf}
data: {mode: {{ .Values.mode | quote }}, more: {{ .Values.more | quote }}}
"""


def nothing(_: str) -> None:
    """Takes a report."""


class Cancelled(BaseException):
    """As the interface cancels."""


@dataclass(frozen=True)
class Web:
    """``web`` with one override, and its chart with the defaults ``safe`` and ``no``."""

    helm: Helm
    chart: Path

    def form(self, **fields: object) -> PlanForm:
        form = PlanForm("web", self.helm.namespace, str(self.chart), sets=("more=yes",))
        return replace(form, **fields)

    @property
    def words(self) -> tuple[str, ...]:
        return (f"--kubeconfig={self.helm.kubeconfig}", f"--helm-bin={self.helm.binary}", "--no-config")


@pytest.fixture(scope="module")
def web(helm4: Path, control_plane: ControlPlane, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Web]:
    folder = tmp_path_factory.mktemp("web")
    chart = write_chart(
        folder / "chart", {"templates/all.yaml": TEMPLATE, "values.yaml": "mode: safe\nmore: no\n"}
    )
    with fresh_namespace(control_plane) as namespace:
        helm = Helm(helm4, folder, control_plane.kubeconfig, namespace)
        helm.run("install", "web", chart, "--set", "mode=fast")
        yield Web(helm, chart)


@pytest.fixture
def scratch(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where temporary folders are made."""
    folder = tmp_path / "scratch"
    folder.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(folder))
    return folder


def test_a_plan_of_the_cluster_and_what_each_mode_loses(web: Web, scratch: Path) -> None:
    form = web.form()
    planned = plan_in_cluster(form, web.words, nothing)
    assert planned.plan.values.mode == "given: reset"
    assert planned.losses == (
        ModeLoss("reset", (("mode",),)),
        ModeLoss("reuse"),
        ModeLoss("reset-then-reuse"),
    )
    operation = planned.operation
    assert operation is not None and operation.request.frozen is not None
    assert operation.request.frozen.chart.exists()
    planned.close()
    planned.close()
    assert list(scratch.iterdir()) == []
    kept = plan_in_cluster(form.with_mode("reuse"), web.words, nothing)
    assert [change.path for change in kept.plan.values.changes] == [("more",)]
    assert kept.losses == planned.losses
    kept.close()


def test_where_helm_refuses_the_values_the_other_modes_are_told(web: Web, tmp_path: Path) -> None:
    schema = json.dumps({"properties": {"mode": {"enum": ["safe"]}}})
    files = {"templates/all.yaml": TEMPLATE, "values.yaml": "mode: safe\n", "values.schema.json": schema}
    chart = str(write_chart(tmp_path / "strict", files))
    planned = plan_in_cluster(web.form(chart=chart, sets=(), mode="reuse"), web.words, nothing)
    assert planned.plan.failure is not None
    reset, reuse, fresh = planned.losses
    assert reset == ModeLoss("reset", (("mode",),))
    assert reuse.unknown.startswith("Helm refuses the values") and fresh.unknown == reuse.unknown
    planned.close()


def test_a_rollback_loses_nothing_by_a_mode(web: Web) -> None:
    planned = plan_in_cluster(web.form(rollback_to=1), web.words, nothing)
    assert (planned.plan.operation, planned.losses) == ("rollback", ())
    assert planned.operation is not None and planned.operation.rollback_to == 1
    planned.close()


def test_the_same_plan_as_of_the_copied_command(web: Web, capsys: pytest.CaptureFixture[str]) -> None:
    form = web.form(mode="reset-then-reuse")
    planned = plan_in_cluster(form, web.words, nothing)
    code = main(["plan", *form.all_words(web.words), "-o", "json", "-q"])
    printed = json.loads(capsys.readouterr().out)
    assert code == exit_code(planned.plan)
    for part in ("values", "resources", "findings", "engine"):
        assert printed[part] == plan_to_dict(planned.plan)[part]
    planned.close()


def test_a_plan_can_be_cancelled_at_every_step(web: Web, scratch: Path) -> None:
    told: list[str] = []
    plan_in_cluster(web.form(), web.words, told.append).close()
    for number in range(len(told)):
        left = list(told[: number + 1])

        def cancel(text: str, left: list[str] = left) -> None:
            if left.pop(0) == text and not left:
                raise Cancelled

        with pytest.raises(Cancelled):
            plan_in_cluster(web.form(), web.words, cancel)
        assert list(scratch.iterdir()) == [], told[number]


@pytest.mark.parametrize(
    ("fields", "told"),
    [
        ({"other": "--kube-context elsewhere"}, "cannot choose another cluster"),
        ({"other": "--kubeconfig /dev/null"}, "cannot choose another cluster"),
        ({"other": "--out web.hgplan"}, "--out has no place in the form"),
        ({"other": "--bundle x"}, "--bundle has no place in the form"),
        ({"values_files": ("-",)}, "it is your keyboard"),
        ({"sets": ("--set-file more=-",)}, "it is your keyboard"),
        ({"other": "--nothing-like-it"}, "unrecognized arguments: --nothing-like-it"),
        ({"chart": ""}, "the chart is missing"),
        ({"release": ""}, "the release's name is missing"),
    ],
)
def test_what_a_form_cannot_ask_for(web: Web, fields: dict[str, object], told: str) -> None:
    with pytest.raises(UsageError, match=told):
        plan_in_cluster(web.form(**fields), web.words, nothing)


def test_the_demos_form_and_modes_need_no_helm(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "")
    monkeypatch.delenv("HELM_BIN", raising=False)
    form = form_of_bundle(read_bundle(demo_bundle()))
    assert form == PlanForm("gpu-operator", "gpu-operator", sets=("--set toolkit.enabled=true",))
    planned = plan_in_bundle(demo_bundle(), form, ("--no-config",), nothing)
    assert planned.operation is None
    assert planned.losses[0] == ModeLoss("reset", (("driver", "enabled"),))
    assert exit_code(planned.plan) == 3
    for mode in ("reuse", "reset-then-reuse"):
        again = plan_in_bundle(demo_bundle(), form.with_mode(mode), ("--no-config",), nothing)
        assert (again.plan.values.mode, exit_code(again.plan)) == (mode, 2)
        assert again.losses == planned.losses
    with pytest.raises(UsageError, match="it is your keyboard"):
        plan_in_bundle(demo_bundle(), replace(form, values_files=("-",)), ("--no-config",), nothing)
    with pytest.raises(BundleError, match="holds release 'gpu-operator', not 'web'"):
        plan_in_bundle(demo_bundle(), replace(form, release="web"), ("--no-config",), nothing)


def test_a_bundles_plan_cannot_be_saved(tmp_path: Path) -> None:
    form = form_of_bundle(read_bundle(demo_bundle()))
    planned = plan_in_bundle(demo_bundle(), form, ("--no-config",), nothing)
    with pytest.raises(UsageError, match="a plan from a bundle cannot be saved"):
        save(planned, str(tmp_path / "demo.hgplan"), nothing)


def test_a_saved_plan_is_reviewed_and_made_anew(
    web: Web, tmp_path: Path, scratch: Path, control_plane: ControlPlane
) -> None:
    planned = plan_in_cluster(web.form(), web.words, nothing)
    rule = next(iter(finding.rule for finding in planned.plan.findings))
    path = tmp_path / "web.hgplan"
    written = save(waive(planned, Acceptance(rule, "so be it")), str(path), nothing)
    assert written.path == path
    # As it was judged: what was accepted for one run is nobody's who applies it later.
    assert what_differs(read_saved_plan(path), planned.plan) == ()
    other = tmp_path / "values.yaml"
    other.write_text("mine: true\n")
    with pytest.raises(SavedPlanError, match="it is not overwritten"):
        save(planned, str(other), nothing)
    planned.close()

    kube = KubeOptions(kubeconfig=str(web.helm.kubeconfig))
    source = SavedPlanSource(str(path), kube=kube, helm_binary=str(web.helm.binary))
    assert (source.label, source.can_execute) == ("web.hgplan", True)
    assert (source.form.release, source.form.chart) == ("web", str(web.chart))
    assert source.form.sets == ("--set more=yes",)
    (listed,) = source.list_releases(nothing).releases
    assert (listed.namespace, listed.name, listed.version) == (web.helm.namespace, "web", 1)
    reviewed = source.review(nothing)
    assert reviewed.operation is None
    assert [change.path for change in reviewed.plan.values.changes] == [("mode",), ("more",)]
    with pytest.raises(UsageError, match="saved already"):
        source.save(reviewed, str(path), nothing)
    with pytest.raises(HelmguardError, match="no revisions"):
        source.open_release(web.helm.namespace, "web", nothing)
    with pytest.raises(UsageError, match="holds one plan"):
        source.plan(source.form.with_mode("reuse"), nothing)

    anew = source.plan(source.form, nothing)
    assert anew.operation is not None and source.stale(anew) == ()
    assert source.stale(waive(anew, Acceptance(rule, "so be it"))) == ()
    anew.close()
    config_map = f"/api/v1/namespaces/{web.helm.namespace}/configmaps/conf"
    control_plane.patch(config_map, {"data": {"mode": "by hand"}})
    anew = source.plan(source.form, nothing)
    assert {difference.what for difference in source.stale(anew)} >= {"live object"}
    anew.close()
    assert list(scratch.iterdir()) == []
    with pytest.raises(UsageError, match="the plan is for namespace"):
        SavedPlanSource(str(path), kube=KubeOptions(namespace="elsewhere"))
