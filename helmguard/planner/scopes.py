"""Whether a kind lives in a namespace: from discovery, definitions, or what the bundle's objects show."""

from __future__ import annotations

from helmguard.manifest.objects import IsNamespaced
from helmguard.model.resource_key import group_of
from helmguard.planner.inputs import PlanInputs
from helmguard.predict.schema.custom_types import custom_kinds
from helmguard.predict.scopes import is_namespaced


def namespaced_lookup(inputs: PlanInputs) -> IsNamespaced:
    """The look-up for this plan's kinds."""
    seen = {(key.group, key.kind): key.namespace is not None for key in inputs.live}
    custom = custom_kinds([*inputs.chart_crds, *inputs.crds])

    def look_up(api_version: str, kind: str) -> bool | None:
        known = is_namespaced(api_version, kind, inputs.discovery, custom)
        return seen.get((group_of(api_version), kind)) if known is None else known

    return look_up
