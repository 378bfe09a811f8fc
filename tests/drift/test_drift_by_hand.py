"""What hands do to a release, and what the next upgrade makes of it: said, then done."""

from __future__ import annotations

import pytest
from drift_trial import RELEASE, SETTINGS, TICKET, TICKETS, WEB, DriftTrial, counts, fields, names


def test_scaled_by_hand(trial: DriftTrial) -> None:
    chart = trial.install(trial.chart({"web": WEB}))
    trial.scale(7)
    plan = trial.drift()
    ((name, path, live, release),) = fields(plan)["conflict" if trial.is_helm_4 else "drift reverted"]
    assert (name, path, live, release) == ("Deployment/web", "spec.replicas", 7, 3)
    assert plan["resources"][0]["changes"][0]["manager"] == "kubectl (scale)"
    if trial.is_helm_4:
        assert (plan["exitCode"], counts(plan)) == (3, {"conflicts": 1})
        assert "conflict with" in plan["failure"]["message"]
        assert "7, release says 3" in trial.page()
    else:
        assert (plan["exitCode"], counts(plan)) == (2, {"reverted": 1})
        assert "7 → 3" in trial.page()
    trial.expect_truth(plan, chart)
    assert (trial.drift()["exitCode"] == 0) is not trial.is_helm_4


def test_taking_a_field_over(trial: DriftTrial) -> None:
    if not trial.is_helm_4:
        pytest.skip("Helm 3 has no --force-conflicts")
    chart = trial.install(trial.chart({"web": WEB}))
    trial.scale(7)
    plan = trial.drift("--force-conflicts")
    assert (plan["exitCode"], counts(plan)) == (2, {"reverted": 1})
    assert "taken over by force" in trial.page("--force-conflicts")
    trial.expect_truth(plan, chart, "--force-conflicts")
    assert trial.drift()["exitCode"] == 0


def test_scaled_there_and_back(trial: DriftTrial) -> None:
    """Equal values, another owner: under server-side apply the next change of the chart fails."""
    chart = trial.install(trial.chart({"web": WEB}))
    trial.scale(2)
    trial.scale(3)
    plan = trial.drift()
    trial.expect_truth(plan, chart)
    if not trial.is_helm_4:
        assert (plan["exitCode"], counts(plan)) == (0, {})
        return
    assert (plan["exitCode"], counts(plan)) == (2, {"latent": 1})
    assert fields(plan)["latent owner"] == [("Deployment/web", "spec.replicas", 3, 3)]
    assert "Latent   1 field" in trial.page()
    later = trial.helm.run("upgrade", RELEASE, chart, "--set", "replicas=4", check=False)
    assert "conflict with" in later.stderr
    assert ".spec.replicas" in later.stderr


def test_an_autoscaler_owns_what_the_chart_declares(trial: DriftTrial) -> None:
    chart = trial.install(trial.chart({"web": WEB}))
    trial.scale(5, "kube-controller-manager")
    plan = trial.drift()
    assert counts(plan) == ({"conflicts": 1} if trial.is_helm_4 else {"reverted": 1})
    trial.expect_truth(plan, chart)


def test_an_autoscaler_owns_what_the_chart_leaves_to_it(trial: DriftTrial) -> None:
    chart = trial.install(trial.chart({"web": WEB.replace("  replicas: {{ .Values.replicas }}\n", "")}))
    trial.scale(5, "kube-controller-manager")
    plan = trial.drift()
    assert (plan["exitCode"], counts(plan)) == (0, {})
    trial.expect_truth(plan, chart)


def test_a_custom_resource_patched_by_hand(trial: DriftTrial) -> None:
    chart = trial.install(trial.chart({"ticket": TICKET, "crds/tickets.yaml": TICKETS}))
    ticket = trial.at("tickets", "ticket", "/apis/drift.example.com/v1")
    trial.patch(ticket, {"spec": {"mode": "DANGEROUS"}}, "kubectl-patch")
    plan = trial.drift()
    cause = "conflict" if trial.is_helm_4 else "drift kept"
    assert fields(plan)[cause] == [("Ticket/ticket", "spec.mode", "DANGEROUS", "safe")]
    assert plan["exitCode"] == (3 if trial.is_helm_4 else 2)
    trial.expect_truth(plan, chart)
    assert trial.cluster.get(ticket)["spec"]["mode"] == "DANGEROUS"


def test_deleted_by_hand(trial: DriftTrial) -> None:
    chart = trial.install(trial.chart({"settings": SETTINGS, "web": WEB}))
    trial.cluster.delete(trial.at("configmaps", "settings"))
    plan = trial.drift()
    assert names(plan["drift"]["missing"]) == ["ConfigMap/settings"]
    assert (plan["exitCode"], counts(plan)) == (2, {"missing": 1})
    page = trial.page()
    assert "Missing  1 object" in page
    assert page.splitlines()[-1] == "Drift: 1 object missing. Exit 2."
    trial.expect_truth(plan, chart)
    assert trial.drift()["exitCode"] == 0


def test_what_others_add_is_kept(trial: DriftTrial) -> None:
    chart = trial.install(trial.chart({"settings": SETTINGS, "web": WEB}))
    trial.patch(trial.at("configmaps", "settings"), {"data": {"hand": "made"}})
    trial.patch(trial.web(), {"metadata": {"labels": {"team": "shop"}}}, "kubectl-label")
    sidecar = {"name": "proxy", "image": "registry.example.com/proxy:1"}
    spec = {"containers": [sidecar, {"name": "web", "env": [{"name": "EXTRA", "value": "1"}]}]}
    trial.cluster.patch(
        trial.web(), {"spec": {"template": {"spec": spec}}}, kind="strategic", field_manager="injector"
    )
    plan = trial.drift()
    assert {path for _, path, _, _ in fields(plan)["drift kept"]} == {
        "data.hand",
        "metadata.labels.team",
        "spec.template.spec.containers[name=proxy]",
        "spec.template.spec.containers[name=web].env[name=EXTRA]",
    }
    assert plan["exitCode"] == 2
    assert set(counts(plan)) == {"kept"}
    changes = [change for item in plan["resources"] for change in item["drift"]]
    assert all(change["since"].endswith("Z") for change in changes)
    assert {change["manager"] for change in changes} == {"kubectl-edit", "kubectl-label", "injector"}
    trial.expect_truth(plan, chart)


def test_removed_by_hand(trial: DriftTrial) -> None:
    """What is gone has no owner: Helm sets it back either way."""
    chart = trial.install(trial.chart({"settings": SETTINGS, "web": WEB}))
    trial.patch(trial.at("configmaps", "settings"), {"data": {"b": None}})
    plan = trial.drift()
    assert (plan["exitCode"], counts(plan)) == (2, {"reverted": 1})
    trial.expect_truth(plan, chart)
    assert trial.drift()["exitCode"] == 0


def test_one_conflict_does_not_hide_the_rest_of_the_object(trial: DriftTrial) -> None:
    chart = trial.install(trial.chart({"web": WEB}))
    trial.scale(7)
    trial.patch(trial.web(), {"metadata": {"labels": {"team": "shop"}}}, "kubectl-label")
    plan = trial.drift()
    expected = {"conflicts": 1, "kept": 1} if trial.is_helm_4 else {"reverted": 1, "kept": 1}
    assert counts(plan) == expected
    trial.expect_truth(plan, chart)


def test_what_controllers_and_webhooks_fill_in_is_no_drift(trial: DriftTrial) -> None:
    hook = f"""\
apiVersion: admissionregistration.k8s.io/v1
kind: MutatingWebhookConfiguration
metadata: {{name: {trial.namespace}}}
webhooks:
- name: a.drift.example.com
  admissionReviewVersions: [v1]
  sideEffects: None
  failurePolicy: Ignore
  objectSelector: {{matchLabels: {{drift.example.com/never: "set"}}}}
  rules: [{{apiGroups: [drift.example.com], apiVersions: [v1], operations: [CREATE], resources: [tickets]}}]
  clientConfig: {{service: {{name: none, namespace: default}}}}
"""
    chart = trial.install(trial.chart({"web": WEB, "hook": hook}))
    path = f"/apis/admissionregistration.k8s.io/v1/mutatingwebhookconfigurations/{trial.namespace}"
    change = [{"op": "add", "path": "/webhooks/0/clientConfig/caBundle", "value": "QUJD"}]
    trial.cluster.patch(path, change, kind="json", field_manager="kube-webhook-certgen")
    trial.cluster.wait_for(
        trial.web(),
        lambda found: "deployment.kubernetes.io/revision" in found["metadata"].get("annotations", {}),
    )
    try:
        plan = trial.drift()
        assert (plan["exitCode"], counts(plan)) == (0, {})
        trial.expect_truth(plan, chart)
    finally:
        trial.helm.run("uninstall", RELEASE)
