"""How each definition of the chart's ``crds/`` folders stands to the live one."""

from __future__ import annotations

from collections.abc import Mapping

from helmguard.compare.definitions import definition_differences
from helmguard.model.json_value import JSONObject
from helmguard.model.live_state import Absent, LiveState, Present, Unreadable
from helmguard.model.resource_key import ResourceKey
from helmguard.model.surroundings import DefinitionDifferences, DefinitionState, DefinitionStatus
from helmguard.planner.chart_definitions import ChartDefinition
from helmguard.planner.inputs import PlanInputs
from helmguard.predict.definitions import live_definitions
from helmguard.predict.ownership import release_of

_V1 = "apiextensions.k8s.io/v1"


def definition_states(inputs: PlanInputs, hooks: tuple[str, ...], method: str) -> tuple[DefinitionState, ...]:
    """One state each. ``hooks`` are those that seem to apply definitions, ``method`` the apply method."""
    live = {
        str((body.get("metadata") or {}).get("name") or ""): body
        for body in (*inputs.crds, *live_definitions(inputs.live))
    }
    return tuple(
        _state(definition, _live_state(definition, inputs, live), inputs, hooks, method)
        for definition in inputs.definitions
    )


def _state(
    definition: ChartDefinition,
    live: LiveState,
    inputs: PlanInputs,
    hooks: tuple[str, ...],
    method: str,
) -> DefinitionState:
    spec = definition.body.get("spec") or {}
    status: DefinitionStatus = "unknown"
    differences, why, body = DefinitionDifferences(), "", {}
    if isinstance(live, Absent):
        status = "missing"
    elif isinstance(live, Present):
        body = live.body
        if definition.body.get("apiVersion") == _V1 == body.get("apiVersion"):
            differences = definition_differences(definition.body, body)
            status = "differs" if differences.matters else "same"
        else:
            why = f"a definition of {definition.body.get('apiVersion')} is not compared"
    else:
        why = live.why if isinstance(live, Unreadable) else "the live definition was not read"
    return DefinitionState(
        name=definition.name,
        source=definition.source,
        kind=str((spec.get("names") or {}).get("kind") or ""),
        status=status,
        differences=differences,
        release=release_of(body),
        managers=_managers(body),
        applied_by=_applied_by(status, inputs, hooks, method),
        why=why,
    )


def _applied_by(status: DefinitionStatus, inputs: PlanInputs, hooks: tuple[str, ...], method: str) -> str:
    if inputs.operation == "install" and not inputs.options.skip_crds:
        if status == "missing" or method == "ssa":
            return "the install"
        return ""
    return ", ".join(hooks)


def _live_state(definition: ChartDefinition, inputs: PlanInputs, live: Mapping[str, JSONObject]) -> LiveState:
    if definition.name in live:
        return Present(live[definition.name])
    key = ResourceKey("apiextensions.k8s.io", "CustomResourceDefinition", None, definition.name)
    state = inputs.live.get(key)
    if state is not None:
        return state
    spec = definition.body.get("spec") or {}
    kind, group = (spec.get("names") or {}).get("kind"), spec.get("group")
    if inputs.discovery is not None and not any(
        served.kind == kind and served.group == group for served in inputs.discovery.kinds
    ):
        return Absent()
    return Unreadable("the live definition was not read")


def _managers(body: JSONObject) -> tuple[str, ...]:
    """The managers that own something of the spec."""
    owners = {
        str(entry.get("manager"))
        for entry in (body.get("metadata") or {}).get("managedFields") or ()
        if "f:spec" in (entry.get("fieldsV1") or {}) and entry.get("subresource") != "status"
    }
    return tuple(sorted(owners))
