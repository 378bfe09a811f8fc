"""What may change in a pod: images, and a little of its timing and placing.

Source: k8s.io/kubernetes@v1.36.3 pkg/apis/core/validation (ValidatePodUpdate).
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Final

from helmguard.model.json_value import JSONObject, JSONValue
from helmguard.predict.json_equality import json_equal

_CHECKED_APART: Final = frozenset({"activeDeadlineSeconds", "tolerations", "schedulingGates"})


def pod_update_errors(old: JSONObject, new: JSONObject) -> Iterator[str]:
    """The refusals of an update of a pod, both as stored."""
    before, after = old.get("spec") or {}, new.get("spec") or {}
    for name in ("containers", "initContainers"):
        if len(before.get(name) or []) != len(after.get(name) or []):
            yield f"spec.{name}: Forbidden: pod updates may not add or remove containers"
            return
    deadline, wanted = before.get("activeDeadlineSeconds"), after.get("activeDeadlineSeconds")
    if deadline is not None and wanted is None:
        detail = "must not update from a positive integer to nil value"
        yield f"spec.activeDeadlineSeconds: Invalid value: null: {detail}"
    elif deadline is not None and wanted > deadline:
        detail = "must be less than or equal to previous value"
        yield f"spec.activeDeadlineSeconds: Invalid value: {wanted}: {detail}"
        return
    tolerated = [_untimed(one) for one in after.get("tolerations") or []]
    if any(_untimed(one) not in tolerated for one in before.get("tolerations") or []):
        yield (
            "spec.tolerations: Forbidden: existing toleration can not be modified except its "
            "tolerationSeconds"
        )
    yield from _gate_errors(before, after)
    frozen = (before.keys() | after.keys()) - _CHECKED_APART
    if any(
        not json_equal(_frozen(name, before), _frozen(name, after)) for name in frozen - _free(before, after)
    ):
        yield (
            "spec: Forbidden: pod updates may not change fields other than `spec.containers[*].image`,"
            "`spec.initContainers[*].image`,`spec.activeDeadlineSeconds`,`spec.tolerations` (only "
            "additions to existing tolerations),`spec.terminationGracePeriodSeconds` (allow it to be set to "
            "1 if it was previously negative)"
        )


def _free(before: JSONObject, after: JSONObject) -> set[str]:
    """What this one update may change: the placing of a gated pod, a negative grace period to 1."""
    free = {"nodeSelector"} if before.get("schedulingGates") else set()
    period, wanted = (spec.get("terminationGracePeriodSeconds") for spec in (before, after))
    return (
        free | {"terminationGracePeriodSeconds"}
        if period is not None and period < 0 and wanted == 1
        else free
    )


def _gate_errors(before: JSONObject, after: JSONObject) -> Iterator[str]:
    """Scheduling gates only go, and while one is there the node selector only grows."""
    gates = [gate.get("name") for gate in before.get("schedulingGates") or []]
    for index, gate in enumerate(after.get("schedulingGates") or []):
        if gate.get("name") not in gates:
            detail = f"only deletion is allowed, but found new scheduling gate '{gate.get('name')}'"
            yield f"spec.schedulingGates[{index}].name: Forbidden: {detail}"
    selector, wanted = before.get("nodeSelector") or {}, after.get("nodeSelector") or {}
    if gates and any(wanted.get(key) != value for key, value in selector.items()):
        shown = json.dumps(wanted, separators=(",", ":"))
        detail = "only additions to spec.nodeSelector are allowed (no mutations or deletions)"
        yield f"spec.nodeSelector: Invalid value: {shown}: {detail}"


def _untimed(toleration: JSONObject) -> JSONObject:
    return {key: value for key, value in toleration.items() if key != "tolerationSeconds"}


def _frozen(name: str, spec: JSONObject) -> JSONValue:
    """A field without what may change in it: the images."""
    value = spec.get(name)
    if name in ("containers", "initContainers", "ephemeralContainers"):
        return [{key: below for key, below in item.items() if key != "image"} for item in value or []]
    return value
