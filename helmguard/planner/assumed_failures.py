"""What would fail if the cluster held what the old manifest says, for objects whose live state is not known.

Where nothing live can be read (a pull request, a bundle without it) the API server's refusals of a change are
still foretold: the object is taken as Helm made it from the old manifest. Pure, as the prediction is.
"""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from helmguard.manifest.objects import ManifestObject
from helmguard.model.apply_options import ApplyOptions, ServerSide
from helmguard.model.json_value import JSONObject
from helmguard.model.live_state import Absent, LiveState, Present, Unreadable
from helmguard.model.release import History, Revision
from helmguard.model.resource_key import ResourceKey
from helmguard.model.surroundings import AssumedFailure
from helmguard.predict.inputs import OperationInputs
from helmguard.predict.operation import predict_operation


def assumed_failures(operation: OperationInputs, base: Revision | None) -> tuple[AssumedFailure, ...]:
    """One for each object that would be refused; none where its live state is known.

    ``base`` is the revision Helm compares with.
    """
    target = {item.key: item for item in operation.target}
    old = [item for item in operation.previous if _is_in_doubt(item, target, operation)]
    if not old or base is None:
        return ()
    live = _as_made(old, operation, base)
    return tuple(_refused([target[item.key] for item in old if item.key in live], old, live, operation))


def _is_in_doubt(
    item: ManifestObject, target: dict[ResourceKey, ManifestObject], operation: OperationInputs
) -> bool:
    """Whether the object changes and nobody knows its live state."""
    state = operation.live.get(item.key, Unreadable("not read"))
    new = target.get(item.key)
    return isinstance(state, Unreadable) and new is not None and new.body != item.body


def _as_made(
    old: list[ManifestObject], operation: OperationInputs, base: Revision
) -> dict[ResourceKey, LiveState]:
    """The objects as an install of the old manifest leaves them."""
    method: ServerSide = "auto"
    if operation.helm.major >= 4:
        method = "true" if base.effective_apply_method == "ssa" else "false"
    install = replace(
        operation,
        operation="install",
        options=ApplyOptions(server_side=method),
        history=History(operation.release, operation.namespace, ()),
        previous=(),
        target=old,
        hooks=(),
        live={item.key: Absent() for item in old},
        chart_crds=(),
        chart_crd_files=(),
        rollback_revision=None,
        rendering_error="",
        record_refusal="",
        answers={},
        unsent={},
    )
    made = predict_operation(install).resources
    return {one.key: Present(_allocated(one.predicted)) for one in made if one.predicted is not None}


def _allocated(body: JSONObject) -> JSONObject:
    """The API server gives a Service an address; which one does not matter, that there is one does."""
    spec = body.get("spec") or {}
    asked = spec.get("clusterIP")
    if body.get("kind") != "Service" or body.get("apiVersion") != "v1" or asked:
        return body
    if spec.get("type") == "ExternalName":
        return body
    return {**body, "spec": {**spec, "clusterIP": _ADDRESS, "clusterIPs": [_ADDRESS]}}


_ADDRESS = "10.96.0.10"


def _refused(
    new: list[ManifestObject],
    old: list[ManifestObject],
    live: dict[ResourceKey, LiveState],
    operation: OperationInputs,
) -> Iterator[AssumedFailure]:
    """Helm stops at the first: what follows is asked without those that failed."""
    left = list(new)
    while left:
        keys = {item.key for item in left}
        update = replace(
            operation,
            previous=[item for item in old if item.key in keys],
            target=left,
            hooks=(),
            live={key: state for key, state in live.items() if key in keys},
            rendering_error="",
            record_refusal="",
            answers={},
            unsent={},
        )
        failed = [one for one in predict_operation(update).resources if one.error and one.key in keys]
        if not failed:
            return
        for one in failed:
            yield AssumedFailure(one.key, one.error)
        left = [item for item in left if item.key not in {one.key for one in failed}]
