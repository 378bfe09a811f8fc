"""Which definitions of custom kinds are in force when Helm writes the objects."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from helmguard.model.json_value import JSONObject
from helmguard.model.live_state import LiveState, Present
from helmguard.model.resource_key import ResourceKey
from helmguard.predict.apply_method import decide_apply_method
from helmguard.predict.hook_effects import hooks_that_bring_definitions
from helmguard.predict.inputs import OperationInputs
from helmguard.predict.schema.custom_types import CustomKind, custom_kinds

Kinds = dict[tuple[str, str], CustomKind]
"""By apiVersion and kind."""


def known_kinds(inputs: OperationInputs) -> Kinds:
    """The custom kinds as they will be by then.

    An install applies the chart's ``crds/`` itself. Otherwise they are a guess where no live definition is
    known, and take the place of the live ones where hooks seem to apply them first; what such hooks may do
    to other definitions is left open.
    """
    hooks = hooks_that_bring_definitions(inputs)
    installs = inputs.operation == "install"
    chart = custom_kinds(inputs.chart_crds, may_change=bool(hooks), guessed=not installs)
    kinds = chart | custom_kinds(_definitions(inputs), may_change=bool(hooks))
    if installs and _applies_over_live(inputs):
        kinds |= chart
    return kinds if installs or not hooks else kinds | _brought(inputs, kinds, hooks)


def definition_notes(kinds: Kinds) -> Iterator[str]:
    """What is assumed about hooks that seem to apply definitions."""
    assumed = [kind for kind in kinds.values() if kind.brought_by]
    if assumed:
        names = ", ".join(sorted({kind.kind for kind in assumed}))
        yield (
            f"assumed, not predictable: {assumed[0].brought_by} applies the chart's crds/ before the objects "
            f"are written, and changes the definitions of {names}"
        )


def _applies_over_live(inputs: OperationInputs) -> bool:
    """A server-side install applies ``crds/`` over what is there; a client-side one skips what exists."""
    decision = decide_apply_method(inputs.operation, inputs.helm, inputs.options.server_side, inputs.history)
    return decision.method == "ssa" and not inputs.options.skip_crds


def _brought(inputs: OperationInputs, live: Kinds, hooks: tuple[str, ...]) -> Kinds:
    """The chart's own definitions; one that is live already, just so, is nobody's work."""
    brought = {}
    by_hooks = custom_kinds(inputs.chart_crds, brought_by=", ".join(hooks))
    as_they_are = custom_kinds(inputs.chart_crds)
    for place, kind in by_hooks.items():
        known = live.get(place)
        is_live = known is not None and not known.guessed and known.declared.schema == kind.declared.schema
        brought[place] = as_they_are[place] if is_live else kind
    return brought


def _definitions(inputs: OperationInputs) -> list[JSONObject]:
    """CRDs by rising authority: the cluster's, and the ones the new manifest brings."""
    templates = [item.body for item in inputs.target if item.kind == "CustomResourceDefinition"]
    return [*inputs.crds, *live_definitions(inputs.live), *templates]


def live_definitions(live: Mapping[ResourceKey, LiveState]) -> list[JSONObject]:
    """The CRDs among live objects."""
    return [
        state.body
        for key, state in live.items()
        if key.kind == "CustomResourceDefinition" and isinstance(state, Present)
    ]
