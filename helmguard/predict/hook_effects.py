"""What running hooks does to objects that are, or were, part of the release."""

from __future__ import annotations

from collections.abc import Mapping

from helmguard.manifest.hooks import Hook, hooks_for
from helmguard.model.json_value import JSONObject
from helmguard.model.prediction import Failure, ResourcePrediction
from helmguard.model.release import ApplyMethod
from helmguard.model.resource_key import ResourceKey
from helmguard.predict.answered_write import carry_out
from helmguard.predict.engines import choose_engine
from helmguard.predict.inputs import OperationInputs
from helmguard.predict.object_write import Write
from helmguard.predict.ownership import non_string_mark
from helmguard.predict.plural import resource_name
from helmguard.predict.preconditions import no_match_text
from helmguard.predict.schema.custom_types import CustomKind
from helmguard.predict.scopes import hook_key
from helmguard.predict.simulation import Simulation

BEFORE_CREATION = "before-hook-creation"
SUCCEEDED = "hook-succeeded"


def hooks_that_bring_definitions(inputs: OperationInputs) -> tuple[str, ...]:
    """The pre-hooks that look as if they applied CRDs: Jobs and Pods with ``crd`` in their commands or names.

    Charts do so because Helm itself never upgrades what is in ``crds/``.
    """
    if inputs.options.no_hooks:
        return ()
    return tuple(
        f"{hook.object.kind}/{hook.object.name}"
        for hook in hooks_for(f"pre-{inputs.operation}", inputs.hooks)
        if hook.object.kind in ("Job", "Pod") and "crd" in str(hook.object.body).lower()
    )


def run_hooks(
    event: str,
    simulation: Simulation,
    custom: Mapping[tuple[str, str], CustomKind],
    method: ApplyMethod,
) -> Failure | None:
    """Simulate the hooks of one event in their order; whether their own work succeeds is not predictable.

    Returns the failure where a hook's object cannot be created.
    """
    inputs = simulation.inputs
    if inputs.options.no_hooks:
        return None
    running = hooks_for(event, inputs.hooks)
    for hook in running:
        key = hook_key(hook, inputs.namespace, inputs.discovery, custom)
        deletes_first = BEFORE_CREATION in hook.delete_policies and not _is_definition(hook)
        problem = _unbuildable(hook, key, inputs, custom)
        if problem:
            purpose = "deleting" if deletes_first else event
            message = f"unable to build kubernetes object for {purpose} hook {hook.path}: {problem}"
            _note(hook, key, simulation, event)
            return Failure(_prefix(event) + message, "hook", key, tuple(simulation.changed))
        if deletes_first:
            simulation.put(key, None)
        error = _create(hook, key, simulation, custom, method)
        _note(hook, key, simulation, event)
        if error:
            message = f"{_prefix(event)}warning: Hook {event} {hook.path} failed: {error}"
            return Failure(message, "hook", key, tuple(simulation.changed))
    for hook in running:
        if SUCCEEDED in hook.delete_policies and not _is_definition(hook):
            key = hook_key(hook, inputs.namespace, inputs.discovery, custom)
            simulation.put(key, None)
            _note(hook, key, simulation, event)
    return None


def _unbuildable(
    hook: Hook,
    key: ResourceKey,
    inputs: OperationInputs,
    custom: Mapping[tuple[str, str], CustomKind],
) -> str:
    """Why Helm cannot make an object of the hook's document, at the earliest when its turn comes.

    A kind that is not served now may be by then, if a definition or a hook of the release brings it: that is
    no failure to foretell.
    """
    item = hook.object
    problem = non_string_mark(item.body)
    if problem:
        return problem
    discovery = inputs.discovery
    if discovery is None or discovery.find(item.api_version, item.kind) is not None:
        return ""
    brought = (item.api_version, item.kind) in custom or hooks_that_bring_definitions(inputs)
    if brought or item.api_version in discovery.unavailable or _is_defined_by_hooks(key, inputs):
        return ""
    return no_match_text(item.api_version, key, item.body)


def _is_defined_by_hooks(key: ResourceKey, inputs: OperationInputs) -> bool:
    specs = [hook.object.body.get("spec") or {} for hook in inputs.hooks if _is_definition(hook)]
    return any(
        spec.get("group") == key.group and (spec.get("names") or {}).get("kind") == key.kind for spec in specs
    )


def _prefix(event: str) -> str:
    """A rollback reports the hook's failure as it is."""
    if event.endswith("-rollback"):
        return ""
    return f"failed {event}: " if event.endswith("-install") else f"{event} hooks failed: "


def _create(
    hook: Hook,
    key: ResourceKey,
    simulation: Simulation,
    custom: Mapping[tuple[str, str], CustomKind],
    method: ApplyMethod,
) -> str:
    """Put the hook's object into the cluster; returns Helm's error."""
    helm, live = simulation.inputs.helm, simulation.body(key)
    if live is not None and method == "csa":
        error = (
            f'{resource_name(hook.object.api_version, key.kind, simulation.inputs.discovery)} "{key.name}"'
        )
        return _listed(f"{error} already exists", helm.major)
    row = choose_engine(
        "update" if live is not None else "create",
        method=method,
        force=False,
        compiled=True,
        adopting_install=False,
    )
    written = carry_out(
        Write(
            key=key,
            original=None,
            target=_placed(hook, key),
            live=live,
            custom=custom.get((hook.object.api_version, hook.object.kind)),
            helm_major=helm.major,
        ),
        row,
        simulation,
    )
    if written.error:
        return _listed(written.error.removeprefix("failed to create resource: "), helm.major)
    simulation.put(key, written.body)
    return ""


def _listed(error: str, helm_major: int) -> str:
    """Helm 3 collects the errors of parallel creations in a list."""
    return f"1 error occurred:\n\t* {error}\n\n" if helm_major < 4 else error


def _is_definition(hook: Hook) -> bool:
    """Helm never deletes CRDs that are hooks."""
    return hook.object.kind == "CustomResourceDefinition"


def _placed(hook: Hook, key: ResourceKey) -> JSONObject:
    """The document as it is sent: with its namespace, and without ownership marks."""
    body = hook.object.body
    if key.namespace is None:
        return body
    return {**body, "metadata": {**(body.get("metadata") or {}), "namespace": key.namespace}}


def _note(hook: Hook, key: ResourceKey, simulation: Simulation, event: str) -> None:
    if key in simulation.previous and key not in simulation.target:
        if simulation.body(key) is None:
            why = f"it becomes a {event} hook, which is deleted once it has succeeded"
            simulation.note(key, "delete", why, engine="hook")
            return
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
        unknown=_may_be_built_too_early(hook, key, simulation.inputs),
    )


def _may_be_built_too_early(hook: Hook, key: ResourceKey, inputs: OperationInputs) -> str:
    """Helm does not wait for a definition that is a hook: both Helms were seen to fail and to succeed."""
    served = inputs.discovery is None or inputs.discovery.find(hook.object.api_version, key.kind) is not None
    if served or not _is_defined_by_hooks(key, inputs):
        return ""
    return (
        "not predictable: a hook brings its kind, and Helm fails (no matches for kind) where it builds this "
        "hook before the API server serves it"
    )
