"""What a failed revision brought stays: Helm compares with the last deployed one and never saw it."""

from __future__ import annotations

from around_release import AroundRelease, config_map, findings, rules

BROKEN = """---
apiVersion: v1
kind: Service
metadata: {name: broken}
spec: {ports: [{port: 0}]}
"""


def failed_once(release: AroundRelease) -> None:
    """Revision 1 is deployed; 2 adds an object and a key and fails on another object."""
    release.upgrade(release.chart(config_map("settings", "a: '1'")))
    second = config_map("settings", "a: '1', b: '2'") + config_map("brought") + BROKEN
    assert release.upgrade(release.chart(second, "1.1.0")) != ""
    assert release.statuses() == {1: "deployed", 2: "failed"}


def test_an_upgrade_leaves_objects_and_fields(release: AroundRelease) -> None:
    failed_once(release)
    chart = release.chart(config_map("settings", "a: '3'"), "1.2.0")
    plan = release.plan(chart)
    assert [(entry["name"], entry["revisions"]) for entry in plan["orphans"]] == [("brought", [2])]
    (orphan,) = findings(plan, "orphaned-by-failed-revision").values()
    assert orphan["where"]["name"] == "ConfigMap/brought"
    assert orphan["remedy"] == [f"helm rollback rel 1 -n {release.namespace}"]
    (partial,) = findings(plan, "last-failed-partial").values()
    assert partial["severity"] == "danger"
    fields = [(entry["name"], entry["path"], entry["revision"]) for entry in plan["leftFields"]]
    assert fields == ([("settings", "data.b", 2)] if release.is_client_side else [])
    offline = release.bundle_plan(chart)
    assert offline["orphans"] == plan["orphans"]
    assert offline["leftFields"] == plan["leftFields"]
    assert offline["findings"] == plan["findings"]
    assert release.upgrade(chart) == ""
    assert release.live("ConfigMap", "brought") is not None
    settings = release.live("ConfigMap", "settings")
    assert settings is not None
    assert set(settings["data"]) == ({"a", "b"} if release.is_client_side else {"a"})


def test_an_orphan_is_still_found_after_the_next_success(release: AroundRelease) -> None:
    failed_once(release)
    chart = release.chart(config_map("settings", "a: '3'"), "1.2.0")
    release.upgrade(chart)
    plan = release.plan(chart)
    (orphan,) = findings(plan, "orphaned-by-failed-revision").values()
    assert orphan["remedy"] == [f"kubectl -n {release.namespace} delete configmap/brought"]
    assert rules(plan) == {"orphaned-by-failed-revision"}
    release.cluster.delete(release.path("ConfigMap", "brought"))
    assert release.plan(chart)["findings"] == []


def test_the_same_again_leaves_nothing(release: AroundRelease) -> None:
    """The retry names all that the failed revision brought."""
    failed_once(release)
    chart = release.chart(config_map("settings", "a: '1', b: '2'") + config_map("brought"), "1.2.0")
    plan = release.plan(chart)
    assert plan["orphans"] == plan["leftFields"] == []
    (partial,) = findings(plan, "last-failed-partial").values()
    assert partial["severity"] == "warning"
    assert release.upgrade(chart) == ""


def test_a_rollback_cleans_up(release: AroundRelease) -> None:
    failed_once(release)
    plan = release.rollback_plan()
    assert plan["orphans"] == plan["leftFields"] == []
    assert not rules(plan) & {"orphaned-by-failed-revision", "last-failed-partial"}
    assert release.rollback() == ""
    assert release.live("ConfigMap", "brought") is None


def test_a_rollback_to_a_revision_that_failed(release: AroundRelease) -> None:
    failed_once(release)
    release.upgrade(release.chart(config_map("settings", "a: '3'"), "1.2.0"))
    plan = release.rollback_plan()
    (finding,) = findings(plan, "rollback-to-failed").values()
    assert finding["severity"] == "danger"
    assert finding["remedy"] == [f"helm rollback rel 1 -n {release.namespace}"]
    after = plan["failure"]["afterwards"]
    assert (after["revision"], after["status"], after["deployedRevision"]) == (4, "failed", None)
    assert release.rollback() == plan["failure"]["message"]
    assert release.statuses() == {1: "superseded", 2: "failed", 3: "superseded", 4: "failed"}


def test_orphans_of_a_rollback_from_a_bundle(release: AroundRelease) -> None:
    """Two failed revisions in a row: a rollback starts from the second and never saw the first."""
    failed_once(release)
    assert release.upgrade(release.chart(config_map("settings", "a: '1'") + BROKEN, "1.2.0")) != ""
    plan = release.plan(release.chart(config_map("settings", "a: '1'"), "1.3.0"))
    assert [entry["name"] for entry in plan["orphans"]] == ["brought"]
    back = release.rollback_plan(1)
    assert [entry["name"] for entry in back["orphans"]] == ["brought"]
    assert release.rollback(1) == ""
    assert release.live("ConfigMap", "brought") is not None
