"""Operations that were killed: what was applied is seen, and the way out that is recommended works."""

from __future__ import annotations

from datetime import timedelta

from release_trial import RELEASE, ReleaseTrial, checks, config_map, deployment, endless_hook, states

GOOD = config_map("conf", a="1") + deployment("web")


def test_killed_before_anything_was_applied(trial: ReleaseTrial) -> None:
    assert not trial.upgrade(GOOD)
    trial.killed_upgrade(config_map("conf", a="2") + deployment("web") + endless_hook("pre-upgrade"))
    state = trial.status()
    assert (state.condition, state.exit_code) == ("pending", 3)
    assert states(state) == {"ConfigMap/conf": ("update", "not applied")}
    assert state.progress is not None
    assert (state.progress.compared_with, state.progress.unchanged) == (1, 1)
    assert state.running is not None
    assert (state.running.verdict, state.running.manager.lower()) == ("likely", "helm")
    assert any("hook Job/endless is there and not finished" in sign for sign in state.running.signs)
    assert [way.kind for way in state.ways_out if way.recommended] == ["wait"]
    assert state.ways_out[1].check.result == "works"
    page = trial.page(state)
    assert "revision 2 is pending-upgrade" in page
    assert "only when you know that no helm is at work" in page
    assert trial.status(later=timedelta(minutes=30)).running.verdict == "perhaps"  # type: ignore[union-attr]
    late = trial.status(later=timedelta(hours=3))
    assert late.running is not None
    assert (late.running.verdict, late.ways_out[0].kind) == ("unlikely", "rollback")
    assert "another operation (install/upgrade/rollback) is in progress" in trial.upgrade(GOOD)
    way = late.recommended
    assert way is not None
    assert (way.revision, way.check.result, way.check.changes) == (1, "works", 0)
    trial.take(way)
    trial.expect_whole()


def test_killed_when_all_was_applied(trial: ReleaseTrial) -> None:
    assert not trial.upgrade(GOOD)
    new = config_map("conf", a="2") + config_map("extra", b="1") + endless_hook("post-upgrade")
    trial.killed_upgrade(new)
    state = trial.status(later=timedelta(hours=3))
    assert states(state) == {
        "ConfigMap/conf": ("update", "applied"),
        "ConfigMap/extra": ("create", "applied"),
        "Deployment/web": ("delete", "applied"),
    }
    assert "of 3 changes that revision 2 was to make, 3 are in the cluster" in " ".join(state.story)
    way = state.recommended
    assert way is not None
    assert (way.revision, way.check.changes, way.check.by_server) == (1, 3, True)
    assert "3 objects would change" in way.check.text
    trial.take(way)
    trial.expect_whole()
    assert trial.live("configmaps", "extra") is None


def test_a_first_install_that_only_waited_is_finished(trial: ReleaseTrial) -> None:
    chart = trial.chart(GOOD)
    words = ["upgrade", "--install", RELEASE, str(chart), "--wait"]
    trial.kill_when(lambda: trial.live("deployments", "web", "/apis/apps/v1") is not None, *words)
    state = trial.status(later=timedelta(hours=3))
    assert (state.condition, state.exit_code, state.deployed) == ("pending", 3, None)
    assert state.last is not None
    assert state.last.status == "pending-install"
    assert states(state)["Deployment/web"] == ("create", "applied")
    way = state.recommended
    assert way is not None
    assert (way.kind, way.revision, way.accepts) == ("rollback", 1, ("rollback-to-failed",))
    assert "--accept 'rollback-to-failed=" in way.commands[0]
    assert ("uninstall", None, "works") in checks(state)
    trial.take(way)
    trial.expect_whole()


def test_a_first_install_with_hooks_starts_afresh(trial: ReleaseTrial) -> None:
    trial.killed_upgrade(GOOD + endless_hook("post-install"))
    state = trial.status(later=timedelta(hours=3))
    way = state.recommended
    assert way is not None
    assert (way.kind, way.check.changes) == ("uninstall", 2)
    assert way.check.by_server
    trial.take(way)
    assert trial.live("configmaps", "conf") is None
    assert not trial.upgrade(GOOD)
    trial.expect_whole()


def test_a_killed_rollback(trial: ReleaseTrial) -> None:
    hook = endless_hook("pre-rollback")
    assert not trial.upgrade(config_map("conf", a="1") + hook)
    assert not trial.upgrade(config_map("conf", a="2"))
    trial.kill_when(
        lambda: trial.live("jobs", "endless", "/apis/batch/v1") is not None, "rollback", RELEASE, "1"
    )
    state = trial.status(later=timedelta(hours=3))
    assert state.last is not None
    assert state.deployed is not None
    assert (state.last.status, state.deployed.version) == ("pending-rollback", 2)
    assert states(state) == {"ConfigMap/conf": ("update", "not applied")}
    way = state.recommended
    assert way is not None
    assert way.revision == 2
    trial.take(way)
    trial.expect_whole()


def test_an_uninstall_that_was_killed(trial: ReleaseTrial) -> None:
    assert not trial.upgrade(config_map("conf", a="1") + config_map("other", a="1"))
    path = trial.at("configmaps", "conf")
    trial.cluster.patch(path, {"metadata": {"finalizers": ["status.example.com/wait"]}}, kind="merge")

    def going() -> bool:
        found = trial.live("configmaps", "conf")
        return found is not None and "deletionTimestamp" in found["metadata"]

    trial.kill_when(going, "uninstall", RELEASE, "--wait")
    trial.cluster.patch(path, {"metadata": {"finalizers": None}}, kind="merge")
    state = trial.status(later=timedelta(hours=3))
    assert (state.condition, state.exit_code) == ("uninstalling", 3)
    assert {change for change, _ in states(state).values()} == {"delete"}
    assert checks(state) == [("uninstall", None, "works")]
    assert "has no deployed releases" in trial.run("upgrade", RELEASE, str(trial.chart(GOOD)))
    trial.take(state.recommended)
    assert not trial.upgrade(GOOD)
    trial.expect_whole()
