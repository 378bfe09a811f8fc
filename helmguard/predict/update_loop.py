"""Helm's loop over the target objects: create what is missing, update what is there."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import msgspec

from helmguard.model.action import Action
from helmguard.model.json_value import JSONObject
from helmguard.model.prediction import Failure
from helmguard.model.resource_key import ResourceKey
from helmguard.predict.answered_write import carry_out
from helmguard.predict.apply_method import ApplyMethodDecision
from helmguard.predict.engines import choose_engine
from helmguard.predict.namespaces import refusal_to_create
from helmguard.predict.object_write import Write, Written
from helmguard.predict.ownership import with_ownership_marks
from helmguard.predict.preconditions import ReleaseObject
from helmguard.predict.schema.builtin_types import in_compiled_scheme
from helmguard.predict.schema.custom_types import CustomKind
from helmguard.predict.server_side_apply import FIELD_MANAGER
from helmguard.predict.simulation import Simulation, same_object


class UpdateLoop(msgspec.Struct, frozen=True):
    """What stays the same over all objects; ``adopted`` are live objects new to the release."""

    decision: ApplyMethodDecision
    custom: Mapping[tuple[str, str], CustomKind]
    adopted: Mapping[ResourceKey, ReleaseObject]


def update_objects(
    targets: Sequence[ReleaseObject], simulation: Simulation, loop: UpdateLoop
) -> Failure | None:
    """Go through the targets in order; update errors are collected, a create error ends the loop at once."""
    errors: list[str] = []
    first_failed: ResourceKey | None = None
    for position, item in enumerate(targets):
        if item.key.name and not simulation.is_readable(item.key):
            simulation.note(
                item.key,
                "unknown",
                "its live state could not be read",
                unknown="not predictable: the live object was not read",
            )
            continue
        is_new = simulation.body(item.key) is None
        error = write_release_object(item, simulation, loop)
        if not error:
            continue
        first_failed = first_failed or item.key
        if is_new:
            _note_not_reached(targets[position + 1 :], item, simulation)
            return Failure(error, "apply", item.key, tuple(simulation.changed))
        errors.append(error)
    if errors:
        return Failure(" && ".join(errors), "apply", first_failed, tuple(simulation.changed))
    return None


def write_release_object(item: ReleaseObject, simulation: Simulation, loop: UpdateLoop) -> str:
    """Create or update one object; returns Helm's error, empty where all is well."""
    inputs = simulation.inputs
    live = simulation.body(item.key)
    target = with_ownership_marks(item.body, inputs.release, inputs.namespace)
    if not item.key.name:
        return _unnamed(item, simulation, loop)
    row = choose_engine(
        "create" if live is None else "update",
        method=loop.decision.method,
        force=inputs.options.force,
        compiled=in_compiled_scheme(item.api_version, item.key.kind),
        adopting_install=inputs.operation == "install" and inputs.options.take_ownership,
    )
    written = carry_out(
        Write(
            key=item.key,
            original=_original(item, target, live, simulation, loop),
            target=_in_namespace(target, item.key),
            live=live,
            custom=loop.custom.get((item.api_version, item.key.kind)),
            helm_major=inputs.helm.major,
            force_conflicts=inputs.options.force_conflicts,
            migrates=loop.decision.migrates,
            refusal=refusal_to_create(item.key, item.api_version, simulation) if live is None else "",
        ),
        row,
        simulation,
    )
    if live is None:
        simulation.created.append(item.key)
    if written.error:
        simulation.note(item.key, "fail", row.why, engine=row.engine, error=written.error)
        return written.error
    action = _action(item, live, written, simulation, loop)
    simulation.put(item.key, written.body)
    custom = loop.custom.get((item.api_version, item.key.kind))
    why = "; ".join((_why(action, row.why), *written.notes, *_assumed(custom)))
    unknown = written.unknown or next(_conversion_doubts(item, live, simulation, loop), "")
    simulation.note(item.key, action, why, engine=row.engine, unknown=unknown)
    return ""


def _unnamed(item: ReleaseObject, simulation: Simulation, loop: UpdateLoop) -> str:
    """Helm 4 looks objects up by name, or applies them by name, and gives up on ``generateName``."""
    error = "could not get information about the resource: resource name may not be empty"
    if simulation.inputs.operation == "install" and not loop.adopted:
        version = item.api_version if "/" in item.api_version else f"/{item.api_version}"
        place = f"{item.key.namespace or ''}/ {version}, Kind={item.key.kind}"
        error = f"server-side apply failed for object {place}: resource name may not be empty"
    simulation.note(item.key, "fail", "it has no name of its own (generateName)", error=error)
    return error


def _original(
    item: ReleaseObject,
    target: JSONObject,
    live: JSONObject | None,
    simulation: Simulation,
    loop: UpdateLoop,
) -> JSONObject | None:
    """The old side of the comparison: the old manifest, for adopted objects the target, else what is live."""
    previous = simulation.previous.get(item.key)
    if previous is not None:
        return previous.body
    return target if item.key in loop.adopted else live


def _in_namespace(target: JSONObject, key: ResourceKey) -> JSONObject:
    """Helm's client fills in the namespace of namespaced objects before it sends them."""
    if key.namespace is not None:
        target["metadata"].setdefault("namespace", key.namespace)
    return target


def _action(
    item: ReleaseObject, live: JSONObject | None, written: Written, simulation: Simulation, loop: UpdateLoop
) -> Action:
    if live is None:
        return "recreate" if item.key in simulation.previous else "create"
    if item.key in loop.adopted and item.key not in simulation.previous:
        return "adopt"
    return "unchanged" if same_object(live, written.body) else "update"


def _why(action: Action, engine_why: str) -> str:
    return {
        "create": "new in the manifest",
        "recreate": "is in the old manifest but was deleted from the cluster",
        "adopt": "is live already and becomes part of the release",
        "unchanged": "already as the new manifest wants it",
    }.get(action, engine_why)


def _assumed(custom: CustomKind | None) -> Iterator[str]:
    if custom is not None and custom.brought_by:
        yield f"with the definition in the chart's crds/, which {custom.brought_by} seems to apply before"


def _conversion_doubts(
    item: ReleaseObject, live: JSONObject | None, simulation: Simulation, loop: UpdateLoop
) -> Iterator[str]:
    """Custom resources whose fields Helm has applied in another version with another schema.

    The API server converts the record of field owners between the versions: it may fail on fields that one
    of them lacks, and leaves what the other's defaults made.
    """
    custom = loop.custom.get((item.api_version, item.key.kind))
    confirmation = simulation.confirmations.get(item.key)
    if custom is None or live is None or loop.decision.method != "ssa":
        return
    if confirmation is not None and confirmation.by_server:
        return
    for entry in (live.get("metadata") or {}).get("managedFields") or []:
        version = str(entry.get("apiVersion", ""))
        other = loop.custom.get((version, item.key.kind))
        if entry.get("manager") != FIELD_MANAGER or version == item.api_version or other is None:
            continue
        if other.declared.schema != custom.declared.schema:
            yield f"not predictable: Helm's fields were applied as {version}, whose schema is another"


def _note_not_reached(rest: Sequence[ReleaseObject], failed: ReleaseObject, simulation: Simulation) -> None:
    for item in rest:
        simulation.note(item.key, "unchanged", f"not reached: Helm stops at {failed.key}")
