"""Values that are lost, frozen, nulled or changed by a new chart between two revisions."""

from __future__ import annotations

import shutil
from base64 import b64decode
from collections.abc import Iterator
from pathlib import Path

import pytest
from controlplane.operators_chart import alone_with_the_operator
from field_case import FieldCase, change, changed_paths, findings, resource
from templates import config_map

GPU_OPERATOR = Path(__file__).parents[2] / "fixtures" / "charts" / "gpu-operator"
POLICY = "ClusterPolicy/cluster-policy"

SIZE_AND_TAG = config_map("conf", size="{{ .Values.size }}", tag="{{ .Values.tag }}")


def test_p01_new_default_under_a_kept_override(case: FieldCase) -> None:
    """No flag: Helm keeps the user's own values only, so the chart's new default arrives."""
    case.install(case.chart(SIZE_AND_TAG, "size: 1\ntag: '1.0'\n"), "--set", "size=3")
    plan = case.upgrade_as_planned(case.chart(SIZE_AND_TAG, "size: 1\ntag: '2.0'\n", "2.0.0"))
    assert change(plan, "ConfigMap/conf", "data.tag") == ("1.0", "2.0", "default")
    assert [entry["path"] for entry in resource(plan, "ConfigMap/conf")["changes"]] == ["data.tag"]
    assert "reuse" in plan["values"]["mode"]


def test_p02_reuse_values_freezes_the_defaults(case: FieldCase) -> None:
    template = config_map("conf", a="{{ .Values.a }}", new="{{ .Values.newkey | default `absent` }}")
    case.install(case.chart(template, "a: 1\n"))
    new = case.chart(template, "a: 1\nnewkey: fresh\n", "2.0.0")
    plan = case.upgrade_as_planned(new, "--reuse-values", "--set", "a=2")
    assert change(plan, "ConfigMap/conf", "data.a") == ("1", "2", "values")
    assert resource(plan, "ConfigMap/conf")["after"]["data"]["new"] == "absent"
    (ignored,) = findings(plan, "reuse-values-missing-key")
    assert (ignored["where"]["name"], ignored["after"]) == ("newkey", "fresh")


def test_p02_reuse_values_without_a_nested_default(case: FieldCase) -> None:
    """The new template reads a map that the old values do not have: nil pointer, here and in Helm."""
    case.install(case.chart(config_map("conf", a="1"), "a: 1\n"))
    new = case.chart(config_map("conf", p="{{ .Values.metrics.port }}"), "metrics: {port: 9}\n", "2.0.0")
    plan = case.upgrade_as_planned(new, "--reuse-values")
    assert plan["exitCode"] == 3
    assert plan["failure"]["stage"] == "before"
    assert "nil pointer evaluating" in plan["failure"]["message"]
    missing = {finding["where"]["name"] for finding in findings(plan, "reuse-values-missing-key")}
    assert missing == {"metrics.port"}


def test_p03_a_null_is_reused(case: FieldCase) -> None:
    """The first upgrade drops the key, the second hands the null itself to the templates."""
    template = config_map("conf", sec="{{ .Values.sec | toJson | b64enc }}", x="{{ .Values.x }}")
    chart = case.chart(template, "sec: {runAsUser: 1000, fsGroup: 1}\nx: 0\n")
    case.install(chart)
    case.upgrade(chart, "--set", "sec.runAsUser=null")
    plan = case.upgrade_as_planned(chart, "--reuse-values", "--set", "x=1")
    before, after, _ = change(plan, "ConfigMap/conf", "data.sec")
    assert b64decode(before) == b'{"fsGroup":1}'
    assert b64decode(after) == b'{"fsGroup":1,"runAsUser":null}'
    assert [entry["path"] for entry in plan["values"]["changes"]] == ["sec.runAsUser", "x"]


def test_p30_a_null_for_a_subchart(case: FieldCase, helm3: Path, helm4: Path) -> None:
    """Helm 3 takes the parent's null, Helm 4 does not: a release shows the change when the Helm does."""
    files = {
        "Chart.yaml": "apiVersion: v2\nname: field\nversion: 1.0.0\n"
        "dependencies: [{name: sub, version: 1.0.0}]\n",
        "charts/sub/Chart.yaml": "apiVersion: v2\nname: sub\nversion: 1.0.0\n",
        "charts/sub/values.yaml": "sec: {runAsUser: 1000}\n",
        "charts/sub/templates/sub.yaml": config_map("sub", user="{{ .Values.sec.runAsUser }}"),
    }
    chart = case.chart(config_map("conf", a="1"), "sub: {sec: {runAsUser: null}}\n", files=files)
    case.install_as_planned(chart)
    rendered = "1000" if case.is_helm_4 else ""
    assert case.live("ConfigMap", "sub")["data"]["user"] == rendered  # type: ignore[index]
    other = case.with_helm(helm3 if case.is_helm_4 else helm4)
    plan = other.upgrade_as_planned(chart)
    before, after, _ = change(plan, "ConfigMap/sub", "data.user")
    assert (before, after) == ("1000", "") if case.is_helm_4 else ("", "1000")


@pytest.fixture
def gpu_operator(case: FieldCase) -> Iterator[FieldCase]:
    """Installed with driver and toolkit off."""
    with alone_with_the_operator(case.cluster):
        words = ("--set", "driver.enabled=false", "--set", "toolkit.enabled=false")
        case.install(GPU_OPERATOR, "--no-hooks", *words)
        yield case


def test_p31_gpu_driver_switched_on_by_an_unrelated_flag(gpu_operator: FieldCase) -> None:
    plan = gpu_operator.upgrade_as_planned(GPU_OPERATOR, "--no-hooks", "--set", "gfd.enabled=true")
    assert plan["exitCode"] == 3
    lost = {finding["where"]["name"] for finding in findings(plan, "values-lost-override")}
    assert lost == {"driver.enabled", "toolkit.enabled"}
    for path in ("spec.driver.enabled", "spec.toolkit.enabled"):
        assert change(plan, POLICY, path) == (False, True, "lost override")
    assert "--reuse-values" in plan["keepCommand"]


def test_p31_gpu_driver_version_of_a_new_chart(gpu_operator: FieldCase) -> None:
    newer = gpu_operator.folder / "newer"
    shutil.copytree(GPU_OPERATOR, newer)
    values = (newer / "values.yaml").read_text()
    assert '"580.126.20"' in values
    (newer / "values.yaml").write_text(values.replace('"580.126.20"', '"595.91.07"'))
    plan = gpu_operator.upgrade_as_planned(newer, "--no-hooks")
    assert change(plan, POLICY, "spec.driver.version") == ("580.126.20", "595.91.07", "default")
    assert changed_paths(plan, POLICY) == ["spec.driver.version"]
