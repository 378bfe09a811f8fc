"""Custom resource definitions in a chart's crds/: installed once, never upgraded."""

from __future__ import annotations

from controlplane.definitions import wait_until_served
from field_case import FieldCase, actions, findings, resource
from gadgets import Gadgets

from helmguard.manifest import yaml


def test_p07_changed_definition_does_not_arrive(case: FieldCase, gadgets: Gadgets) -> None:
    """No object of the plan is the definition, and the upgrade leaves it as it is."""
    gadget = gadgets.gadget("g", size="{{ .Values.size }}")
    old = case.chart(gadget, "size: 1\n", files={"crds/gadget.yaml": gadgets.definition(size="integer")})
    case.install(old)
    definition = case.cluster.get(gadgets.definition_path)["metadata"]["resourceVersion"]
    newer = gadgets.definition(size="integer", plugin="string")
    new = case.chart(gadget, "size: 2\n", "2.0.0", {"crds/gadget.yaml": newer})
    plan = case.upgrade_as_planned(new)
    assert actions(plan) == {"Gadget/g": "update"}
    (finding,) = findings(plan, "crd-not-upgraded")
    assert finding["where"]["name"].endswith(f"gadgets.{gadgets.group}")
    (definition_entry,) = plan["definitions"]
    assert (definition_entry["state"], definition_entry["added"]) == ("differs", ["v1 spec.plugin"])
    assert definition_entry["appliedBy"] == ""
    same = case.plan(
        case.chart(gadget, "size: 1\n", "3.0.0", {"crds/gadget.yaml": gadgets.definition(size="integer")})
    )
    assert findings(same, "crd-not-upgraded") == []
    assert case.cluster.get(gadgets.definition_path)["metadata"]["resourceVersion"] == definition


def test_p08_field_that_the_live_definition_does_not_know(case: FieldCase, gadgets: Gadgets) -> None:
    """Helm 3 drops the field without failing, Helm 4 is refused."""
    old = case.chart(
        gadgets.gadget("g", size="1"), files={"crds/gadget.yaml": gadgets.definition(size="integer")}
    )
    case.install(old)
    new = case.chart(
        gadgets.gadget("g", size="2", plugin="on"),
        version="2.0.0",
        files={"crds/gadget.yaml": gadgets.definition(size="integer", plugin="string")},
    )
    plan = case.upgrade_as_planned(new)
    (finding,) = findings(plan, "cr-field-pruned")
    assert (finding["severity"], finding["where"]["field"]) == (
        "blocker" if case.is_helm_4 else "danger",
        "spec.plugin",
    )
    assert plan["exitCode"] == 3
    if case.is_helm_4:
        assert "field not declared in schema" in plan["failure"]["message"]
        return
    assert plan["failure"] is None
    assert resource(plan, "Gadget/g")["after"]["spec"] == {"size": 2}


def test_d05_definition_that_kubectl_has_applied(case: FieldCase, gadgets: Gadgets) -> None:
    """Helm 3 leaves a definition that is there; Helm 4 applies it and meets kubectl's fields."""
    folder = gadgets.definition_path.rpartition("/")[0]
    live = yaml.load(gadgets.definition(size="string"))
    case.cluster.create(folder, live, field_manager="kubectl-client-side-apply")
    wait_until_served(case.cluster, gadgets.definition_path.rpartition("/")[2])
    files = {"crds/gadget.yaml": gadgets.definition(size="integer")}
    plan = case.install_as_planned(case.chart(gadgets.gadget("g", size="'1'"), files=files))
    assert (plan["failure"] is not None) is case.is_helm_4
    if case.is_helm_4:
        assert 'conflict with "kubectl-client-side-apply"' in plan["failure"]["message"]
