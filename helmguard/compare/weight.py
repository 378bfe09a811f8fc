"""What a field change amounts to: real, noise, a restart of pods."""

from __future__ import annotations

from helmguard.compare.equal_trees import same_tree
from helmguard.model.field_change import FieldChange
from helmguard.model.field_path import FieldPath
from helmguard.model.json_value import JSONValue
from helmguard.model.plan import ResourceChange

_WORKLOADS = frozenset(["Deployment", "StatefulSet", "DaemonSet", "ReplicationController"])
_POD_TEMPLATE: FieldPath = ("spec", "template")


def is_counted(change: FieldChange) -> bool:
    """Whether the change is one that a reviewer has to look at.

    Not counted: bookkeeping labels, templates' random values, fields that have the new value already, and
    what the server fills in. A manifest's change that does not arrive is counted.
    """
    if change.bookkeeping or change.cause in ("unstable", "converged"):
        return False
    return change.cause != "server" or bool(change.note)


def restarts_pods(resource: ResourceChange) -> bool:
    """Whether the update makes the workload's controller replace its pods."""
    if resource.prediction.key.kind not in _WORKLOADS or resource.action not in (
        "update",
        "replace",
        "adopt",
    ):
        return False
    if _update_strategy(resource.prediction.predicted) == "OnDelete":
        return False
    return any(
        change.path[:2] == _POD_TEMPLATE and not same_tree(change.before, change.after)
        for change in resource.changes
    )


def _update_strategy(predicted: JSONValue) -> str:
    spec = predicted.get("spec") if isinstance(predicted, dict) else None
    strategy = spec.get("updateStrategy") if isinstance(spec, dict) else None
    return str(strategy.get("type")) if isinstance(strategy, dict) else ""
