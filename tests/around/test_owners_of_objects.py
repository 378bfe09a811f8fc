"""Objects that belong to nobody, or to another release: refused, deleted, overwritten."""

from __future__ import annotations

import pytest
from around_release import AroundRelease, action, config_map, findings, rules

HOOK = '"helm.sh/hook": pre-upgrade'


def test_every_object_that_helm_will_not_take_over_is_named(release: AroundRelease) -> None:
    chart = release.chart(config_map("own"))
    release.upgrade(chart)
    release.cluster.create(release.path("ConfigMap"), {"metadata": {"name": "by-hand"}})
    release.named("other").upgrade(release.named("other").chart(config_map("theirs")))
    wider = release.chart(config_map("own") + config_map("by-hand") + config_map("theirs"), "1.1.0")
    plan = release.plan(wider)
    refused = findings(plan, "adoption-conflict")
    assert set(refused) == {"ConfigMap/by-hand", "ConfigMap/theirs"}
    assert {finding["severity"] for finding in refused.values()} == {"blocker"}
    assert f"it belongs to release {release.namespace}/other" in refused["ConfigMap/theirs"]["effects"]
    assert 'current value is "other"' in refused["ConfigMap/theirs"]["consequence"]
    assert refused["ConfigMap/by-hand"]["effects"][0].startswith("it belongs to no release")
    assert plan["failure"]["message"] == release.upgrade(wider)
    assert plan["failure"]["afterwards"]["revision"] is None
    assert release.statuses() == {1: "deployed"}
    told = [finding for finding in plan["findings"] if finding["severity"] == "blocker"]
    assert len(told) == 2


def test_the_commands_that_set_the_marks_make_the_upgrade_go_through(release: AroundRelease) -> None:
    release.upgrade(release.chart(config_map("own")))
    release.cluster.create(release.path("ConfigMap"), {"metadata": {"name": "by-hand"}})
    wider = release.chart(config_map("own") + config_map("by-hand"), "1.1.0")
    label, annotate, _ = findings(release.plan(wider), "adoption-conflict")["ConfigMap/by-hand"]["remedy"]
    marks = {"labels": _marks(label), "annotations": _marks(annotate)}
    release.cluster.patch(release.path("ConfigMap", "by-hand"), {"metadata": marks})
    plan = release.plan(wider)
    assert (plan["failure"], action(plan, "ConfigMap/by-hand")) == (None, "adopt")
    assert plan["findings"] == []
    assert release.upgrade(wider) == ""


def _marks(command: str) -> dict[str, str]:
    words = [word.partition("=") for word in command.split() if "=" in word]
    return {name: value for name, _, value in words}


def test_an_object_of_another_release_is_deleted_with_a_warning(release: AroundRelease) -> None:
    """The PVC moved: release b took ownership, release a drops it."""
    both = config_map("own") + config_map("moved")
    release.upgrade(release.chart(both))
    other = release.named("other")
    assert other.upgrade(other.chart(config_map("moved")), "--take-ownership") == ""
    narrow = release.chart(config_map("own"), "1.1.0")
    plan = release.plan(narrow)
    (finding,) = findings(plan, "drift-deleted-upstream").values()
    assert (finding["where"]["name"], finding["severity"]) == ("ConfigMap/moved", "blocker")
    assert f"{release.namespace}/other" in finding["title"]
    assert action(plan, "ConfigMap/moved") == "delete"
    assert f"belongs to release {release.namespace}/other" in release.page(narrow)
    assert release.upgrade(narrow) == ""
    assert release.live("ConfigMap", "moved") is None


def test_the_remedy_spares_the_object_of_the_other_release(release: AroundRelease) -> None:
    release.upgrade(release.chart(config_map("own") + config_map("moved")))
    other = release.named("other")
    other.upgrade(other.chart(config_map("moved")), "--take-ownership")
    narrow = release.chart(config_map("own"), "1.1.0")
    (command,) = findings(release.plan(narrow), "drift-deleted-upstream")["ConfigMap/moved"]["remedy"]
    assert command.endswith("configmap/moved helm.sh/resource-policy=keep --overwrite")
    keep = {"annotations": {"helm.sh/resource-policy": "keep"}}
    release.cluster.patch(release.path("ConfigMap", "moved"), {"metadata": keep})
    plan = release.plan(narrow)
    assert "drift-deleted-upstream" not in rules(plan)
    assert action(plan, "ConfigMap/moved") == "keep"
    release.upgrade(narrow)
    assert release.live("ConfigMap", "moved") is not None


def test_what_another_release_took_over_is_taken_back_unasked(release: AroundRelease) -> None:
    chart = release.chart(config_map("own"))
    release.upgrade(chart)
    other = release.named("other")
    other.upgrade(other.chart(config_map("own")), "--take-ownership")
    (finding,) = findings(release.plan(chart), "owned-by-other-release").values()
    assert finding["severity"] == "danger"
    assert release.upgrade(chart) == ""
    live = release.live("ConfigMap", "own")
    assert live is not None
    assert live["metadata"]["annotations"]["meta.helm.sh/release-name"] == "rel"


def test_a_rollback_takes_over_without_a_check(release: AroundRelease) -> None:
    release.upgrade(release.chart(config_map("own") + config_map("gone")))
    release.upgrade(release.chart(config_map("own"), "1.1.0"))
    other = release.named("other")
    other.upgrade(other.chart(config_map("gone")))
    plan = release.rollback_plan()
    assert set(findings(plan, "owned-by-other-release")) == {"ConfigMap/gone"}
    assert plan["failure"] is None
    assert release.rollback() == ""
    live = release.live("ConfigMap", "gone")
    assert live is not None
    assert live["metadata"]["annotations"]["meta.helm.sh/release-name"] == "rel"


@pytest.mark.parametrize("owned", [True, False])
def test_a_hook_deletes_what_bears_its_name(release: AroundRelease, owned: bool) -> None:
    release.upgrade(release.chart(config_map("own")))
    if owned:
        release.named("other").upgrade(release.named("other").chart(config_map("task")))
    else:
        release.cluster.create(release.path("ConfigMap"), {"metadata": {"name": "task"}})
    before = release.live("ConfigMap", "task")
    hooked = release.chart(config_map("own") + config_map("task", annotations=HOOK), "1.1.0")
    plan = release.plan(hooked)
    (finding,) = findings(plan, "hook-deletes-foreign-object").values()
    assert finding["severity"] == ("blocker" if owned else "danger")
    assert plan["hooks"][0]["leftOver"] == "deleted first"
    assert release.upgrade(hooked) == ""
    after = release.live("ConfigMap", "task")
    assert before is not None
    assert after is not None
    assert after["metadata"]["uid"] != before["metadata"]["uid"]
    assert "hook-deletes-foreign-object" not in rules(release.plan(hooked))
