"""Causes on charts whose lists shift and whose values change at the same time."""

from __future__ import annotations

from helmguard.compare.attribution import attribute
from helmguard.compare.context import CompareContext
from helmguard.model.field_change import MISSING
from helmguard.model.resource_key import ResourceKey
from helmguard.model.value_change import Provenance, ValueChange

ROLE = ResourceKey.of("rbac.authorization.k8s.io/v1", "Role", "shop", "web")
REPLICAS = ValueChange(("replicas",), 3, 2, "values", Provenance("previous revision"), Provenance("--set"))
PROBE = ValueChange(("probe",), MISSING, {}, "default", None, None)


def test_a_position_that_holds_another_item_now_is_no_evidence() -> None:
    """A rule came in at the front: undoing the user's value gives the very same list."""
    new = {"rules": [{"verbs": ["get", "list", "patch"]}, {"verbs": ["get", "list"]}]}
    context = CompareContext(
        (REPLICAS, PROBE), counterfactuals={"values": {ROLE: new}, "default": {ROLE: new}}, target={ROLE: new}
    )
    assert attribute(ROLE, ("rules", 0, "verbs", 2), "patch", MISSING, context).cause == "chart"


def test_the_only_value_of_a_cause_is_named() -> None:
    old, new = {"spec": {"count": "3 of 4"}}, {"spec": {"count": "2 of 4"}}
    context = CompareContext(
        (REPLICAS, PROBE), counterfactuals={"values": {ROLE: old}, "default": {ROLE: new}}, target={ROLE: new}
    )
    found = attribute(ROLE, ("spec", "count"), "3 of 4", "2 of 4", context)
    assert (found.cause, found.value_path) == ("values", "replicas")
