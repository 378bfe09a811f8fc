"""What one ``helm upgrade``, ``install`` or ``rollback`` will do, in Helm's own order.

Source of the order: helm/helm@v3.22.0 and @v4.3.1 pkg/action/{upgrade,install,rollback}.go and
pkg/kube/client.go.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

import msgspec
from msgspec.structs import replace

from helmguard.model.action import Action
from helmguard.model.prediction import Failure, Prediction, ResourcePrediction
from helmguard.model.resource_key import ResourceKey
from helmguard.predict.apply_method import ApplyMethodDecision, decide_apply_method
from helmguard.predict.definitions import definition_notes, known_kinds
from helmguard.predict.deletions import delete_removed
from helmguard.predict.hook_effects import run_hooks
from helmguard.predict.inputs import OperationInputs
from helmguard.predict.install import create_objects, install_definitions
from helmguard.predict.namespaces import namespace_key, provide_release_namespace
from helmguard.predict.preconditions import (
    ReleaseObject,
    adopted_objects,
    manifest_failure,
    option_failure,
    release_state_failure,
)
from helmguard.predict.simulation import Simulation
from helmguard.predict.update_loop import UpdateLoop, update_objects

if TYPE_CHECKING:
    from helmguard.manifest.objects import ManifestObject
    from helmguard.predict.requests import AskedWrite, UnsentWrite


class Simulated(msgspec.Struct, frozen=True):
    """A prediction, the writes in it that the API server could be asked about, and those Helm never sends."""

    prediction: Prediction
    asked: Mapping[ResourceKey, AskedWrite]
    unsent: Mapping[ResourceKey, UnsentWrite]


def predict_operation(inputs: OperationInputs) -> Prediction:
    """Simulate the operation on the live state given; never raises for what Helm would only report."""
    return simulate_operation(inputs).prediction


def simulate_operation(inputs: OperationInputs) -> Simulated:
    """The same, with the writes on the way."""
    decision = decide_apply_method(
        inputs.operation,
        inputs.helm,
        inputs.options.server_side,
        inputs.history,
        inputs.rollback_revision,
    )
    custom = known_kinds(inputs)
    previous = _release_objects(inputs.previous)
    target = _release_objects(inputs.target)
    simulation = Simulation(inputs, _first_by_key(previous), _last_by_key(target))
    failure = release_state_failure(inputs)
    if failure is None and inputs.operation == "install":
        failure = install_definitions(simulation, UpdateLoop(decision, custom, {}))
    if failure is None and inputs.rendering_error:
        failure = Failure(inputs.rendering_error, "before")
    failure = failure or manifest_failure(inputs, previous, target)
    adopted: list[ReleaseObject] = []
    if failure is None:
        adopted, failure = adopted_objects(inputs, previous, target, inputs.live)
    failure = failure or provide_release_namespace(simulation, decision.method)
    failure = failure or _record_failure(simulation)
    if failure is not None:
        stopped = _stopped_before(simulation, previous, target, decision, failure)
        return Simulated(stopped, simulation.asked, simulation.unsent)
    loop = UpdateLoop(decision, custom, {item.key: item for item in adopted})
    failure = _carry_out(simulation, previous, target, loop)
    notes = (*_notes(inputs, failure), *definition_notes(custom))
    prediction = Prediction(decision.method, _in_order(simulation, target, previous), failure, notes)
    return Simulated(prediction, simulation.asked, simulation.unsent)


def _record_failure(simulation: Simulation) -> Failure | None:
    """The new revision's record is stored before hooks and objects, after an install's crds/."""
    text = simulation.inputs.record_refusal
    if not text:
        return None
    return Failure(text, "apply" if simulation.changed else "before", None, tuple(simulation.changed))


def _carry_out(
    simulation: Simulation,
    previous: Sequence[ReleaseObject],
    target: Sequence[ReleaseObject],
    loop: UpdateLoop,
) -> Failure | None:
    inputs = simulation.inputs
    failure = run_hooks(f"pre-{inputs.operation}", simulation, loop.custom, loop.decision.method)
    if failure is None and inputs.operation == "install" and not loop.adopted:
        failure = create_objects(target, simulation, loop)
    else:
        failure = failure or option_failure(inputs, loop.decision.method)
        failure = failure or update_objects(target, simulation, loop)
    if failure is None:
        kept = {item.key for item in target}
        failure = delete_removed([item for item in previous if item.key not in kept], simulation)
    if failure is None:
        failure = run_hooks(f"post-{inputs.operation}", simulation, loop.custom, loop.decision.method)
    if failure is not None and inputs.options.cleanup_on_fail:
        _clean_up(simulation)
    _note_untouched(simulation, [*target, *previous], failure)
    return failure


def _release_objects(items: Iterable[ManifestObject]) -> list[ReleaseObject]:
    return [ReleaseObject(item.key, item.api_version, item.body, item.source) for item in items]


def _first_by_key(items: Iterable[ReleaseObject]) -> dict[ResourceKey, ReleaseObject]:
    """Of several documents with one identity Helm compares with the first."""
    found: dict[ResourceKey, ReleaseObject] = {}
    for item in items:
        found.setdefault(item.key, item)
    return found


def _last_by_key(items: Iterable[ReleaseObject]) -> dict[ResourceKey, ReleaseObject]:
    return {item.key: item for item in items}


def _stopped_before(
    simulation: Simulation,
    previous: Sequence[ReleaseObject],
    target: Sequence[ReleaseObject],
    decision: ApplyMethodDecision,
    failure: Failure,
) -> Prediction:
    for item in (*target, *previous):
        action: Action = "fail" if item.key == failure.resource else "unchanged"
        error = failure.message if item.key == failure.resource else ""
        simulation.note(item.key, action, "Helm fails before it comes to the objects", error=error)
    failure = replace(failure, applied_before=tuple(simulation.changed))
    return Prediction(decision.method, _in_order(simulation, target, previous), failure)


def _note_untouched(simulation: Simulation, items: Iterable[ReleaseObject], failure: Failure | None) -> None:
    why = "not reached: Helm has failed by then" if failure else "nothing happens to it"
    for item in items:
        if item.key not in simulation.results:
            simulation.note(item.key, "unchanged", why)


def _clean_up(simulation: Simulation) -> None:
    """``--cleanup-on-fail``: what this operation has created goes again."""
    for key in simulation.created:
        simulation.put(key, None)
        if simulation.results[key].action != "fail":
            del simulation.results[key]
            simulation.note(key, "unchanged", "created, and removed again by --cleanup-on-fail")


def _notes(inputs: OperationInputs, failure: Failure | None) -> tuple[str, ...]:
    notes = []
    if failure is not None and inputs.options.atomic:
        notes.append("Helm will then roll back by itself; the objects are shown as they are before that")
    events = {f"pre-{inputs.operation}", f"post-{inputs.operation}"}
    if not inputs.options.no_hooks and any(events.intersection(hook.events) for hook in inputs.hooks):
        notes.append("whether the hooks' own work succeeds, and what it changes, is not predictable")
    return tuple(notes)


def _in_order(
    simulation: Simulation, target: Sequence[ReleaseObject], previous: Sequence[ReleaseObject]
) -> tuple[ResourcePrediction, ...]:
    """What Helm makes before all else first, then the manifests' objects, then what only hooks bring."""
    for written, confirmation in simulation.confirmations.items():
        if written in simulation.results:
            noted = simulation.results[written]
            simulation.results[written] = replace(noted, confirmation=confirmation)
    place = namespace_key(simulation.inputs.namespace)
    keys = dict.fromkeys([item.key for item in (*target, *previous)])
    others = {key: result for key, result in simulation.results.items() if key not in keys}
    return (
        *(result for key, result in others.items() if result.source == "crds/" or key == place),
        *(simulation.results[key] for key in keys if key in simulation.results),
        *(result for key, result in others.items() if result.source != "crds/" and key != place),
    )
