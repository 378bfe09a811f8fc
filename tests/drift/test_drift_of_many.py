"""Several releases at once: every one is told, none is taken for one without drift that was not read."""

from __future__ import annotations

import json
import uuid
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from controlplane.helm import Helm
from drift_trial import SETTINGS, WEB, DriftTrial, counts
from helmguard_program import Ended
from jsonschema import Draft202012Validator
from live_state import program_for
from release_records import damage, set_status
from which_helm import with_helm_3, with_helm_4

import helmguard
from helmguard.cluster.connect import connect
from helmguard.cluster.kube_options import KubeOptions
from helmguard.cluster.release_index import read_release_index
from helmguard.errors import HelmguardError
from helmguard.planner.drift_base import base_revision
from helmguard.planner.drift_reading import read_stored_history

SCHEMA = json.loads((Path(__file__).parents[2] / "docs" / "plan.schema.json").read_text())


@pytest.fixture
def family(trial: DriftTrial) -> Iterator[str]:
    """The beginning of names that no other release of the cluster has; with a second namespace for them."""
    name = f"f{uuid.uuid4().hex[:8]}"
    trial.cluster.create("/api/v1/namespaces", {"metadata": {"name": f"{name}-more"}})
    yield name
    trial.cluster.remove(f"/api/v1/namespaces/{name}-more")


def second(trial: DriftTrial, family: str) -> Helm:
    return replace(trial.helm, namespace=f"{family}-more")


def everywhere(trial: DriftTrial, family: str, *words: str) -> helmguard.DriftReport:
    binary = str(trial.helm.binary)
    return helmguard.drift_releases(["-A", "--filter", f"^{family}", "--helm-bin", binary, *words])


def test_all_namespaces(trial: DriftTrial, family: str) -> None:
    settings = trial.chart({"settings": SETTINGS})
    trial.helm.run("install", f"{family}-quiet", trial.chart({"web": WEB}))
    trial.helm.run("install", f"{family}-gone", settings)
    second(trial, family).run("install", f"{family}-away", settings)
    second(trial, family).run("install", f"{family}-left", trial.chart({}))
    second(trial, family).run("uninstall", f"{family}-left", "--keep-history")
    trial.cluster.delete(trial.at("configmaps", "settings"))
    report = everywhere(trial, family)
    found = {plan.release.name.removeprefix(f"{family}-"): plan.to_dict() for plan in report.plans}
    assert {name: (plan["exitCode"], counts(plan)) for name, plan in found.items()} == {
        "quiet": (0, {}),
        "gone": (2, {"missing": 1}),
        "away": (0, {}),
    }
    assert found["away"]["release"]["namespace"] == f"{family}-more"
    assert report.exit_code == 2
    # One alone says the same as all together.
    alone = trial.drift(release=f"{family}-gone")
    together = next(plan for plan in report.plans if plan.release.name == f"{family}-gone")
    assert together.to_dict(show_secrets=True) == {**alone, "fingerprint": together.fingerprint}

    document = json.loads(json.dumps(report.to_dict()))
    assert document["formatVersion"] == "helmguard.drift/v1"
    for plan in document["releases"]:
        assert [error.message for error in Draft202012Validator(SCHEMA).iter_errors(plan)] == []
    assert [len(plan["resources"]) for plan in document["releases"]] == [0, 1, 0] or len(
        [plan for plan in document["releases"] if plan["resources"]]
    ) == 1
    summary = document["summary"]
    assert (summary["releases"], summary["withDrift"], summary["missing"], summary["notKnown"]) == (
        3,
        1,
        1,
        0,
    )


@with_helm_4
def test_what_cannot_be_read_is_never_without_drift(trial: DriftTrial, family: str) -> None:
    chart = trial.chart({"settings": SETTINGS})
    trial.helm.run("install", f"{family}-broken", chart)
    damage(trial.cluster, trial.namespace, f"{family}-broken", 1)
    nothing = everywhere(trial, family)
    assert [each.name for each in nothing.unread] == [f"{family}-broken"]
    assert nothing.exit_code == 1

    second(trial, family).run("install", f"{family}-fine", chart)
    report = everywhere(trial, family)
    assert report.exit_code == 2
    document = report.to_dict()
    (unknown,) = document["unknown"]
    assert (unknown["release"], unknown["namespace"]) == (f"{family}-broken", trial.namespace)
    assert "gzip" in unknown["why"]
    assert document["summary"]["notKnown"] == 1

    words = ["drift", "-A", "--filter", f"^{family}"]
    page = program_for(trial.helm).run(*words).expect(2).out
    assert f"? {trial.namespace}/{family}-broken" in page
    assert "and 1 release without drift" in page
    assert page.splitlines()[-1] == "No drift found; 1 not fully known. Exit 2."


@with_helm_3
def test_a_pending_release_among_others(trial: DriftTrial, family: str) -> None:
    trial.helm.run("install", f"{family}-stuck", trial.chart({"settings": SETTINGS}))
    set_status(trial.cluster, trial.namespace, f"{family}-stuck", 1, "pending-install")
    report = everywhere(trial, family)
    assert report.exit_code == 3
    page = program_for(trial.helm).run("drift").expect(3).out
    assert "pending-install" in page
    assert "the next upgrade of 1 will fail or be refused" in page


@with_helm_4
def test_which_releases(trial: DriftTrial, family: str, inside: Callable[..., Ended]) -> None:
    chart = trial.chart({})
    trial.helm.run("install", f"{family}-a", chart, "--labels", "team=shop")
    trial.helm.run("install", f"{family}-b", chart)
    second(trial, family).run("install", f"{family}-c", chart)

    def names(*words: str) -> list[str]:
        document = inside("drift", *words, "-o", "json").expect(0).json
        return [plan["release"]["name"].removeprefix(f"{family}-") for plan in document["releases"]]

    assert names() == ["a", "b"]
    assert names("-n", f"{family}-more") == ["c"]
    assert sorted(names("-A", "--filter", family)) == ["a", "b", "c"]
    assert names("--filter", "-b$") == ["b"]
    assert names("-l", "team=shop") == ["a"]
    assert names("-l", "team!=shop") == ["b"]
    trial.helm.run("upgrade", f"{family}-a", chart, "--labels", "team=ops")
    inside("drift", "-l", "team=shop").expect_error("no release fits the filter")
    inside("drift", "--filter", "nothing").expect_error("no release fits the filter")
    inside("drift", "--filter", "(").expect_error("is not a regular expression")
    empty = inside("drift", "-n", "kube-public").expect(0).out
    assert empty == "There is no release: nothing was compared. Exit 0.\n"
    inside("drift", "-n", f"{family}-none").expect_error(f"there is no namespace '{family}-none'")


@with_helm_3
def test_an_upgrade_between_the_list_and_the_reading(trial: DriftTrial, family: str) -> None:
    """Else the new objects would be compared with the old manifest."""
    chart = trial.chart({"settings": SETTINGS})
    trial.helm.run("install", f"{family}-a", chart)
    connection = connect(KubeOptions(namespace=trial.namespace))
    (listed,) = read_release_index(connection, trial.namespace)
    trial.helm.run("upgrade", f"{family}-a", chart, "--set", "a=2")
    history = read_stored_history(connection, listed)
    base = base_revision(history)
    assert base is not None
    assert (base.version, base.label_status) == (2, "deployed")


@with_helm_3
def test_who_may_not_list_the_records(trial: DriftTrial) -> None:
    words = ["-A", *trial.cluster_words(), "--kubeconfig", str(trial.cluster.as_limited().kubeconfig)]
    with pytest.raises(HelmguardError, match="the release records cannot be listed") as raised:
        helmguard.drift_releases(words)
    assert "cluster role" in raised.value.remedy
