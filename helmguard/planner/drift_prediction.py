"""What an upgrade to the manifest already deployed would do to each object.

There is one idea of drift: Helm's own. Each object is predicted by ``predict_operation``; where that
operation would stop before it comes to an object, it is predicted once more with the obstacle out of the way.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import msgspec
from msgspec.structs import replace

from helmguard.compare.conflict import is_conflict_error
from helmguard.manifest.objects import ManifestObject
from helmguard.model.live_state import Absent, KindNotServed, Present
from helmguard.model.prediction import Failure, Prediction, ResourcePrediction
from helmguard.model.release import Revision
from helmguard.model.resource_key import ResourceKey
from helmguard.planner.drift_base import without_obstacles
from helmguard.planner.inputs import PlanInputs
from helmguard.planner.scopes import is_unserved
from helmguard.predict.inputs import OperationInputs
from helmguard.predict.namespaces import namespace_key
from helmguard.predict.operation import predict_operation
from helmguard.predict.preconditions import no_match_text


class DriftPrediction(msgspec.Struct, frozen=True):
    """``failure`` is that of the real upgrade. ``forced`` says, for objects with conflicts, what taking the
    fields over would do: what else differs on them."""

    resources: tuple[ResourcePrediction, ...]
    failure: Failure | None = None
    notes: tuple[str, ...] = ()
    forced: dict[ResourceKey, ResourcePrediction] = {}


def predict_drift(inputs: PlanInputs, base: Revision, objects: Sequence[ManifestObject]) -> DriftPrediction:
    """The objects in the manifest's order."""
    latest = whole = _predict(inputs, objects)
    found = _by_key(whole)
    free = _without_obstacles(inputs, base, objects)
    served = [item for item in objects if not is_unserved(item, inputs)]
    present = [item for item in served if isinstance(inputs.live.get(item.key), Present)]
    for reachable in (served, present):
        if _reaches_all(latest, inputs):
            break
        latest = _predict(free, reachable)
        found |= _by_key(latest)
    for item in objects:
        if item.key in found:
            found[item.key] = _said(found[item.key], item)
    conflicted = [item for item in present if is_conflict_error(found[item.key].error)]
    forced = _predict_forced(free, conflicted) if conflicted else {}
    return DriftPrediction(tuple(found.values()), whole.failure, whole.notes, forced)


def _predict(inputs: PlanInputs, objects: Sequence[ManifestObject]) -> Prediction:
    return predict_operation(
        OperationInputs(
            operation="upgrade",
            helm=inputs.helm,
            options=inputs.options,
            release=inputs.release,
            namespace=inputs.namespace,
            history=inputs.history,
            previous=objects,
            target=objects,
            live=inputs.live,
            crds=inputs.crds,
            discovery=inputs.discovery,
        )
    )


def _predict_forced(
    inputs: PlanInputs, objects: Sequence[ManifestObject]
) -> dict[ResourceKey, ResourcePrediction]:
    options = replace(inputs.options, server_side="true", force_conflicts=True)
    return _by_key(_predict(replace(inputs, options=options), objects))


def _without_obstacles(inputs: PlanInputs, base: Revision, objects: Iterable[ManifestObject]) -> PlanInputs:
    """The release's state, its namespace and flags that exclude each other stop Helm before any object."""
    obstacles = {namespace_key(inputs.namespace)} - {item.key for item in objects}
    return replace(
        inputs,
        history=without_obstacles(inputs.history, base),
        options=replace(inputs.options, force=False, force_conflicts=False),
        live={key: state for key, state in inputs.live.items() if key not in obstacles},
    )


def _reaches_all(prediction: Prediction, inputs: PlanInputs) -> bool:
    """Whether Helm came to every object: it goes on after an object it cannot patch, not after others."""
    failure = prediction.failure
    if failure is None:
        return True
    if failure.stage == "before" or failure.resource is None:
        return False
    return isinstance(inputs.live.get(failure.resource), Present)


def _said(found: ResourcePrediction, item: ManifestObject) -> ResourcePrediction:
    """The prediction, where Helm did not come to the object: with what is known of it all the same."""
    if isinstance(found.live, KindNotServed):
        why = "the cluster does not serve its kind any more"
        error = found.error or no_match_text(item.api_version, item.key, item.body)
        return replace(found, action="fail", error=error, why=why)
    if isinstance(found.live, Absent) and found.action == "unchanged":
        why = "is in the manifest but was deleted from the cluster; Helm fails before it comes to it"
        return replace(found, action="recreate", predicted=None, why=why)
    return found


def _by_key(prediction: Prediction) -> dict[ResourceKey, ResourcePrediction]:
    return {resource.key: resource for resource in prediction.resources}
