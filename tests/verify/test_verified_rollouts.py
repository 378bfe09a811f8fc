"""Rollouts that end, and rollouts that do not, with the reason the cluster has for it."""

from __future__ import annotations

import time

import pytest
from controlplane.client import ApiError
from verify_trial import JSON, WEB, VerifyTrial, differing, reasons, states

from helmguard.cli.drift_request import read_drift_request
from helmguard.cli.verify import build_parser
from helmguard.model.plan import Plan
from helmguard.model.verification import Verification
from helmguard.verify.verify_release import verify_release


def test_what_was_planned_is_what_there_is(on_both: VerifyTrial) -> None:
    """Install, upgrade, rollback: no difference, and the workload whose pods change is waited for."""
    chart, lines = on_both.chart(), list[str]()
    verified = on_both.verify(on_both.upgrade(chart), progress=lines.append)
    assert (differing(verified), verified.trouble, verified.unknown) == ([], (), ())
    assert states(verified) == {"Deployment/web": "done"}
    assert verified.ok
    assert verified.compared == 3
    assert "Deployment/web: 2 of 2 pods ready" in lines
    assert verified.rollouts[0].words == "2 of 2 pods ready"

    plan = on_both.upgrade(chart, "--set", "image=web:2,password=other-Zq82")
    verified = on_both.verify(plan)
    assert (verified.ok, differing(verified), states(verified)) == (True, [], {"Deployment/web": "done"})

    plan = on_both.plan_rollback(1)
    on_both.helm.run("rollback", "rel", "1")
    verified = on_both.verify(plan)
    assert (verified.ok, differing(verified), states(verified)) == (True, [], {"Deployment/web": "done"})
    assert verified.revision == 3


def test_what_does_not_restart_is_not_waited_for(on_helm_4: VerifyTrial) -> None:
    chart = on_helm_4.chart()
    on_helm_4.upgrade(chart)
    verified = on_helm_4.verify(on_helm_4.upgrade(chart, "--set", "password=other-Zq82"))
    assert (verified.ok, verified.rollouts) == (True, ())


def test_no_node_can_take_the_pods(on_helm_4: VerifyTrial) -> None:
    chart = on_helm_4.chart()
    on_helm_4.upgrade(chart)
    plan = on_helm_4.upgrade(chart, "--set", "node=nowhere")
    on_helm_4.wait_for_pods(lambda pods: any(_unschedulable(pod) for pod in pods))
    verified = on_helm_4.verify(plan, timeout=1.0)
    assert (verified.ok, states(verified)) == (False, {"Deployment/web": "stuck"})
    assert "no node can take it" in reasons(verified)
    assert "didn't match Pod's node affinity/selector" in reasons(verified)


def _unschedulable(pod: JSON) -> bool:
    conditions = (pod.get("status") or {}).get("conditions") or ()
    return any(each.get("reason") == "Unschedulable" for each in conditions)


def test_no_progress_in_time_is_a_failure(on_helm_4: VerifyTrial) -> None:
    chart = on_helm_4.chart()
    plan = on_helm_4.upgrade(chart, "--set", "node=nowhere,deadline=1")
    verified = on_helm_4.verify(plan, timeout=15.0)
    assert states(verified) == {"Deployment/web": "failed"}
    assert verified.rollouts[0].words.startswith("no progress for 1 seconds")
    assert "no node can take it" in reasons(verified)


def test_a_quota_refuses_the_pods(on_helm_4: VerifyTrial) -> None:
    quota = {"metadata": {"name": "few"}, "spec": {"hard": {"pods": "1"}}}
    on_helm_4.cluster.create(on_helm_4.at("resourcequotas"), quota)
    on_helm_4.cluster.wait_for(
        on_helm_4.at("resourcequotas", "few"), lambda found: "hard" in (found or {}).get("status", {})
    )
    plan = on_helm_4.upgrade(on_helm_4.chart())
    verified = _when_it_hangs(on_helm_4, plan)
    assert states(verified) == {"Deployment/web": "stuck"}
    assert "pods cannot be created" in reasons(verified)
    assert "exceeded quota: few" in reasons(verified)


def test_admission_refuses_the_pods(on_helm_4: VerifyTrial) -> None:
    name = f"verify-{on_helm_4.namespace}"
    policies = "/apis/admissionregistration.k8s.io/v1/validatingadmissionpolicies"
    bindings = f"{policies[: -len('policies')]}policybindings"
    rule = {"apiGroups": [""], "apiVersions": ["v1"], "operations": ["CREATE"], "resources": ["pods"]}
    matches = {
        "resourceRules": [rule],
        "namespaceSelector": {"matchLabels": {"kubernetes.io/metadata.name": on_helm_4.namespace}},
    }
    validation = {
        "expression": "has(object.metadata.labels) && 'team' in object.metadata.labels",
        "message": "pods need a team",
    }
    spec = {"failurePolicy": "Fail", "matchConstraints": matches, "validations": [validation]}
    cluster = on_helm_4.cluster
    cluster.create(policies, {"metadata": {"name": name}, "spec": spec})
    try:
        cluster.create(
            bindings,
            {"metadata": {"name": name}, "spec": {"policyName": name, "validationActions": ["Deny"]}},
        )
        _wait_until_refused(on_helm_4)
        verified = _when_it_hangs(on_helm_4, on_helm_4.upgrade(on_helm_4.chart()))
    finally:
        cluster.remove(f"{bindings}/{name}")
        cluster.remove(f"{policies}/{name}")
    assert states(verified) == {"Deployment/web": "stuck"}
    assert "pods need a team" in reasons(verified)


def _wait_until_refused(trial: VerifyTrial) -> None:
    """A policy takes effect a moment after it is stored."""
    pod = {"metadata": {"name": "probe"}, "spec": {"containers": [{"name": "a", "image": "a:1"}]}}

    deadline = time.monotonic() + 30
    while True:
        try:
            trial.cluster.create(trial.at("pods"), pod, dry_run=True)
        except ApiError as error:
            if "pods need a team" in str(error):
                return
        assert time.monotonic() < deadline
        time.sleep(0.1)


def _when_it_hangs(trial: VerifyTrial, plan: Plan) -> Verification:
    """Once the Deployment has learnt of the refusal."""
    trial.cluster.wait_for(
        trial.web(),
        lambda found: any(
            each["type"] == "ReplicaFailure" for each in (found or {}).get("status", {}).get("conditions", ())
        ),
    )
    return trial.verify(plan, timeout=1.0)


@pytest.mark.parametrize(
    ("waiting", "said"),
    [
        (
            {"reason": "CreateContainerConfigError", "message": 'configmap "settings" not found'},
            'CreateContainerConfigError: configmap "settings" not found',
        ),
        (
            {"reason": "ImagePullBackOff", "message": "Back-off pulling image"},
            "ImagePullBackOff for web:1: Back-off pulling image",
        ),
    ],
    ids=["configmap", "image"],
)
def test_a_container_that_does_not_start(on_helm_4: VerifyTrial, waiting: dict[str, str], said: str) -> None:
    """There is no kubelet, so what one would write stands in by hand, on pods of a node that is not there."""
    ghost = WEB.replace("      nodeSelector", "      nodeName: ghost\n      nodeSelector")
    plan = on_helm_4.upgrade(on_helm_4.chart({"web": ghost}), "--set", "replicas=1")
    (pod,) = on_helm_4.wait_for_pods(lambda pods: len(pods) == 1)
    status = {"name": "web", "image": "web:1", "imageID": "", "ready": False, "restartCount": 0}
    body = {"status": {"containerStatuses": [{**status, "state": {"waiting": waiting}}]}}
    on_helm_4.cluster.patch(f"{on_helm_4.at('pods', pod['metadata']['name'])}/status", body)
    verified = on_helm_4.verify(plan, timeout=0.0)
    assert states(verified) == {"Deployment/web": "stuck"}
    assert said in reasons(verified)


HOOK = """\
apiVersion: batch/v1
kind: Job
metadata:
  name: migrate
  annotations: {helm.sh/hook: "post-install,post-upgrade"}
spec:
  template:
    spec:
      restartPolicy: Never
      nodeSelector: {for: {{ .Release.Namespace }}}
      tolerations: [{key: for, operator: Exists}]
      containers: [{name: migrate, image: migrate:1}]
"""
JOB = HOOK.replace("name: migrate\n  annotations", "name: bare\n  labels").replace(
    '{helm.sh/hook: "post-install,post-upgrade"}', "{a: b}"
)


def test_jobs_and_hooks(on_both: VerifyTrial) -> None:
    """kwok completes the pods of Jobs, so both end well."""
    plan = on_both.upgrade(on_both.chart({"web": WEB, "hook": HOOK, "job": JOB}))
    verified = on_both.verify(plan)
    assert [(hook.event, hook.name, hook.state) for hook in verified.hooks] == [
        ("post-install", "migrate", "succeeded")
    ]
    assert states(verified) == {"Deployment/web": "done", "Job/bare": "done"}
    assert differing(verified) == []
    assert verified.ok


RANDOM = """\
apiVersion: v1
kind: ConfigMap
metadata: {name: conf-{{ randAlphaNum 5 | lower }}}
data: {a: {{ randAlphaNum 8 }}}
---
apiVersion: v1
kind: Secret
metadata: {name: made}
stringData: {password: {{ randAlphaNum 12 }}}
"""
SHORT_LIVED = JOB.replace("spec:\n  template", "spec:\n  ttlSecondsAfterFinished: 0\n  template")


def test_what_nobody_can_foretell_is_no_alarm(on_both: VerifyTrial) -> None:
    """Values and names rendered at random, and a Job that a controller removes once it is done."""
    chart = on_both.chart({"web": WEB, "random": RANDOM, "job": SHORT_LIVED})
    verified = on_both.verify(on_both.upgrade(chart))
    assert (differing(verified), verified.trouble) == ([], ())
    assert states(verified) == {"Deployment/web": "done", "Job/bare": "done"}
    (unknown,) = verified.unknown
    assert unknown.what.startswith("ConfigMap/conf-")
    assert verified.ok
    gone = on_both.at("jobs", "bare", "/apis/batch/v1")
    on_both.cluster.wait_for(gone, lambda found: found is None)
    options = build_parser().parse(["rel", *on_both.words()])
    verified = verify_release(read_drift_request(options)).verification
    assert (differing(verified), verified.ok) == ([], True)
    assert states(verified) == {"Deployment/web": "done"}
