"""The drift of made-up releases, without a cluster: what the real one cannot show at will."""

from __future__ import annotations

from typing import Any

import pytest

from helmguard.compare.object_drift import drift_of
from helmguard.manifest.yaml import load
from helmguard.masking.masker import Masker
from helmguard.model.apply_options import ApplyOptions
from helmguard.model.helm_version import HelmVersion
from helmguard.model.live_state import Absent, KindNotServed, LiveState, Present, Unreadable
from helmguard.model.plan import Plan
from helmguard.model.release import History, Revision
from helmguard.model.resource_key import ResourceKey
from helmguard.planner.drift_base import base_revision
from helmguard.planner.drift_plan import drift_inputs, make_drift_plan
from helmguard.report.drift_json import drift_counts
from helmguard.report.drift_page import render_drift
from helmguard.report.exit_code import exit_code
from helmguard.report.page import Page

MAP = """\
apiVersion: v1
kind: ConfigMap
metadata: {name: NAME}
data: {a: "1"}
"""
BUDGET = """\
apiVersion: policy/v1beta1
kind: PodDisruptionBudget
metadata: {name: budget}
spec: {minAvailable: 1, selector: {matchLabels: {app: web}}}
"""
MARKS = {
    "labels": {"app.kubernetes.io/managed-by": "Helm"},
    "annotations": {"meta.helm.sh/release-name": "rel", "meta.helm.sh/release-namespace": "shop"},
}


def revision(number: int, status: str, *documents: str, method: str = "") -> Revision:
    return Revision(
        name="rel",
        namespace="shop",
        version=number,
        status=status,
        label_status=status,
        chart={"metadata": {"name": "trial", "version": "1.0.0"}},
        config=None,
        manifest="\n---\n".join(documents),
        apply_method=method,
        last_deployed="2026-11-30T06:22:06.123456789+01:00",
    )


def settings(name: str) -> str:
    return MAP.replace("NAME", name)


def key(name: str, kind: str = "ConfigMap", group: str = "") -> ResourceKey:
    return ResourceKey(group, kind, "shop", name)


def live(name: str, *managers: tuple[str, str, Any], **data: str) -> Present:
    body: Any = load(settings(name))
    body["metadata"] |= {"namespace": "shop", **MARKS}
    body["data"] |= data
    body["metadata"]["managedFields"] = [
        {"manager": manager, "operation": "Update", "time": time, "apiVersion": "v1", "fieldsV1": fields}
        for manager, time, fields in managers
    ]
    return Present(body)


def drift(history: list[Revision], states: dict[ResourceKey, LiveState], helm: str = "3.22.0") -> Plan:
    whole = History("rel", "shop", tuple(history))
    base = base_revision(whole)
    assert base is not None
    namespace = {ResourceKey("", "Namespace", None, "shop"): Present({"metadata": {"name": "shop"}})}
    inputs = drift_inputs(
        history=whole,
        base=base,
        helm=HelmVersion.parse(helm),
        live={**namespace, **states},
        options=ApplyOptions(),
        discovery=None,
    )
    return make_drift_plan(inputs, base)


def told(plan: Plan) -> dict[str, int]:
    numbers = drift_counts(drift_of(plan), plan.left_over)
    return {name: count for name, count in numbers.items() if count and not name.startswith("objects")}


def test_a_built_in_kind_that_went_with_an_upgrade_of_the_cluster() -> None:
    history = [revision(1, "deployed", settings("a"), BUDGET, settings("b"))]
    gone = KindNotServed("policy/v1beta1", "PodDisruptionBudget")
    plan = drift(
        history,
        {
            key("a"): live("a", a="2"),
            key("budget", "PodDisruptionBudget", "policy"): gone,
            key("b"): Absent(),
        },
    )
    assert (exit_code(plan), told(plan)) == (3, {"notServed": 1, "reverted": 1, "missing": 1})
    assert [finding.rule for finding in plan.findings] == ["stored-manifest-api-removed"]
    assert plan.failure is not None and 'no matches for kind "PodDisruptionBudget"' in plan.failure.message
    assert [resource.action for resource in plan.resources] == ["update", "fail", "recreate"]


def test_the_order_of_obstacles_hides_nothing() -> None:
    """Pending, and the release's namespace is gone: what can be told of the objects is told all the same."""
    history = [
        revision(1, "deployed", settings("a"), settings("b"), settings("c")),
        revision(2, "pending-upgrade", settings("a")),
    ]
    states: dict[ResourceKey, LiveState] = {
        key("a"): Absent(),
        key("b"): live("b", a="2"),
        key("c"): Absent(),
    }
    states[ResourceKey("", "Namespace", None, "shop")] = Absent()
    plan = drift(history, states)
    assert (exit_code(plan), told(plan)) == (3, {"missing": 2, "reverted": 1})
    assert [resource.action for resource in plan.resources] == ["recreate", "update", "recreate"]


def test_what_was_not_read_is_not_known() -> None:
    history = [revision(1, "superseded", settings("old")), revision(2, "deployed", settings("a"))]
    plan = drift(history, {key("a"): Unreadable("forbidden"), key("old"): Unreadable("forbidden")})
    assert (exit_code(plan), told(plan)) == (2, {"notRead": 1})
    assert sorted(unknown.what for unknown in plan.unknown) == ["ConfigMap/a", "ConfigMap/old"]
    page = render_drift(plan, Page(), Masker())
    # The third: whether another tool has marked the objects.
    assert "? owned-by-other-tool on rel  cannot be told without the live objects" in page
    assert page.splitlines()[-1] == "Not certain: no drift found, but 3 things not known. Exit 2."


def test_left_over_objects_need_the_marks_of_the_release() -> None:
    history = [
        revision(1, "superseded", settings("mine"), settings("other")),
        revision(2, "deployed", settings("a")),
    ]
    other = live("other")
    other.body["metadata"]["annotations"] = {**MARKS["annotations"], "meta.helm.sh/release-name": "x"}
    plan = drift(history, {key("a"): live("a"), key("mine"): live("mine"), key("other"): other})
    assert [(left.key.name, left.revision, left.kept) for left in plan.left_over] == [("mine", 1, False)]
    assert exit_code(plan) == 2


def test_what_is_being_deleted_is_not_left_over() -> None:
    """A namespace takes seconds to go, and a claim in use waits for its pod."""
    history = [revision(1, "superseded", settings("going")), revision(2, "deployed", settings("a"))]
    going = live("going")
    going.body["metadata"] |= {"deletionTimestamp": "2026-11-30T06:22:06Z", "finalizers": ["x.example.com/y"]}
    plan = drift(history, {key("a"): live("a"), key("going"): going})
    assert (plan.left_over, exit_code(plan)) == ((), 0)


def owned(manager: str, field: str) -> tuple[str, str, Any]:
    return manager, "2026-11-30T05:01:02Z", {"f:data": {f"f:{field}": {}}}


@pytest.mark.parametrize("manager", ["kubectl", "kube-controller-manager"])
def test_latent_owners_matter_under_server_side_apply_alone(manager: str) -> None:
    state = {key("a"): live("a", owned(manager, "a"))}
    for method, helm, found in (("ssa", "4.3.1", {"latent": 1}), ("csa", "4.3.1", {}), ("ssa", "3.22.0", {})):
        plan = drift([revision(1, "deployed", settings("a"), method=method)], {**state}, helm)
        assert (told(plan), exit_code(plan)) == (found, 2 if found else 0)


ASKED_OF_AN_UPGRADE = """\
apiVersion: apps/v1
kind: Deployment
metadata: {name: web}
spec:
  replicas: 0
  selector: {matchLabels: {app: web, helm.sh/chart: trial-1.0.0}}
  template:
    metadata: {labels: {app: web, helm.sh/chart: trial-1.0.0}}
    spec: {hostNetwork: true, containers: [{name: web, image: "web:1"}]}
---
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingWebhookConfiguration
metadata: {name: gate}
webhooks:
- name: pods.trial.test
  failurePolicy: Fail
  sideEffects: None
  admissionReviewVersions: [v1]
  rules: [{apiGroups: [""], apiVersions: [v1], operations: [CREATE], resources: [pods]}]
  clientConfig: {url: "https://gate.trial.test"}
---
apiVersion: nvidia.com/v1
kind: ClusterPolicy
metadata: {name: policy}
spec: {driver: {enabled: true}, toolkit: {enabled: true}}
"""


@pytest.mark.parametrize(("helm", "method"), [("3.22.0", "csa"), ("4.3.1", "ssa")])
def test_nothing_is_told_of_what_an_upgrade_would_do(helm: str, method: str) -> None:
    """Others changed the objects, and an upgrade sets them back: only a refusal is told by a rule."""
    states: dict[ResourceKey, LiveState] = {}
    for document in ASKED_OF_AN_UPGRADE.split("---\n"):
        body: Any = load(document)
        group = body["apiVersion"].partition("/")[0]
        place = "shop" if group == "apps" else None
        body["metadata"] |= {"namespace": place, **MARKS} if place else MARKS
        if body["kind"] == "Deployment":
            body["spec"] |= {"replicas": 3}
            body["spec"]["template"]["spec"] |= {"hostNetwork": False}
        elif body["kind"] == "ValidatingWebhookConfiguration":
            body["webhooks"][0]["failurePolicy"] = "Ignore"
        elif body["kind"] == "ClusterPolicy":
            body["spec"]["driver"]["enabled"] = False
        key_of = ResourceKey(group, body["kind"], place, body["metadata"]["name"])
        states[key_of] = Present(body)
    plan = drift([revision(1, "deployed", ASKED_OF_AN_UPGRADE, method=method)], states, helm)
    assert told(plan)["reverted"] >= 3
    refused = {"drift-conflict-ssa"} if method == "ssa" else set()
    assert {finding.rule for finding in plan.findings} == refused
    assert exit_code(plan) == (3 if method == "ssa" else 2)


@pytest.mark.parametrize("width", [40, 80, 200])
@pytest.mark.parametrize("unicode", [True, False])
def test_the_page_fits(width: int, unicode: bool) -> None:
    history = [
        revision(1, "superseded", settings("left-over-from-the-first-revision"), method="ssa"),
        revision(2, "deployed", settings("a"), settings("b"), settings("c"), method="ssa"),
        revision(3, "pending-upgrade", settings("a"), method="ssa"),
    ]
    long = "a value that is much too long for one line of a terminal " * 3
    lines = "first line\nsecond line\n"
    plan = drift(
        history,
        {
            key("a"): live("a", owned("kubectl-edit", "a"), owned("kubectl-edit", "more"), a=long, more=long),
            key("b"): Absent(),
            key("c"): live("c", owned("kubectl", "a"), owned("someone", "text"), text=lines),
            key("left-over-from-the-first-revision"): live("left-over-from-the-first-revision"),
        },
        "4.3.1",
    )
    assert told(plan) == {"missing": 1, "conflicts": 1, "kept": 2, "latent": 1, "leftOver": 1}
    page = render_drift(plan, Page(width=width, unicode=unicode), Masker())
    assert max(map(len, page.splitlines())) <= width
    assert page.isascii() is not unicode
    assert "revision 3 is pending-upgrade" in " ".join(page.split())
    assert " since 2026-11-30 06:22 +01:00" in " ".join(page.split())
    assert "kubectl-edit, 2026-11-30 05:01 UTC" in " ".join(page.split())
