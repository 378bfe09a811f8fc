"""Whether a kind is served, and lives in a namespace: from discovery, definitions, or the live objects."""

from __future__ import annotations

from helmguard.manifest.objects import IsNamespaced, ManifestObject
from helmguard.model.live_state import KindNotServed
from helmguard.model.resource_key import group_of
from helmguard.planner.inputs import PlanInputs
from helmguard.predict.schema.custom_types import custom_kinds
from helmguard.predict.scopes import is_namespaced


def is_unserved(item: ManifestObject, inputs: PlanInputs) -> bool:
    """Whether the cluster does not serve the object's apiVersion and kind, though perhaps another version."""
    if isinstance(inputs.live.get(item.key), KindNotServed):
        return True
    return inputs.discovery is not None and inputs.discovery.find(item.api_version, item.kind) is None


def namespaced_lookup(inputs: PlanInputs) -> IsNamespaced:
    """The look-up for this plan's kinds."""
    seen = {(key.group, key.kind): key.namespace is not None for key in inputs.live}
    custom = custom_kinds([*inputs.chart_crds, *inputs.crds])

    def look_up(api_version: str, kind: str) -> bool | None:
        known = is_namespaced(api_version, kind, inputs.discovery, custom)
        return seen.get((group_of(api_version), kind)) if known is None else known

    return look_up
