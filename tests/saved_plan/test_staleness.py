"""What makes a plan stale and what does not: a row for each part of what a plan reads."""

from __future__ import annotations

import copy
from typing import Any

import pytest
from changed_plan import CONFLICT, FRESH, NEW_FINDING, PLAN, WEB, Change, added, all_of, to, without
from helmguard_program import CHECKOUT
from hypothesis import given
from hypothesis import strategies as st

from helmguard.planner.offline import plan_from_bundle
from helmguard.report.plan_json import plan_to_dict
from helmguard.saved_plan.staleness import differences

STALE: dict[str, tuple[Change, set[tuple[str, str]]]] = {
    "what was to be made up anew is a fixed value": (
        to([], "unstable"),
        {("live object", "Secret/fresh items[name=b].value")},
    ),
    "a fixed password is made up anew": (
        added("Secret/fresh data.token", "unstable"),
        {("live object", "Secret/fresh data.token")},
    ),
    "a revision came": (
        all_of(to(5, "release", "lastRevision"), to(6, "release", "toRevision")),
        {("revision", "last revision"), ("revision", "new revision")},
    ),
    "another revision is deployed": (to(3, "release", "fromRevision"), {("revision", "current revision")}),
    "the last revision is pending": (
        to("pending-upgrade", "release", "status"),
        {("revision", "status of the last revision")},
    ),
    "a record is damaged": (added("v3: cut", "release", "damaged"), {("revision", "damaged records")}),
    "another cluster, or the namespace was made anew": (
        to("ec0d-2", "fingerprint", "namespaceUid"),
        {("cluster", "namespace shop")},
    ),
    "another operation": (to("install", "operation"), {("revision", "operation")}),
    "the stored manifest": (
        to("sha256:9", "fingerprint", "currentManifest"),
        {("revision", "manifest of revision 4")},
    ),
    "helm's version": (to("4.4.0", "engine", "helm"), {("helm", "version")}),
    "the apply method": (to("csa", "engine", "applyMethod"), {("helm", "apply method")}),
    "Kubernetes's minor version": (
        to("v1.37.0", "engine", "kubernetes"),
        {("served APIs", "Kubernetes version")},
    ),
    "the chart's digest": (to("sha256:f", "release", "newChart", "digest"), {("chart", "digest")}),
    "the chart's version": (to("1.2.0", "release", "newChart", "version"), {("chart", "version")}),
    "a value before": (to(1, "values", "changes", 0, "before"), {("values", "replicas")}),
    "a value more": (
        added({"path": "b", "before": 1, "after": 2, "cause": "lost override"}, "values", "changes"),
        {("values", "b")},
    ),
    "what will be stored": (
        to("sha256:9", "fingerprint", "values"),
        {("values", "values that the new revision stores")},
    ),
    "the value mode": (to("reset", "values", "mode"), {("values", "mode")}),
    "the manifest, the values made up are in a hook": (
        to("sha256:9", "fingerprint", "manifest"),
        {("manifest", "new manifest")},
    ),
    "a hook's manifest": (
        to("sha256:9", "fingerprint", "hooks"),
        {("manifest", "new hooks")},
    ),
    "a hook's left-over": (
        to("collides", "hooks", 0, "leftOver"),
        {("hook", "pre-upgrade Job/migrate")},
    ),
    "a hook less": (without("hooks", 0), {("hook", "pre-upgrade Job/migrate")}),
    "an object's action": (to("recreate", *WEB, "action"), {("live object", "Deployment/web")}),
    "an object less": (without(*WEB), {("live object", "Deployment/web")}),
    "a new error": (to("is forbidden", *WEB, "error"), {("live object", "Deployment/web")}),
    "a kind that is served no more": (
        to('no matches for kind "Deployment"', *WEB, "error"),
        {("served APIs", "Deployment/web")},
    ),
    "an object that cannot be read": (to("unknown", *WEB, "confirmed"), {("live object", "Deployment/web")}),
    "a live value that Helm overwrites": (
        to(7, *WEB, "changes", 0, "before"),
        {("live object", "Deployment/web spec.replicas")},
    ),
    "a value that Helm writes": (
        to(7, *WEB, "changes", 0, "after"),
        {("live object", "Deployment/web spec.replicas")},
    ),
    "the cause of a change": (
        to("drift reverted", *WEB, "changes", 0, "cause"),
        {("live object", "Deployment/web spec.replicas")},
    ),
    "a change by an admission": (
        to(CONFLICT, *WEB, "changes", 1),
        {("live object", "Deployment/web spec.paused")},
    ),
    "a field that needs no change any more": (
        without(*WEB, "changes", 0),
        {("live object", "Deployment/web spec.replicas")},
    ),
    "a secret that changes no more": (
        without(*WEB, "changes", 3),
        {("live object", "Deployment/web spec.password")},
    ),
    "an ignored change": (
        to(9, *WEB, "ignored", 0, "after"),
        {("live object", "Deployment/web spec.x")},
    ),
    "drift of a field that the manifest has": (
        to(6, *WEB, "drift", 0, "before"),
        {("live object", "Deployment/web spec.minReadySeconds")},
    ),
    "what a new object will hold": (
        to(81, *FRESH, "after", "items", 0, "port"),
        {("live object", "Secret/fresh items[0].port")},
    ),
    "what a webhook adds to a new object": (
        to({"team": "x"}, *FRESH, "after", "metadata", "labels"),
        {("live object", "Secret/fresh metadata.labels.team")},
    ),
    "a definition": (
        to("differs", "definitions", 0, "state"),
        {("live object", "CustomResourceDefinition/widgets.example.com")},
    ),
    "a failure": (to({"stage": "apply", "message": "refused"}, "failure"), {("failure", "")}),
    "a finding more": (added(NEW_FINDING, "findings"), {("rules", "r x")}),
    "a finding less": (without("findings", 0), {("rules", "strategy-downtime Deployment/web spec.strategy")}),
    "a finding's severity": (
        to("blocker", "findings", 0, "severity"),
        {("rules", "strategy-downtime Deployment/web spec.strategy")},
    ),
    "a waiver": (
        to({"reason": "it is fine"}, "findings", 0, "waived"),
        {("rules", "strategy-downtime Deployment/web spec.strategy")},
    ),
    "a fact that is not known any more": (
        to("unknown", "findings", 0, "result"),
        {("rules", "strategy-downtime Deployment/web spec.strategy")},
    ),
    "the gate": (to("blocker", "failOn"), {("rules", "gate (failOn)")}),
    "something not known": (added({"what": "nodes", "why": "forbidden"}, "unknown"), {("unknown", "nodes")}),
    "something known now": (without("unknown", 0), {("unknown", "Service/web")}),
    "the verdict alone": (to(2, "exitCode"), {("verdict", "exit code")}),
}

FRESH_ENOUGH: dict[str, Change] = {
    "nothing": lambda plan: None,
    "a status": all_of(
        to({"replicas": 9}, *WEB, "before", "status"), to({"replicas": 9}, *WEB, "after", "status")
    ),
    "resource versions": all_of(
        to("99", *WEB, "before", "metadata", "resourceVersion"),
        to("99", "fingerprint", "resourceVersions", "apps/Deployment/shop/web"),
    ),
    "a foreign field": all_of(
        to(True, *WEB, "before", "spec", "paused"),
        to(True, *WEB, "after", "spec", "paused"),
        added({"path": "spec.other", "before": 1, "after": 1, "cause": "drift kept"}, *WEB, "drift"),
    ),
    "a foreign annotation": to("b", *WEB, "drift", 1, "before"),
    "when somebody changed a field": to("2026-11-30T11:00:00Z", *WEB, "drift", 0, "since"),
    "who changed a field": to("kubectl-edit", *WEB, "drift", 0, "manager"),
    "what the API server fills in": to(True, *WEB, "changes", 1, "after"),
    "a field made up anew": to("x3", *WEB, "changes", 2, "after"),
    "a value made up anew in a new object": to("random2", *FRESH, "after", "items", 1, "value"),
    "the identity of a new object": all_of(
        to("u2", *FRESH, "after", "metadata", "uid"),
        to("2026-11-30T11:00:00Z", *FRESH, "after", "metadata", "creationTimestamp"),
    ),
    "the marks of secrets": all_of(
        to("(secret 44444444)", *WEB, "changes", 3, "before"),
        to("(secret 55555555)", *WEB, "changes", 3, "after"),
        to("(secret 66666666)", *FRESH, "after", "data", "token"),
        to({"token": "(secret 66666666)"}, *FRESH, "changes", 0, "after"),
    ),
    "the manifest's digest where values are made up": to("sha256:9", "fingerprint", "manifest"),
    "the hooks' digest where values are made up in one": all_of(
        to("sha256:9", "fingerprint", "hooks"), added("Job/test spec.x", "unstable")
    ),
    "a name made up anew": to(
        ["Secret/fresh items[name=b].value", "Secret/fresh data.x7f3", "Secret/other data.token"], "unstable"
    ),
    "more of a field made up anew": to(["Secret/fresh items"], "unstable"),
    "the namespace cannot be read": to(None, "fingerprint", "namespaceUid"),
    "a plan from before namespaces were told apart": without("fingerprint", "namespaceUid"),
    "a patch version of Kubernetes": to("v1.36.4+build", "engine", "kubernetes"),
    "the way of rendering": to("dry-run-server", "engine", "render"),
    "the order of notes": to(["two", "one"], "notes"),
    "the order of objects": lambda plan: plan["resources"].reverse(),
    "an age in words": to("the pods are 4 days old", "findings", 0, "consequence"),
    "numbers in a finding": to(3, "findings", 0, "after"),
    "a finding for information": without("findings", 1),
    "why something is not known": to("timed out", "unknown", 0, "why"),
    "when the revision was deployed": to("2026-11-30T09:00:01Z", "release", "changed"),
    "how much was asked": to(9, "serverDryRun", "asked"),
}


@pytest.mark.parametrize("name", STALE)
def test_it_is_stale(name: str) -> None:
    change, expected = STALE[name]
    plan = {**PLAN, "unstable": ["Job/migrate spec.x"]} if name.startswith("the manifest") else PLAN
    now = copy.deepcopy(plan)
    change(now)
    found = differences(plan, now)
    assert {(each.what, each.name) for each in found} == expected
    assert all(each.planned != each.now for each in found)
    back = differences(now, plan)
    assert {(each.what, each.planned, each.now) for each in back} == {
        (each.what, each.now, each.planned) for each in found
    }


@pytest.mark.parametrize("name", FRESH_ENOUGH)
def test_it_still_holds(name: str) -> None:
    now = copy.deepcopy(PLAN)
    FRESH_ENOUGH[name](now)
    assert differences(PLAN, now) == ()


def test_words_have_no_marks() -> None:
    now = copy.deepcopy(PLAN)
    now["resources"][0]["changes"][3]["cause"] = "conflict"
    (found,) = differences(PLAN, now)
    assert found.planned == "(secret) -> (secret) (values)"
    assert found.now == "(secret) -> (secret) (conflict)"


@pytest.mark.parametrize(
    "name", ["every-kind--h4", "many-managers--h3", "hooks--h4", "upgrade-after-failure--h3"]
)
def test_the_same_plan_twice_holds(name: str) -> None:
    bundle = CHECKOUT / "fixtures" / "traces" / name
    one, other = (plan_to_dict(plan_from_bundle(bundle)) for _ in range(2))
    assert differences(one, other) == ()


ODD = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=5,
)


@given(name=st.sampled_from(sorted(PLAN)), value=ODD)
def test_a_document_from_elsewhere_never_breaks_it(name: str, value: Any) -> None:
    """The file may have been made by anybody."""
    differences(PLAN, {**PLAN, name: value})
    differences({**PLAN, name: value}, PLAN)


def test_the_apply_method_is_told_in_words() -> None:
    now = copy.deepcopy(PLAN)
    to("csa", "engine", "applyMethod")(now)
    (found,) = differences(PLAN, now)
    assert (found.planned, found.now) == ("server-side", "client-side")
