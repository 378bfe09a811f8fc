"""Hooks and the objects of their names; objects that become hooks and hooks that become objects."""

from __future__ import annotations

import pytest
from around_release import AroundRelease, action, config_map, findings, rules


def hook(
    name: str, event: str = "pre-upgrade", weight: int = 0, policy: str = "", data: str = "a: '1'"
) -> str:
    """A ConfigMap as a hook: it is done as soon as it is there."""
    policies = f', "helm.sh/hook-delete-policy": "{policy}"' if policy else ""
    marks = f'"helm.sh/hook": "{event}", "helm.sh/hook-weight": "{weight}"{policies}'
    return config_map(name, data, annotations=marks)


def test_an_object_that_becomes_a_pre_upgrade_hook_is_lost(release: AroundRelease) -> None:
    release.upgrade(release.chart(config_map("own") + config_map("moves")))
    hooked = release.chart(config_map("own") + hook("moves"), "1.1.0")
    plan = release.plan(hooked)
    (finding,) = findings(plan, "object-becomes-hook").values()
    assert (finding["where"]["name"], finding["severity"]) == ("ConfigMap/moves", "danger")
    assert "lost" in finding["title"]
    assert "hook-deletes-foreign-object" not in rules(plan)
    assert release.upgrade(hooked) == ""
    assert release.live("ConfigMap", "moves") is None


def test_a_post_upgrade_hook_survives_without_marks_and_cannot_come_back(release: AroundRelease) -> None:
    both = config_map("own") + config_map("moves")
    release.upgrade(release.chart(both))
    hooked = release.chart(config_map("own") + hook("moves", "post-upgrade"), "1.1.0")
    (finding,) = findings(release.plan(hooked), "object-becomes-hook").values()
    assert (finding["severity"], "without the release's marks" in finding["title"]) == ("warning", True)
    assert release.upgrade(hooked) == ""
    live = release.live("ConfigMap", "moves")
    assert live is not None
    assert "meta.helm.sh/release-name" not in live["metadata"]["annotations"]
    again = release.chart(both, "1.2.0")
    plan = release.plan(again)
    (refused,) = findings(plan, "adoption-conflict").values()
    assert "it was a hook of this release until now" in refused["effects"][0]
    assert plan["failure"]["message"] == release.upgrade(again)


def test_an_object_that_becomes_a_hook_of_another_event_is_deleted(release: AroundRelease) -> None:
    release.upgrade(release.chart(config_map("own") + config_map("moves")))
    hooked = release.chart(config_map("own") + hook("moves", "post-delete"), "1.1.0")
    (finding,) = findings(release.plan(hooked), "object-becomes-hook").values()
    assert (finding["severity"], "post-delete" in finding["title"]) == ("danger", True)
    assert release.upgrade(hooked) == ""
    assert release.live("ConfigMap", "moves") is None


def test_hooks_are_listed_in_their_order_even_where_nothing_changes(release: AroundRelease) -> None:
    documents = config_map("own") + "".join(
        [
            hook("late", weight=5),
            hook("b-first", weight=-1, policy="hook-succeeded"),
            hook("a-first", weight=-1, policy="before-hook-creation,hook-succeeded"),
            hook("after", "post-upgrade,post-install", policy="hook-failed"),
            hook("never", "pre-rollback"),
        ]
    )
    chart = release.chart(documents)
    release.upgrade(chart)
    plan = release.plan(chart)
    assert [(one["event"], one["order"], one["name"]) for one in plan["hooks"]] == [
        ("pre-upgrade", 1, "a-first"),
        ("pre-upgrade", 2, "b-first"),
        ("pre-upgrade", 3, "late"),
        ("post-upgrade", 1, "after"),
    ]
    fates = {one["name"]: one["leftOver"] for one in plan["hooks"]}
    collides = "collides" if release.is_client_side else "patched"
    assert fates == {"a-first": "none", "b-first": "none", "late": "none", "after": collides}
    assert plan["exitCode"] == (3 if release.is_client_side else 2)
    assert [entry["action"] for entry in plan["resources"] if entry["name"] == "own"] == ["unchanged"]


def test_a_left_over_collides_or_is_patched(release: AroundRelease) -> None:
    chart = release.chart(
        config_map("own") + hook("after", "post-upgrade,post-install", policy="hook-failed")
    )
    release.upgrade(chart)
    changed = release.chart(
        config_map("own", "a: '2'")
        + hook("after", "post-upgrade,post-install", policy="hook-failed", data="a: '9'"),
        "1.1.0",
    )
    plan = release.plan(changed)
    error = release.upgrade(changed)
    live = release.live("ConfigMap", "after")
    assert live is not None
    if release.is_client_side:
        (finding,) = findings(plan, "hook-collides").values()
        assert (finding["where"]["name"], finding["severity"]) == ("ConfigMap/after", "blocker")
        assert finding["remedy"][0] == f"kubectl delete -n {release.namespace} configmap/after"
        assert plan["failure"]["message"].strip() == error
        assert plan["failure"]["appliedBefore"][0]["name"] == "own"
        assert plan["failure"]["afterwards"]["text"].startswith("revision 2 is stored as failed")
        assert release.statuses() == {1: "deployed", 2: "failed"}
        assert live["data"] == {"a": "1"}
    else:
        assert (plan["failure"], error) == (None, "")
        assert live["data"] == {"a": "9"}


def test_a_finished_job_is_not_run_again_server_side(release: AroundRelease) -> None:
    job = """---
apiVersion: batch/v1
kind: Job
metadata:
  name: migrate
  annotations: {"helm.sh/hook": "pre-upgrade", "helm.sh/hook-delete-policy": "hook-failed"}
spec:
  template: {spec: {restartPolicy: Never, containers: [{name: a, image: nginx}]}}
"""
    chart = release.chart(config_map("own") + job)
    release.upgrade(chart)
    body = {
        "metadata": {"name": "migrate"},
        "spec": {
            "template": {"spec": {"restartPolicy": "Never", "containers": [{"name": "a", "image": "b"}]}}
        },
    }
    release.cluster.create(f"/apis/batch/v1/namespaces/{release.namespace}/jobs", body)
    plan = release.plan(chart)
    if release.is_client_side:
        assert set(findings(plan, "hook-collides")) == {"Job/migrate"}
    else:
        (finding,) = findings(plan, "hook-not-run-again").values()
        assert finding["severity"] == "danger"


def test_a_hook_that_is_gone_from_the_chart_stays_behind(release: AroundRelease) -> None:
    release.upgrade(release.chart(config_map("own") + hook("once", "post-install")))
    renamed = release.chart(config_map("own") + hook("twice", "post-upgrade"), "1.1.0")
    plan = release.plan(renamed)
    (finding,) = findings(plan, "hook-removed-left-behind").values()
    assert (finding["where"]["name"], finding["severity"]) == ("ConfigMap/once", "warning")
    assert release.bundle_plan(renamed)["findings"] == plan["findings"]
    assert release.upgrade(renamed) == ""
    assert release.live("ConfigMap", "once") is not None


def test_a_hook_that_needs_what_comes_after_it(release: AroundRelease) -> None:
    account = "---\napiVersion: v1\nkind: ServiceAccount\nmetadata: {name: migrator}\n"
    job = """---
apiVersion: batch/v1
kind: Job
metadata: {name: migrate, annotations: {"helm.sh/hook": "pre-install,pre-upgrade"}}
spec:
  template:
    spec:
      serviceAccountName: migrator
      restartPolicy: Never
      containers: [{name: a, image: nginx, envFrom: [{configMapRef: {name: own}}, {secretRef: {name: x}}]}]
"""
    chart = release.chart(config_map("own") + account + job)
    plan = release.plan(chart, "--install")
    needs = [finding["title"] for finding in plan["findings"] if finding["rule"] == "hook-needs-lost"]
    assert needs == ["needs ServiceAccount/migrator and ConfigMap/own, which are created only after it"]
    assert not findings(release.plan(chart, "--install", "--no-hooks"), "hook-needs-lost")
    release.upgrade(chart, "--no-hooks")
    assert not findings(release.plan(chart), "hook-needs-lost")


def test_a_definition_that_is_a_hook_is_never_deleted(release: AroundRelease) -> None:
    group = f"{release.namespace}.around.test"
    definition = f"""---
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata:
  name: things.{group}
  annotations: {{"helm.sh/hook": "pre-install,pre-upgrade"}}
spec:
  group: {group}
  names: {{kind: Thing, plural: things}}
  scope: Namespaced
  versions: [{{name: v1, served: true, storage: true, schema: {{openAPIV3Schema: {{type: object}}}}}}]
"""
    chart = release.chart(config_map("own") + definition)
    try:
        assert release.upgrade(chart) == ""
        plan = release.plan(chart)
        assert plan["hooks"][0]["leftOver"] == ("collides" if release.is_client_side else "patched")
        assert (plan["failure"] or {}).get("message", "").strip() == release.upgrade(chart)
        assert action(plan, f"CustomResourceDefinition/things.{group}") == "hook"
    finally:
        release.cluster.remove(release.path("CustomResourceDefinition", f"things.{group}"))


@pytest.mark.parametrize("event", ["pre-upgrade", "post-upgrade"])
@pytest.mark.parametrize("policy", ["", "hook-succeeded"])
def test_a_hook_of_a_kind_that_is_not_served_fails(release: AroundRelease, event: str, policy: str) -> None:
    release.upgrade(release.chart(config_map("own")))
    document = hook("h", event, policy=policy).replace("apiVersion: v1", "apiVersion: not.served.test/v1")
    chart = release.chart(config_map("own", "a: '2'") + document, "1.1.0")
    plan = release.plan(chart)
    assert plan["failure"]["message"] == release.upgrade(chart)
    changed = [key["name"] for key in plan["failure"]["appliedBefore"]]
    assert changed == (["own"] if event == "post-upgrade" else [])


def test_a_hook_whose_mark_is_a_number_fails(release: AroundRelease) -> None:
    release.upgrade(release.chart(config_map("own")))
    document = hook("h", weight=3).replace('"3"', "3")
    chart = release.chart(config_map("own", "a: '2'") + document, "1.1.0")
    assert release.plan(chart)["failure"]["message"] == release.upgrade(chart)


def test_a_hook_brings_the_definition_of_the_next_ones_kind(release: AroundRelease) -> None:
    """What is not served now may be by then; Helm does not wait, so that it fails now and then."""
    group = f"{release.namespace}.example.com"
    definition = f"""
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata:
  name: widgets.{group}
  annotations: {{"helm.sh/hook": pre-upgrade, "helm.sh/hook-weight": "-1"}}
spec:
  group: {group}
  scope: Namespaced
  names: {{kind: Widget, plural: widgets}}
  versions:
  - name: v1
    served: true
    storage: true
    schema: {{openAPIV3Schema: {{type: object, x-kubernetes-preserve-unknown-fields: true}}}}
"""
    release.upgrade(release.chart(config_map("own")))
    document = hook("h").replace("apiVersion: v1", f"apiVersion: {group}/v1").replace("ConfigMap", "Widget")
    chart = release.chart(config_map("own") + "---" + definition + document, "1.1.0")
    try:
        plan = release.plan(chart)
        assert plan["failure"] is None
        assert [(entry["what"], "not predictable" in entry["why"]) for entry in plan["unknown"]] == [
            ("Widget/h", True)
        ]
        error = release.upgrade(chart)
        assert error == "" or 'no matches for kind "Widget"' in error
    finally:
        release.cluster.remove(f"/apis/apiextensions.k8s.io/v1/customresourcedefinitions/widgets.{group}")
