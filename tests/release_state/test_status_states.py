"""Releases that failed, lost a deployed revision or a record: what is told, and the way out that works."""

from __future__ import annotations

import base64
import random
import re
from datetime import timedelta

import pytest
from controlplane.definitions import wait_until_not_served
from release_records import damage, set_status
from release_trial import (
    RELEASE,
    ReleaseTrial,
    checks,
    config_map,
    deployment,
    endless_hook,
    remarks,
    states,
)
from which_helm import with_helm_3, with_helm_4

import helmguard

DEFINITION = """\
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: tickets.GROUP}
spec:
  group: GROUP
  scope: Namespaced
  names: {kind: Ticket, plural: tickets, singular: ticket}
  versions:
  - {name: v1, served: true, storage: true, schema: {openAPIV3Schema: {type: object}}}
"""
GOOD = config_map("conf", a="1") + deployment("web")


def test_deployed_and_whole(trial: ReleaseTrial) -> None:
    assert not trial.upgrade(GOOD)
    state = trial.status()
    assert (state.condition, state.exit_code, state.objects) == ("deployed", 0, 2)
    assert (state.remarks, state.ways_out, state.left_over, state.progress) == ((), (), (), None)
    assert trial.page(state).splitlines()[-1] == (
        "Deployed and whole: 2 objects are as revision 1 says. Exit 0."
    )
    assert state.record is not None
    secret = trial.cluster.get(trial.record(1))
    assert state.record.size == len(base64.b64decode(secret["data"]["release"]))


def test_drift_is_something_to_know(trial: ReleaseTrial) -> None:
    assert not trial.upgrade(GOOD)
    trial.cluster.delete(trial.at("configmaps", "conf"))
    state = trial.status()
    assert (state.condition, state.exit_code, state.drift) == ("deployed", 2, "1 object missing")
    assert checks(state) == [("rollback", 1, "works")]
    trial.take(state.recommended)
    trial.expect_whole()


def test_failed_half_way(trial: ReleaseTrial) -> None:
    assert not trial.upgrade(GOOD)
    failing = config_map("conf", a="2") + config_map("extra", b="1") + deployment("web", selector="other")
    assert "field is immutable" in trial.upgrade(failing)
    state = trial.status()
    assert (state.condition, state.exit_code) == ("last-failed", 2)
    assert states(state) == {
        "ConfigMap/conf": ("update", "applied"),
        "ConfigMap/extra": ("create", "applied"),
        "Deployment/web": ("update", "not applied"),
    }
    assert [(str(left.key), left.revision) for left in state.left_over] == [("ConfigMap/extra", 2)]
    page = trial.page(state)
    assert "revision 2 failed; revision 1 is still the deployed one" in page
    assert "not updated: spec.selector.matchLabels.app" in page
    assert "2 of 3 in the cluster" in page
    way = state.recommended
    assert way is not None
    assert (way.kind, way.revision, way.check.by_server) == ("rollback", 1, True)
    assert ("upgrade", None, "not checked") in checks(state)
    trial.take(way)
    assert trial.live("configmaps", "extra") is None
    trial.expect_whole()


def test_what_failed_revisions_left_behind(trial: ReleaseTrial) -> None:
    """The next upgrade succeeds and does not take it away; nor does it once the failed record is gone."""
    assert not trial.upgrade(GOOD)
    kept = config_map("kept", "helm.sh/resource-policy: keep", b="1")
    assert trial.upgrade(GOOD + config_map("extra", b="1") + kept + deployment("bad", replicas=-1))
    assert not trial.upgrade(GOOD)
    state = trial.status()
    assert (state.condition, state.exit_code, remarks(state)) == ("deployed", 2, {"left-over"})
    told = {str(left.key): (left.revision, left.kept) for left in state.left_over}
    assert told == {"ConfigMap/extra": (2, False), "ConfigMap/kept": (2, True)}
    trial.cluster.delete(trial.record(2))
    state = trial.status()
    told = {str(left.key): (left.revision, left.kept) for left in state.left_over}
    assert told == {"ConfigMap/extra": (0, False), "ConfigMap/kept": (0, True)}
    assert remarks(state) == {"left-over", "revisions-missing"}
    way = state.recommended
    assert way is not None
    assert (way.kind, way.check.changes, way.check.by_server) == ("delete", 1, True)
    trial.take(way)
    trial.expect_whole()
    assert trial.live("configmaps", "kept") is not None


def test_no_deployed_revision_after_a_failed_rollback(trial: ReleaseTrial) -> None:
    """The way back fails still, which the dry run tells; another one is looked for, and works."""
    assert not trial.upgrade(config_map("conf", a="1"))
    assert not trial.upgrade(config_map("conf", a="2"))
    trial.cluster.patch(trial.at("configmaps", "conf"), {"immutable": True}, kind="merge")
    assert "field is immutable" in trial.run("rollback", RELEASE, "1")
    state = trial.status()
    assert (state.condition, state.exit_code, state.deployed) == ("no-deployed", 3, None)
    assert checks(state)[:2] == [("rollback", 2, "works"), ("upgrade", None, "not checked")]
    assert state.recommended is not None
    assert state.recommended.check.changes == 0
    # Without revision 2 only what fails is left, and nothing is recommended.
    record = trial.cluster.get(trial.record(2))
    trial.cluster.delete(trial.record(2))
    state = trial.status()
    assert state.recommended is None
    assert ("rollback", 1, "fails") in checks(state)
    page = trial.page(state)
    assert "no way out passed the check" in page
    assert "fails: " in page
    for name in ("resourceVersion", "uid", "creationTimestamp", "managedFields"):
        record["metadata"].pop(name)
    trial.cluster.create(trial.at("secrets", "").rstrip("/"), record)
    trial.take(trial.status().recommended)
    state = trial.status()
    assert state.condition == "deployed"


def test_a_way_that_a_finding_refuses(trial: ReleaseTrial) -> None:
    """What a migration of the failed revision did is not undone by going back: that is not recommended."""
    hook = endless_hook("pre-upgrade").replace("name: endless", "name: db-migrate")
    assert not trial.upgrade(GOOD)
    failing = config_map("conf", a="2") + deployment("bad", replicas=-1) + hook
    assert trial.upgrade(failing, "--no-hooks")
    state = trial.status()
    assert checks(state)[0] == ("rollback", 1, "refused")
    assert state.ways_out[0].check.findings == ("rollback-data-migration",)
    assert state.recommended is None
    page = " ".join(trial.page(state).replace("\\\n", "").split())
    assert "refused: 1 danger (rollback-data-migration)" in page
    assert "--accept rollback-data-migration=REASON" in page
    assert checks(trial.status("--fail-on", "blocker"))[0] == ("rollback", 1, "works")


def test_a_killed_rollback_and_a_kind_that_is_gone(trial: ReleaseTrial) -> None:
    """Both causes are told at once; no way out works, and none is recommended."""
    group = f"{trial.namespace}.example.com"
    definition = DEFINITION.replace("GROUP", group)
    ticket = f"---\napiVersion: {group}/v1\nkind: Ticket\nmetadata: {{name: a}}\n"
    chart = trial.chart(config_map("conf", a="1") + ticket, files={"crds/tickets.yaml": definition})
    path = f"/apis/apiextensions.k8s.io/v1/customresourcedefinitions/tickets.{group}"
    try:
        for _ in range(2):
            trial.helm.run("upgrade", "--install", RELEASE, str(chart))
        set_status(trial.cluster, trial.namespace, RELEASE, 2, "pending-rollback")
        set_status(trial.cluster, trial.namespace, RELEASE, 1, "deployed")
    finally:
        trial.cluster.delete(path)
    trial.cluster.wait_for(path, lambda found: found is None)
    wait_until_not_served(trial.cluster, group)
    state = trial.status(later=timedelta(hours=3))
    assert (state.condition, state.exit_code, state.recommended) == ("pending", 3, None)
    assert "kind-not-served" in remarks(state)
    assert {check for _, _, check in checks(state)} == {"fails"}
    assert f"helm mapkubeapis {RELEASE}" in trial.page(state)
    assert "no matches for kind" in state.ways_out[0].check.text
    # Helm keeps what is served on disk for a while, and says the same in other words then.
    assert re.search("no matches for kind|could not find the requested", trial.run("rollback", RELEASE, "1"))


def test_a_failed_first_install(trial: ReleaseTrial) -> None:
    assert trial.upgrade(config_map("conf", a="1") + deployment("bad", replicas=-1))
    state = trial.status()
    assert (state.condition, state.exit_code) == ("no-deployed", 3)
    assert states(state) == {
        "ConfigMap/conf": ("create", "applied"),
        "Deployment/bad": ("create", "not applied"),
    }
    assert checks(state)[:2] == [("rollback", 1, "fails"), ("uninstall", None, "works")]
    trial.take(state.recommended)
    assert not trial.upgrade(GOOD)
    trial.expect_whole()


def test_uninstalled_with_its_history(trial: ReleaseTrial) -> None:
    kept = config_map("kept", "helm.sh/resource-policy: keep", b="1")
    assert not trial.upgrade(GOOD + kept)
    trial.helm.run("uninstall", RELEASE, "--keep-history")
    state = trial.status()
    assert (state.condition, state.exit_code) == ("uninstalled", 2)
    assert [(str(left.key), left.kept) for left in state.left_over] == [("ConfigMap/kept", True)]
    assert checks(state)[0] == ("rollback", 1, "works")
    trial.take(state.recommended)
    trial.expect_whole()


def test_only_superseded_revisions(trial: ReleaseTrial) -> None:
    assert not trial.upgrade(config_map("conf", a="1"))
    assert not trial.upgrade(config_map("conf", a="2"))
    trial.cluster.delete(trial.record(2))
    state = trial.status()
    assert (state.condition, state.exit_code) == ("no-deployed", 3)
    assert state.last is not None
    assert state.last.status == "superseded"
    trial.take(state.recommended)
    trial.expect_whole()
    assert trial.live("configmaps", "conf")["data"] == {"a": "1"}  # type: ignore[index]


def test_the_last_record_cannot_be_read(trial: ReleaseTrial) -> None:
    """Helm skips it, and then cannot write another under its name: neither upgrade nor rollback."""
    assert not trial.upgrade(config_map("conf", a="1"))
    assert not trial.upgrade(config_map("conf", a="2"))
    damage(trial.cluster, trial.namespace, RELEASE, 2)
    state = trial.status()
    assert (state.condition, state.exit_code) == ("last-unreadable", 3)
    assert "record-unreadable" in remarks(state)
    plan = helmguard.plan(RELEASE, words=["--rollback", "1", *trial.helm.helmguard_words()]).to_dict()
    for told, real in (
        (plan["failure"]["message"], trial.run("rollback", RELEASE, "1")),
        ("release: already exists", trial.upgrade(config_map("conf", a="3"))),
    ):
        assert told == "release: already exists"
        assert told in real
    way = state.recommended
    assert way is not None
    assert way.revision == 1
    name = f"sh.helm.release.v1.{RELEASE}.v2"
    assert way.commands[0] == f"kubectl get secret {name} -n {trial.namespace} -o yaml > {name}.yaml"
    assert way.commands[1] == f"kubectl delete secret {name} -n {trial.namespace}"
    trial.take(way)
    trial.expect_whole()


@with_helm_3
def test_other_records_that_cannot_be_read(trial: ReleaseTrial) -> None:
    assert not trial.upgrade(config_map("conf", a="1"))
    assert not trial.upgrade(config_map("conf", a="2"))
    damage(trial.cluster, trial.namespace, RELEASE, 1)
    state = trial.status()
    assert (state.condition, state.exit_code, remarks(state)) == ("deployed", 2, {"record-unreadable"})
    assert "Helm sees revision 2 as the last one" in trial.page(state).replace("\n  ", " ")
    damage(trial.cluster, trial.namespace, RELEASE, 2)
    state = trial.status()
    assert (state.condition, state.exit_code, state.last) == ("unreadable", 3, None)
    assert [way.kind for way in state.ways_out] == ["restore"]
    assert "to Helm it does not exist" in trial.page(state)
    assert trial.run("status", RELEASE)


def test_two_revisions_labelled_deployed(trial: ReleaseTrial) -> None:
    assert not trial.upgrade(config_map("conf", a="1"))
    assert not trial.upgrade(config_map("conf", a="2"))
    set_status(trial.cluster, trial.namespace, RELEASE, 1, "deployed")
    state = trial.status()
    assert (state.condition, state.exit_code, remarks(state)) == ("deployed", 2, {"several-deployed"})
    trial.take(state.recommended)
    trial.expect_whole()


@with_helm_4
def test_a_label_that_says_another_status(trial: ReleaseTrial) -> None:
    assert not trial.upgrade(config_map("conf", a="1"))
    trial.cluster.patch(trial.record(1), {"metadata": {"labels": {"status": "failed"}}}, kind="merge")
    state = trial.status()
    assert "label-differs" in remarks(state)
    assert state.exit_code == 2


@with_helm_3
def test_a_record_near_its_limit(trial: ReleaseTrial) -> None:
    noise = random.Random(7)
    chart = trial.chart(
        GOOD, files={"files/noise": "".join(f"{noise.getrandbits(4):x}" for _ in range(950_000))}
    )
    trial.helm.run("install", RELEASE, str(chart))
    state = trial.status()
    assert remarks(state) == {"record-size"}
    assert state.exit_code == 2
    assert state.record is not None
    assert state.record.size is not None
    assert 0.8 * 1024 * 1024 < state.record.size < 1024 * 1024


@with_helm_3
def test_a_full_history(trial: ReleaseTrial, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HELM_MAX_HISTORY", "2")
    assert not trial.upgrade(config_map("conf", a="1"))
    assert trial.status().kept.next_removed is None  # type: ignore[union-attr]
    assert not trial.upgrade(config_map("conf", a="2"))
    state = trial.status()
    assert (state.exit_code, remarks(state)) == (0, {"history-full"})
    assert state.kept is not None
    assert state.kept.next_removed == 1
    assert "the last one beside the deployed to roll back to" in trial.page(state).replace("\n  ", " ")
    trial.helm.run("upgrade", RELEASE, str(trial.chart(config_map("conf", a="3"))), "--history-max", "2")
    assert trial.cluster.find(trial.record(1)) is None


@with_helm_4
def test_records_in_config_maps(trial: ReleaseTrial, monkeypatch: pytest.MonkeyPatch) -> None:
    chart = trial.chart(config_map("conf", a="1"))
    import subprocess

    command = [str(trial.helm.binary), "install", RELEASE, str(chart)]
    driver = {"HELM_DRIVER": "configmap"}
    subprocess.run(command, env=trial.helm.environment() | driver, check=True, capture_output=True)
    with pytest.raises(helmguard.HelmguardError, match="is not in namespace"):
        trial.status()
    monkeypatch.setenv("HELM_DRIVER", "configmap")
    state = trial.status()
    assert (state.exit_code, state.driver, state.left_over) == (0, "configmap", ())
