"""The state of the release: pending and the way out, removed kinds behind it, and what a failure leaves."""

from __future__ import annotations

import release_records
from around_release import AroundRelease, config_map, findings

BROKEN_MAP = "---\napiVersion: v1\nkind: ConfigMap\nmetadata: {name: 'NOT VALID'}\n"


def set_status(release: AroundRelease, revision: int, status: str) -> None:
    """Write a status into a record and its label, as a client that is killed leaves it."""
    release_records.set_status(release.cluster, release.namespace, "rel", revision, status)


def test_a_pending_revision_says_since_when_and_the_way_out(release: AroundRelease) -> None:
    first = release.chart(config_map("own"))
    release.upgrade(first)
    second = release.chart(config_map("own", "a: '2'"), "1.1.0")
    release.upgrade(second)
    set_status(release, 2, "pending-upgrade")
    set_status(release, 1, "deployed")
    plan = release.plan(second)
    (finding,) = findings(plan, "release-pending").values()
    updated = plan["history"][-1]["updated"].partition(".")[0]
    assert finding["effects"][0].startswith(f"revision 2 is pending-upgrade since {updated}")
    assert finding["remedy"] == [f"helm rollback rel 1 -n {release.namespace}"]
    assert plan["failure"]["message"] == release.upgrade(second)
    assert release.rollback(1) == ""
    assert release.plan(second)["failure"] is None


def test_a_pending_install_has_nothing_to_go_back_to(release: AroundRelease) -> None:
    chart = release.chart(config_map("own"))
    release.upgrade(chart)
    set_status(release, 1, "pending-install")
    (finding,) = findings(release.plan(chart), "release-pending").values()
    assert finding["remedy"] == [f"helm uninstall rel -n {release.namespace}, then install again"]


def test_what_is_left_after_an_uninstall_that_keeps_its_history(release: AroundRelease) -> None:
    chart = release.chart(config_map("own"))
    release.upgrade(chart)
    release.helm.run("uninstall", "rel", "--keep-history")
    plan = release.plan(chart)
    (finding,) = findings(plan, "no-deployed-revision").values()
    assert finding["effects"][0] == "revision 1 is uninstalled"
    assert finding["remedy"] == ["add --install: it installs over what the uninstall left"]
    again = release.plan(chart, "--install")
    assert (again["operation"], again["failure"]) == ("install", None)
    assert release.upgrade(chart) == ""


def test_the_state_after_a_failed_upgrade(release: AroundRelease) -> None:
    """Helm stops at the object it cannot create; what it created before stays, and nothing is deleted."""
    release.upgrade(release.chart(config_map("goes") + config_map("own")))
    broken = "---\napiVersion: v1\nkind: Service\nmetadata: {name: broken}\nspec: {ports: [{port: 0}]}\n"
    deployment = """---
apiVersion: apps/v1
kind: Deployment
metadata: {name: web}
spec:
  replicas: 0
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec: {containers: [{name: a, image: nginx}]}
"""
    chart = release.chart(config_map("own", "a: '2'") + broken + deployment, "1.1.0")
    plan = release.plan(chart)
    page = release.page(chart)
    for text in ("WILL FAIL", "already changed by then", "never reached: ", "stays the deployed one"):
        assert text in page
    assert page.count("never reached") == 1
    failure = plan["failure"]
    assert failure["message"] == release.upgrade(chart)
    assert [key["name"] for key in failure["appliedBefore"]] == ["own"]
    assert {key["name"] for key in failure["notReached"]} == {"web", "goes"}
    after = failure["afterwards"]
    assert release.statuses() == {after["deployedRevision"]: "deployed", after["revision"]: after["status"]}
    assert after["text"].endswith("nothing is rolled back")
    assert release.live("Deployment", "web") is None
    assert release.live("ConfigMap", "goes") is not None


def test_the_flag_that_rolls_back(release: AroundRelease) -> None:
    release.upgrade(release.chart(config_map("own")))
    broken = "---\napiVersion: v1\nkind: Service\nmetadata: {name: broken}\nspec: {ports: [{port: 0}]}\n"
    chart = release.chart(config_map("own", "a: '2'") + broken, "1.1.0")
    flag = "--atomic" if release.is_client_side else "--rollback-on-failure"
    plan = release.plan(chart, flag)
    text = plan["failure"]["afterwards"]["text"]
    assert text.endswith(f"{flag} then rolls back to revision 1, as revision 3")
    assert release.upgrade(chart, flag) != ""
    assert release.statuses() == {1: "superseded", 2: "failed", 3: "deployed"}


def test_the_hooks_that_have_run_by_then(release: AroundRelease) -> None:
    release.upgrade(release.chart(config_map("own")))
    mark = '"helm.sh/hook": pre-upgrade'
    broken = "---\napiVersion: v1\nkind: Service\nmetadata: {name: broken}\nspec: {ports: [{port: 0}]}\n"
    chart = release.chart(config_map("own") + config_map("before", annotations=mark) + broken, "1.1.0")
    plan = release.plan(chart)
    assert plan["failure"]["hooksRun"] == ["ConfigMap/before"]
    assert release.upgrade(chart) != ""
    assert release.live("ConfigMap", "before") is not None


def test_the_state_after_a_failed_hook_of_a_rollback(release: AroundRelease) -> None:
    """Helm leaves the new revision pending-rollback when a pre-rollback hook fails."""
    left = '"helm.sh/hook": "pre-rollback,pre-upgrade", "helm.sh/hook-delete-policy": hook-failed'
    release.upgrade(release.chart(config_map("own") + config_map("task", annotations=left)))
    release.upgrade(release.chart(config_map("own", "a: '2'"), "1.1.0"))
    release.cluster.create(release.path("ConfigMap"), {"metadata": {"name": "task"}})
    plan = release.rollback_plan()
    error = release.rollback()
    if not release.is_client_side:
        assert (plan["failure"], error) == (None, "")
        return
    assert plan["failure"]["message"].strip() == error
    after = plan["failure"]["afterwards"]
    assert (after["revision"], after["status"], after["deployedRevision"]) == (3, "pending-rollback", 2)
    assert release.statuses() == {1: "superseded", 2: "deployed", 3: "pending-rollback"}
