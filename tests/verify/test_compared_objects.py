"""One object beside its prediction: what counts as a difference, table by table."""

from __future__ import annotations

import copy
from typing import Any

import pytest

from helmguard.model.field_change import FieldChange
from helmguard.model.field_path import format_path
from helmguard.model.live_state import Absent, KindNotServed, LiveState, Present, Unreadable
from helmguard.model.plan import (
    ChartRef,
    Engine,
    IgnoredChange,
    Plan,
    ReleaseSummary,
    ResourceChange,
    ValuesReport,
)
from helmguard.model.prediction import ResourcePrediction
from helmguard.model.resource_key import ResourceKey
from helmguard.verify.actual import Comparison, compare_objects

JSON = dict[str, Any]
KEY = ResourceKey("apps", "Deployment", "shop", "web")
EARLY, LATE = "2026-11-30T01:00:00Z", "2026-11-30T02:00:00Z"
MANIFEST: JSON = {
    "apiVersion": "apps/v1",
    "kind": "Deployment",
    "metadata": {"name": "web", "namespace": "shop"},
    "spec": {"replicas": 2},
}
PREDICTED: JSON = {**MANIFEST, "spec": {"replicas": 2, "revisionHistoryLimit": 10}}
REPLICAS = {"f:spec": {"f:replicas": {}}}


def changed(body: JSON, manager: str = "", fields: JSON | None = None, **spec: Any) -> JSON:
    """The body with fields of its spec set by a manager, Helm for none."""
    found = copy.deepcopy(body)
    found["spec"] |= spec
    if manager:
        entry = {"manager": manager, "operation": "Update", "time": LATE, "fieldsV1": fields or REPLICAS}
        found["metadata"]["managedFields"] = [entry]
    return found


def compared(
    actual: LiveState,
    predicted: JSON | None = PREDICTED,
    *,
    live: LiveState | None = None,
    unstable: tuple[str, ...] = (),
    ignored: tuple[IgnoredChange, ...] = (),
    **prediction: Any,
) -> Comparison:
    found = ResourcePrediction(
        KEY,
        "apps/v1",
        prediction.pop("action", "update"),
        MANIFEST,
        prediction.pop("new", MANIFEST),
        live or Present(PREDICTED),
        predicted,
        **prediction,
    )
    chart = ChartRef("web", "1.0.0")
    plan = Plan(
        operation="upgrade",
        release=ReleaseSummary("web", "shop", 1, 1, 2, "deployed", chart, chart),
        engine=Engine("4.3.1", "ssa", "", "given"),
        values=ValuesReport("", ""),
        resources=(ResourceChange(found, ignored=ignored),),
        unstable=unstable,
    )
    return compare_objects(plan, {KEY: actual})


def said(found: Comparison) -> tuple[list[str], list[str], int]:
    """Fields that count, fields that are remarked, and how much is unknown."""
    counted = [format_path(field.path) for item in found.differences for field in item.fields]
    remarked = [format_path(field.path) for item in found.remarks for field in item.fields]
    return counted, remarked, len(found.unknown)


def test_equal() -> None:
    busy = changed(PREDICTED)
    busy["metadata"] |= {"uid": "u", "resourceVersion": "9", "generation": 4}
    busy["metadata"]["annotations"] = {"deployment.kubernetes.io/revision": "3"}
    busy["status"] = {"replicas": 2}
    assert said(compared(Present(busy))) == ([], [], 0)


@pytest.mark.parametrize(
    ("manager", "verdict"),
    [
        ("", (["spec.replicas"], [], 0)),
        ("kubectl", (["spec.replicas"], [], 0)),
        ("some-thing", (["spec.replicas"], [], 0)),
        ("argocd-controller", (["spec.replicas"], [], 0)),
        ("kube-controller-manager", ([], ["spec.replicas"], 0)),
        ("web-operator", ([], ["spec.replicas"], 0)),
    ],
)
def test_a_predicted_value_that_is_another(manager: str, verdict: object) -> None:
    assert said(compared(Present(changed(PREDICTED, manager, replicas=5)))) == verdict


def test_a_controller_that_wrote_before_helm_is_no_excuse() -> None:
    """The value was to be replaced and is still the old one, written before: Helm has not done its work."""
    before = changed(PREDICTED, "kube-controller-manager", replicas=5)
    assert said(compared(Present(before), live=Present(before))) == (["spec.replicas"], [], 0)
    again = copy.deepcopy(before)
    again["metadata"]["managedFields"][0]["time"] = "2026-11-30T03:00:00Z"
    assert said(compared(Present(again), live=Present(before))) == ([], ["spec.replicas"], 0)


@pytest.mark.parametrize(
    ("manager", "verdict"),
    [
        ("", ([], ["spec.paused"], 0)),
        ("kubectl-edit", (["spec.paused"], [], 0)),
        ("some-thing", ([], ["spec.paused"], 0)),
        ("web-operator", ([], ["spec.paused"], 0)),
    ],
)
def test_a_field_that_nobody_foretold(manager: str, verdict: object) -> None:
    body = changed(PREDICTED, manager, {"f:spec": {"f:paused": {}}}, paused=True)
    assert said(compared(Present(body))) == verdict


def test_a_field_that_was_to_go() -> None:
    old = changed(PREDICTED, paused=True)
    assert said(compared(Present(old), live=Present(old))) == (["spec.paused"], [], 0)


def test_a_field_of_the_manifest_that_is_not_there() -> None:
    body = copy.deepcopy(PREDICTED)
    del body["spec"]["replicas"]
    assert said(compared(Present(body))) == (["spec.replicas"], [], 0)


def test_a_restart_by_hand_sets_nothing() -> None:
    mark = {"kubectl.kubernetes.io/restartedAt": "2026-01-02T03:04:05Z", "a": "1"}
    owned = {"f:spec": {"f:marks": {f"f:{name}": {} for name in mark}}}
    body = changed(PREDICTED, "kubectl-rollout", owned, marks=mark)
    before = changed(PREDICTED, marks={"a": "1"})
    assert said(compared(Present(body), before)) == (
        [],
        ['spec.marks["kubectl.kubernetes.io/restartedAt"]'],
        0,
    )


def test_a_certificate_is_injected() -> None:
    hook = {"name": "a", "clientConfig": {"url": "https://a"}}
    filled = {"name": "a", "clientConfig": {"url": "https://a", "caBundle": "Q0E="}}
    actual = Present(changed(PREDICTED, "kubectl-patch", {"f:spec": {"f:hooks": {}}}, hooks=[filled]))
    counted, remarked, _ = said(compared(actual, changed(PREDICTED, hooks=[hook])))
    assert (counted, len(remarked)) == ([], 1)


def test_what_is_rendered_at_random_is_not_compared() -> None:
    body = Present(changed(PREDICTED, replicas=5))
    assert said(compared(body, unstable=("Deployment/web spec.replicas",))) == ([], [], 0)
    assert said(compared(body, unstable=("Deployment/other spec.replicas",)))[0] == ["spec.replicas"]


def test_what_the_configuration_ignores_does_not_count() -> None:
    change = FieldChange(("spec", "replicas"), 2, 5, "drift kept")
    ignored = (IgnoredChange("drift", change, ".helmguard.yaml", 3, "an autoscaler's"),)
    body = Present(changed(PREDICTED, replicas=5))
    assert said(compared(body, ignored=ignored)) == ([], ["spec.replicas"], 0)


def test_a_doubtful_prediction_is_not_held_against_anybody() -> None:
    other = Present(changed(PREDICTED, replicas=5))
    doubt = "not predictable: replicas"
    assert said(compared(other, unknown=doubt)) == ([], [], 1)
    assert said(compared(Present(PREDICTED), unknown=doubt)) == ([], [], 0)
    by_hand = Present(changed(PREDICTED, "kubectl", replicas=5))
    assert said(compared(by_hand, unknown=doubt)) == (["spec.replicas"], [], 0)


GOING = {**PREDICTED, "metadata": {**PREDICTED["metadata"], "uid": "u", "deletionTimestamp": LATE}}
OLD = {**PREDICTED, "metadata": {**PREDICTED["metadata"], "uid": "u"}}
NEW = {**PREDICTED, "metadata": {**PREDICTED["metadata"], "uid": "v"}}


@pytest.mark.parametrize(
    ("actual", "kinds", "remarks"),
    [
        (Absent(), ["missing"], 0),
        (Present(GOING), ["missing"], 0),
        (KindNotServed("apps/v1", "Deployment"), ["missing"], 0),
        (Unreadable("no right"), ["unreadable"], 0),
        (Present(PREDICTED), [], 0),
    ],
    ids=["absent", "being deleted", "not served", "unreadable", "there"],
)
def test_an_object_that_was_to_be(actual: LiveState, kinds: list[str], remarks: int) -> None:
    found = compared(actual)
    assert ([item.kind for item in found.differences], len(found.remarks)) == (kinds, remarks)


@pytest.mark.parametrize(
    ("live", "actual", "kinds", "remarks"),
    [
        (Present(OLD), Absent(), [], 0),
        (Present(OLD), KindNotServed("apps/v1", "Deployment"), [], 0),
        (Present(OLD), Present(GOING), [], 1),
        (Present(OLD), Present(OLD), ["still there"], 0),
        (Present(OLD), Present(NEW), ["not expected"], 0),
        (Absent(), Present(NEW), ["not expected"], 0),
    ],
    ids=["gone", "kind gone", "going", "not deleted", "back again", "came by itself"],
)
def test_an_object_that_was_not_to_be(
    live: LiveState, actual: LiveState, kinds: list[str], remarks: int
) -> None:
    found = compared(actual, None, live=live, new=None, action="delete")
    assert ([item.kind for item in found.differences], len(found.remarks)) == (kinds, remarks)


def test_what_was_not_readable_before_is_unknown_after() -> None:
    assert said(compared(Unreadable("no right"), live=Unreadable("no right"))) == ([], [], 1)
