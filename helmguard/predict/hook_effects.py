"""What running hooks does to objects that are, or were, part of the release."""

from __future__ import annotations

from typing import TYPE_CHECKING

from helmguard.manifest.hooks import Hook, hooks_for
from helmguard.model.prediction import Failure, ResourcePrediction
from helmguard.model.release import ApplyMethod
from helmguard.model.resource_key import ResourceKey
from helmguard.predict.api_server.stored_object import store
from helmguard.predict.scopes import hook_key
from helmguard.predict.simulation import Simulation

if TYPE_CHECKING:
    from collections.abc import Mapping

    from helmguard.predict.inputs import OperationInputs
    from helmguard.predict.schema.custom_types import CustomKind

BEFORE_CREATION = "before-hook-creation"
SUCCEEDED = "hook-succeeded"


def hooks_bring_definitions(inputs: OperationInputs) -> bool:
    """Whether a pre-hook looks as if it applied CRDs: a Job or Pod with ``crd`` in its commands or names.

    Charts do so because Helm itself never upgrades what is in ``crds/``.
    """
    if inputs.options.no_hooks:
        return False
    return any(
        f"pre-{inputs.operation}" in hook.events
        and hook.object.kind in ("Job", "Pod")
        and "crd" in str(hook.object.body).lower()
        for hook in inputs.hooks
    )


def run_hooks(
    event: str,
    simulation: Simulation,
    custom: Mapping[tuple[str, str], CustomKind],
    method: ApplyMethod,
) -> Failure | None:
    """Simulate the hooks of one event in their order; whether their own work succeeds is not predictable.

    Returns the failure where a hook's object is in the way of its own creation.
    """
    inputs = simulation.inputs
    if inputs.options.no_hooks:
        return None
    running = hooks_for(event, inputs.hooks)
    for hook in running:
        key = hook_key(hook, inputs.namespace, inputs.discovery, custom)
        is_definition = hook.object.kind == "CustomResourceDefinition"
        if BEFORE_CREATION in hook.delete_policies and not is_definition:
            simulation.put(key, None)
        if simulation.body(key) is not None and method == "csa":
            text = f'{hook.object.kind.lower()}s "{hook.object.name}" already exists'
            message = f"{event} hooks failed: warning: Hook {event} {hook.path} failed: {text}"
            return Failure(message, "hook", key, tuple(simulation.changed))
        stored = store(hook.object.body, None, custom.get((hook.object.api_version, hook.object.kind)))
        simulation.put(key, stored.body)
        _note(hook, key, simulation, event)
    for hook in running:
        if SUCCEEDED in hook.delete_policies and hook.object.kind != "CustomResourceDefinition":
            simulation.put(hook_key(hook, inputs.namespace, inputs.discovery, custom), None)
    return None


def _note(hook: Hook, key: ResourceKey, simulation: Simulation, event: str) -> None:
    if key in simulation.previous and key not in simulation.target:
        why = f"it becomes a {event} hook: deleted as a release object, then created without ownership marks"
        if event.startswith("pre-"):
            why = f"it becomes a {event} hook, and is then deleted because it left the manifest"
        simulation.note(key, "replace", why, engine="hook")
        return
    simulation.results[key] = ResourcePrediction(
        key=key,
        api_version=hook.object.api_version,
        action="hook",
        previous=None,
        new=hook.object.body,
        live=simulation.live_state(key),
        predicted=simulation.body(key),
        why=f"runs as {event} hook",
        source=hook.object.source,
        engine="hook",
    )
