"""The objects of the old manifest that the new one no longer has."""

from __future__ import annotations

from collections.abc import Iterable

from helmguard.model.json_value import JSONObject
from helmguard.model.prediction import Failure
from helmguard.model.resource_key import ResourceKey
from helmguard.predict.answered_write import carry_out_deletion
from helmguard.predict.preconditions import ReleaseObject
from helmguard.predict.simulation import Simulation

RESOURCE_POLICY = "helm.sh/resource-policy"


def delete_removed(removed: Iterable[ReleaseObject], simulation: Simulation) -> Failure | None:
    """Delete in the order of the old manifest, unless the live object says ``keep``.

    Helm 3 only logs what it may not delete; Helm 4 goes on and fails at the end.
    """
    errors: list[str] = []
    first_failed: ResourceKey | None = None
    for item in removed:
        live = simulation.body(item.key)
        if simulation.is_deleted(item.key):
            continue
        if not simulation.is_readable(item.key):
            simulation.note(
                item.key,
                "unknown",
                "left the manifest",
                unknown="not predictable: whether the object exists and is to be kept was not read",
            )
        elif live is None:
            simulation.note(item.key, "unchanged", "left the manifest, and is gone from the cluster already")
        elif is_kept(live):
            simulation.note(
                item.key, "keep", f"left the manifest; its live annotation {RESOURCE_POLICY}: keep spares it"
            )
        else:
            error = _delete(item.key, live, simulation)
            if error:
                errors.append(error)
                first_failed = first_failed or item.key
    if not errors or first_failed is None:
        return None
    return Failure(" && ".join(errors), "delete", first_failed, tuple(simulation.changed))


def keep_policy(body: JSONObject) -> str | None:
    """The annotation of a live object or a document, None where it is missing."""
    value = ((body.get("metadata") or {}).get("annotations") or {}).get(RESOURCE_POLICY)
    return None if value is None else str(value)


def is_kept(live: JSONObject) -> bool:
    """Whether an upgrade spares the object: it reads the live annotation, and exactly ``keep``."""
    return keep_policy(live) == "keep"


def _delete(key: ResourceKey, live: JSONObject, simulation: Simulation) -> str:
    """Returns the error that Helm will end with."""
    refusal = carry_out_deletion(key, simulation)
    why = "left the manifest"
    if refusal and simulation.inputs.helm.major < 4:
        orphan = f"{why}; the API server refuses the deletion, which Helm 3 only logs: it stays ({refusal})"
        simulation.note(key, "keep", orphan, engine="delete")
        return ""
    if refusal:
        place = f"namespace={key.namespace or ''}, name={key.name}, kind={key.kind}"
        error = f"failed to delete resource {place}: {refusal}"
        simulation.note(key, "fail", why, engine="delete", error=error)
        return error
    finalizers = (live.get("metadata") or {}).get("finalizers")
    if finalizers:
        why += f"; goes once its finalizers are done ({', '.join(finalizers)})"
    simulation.note(key, "delete", why, engine="delete")
    if key.kind == "CustomResourceDefinition":
        _delete_instances(live, simulation)
    return ""


def _delete_instances(crd: JSONObject, simulation: Simulation) -> None:
    """With a definition go all its objects."""
    spec = crd.get("spec") or {}
    group, kind = spec.get("group"), (spec.get("names") or {}).get("kind")
    for key in dict.fromkeys([*simulation.target, *simulation.previous, *simulation.inputs.live]):
        if (key.group, key.kind) == (group, kind) and simulation.body(key) is not None:
            simulation.put(key, None)
            simulation.note(key, "delete", "its CustomResourceDefinition is deleted", engine="delete")
