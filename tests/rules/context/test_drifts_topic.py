"""What was changed live: what Helm overwrites, what it leaves, what is gone, and who else owns fields."""

from __future__ import annotations

from typing import Any

import pytest
from facts_of import facts, release
from of_rule import of_rule

from helmguard.model.apply_options import ApplyOptions
from helmguard.model.cluster_facts import ClusterFacts
from helmguard.model.field_change import MISSING, FieldChange
from helmguard.model.live_state import Absent, LiveState, Present
from helmguard.model.plan import Engine, ResourceChange
from helmguard.model.prediction import ResourcePrediction
from helmguard.model.resource_key import ResourceKey, group_of
from helmguard.model.surroundings import DroppedFields, PastRevision, Surroundings
from helmguard.rules.context.drifts import drifts_of
from helmguard.rules.context.record import UNKNOWN
from helmguard.rules.facts import Facts

MARKS = {
    "labels": {"app.kubernetes.io/managed-by": "Helm"},
    "annotations": {"meta.helm.sh/release-name": "web", "meta.helm.sh/release-namespace": "shop"},
}


def one(
    kind: str = "ConfigMap",
    *changes: FieldChange,
    api: str = "v1",
    drift: tuple[FieldChange, ...] = (),
    new: dict[str, Any] | None = None,
    previous: dict[str, Any] | None = None,
    live: LiveState | dict[str, Any] | None = None,
    action: str = "update",
) -> ResourceChange:
    """One object; its live state is as the new manifest says, and bears Helm's marks."""
    body = new or {"apiVersion": api, "kind": kind, "metadata": {"name": "x"}}
    state = Present({**body, "metadata": {"name": "x", **MARKS}}) if live is None else live
    prediction = ResourcePrediction(
        key=ResourceKey(group_of(api), kind, "shop", "x"),
        api_version=api,
        action=action,  # type: ignore[arg-type]
        previous=body if previous is None else previous or None,
        new=body,
        live=Present(state) if isinstance(state, dict) else state,
        predicted=None,
    )
    return ResourceChange(prediction, changes, drift)


def changed(path: str, cause: str = "drift reverted", **more: Any) -> FieldChange:
    given: dict[str, Any] = {"previous": "a", "new": "a", **more}
    return FieldChange(tuple(path.split(".")), "b", "a", cause, **given)  # type: ignore[arg-type]


def kept(path: str, new: Any = MISSING, **more: Any) -> FieldChange:
    return FieldChange(tuple(path.split(".")), "b", "b", "drift kept", new, new, **more)


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (changed("data.a"), True),
        (changed("data.a", "conflict"), True),
        (changed("data.a", "chart", note="was also changed live", manager="kubectl-edit"), True),
        (changed("data.a", "chart"), False),
        (changed("data.a", "server"), False),
        (changed("metadata.labels.x", bookkeeping=True), False),
        (changed("spec.replicas"), True),
        (changed("spec.replicas", previous=None, new=None), False),
        (changed("data.a", note="left by an earlier run of Helm"), True),
        (changed("data.a", note="left by an earlier run of Helm", new=MISSING), False),
    ],
)
def test_what_is_overwritten(change: FieldChange, told: bool) -> None:
    assert bool(drifts_of(facts(one("ConfigMap", change))).reverted) is told


def test_nothing_of_a_secret_is_shown() -> None:
    (field,) = drifts_of(facts(one("Secret", changed("data.key", manager="kubectl (scale)")))).reverted
    assert (field.live, field.after, field.manager) == (None, None, "kubectl (scale)")


def test_replicas_ask_for_autoscalers() -> None:
    scaled = one("Deployment", changed("spec.replicas"), api="apps/v1")
    (field,) = drifts_of(facts(scaled)).reverted
    assert (field.scaler, field.lacks) == (UNKNOWN, ("cluster.horizontalPodAutoscalers",))
    read = ClusterFacts(lists={"horizontalPodAutoscalers": ()})
    (field,) = drifts_of(facts(scaled, cluster=read)).reverted
    assert (field.scaler, field.lacks) == ("", ())


def test_controllers_are_known_by_their_names() -> None:
    by = {
        manager: one("ConfigMap", changed("data.a", manager=manager)) for manager in ("cainjector", "helen")
    }
    found = drifts_of(facts(*by.values())).reverted
    assert [field.controller for field in found] == [True, False]


def widget(*drift: FieldChange, **more: Any) -> ResourceChange:
    return one("Widget", api="example.com/v1", drift=drift, **more)


def test_a_custom_resource_is_not_corrected() -> None:
    found = drifts_of(facts(widget(kept("spec.size", "a", manager="kubectl-edit"), kept("spec.extra"))))
    (left,) = found.not_corrected
    assert [field.path for field in left.fields] == ["spec.size"]
    assert (
        left.patch == 'kubectl -n shop patch widget.example.com/x --type=merge -p \'{"spec":{"size":"a"}}\''
    )
    assert [field.path for field in found.kept] == ["spec.extra"]


def test_when_helm_looks_at_the_live_custom_resource() -> None:
    drifted = widget(kept("spec.size", "a"))
    server_side = Engine("4.3.1", "ssa", "", "template")
    assert drifts_of(facts(drifted, engine=server_side)).not_corrected == ()
    forced = Surroundings(options=ApplyOptions(force=True))
    assert drifts_of(facts(drifted, around=forced)).not_corrected == ()
    builtin = one("ConfigMap", drift=(kept("data.a", "a"),))
    assert drifts_of(facts(builtin)).not_corrected == ()


def test_fields_that_the_definition_does_not_have_are_told_elsewhere() -> None:
    drifted = widget(kept("spec.size", "a"))
    dropped = DroppedFields(drifted.prediction.key, "example.com/v1", ("spec.size",), True)
    assert drifts_of(facts(drifted, around=Surroundings(dropped_fields=(dropped,)))).not_corrected == ()


def test_an_adopted_custom_resource() -> None:
    new = {"apiVersion": "example.com/v1", "kind": "Widget", "metadata": {"name": "x"}, "spec": {"size": 2}}
    live = {**new, "metadata": {"name": "x", **MARKS}, "spec": {"size": 1}}
    adopted = one("Widget", api="example.com/v1", new=new, previous={}, live=live, action="adopt")
    (left,) = drifts_of(facts(adopted)).not_corrected
    assert (left.adopted, left.unmarked, [field.path for field in left.fields]) == (
        True,
        False,
        ["spec.size"],
    )
    (finding,) = of_rule(facts(adopted), "drift-not-corrected-cr")
    assert (finding.severity, finding.where.name) == ("danger", "Widget/x")
    assert "spec.size" in finding.consequence


def test_what_is_gone() -> None:
    secret = {"apiVersion": "v1", "kind": "Secret", "metadata": {"name": "x"}, "data": {"a": "Yg=="}}
    gone = one("Secret", new=secret, live=Absent(), action="create")
    (missing,) = drifts_of(facts(gone)).missing
    assert (missing.holds_data, missing.never_made) == (True, False)
    (missing,) = drifts_of(facts(gone, release=release(status="failed"))).missing
    assert missing.never_made
    fresh = one("Secret", new=secret, previous={}, live=Absent(), action="create")
    assert drifts_of(facts(fresh)).missing == ()


def managed(manager: str, fields: dict[str, Any], operation: str = "Update") -> dict[str, Any]:
    return {"manager": manager, "operation": operation, "fieldsType": "FieldsV1", "fieldsV1": fields}


def owned(*entries: dict[str, Any]) -> Facts:
    new = {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "x"}, "data": {"a": "1", "b": "1"}}
    live = {
        **new,
        "metadata": {"name": "x", "managedFields": list(entries)},
        "data": {"a": "1", "b": "2", "c": "3"},
    }
    engine = Engine("4.3.1", "ssa", "", "template")
    history = (PastRevision(1, "deployed", "", "", "web-1.0.0"),)
    return facts(one("ConfigMap", new=new, live=live), engine=engine, around=Surroundings(history=history))


def test_who_else_owns_fields_of_the_manifest() -> None:
    everything = {"f:data": {"f:a": {}, "f:b": {}, "f:c": {}}}
    found = drifts_of(owned(managed("helm", everything), managed("kubectl-edit", everything)))
    (manager,) = found.managers
    assert (manager.manager, manager.equal, manager.differs) == ("kubectl-edit", ("data.a",), ("data.b",))
    assert found.first_server_side
    assert (
        drifts_of(owned(managed("helm", everything), managed("some-controller", everything))).managers == ()
    )
    assert drifts_of(owned(managed("kubectl-edit", {"f:data": {"f:c": {}}}))).managers == ()


def test_the_first_time_server_side_is_grave_where_values_differ() -> None:
    (finding,) = of_rule(owned(managed("kubectl-edit", {"f:data": {"f:b": {}}})), "drift-client-to-server")
    assert (finding.severity, finding.where.field) == ("danger", "data.b")
    (finding,) = of_rule(owned(managed("kubectl-edit", {"f:data": {"f:a": {}}})), "drift-client-to-server")
    assert finding.severity == "warning"


def test_drift_itself_foretells_nothing() -> None:
    drifted = one("ConfigMap", changed("data.a"), drift=(kept("data.c"),))
    assert of_rule(facts(drifted, operation="drift"), "drift-reverted") == []
