"""Releases, records and objects in states that must not pass for "no drift"."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from controlplane.definitions import wait_until_not_served
from controlplane.permissions import grant
from drift_trial import RELEASE, SETTINGS, TICKET, TICKETS, WEB, DriftTrial, counts, fields, names
from release_records import damage, set_status
from which_helm import with_helm_3, with_helm_4

import helmguard

RECORDS = {"apiGroups": [""], "resources": ["secrets"], "verbs": ["get", "list"]}
MAPS = {"apiGroups": [""], "resources": ["configmaps"], "verbs": ["get", "list"]}


def installed(trial: DriftTrial, *words: str) -> Path:
    return trial.install(trial.chart({"settings": SETTINGS, "web": WEB}), *words)


def test_a_pending_release_is_refused_and_its_drift_is_told_all_the_same(trial: DriftTrial) -> None:
    chart = installed(trial)
    trial.install(chart, "--set", "a=2")
    set_status(trial.cluster, trial.namespace, RELEASE, 2, "pending-upgrade")
    set_status(trial.cluster, trial.namespace, RELEASE, 1, "deployed")
    trial.cluster.delete(trial.at("configmaps", "settings"))
    trial.scale(7)
    plan = trial.drift()
    assert plan["exitCode"] == 3
    assert plan["findings"][0]["rule"] in ("release-pending", "drift-conflict-ssa")
    assert "release-pending" in {finding["rule"] for finding in plan["findings"]}
    assert (plan["release"]["fromRevision"], plan["release"]["toRevision"]) == (1, None)
    assert plan["release"]["changed"].startswith("20")
    assert counts(plan) == {"missing": 1, "conflicts" if trial.is_helm_4 else "reverted": 1}
    page = trial.page()
    assert f"revision 2 is pending-upgrade since {plan['release']['changed'][:10]}" in page
    assert f"helm rollback {RELEASE} 1 -n {trial.namespace}" in page
    assert page.splitlines()[-1].endswith("Exit 3.")
    real = trial.helm.run("upgrade", RELEASE, chart, check=False)
    assert plan["failure"]["message"] in real.stderr


@with_helm_3
def test_a_first_install_that_is_pending(trial: DriftTrial) -> None:
    installed(trial)
    set_status(trial.cluster, trial.namespace, RELEASE, 1, "pending-install")
    trial.cluster.delete(trial.at("configmaps", "settings"))
    plan = trial.drift()
    assert (plan["exitCode"], counts(plan)) == (3, {"missing": 1})


def test_a_failed_revision_leaves_something_behind(trial: DriftTrial) -> None:
    """Helm compares with the last deployed revision: what the failed one brought is nobody's."""
    chart = installed(trial)
    more = SETTINGS.replace("name: settings", "name: extra")
    broken = WEB.replace("name: web}\nspec", "name: web2}\nspec").replace(
        "replicas: {{ .Values.replicas }}", "replicas: -1"
    )
    failing = trial.chart({"settings": SETTINGS, "web": WEB, "extra": more, "web2": broken})
    failed = trial.helm.run("upgrade", RELEASE, failing, check=False)
    assert "UPGRADE FAILED" in failed.stderr
    plan = trial.drift()
    (left,) = plan["drift"]["leftOver"]
    assert (left["resource"]["name"], left["revision"], left["revisionStatus"]) == ("extra", 2, "failed")
    assert left["kept"] is False
    # What the failed revision left is a danger (last-failed-partial), and so at the gate.
    assert (plan["exitCode"], counts(plan)) == (3, {"leftOver": 1})
    assert trial.drift("--fail-on", "blocker")["exitCode"] == 2
    assert plan["release"]["status"] == "failed"
    assert "revision 2 failed" in trial.page()
    trial.expect_truth(plan, chart)
    # Nothing takes it away.
    assert counts(trial.drift()) == {"leftOver": 1}
    assert trial.cluster.find(trial.at("configmaps", "extra")) is not None


def test_what_is_kept_on_purpose_is_no_drift(trial: DriftTrial) -> None:
    kept = SETTINGS.replace(
        "{name: settings}", "name: kept\n  annotations: {helm.sh/resource-policy: keep}"
    ).replace("metadata: name", "metadata:\n  name")
    trial.install(trial.chart({"settings": SETTINGS, "kept": kept}))
    trial.install(trial.chart({"settings": SETTINGS}))
    plan = trial.drift()
    assert (plan["exitCode"], counts(plan)) == (0, {"keptOnPurpose": 1})
    assert "1 kept on purpose" in trial.page()


def test_marks_of_another_release(trial: DriftTrial) -> None:
    chart = installed(trial)
    marks = {"annotations": {"meta.helm.sh/release-name": "other"}}
    trial.patch(trial.at("configmaps", "settings"), {"metadata": marks}, "kubectl-annotate")
    trial.patch(
        trial.web(), {"metadata": {"labels": {"app.kubernetes.io/managed-by": None}}}, "kubectl-label"
    )
    plan = trial.drift()
    told = {
        entry["resource"]["name"]: [(mark["path"], mark["before"], mark["cause"]) for mark in entry["fields"]]
        for entry in plan["drift"]["ownership"]
    }
    conflict = "conflict" if trial.is_helm_4 else "drift reverted"
    assert told == {
        "settings": [('metadata.annotations["meta.helm.sh/release-name"]', "other", conflict)],
        "web": [('metadata.labels["app.kubernetes.io/managed-by"]', None, "drift reverted")],
    }
    assert plan["exitCode"] >= (3 if trial.is_helm_4 else 2)
    assert counts(plan) == {"ownership": 2}
    trial.expect_truth(plan, chart)


def test_an_object_that_is_being_deleted(trial: DriftTrial) -> None:
    installed(trial)
    path = trial.at("configmaps", "settings")
    trial.patch(path, {"metadata": {"finalizers": ["drift.example.com/wait"]}})
    trial.cluster.delete(path)
    try:
        plan = trial.drift()
        (going,) = plan["drift"]["beingDeleted"]
        assert going["finalizers"] == ["drift.example.com/wait"]
        assert going["since"].endswith("Z")
        assert plan["exitCode"] >= 2
        assert "waits for drift.example.com/wait" in trial.page()
    finally:
        trial.patch(path, {"metadata": {"finalizers": None}})


def test_a_kind_that_is_no_longer_served(trial: DriftTrial) -> None:
    """Every upgrade is refused, and the drift of the other objects is told all the same."""
    group = f"{trial.namespace}.example.com"
    crd, ticket = (text.replace("drift.example.com", group) for text in (TICKETS, TICKET))
    chart = trial.install(trial.chart({"settings": SETTINGS, "ticket": ticket, "crds/tickets.yaml": crd}))
    definition = f"/apis/apiextensions.k8s.io/v1/customresourcedefinitions/tickets.{group}"
    trial.cluster.delete(definition)
    trial.cluster.wait_for(definition, lambda found: found is None)
    wait_until_not_served(trial.cluster, group)
    trial.cluster.delete(trial.at("configmaps", "settings"))
    plan = trial.drift()
    assert plan["exitCode"] == 3
    assert counts(plan) == {"missing": 1, "notServed": 1}
    assert names(plan["drift"]["notServed"]) == ["Ticket/ticket"]
    assert {finding["severity"] for finding in plan["findings"]} == {"blocker"}
    assert "mapkubeapis" in trial.page()
    real = trial.helm.run("upgrade", RELEASE, chart, "--skip-crds", check=False)
    assert "no matches for kind" in real.stderr
    assert plan["failure"]["message"].splitlines()[0] in real.stderr


@with_helm_4
def test_what_may_not_be_read_is_not_known(trial: DriftTrial) -> None:
    installed(trial)
    limited = trial.cluster.as_limited()
    words = [*trial.cluster_words(), "--kubeconfig", str(limited.kubeconfig)]
    with pytest.raises(helmguard.HelmguardError, match="the release records cannot be read"):
        helmguard.drift(RELEASE, words)
    grant(trial.cluster, trial.namespace, [RECORDS, MAPS])
    plan = helmguard.drift(RELEASE, words).to_dict()
    assert (plan["exitCode"], counts(plan)) == (2, {"notRead": 1})
    assert "forbidden" in {entry["what"]: entry["why"] for entry in plan["unknown"]}["Deployment/web"]
    report = helmguard.drift_releases(words)
    assert (report.exit_code, report.unread) == (2, ())


@with_helm_3
def test_records_that_cannot_be_read(trial: DriftTrial) -> None:
    chart = installed(trial)
    trial.install(chart, "--set", "a=2")
    damage(trial.cluster, trial.namespace, RELEASE, 1)
    plan = trial.drift()
    assert plan["exitCode"] == 0
    assert plan["release"]["damaged"][0].startswith(f"sh.helm.release.v1.{RELEASE}.v1: ")
    damage(trial.cluster, trial.namespace, RELEASE, 2)
    with pytest.raises(helmguard.HelmguardError, match=f"no record of release '{RELEASE}' can be read"):
        trial.drift()
    with pytest.raises(helmguard.HelmguardError, match="release 'nothing' is not in namespace"):
        trial.drift(release="nothing")


@with_helm_3
def test_an_uninstalled_release_has_nothing_to_miss(trial: DriftTrial) -> None:
    kept = SETTINGS.replace("name: settings", "name: settings, annotations: {helm.sh/resource-policy: keep}")
    trial.install(trial.chart({"settings": kept, "web": WEB}))
    trial.helm.run("uninstall", RELEASE, "--keep-history")
    plan = trial.drift()
    assert plan["resources"] == []
    assert counts(plan) == {"keptOnPurpose": 1}
    assert helmguard.drift_releases(trial.cluster_words()).plans == ()


@with_helm_4
def test_in_a_bundle(trial: DriftTrial, tmp_path: Path) -> None:
    from helmguard_program import Helmguard
    from live_state import program_for

    chart = installed(trial)
    trial.scale(7)
    program: Helmguard = program_for(trial.helm)
    program.run("bundle", RELEASE, chart, "-o", str(tmp_path / "bundle")).expect(0)
    online, offline = trial.drift(), helmguard.drift_bundle(tmp_path / "bundle").to_dict()
    assert fields(offline) == fields(online)
    assert offline["drift"] == online["drift"]
    assert offline["exitCode"] == online["exitCode"] == 3
    ended = program.run("drift", "--bundle", str(tmp_path / "bundle"), "--force-conflicts").expect(2)
    assert "taken over by force" in ended.out
    moved = (
        replace(program, kubeconfig=None).run("drift", "--bundle", str(tmp_path / "bundle"), "-q").expect(3)
    )
    assert moved.out.endswith("Exit 3.\n")
