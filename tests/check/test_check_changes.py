"""What the check says of a change: states, causes, places, and what it must not hide."""

from __future__ import annotations

from pathlib import Path

import pytest
from changes import CHART, check_folders, only

from helmguard.report.check_exit_code import check_exit_code

TEMPLATE = "charts/web/templates/config.yaml"
VALUES = "charts/web/values-prod.yaml"
PROD = {**CHART, VALUES: "level: warn\ndriver:\n  enabled: false\n"}


def test_a_file_that_no_release_rests_on_concerns_none(tmp_path: Path, helm3: Path) -> None:
    report = check_folders(tmp_path, helm3, PROD, {**PROD, "README.md": "read me"})
    assert report.releases == ()
    assert report.read == 1
    assert check_exit_code(report) == 0


def test_the_same_in_other_words_is_no_change(tmp_path: Path, helm3: Path) -> None:
    tidy = "# for production\ndriver: {enabled: false}\nlevel: 'warn'\n"
    report = check_folders(tmp_path, helm3, PROD, {**PROD, VALUES: tidy})
    # The file lies in the chart's folder, where a template could read it.
    assert only(report).state == "same"
    assert check_exit_code(report) == 0


def test_a_value_reaches_its_object_with_its_file_and_line(tmp_path: Path, helm3: Path) -> None:
    report = check_folders(tmp_path, helm3, PROD, {**PROD, VALUES: PROD[VALUES].replace("warn", "debug")})
    release = only(report)
    assert release.state == "changed"
    assert release.because == ("the chart's files change: charts/web", f"values change: {VALUES}")
    plan = release.plan
    assert plan is not None
    (change,) = plan.values.changes
    assert (change.path, change.before, change.after, change.cause) == (("level",), "warn", "debug", "values")
    origin = change.provenance_after
    assert origin is not None and (origin.source, origin.line) == (VALUES, 1)
    (resource,) = plan.resources
    assert resource.action == "update"
    assert [field.path for field in resource.changes] == [("data", "level")]
    assert check_exit_code(report) == 2


def test_a_removed_line_is_an_edit_and_a_file_no_longer_read_is_a_loss(tmp_path: Path, helm3: Path) -> None:
    edited = check_folders(tmp_path / "edit", helm3, PROD, {**PROD, VALUES: "level: warn\n"})
    plan = only(edited).plan
    assert plan is not None
    (change,) = plan.values.changes
    assert change.cause == "values"
    assert change.note == f"no longer set; it was in {VALUES}:3"
    entry = "releases:\n- {release: web, namespace: shop, chart: charts/web, values: [%s]}\n"
    base = {**CHART, "prod.yaml": PROD[VALUES], ".helmguard.yaml": entry % "prod.yaml"}
    lost = check_folders(tmp_path / "lost", helm3, base, {**base, ".helmguard.yaml": entry % ""})
    plan = only(lost).plan
    assert plan is not None
    assert {change.cause for change in plan.values.changes} == {"lost override"}
    assert "values-lost-override" in {finding.rule for finding in plan.findings}
    assert check_exit_code(lost) == 3


def test_a_list_that_loses_an_item_in_its_own_file_is_no_list_replaced(tmp_path: Path, helm3: Path) -> None:
    hosts, fewer = "hosts: [a.example.org, b.example.org]\n", "hosts: [a.example.org]\n"
    jobs = "jobs:\n- {at: 1, name: a}\n- at: 2\n  name: b"
    defaults = {**PROD, "charts/web/values.yaml": CHART["charts/web/values.yaml"] + hosts}
    reports = (
        check_folders(tmp_path / "edited", helm3, {**PROD, VALUES: hosts}, {**PROD, VALUES: fewer}),
        check_folders(tmp_path / "renamed", helm3, {**PROD, VALUES: jobs}, {**PROD, VALUES: jobs + "2"}),
        check_folders(tmp_path / "replaced", helm3, defaults, {**defaults, VALUES: fewer}),
    )
    plans = [only(report).plan for report in reports]
    fired = [
        {one.rule for one in plan.findings if one.result == "fires"} for plan in plans if plan is not None
    ]
    assert ["values-list-replaced" in rules for rules in fired] == [False, False, True]


def test_a_template_that_fails_refuses(tmp_path: Path, helm3: Path) -> None:
    report = check_folders(tmp_path, helm3, PROD, {**PROD, TEMPLATE: '{{ fail "no" }}'})
    plan = only(report).plan
    assert plan is not None and plan.failure is not None
    assert check_exit_code(report) == 3


def test_what_renders_on_neither_side_is_not_known(tmp_path: Path, helm3: Path) -> None:
    broken = {**PROD, TEMPLATE: '{{ fail "no" }}'}
    release = only(check_folders(tmp_path, helm3, broken, {**broken, VALUES: "level: debug\n"}))
    assert release.state == "unknown"
    assert release.why.startswith("renders neither before the change nor after it")


def test_a_release_comes_and_another_goes(tmp_path: Path, helm3: Path) -> None:
    stage = "charts/web/values-stage.yaml"
    head = {**CHART, stage: "level: info\n"}
    report = check_folders(tmp_path, helm3, PROD, head)
    states = {release.state: release for release in report.releases}
    assert set(states) == {"added", "removed"}
    assert states["removed"].plan is None, "nothing installs the chart, so that nothing deletes its objects"
    come = states["added"].plan
    assert come is not None and [one.action for one in come.resources] == ["create"]


APPS = "apps/templates/apps.yaml"
PARENT = {
    **CHART,
    "apps/Chart.yaml": "apiVersion: v2\nname: apps\nversion: 1.0.0\n",
    "apps/values.yaml": "apps: [one, two]\n",
    APPS: """\
{{ range .Values.apps }}
---
apiVersion: argoproj.io/v1alpha1
kind: Application
metadata: {name: {{ . }}, namespace: argocd, finalizers: [resources-finalizer.argocd.argoproj.io]}
spec:
  source: {repoURL: https://git.example.com/own, path: charts/web}
  destination: {namespace: shop}
{{ end }}
""",
}
"""Applications made by a chart, whose template is no YAML as it stands."""


def test_an_application_that_a_chart_makes_no_more_is_removed(tmp_path: Path, helm3: Path) -> None:
    report = check_folders(tmp_path, helm3, PARENT, {**PARENT, "apps/values.yaml": "apps: [one]\n"})
    states = {release.declared.name: release.state for release in report.releases}
    assert states == {"apps": "changed", "two": "removed"}


def test_rules_that_need_the_cluster_are_unknown_and_said_once(tmp_path: Path, helm3: Path) -> None:
    report = check_folders(tmp_path, helm3, PROD, {**PROD, VALUES: "level: debug\n"})
    plan = only(report).plan
    assert plan is not None
    assert [entry.what for entry in plan.unknown] == ["live objects"]
    assert not [
        finding for finding in plan.findings if finding.rule == "drift-reverted" and finding.result == "fires"
    ]


SCHEMAS = {
    "by URL": '{"$ref": "https://schemas.invalid/values.json"}',
    "beside its own URL": """{
      "$id": "https://schemas.invalid/web/values.schema.json",
      "properties": {"level": {"$ref": "level.json"}}
    }""",
}


@pytest.mark.parametrize("schema", SCHEMAS.values(), ids=SCHEMAS)
def test_offline_no_schema_is_fetched(schema: str, tmp_path: Path, helm3: Path) -> None:
    base = {**PROD, "charts/web/values.schema.json": schema}
    release = only(check_folders(tmp_path, helm3, base, {**base, VALUES: "level: debug\n"}))
    assert release.state == "changed"
    assert release.plan is not None
    assert "not checked against the chart's schema: it is a URL" in " ".join(release.plan.notes)


RANDOM = """\
apiVersion: v1
kind: Pod
metadata:
  name: {{ .Release.Name }}-{{ randAlphaNum 5 | lower }}
  annotations: {"helm.sh/hook": test}
spec: {containers: [{name: a, image: "a:1"}]}
---
apiVersion: v1
kind: ConfigMap
metadata: {name: "x-{{ randAlphaNum 5 | lower }}"}
"""


@pytest.mark.parametrize("change", [{VALUES: "level: debug\n"}])
def test_random_names_neither_come_nor_go(tmp_path: Path, helm3: Path, change: dict[str, str]) -> None:
    base = {**PROD, "charts/web/templates/random.yaml": RANDOM}
    plan = only(check_folders(tmp_path, helm3, base, {**base, **change})).plan
    assert plan is not None
    assert [str(one.prediction.key.name) for one in plan.resources] == ["web"]
    assert any("each rendering gives another name" in note for note in plan.notes)


def test_another_helm_for_the_base_is_said(tmp_path: Path, helm3: Path, helm4: Path) -> None:
    report = check_folders(
        tmp_path, helm4, PROD, {**PROD, VALUES: "level: debug\n"}, base_helm_binary=str(helm3)
    )
    assert any("the base is rendered by Helm 3" in note for note in report.notes)


def test_the_configuration_that_judges_its_own_change_is_said(tmp_path: Path, helm3: Path) -> None:
    report = check_folders(tmp_path, helm3, PROD, {**PROD, ".helmguard.yaml": "failOn: none\n"})
    assert any("edits .helmguard.yaml" in note for note in report.notes)


def test_a_helmfile_release_that_is_switched_off_is_uninstalled(tmp_path: Path, helm3: Path) -> None:
    helmfile = "releases:\n- {name: web, namespace: shop, chart: ./charts/web, installed: %s}\n"
    base = {**CHART, "helmfile.yaml": helmfile % "true"}
    release = only(check_folders(tmp_path, helm3, base, {**base, "helmfile.yaml": helmfile % "false"}))
    assert release.state == "removed"
    assert release.plan is not None
    assert [resource.action for resource in release.plan.resources] == ["delete"]
