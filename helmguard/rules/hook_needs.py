"""``hook-needs-lost``: a hook that runs before the objects and needs one that only they bring."""

from __future__ import annotations

from collections.abc import Iterator

from helmguard.model.finding import Finding, Place
from helmguard.model.json_value import JSONObject
from helmguard.model.live_state import Absent
from helmguard.model.resource_key import ResourceKey
from helmguard.model.surroundings import HookObject
from helmguard.rules.facts import Facts


def hook_needs(facts: Facts) -> Iterator[Finding]:
    """One finding for each hook and need that is not live, that no hook brings, and the manifest creates."""
    event = f"pre-{facts.operation}"
    running = [hook for hook in facts.around.hooks if event in hook.events]
    if facts.around.options.no_hooks:
        return
    brought = {hook.key for hook in running}
    coming = {
        resource.prediction.key
        for resource in facts.resources
        if resource.prediction.new is not None and isinstance(resource.prediction.live, Absent)
    }
    for hook in running:
        for need in dict.fromkeys(_needs(hook)):
            if need in coming and need not in brought:
                yield Finding(
                    rule="hook-needs-lost",
                    severity="danger",
                    title=f"needs {need}, which is created only after it",
                    where=Place("object", str(hook.key)),
                    consequence=(
                        f"A {event} hook runs before all objects of the manifest: its pod cannot start, and "
                        "Helm waits until its timeout and fails."
                    ),
                    remedy=(f"make {need} a hook too, with a lower weight, or the hook a post-hook",),
                )


def _needs(hook: HookObject) -> Iterator[ResourceKey]:
    spec = hook.body.get("spec") or {}
    pod = spec if hook.key.kind == "Pod" else ((spec.get("template") or {}).get("spec") or {})
    if hook.key.kind not in ("Job", "Pod") or not isinstance(pod, dict):
        return
    account = pod.get("serviceAccountName")
    if account:
        yield _key("ServiceAccount", str(account), hook)
    for volume in pod.get("volumes") or ():
        for name, kind, field in (("secret", "Secret", "secretName"), ("configMap", "ConfigMap", "name")):
            yield from _reference(volume.get(name), kind, field, hook)
        yield from _reference(volume.get("persistentVolumeClaim"), "PersistentVolumeClaim", "claimName", hook)
    for container in (*(pod.get("initContainers") or ()), *(pod.get("containers") or ())):
        for source in container.get("envFrom") or ():
            yield from _reference(source.get("secretRef"), "Secret", "name", hook)
            yield from _reference(source.get("configMapRef"), "ConfigMap", "name", hook)
        for variable in container.get("env") or ():
            source = variable.get("valueFrom") or {}
            yield from _reference(source.get("secretKeyRef"), "Secret", "name", hook)
            yield from _reference(source.get("configMapKeyRef"), "ConfigMap", "name", hook)


def _reference(
    reference: JSONObject | None, kind: str, field: str, hook: HookObject
) -> Iterator[ResourceKey]:
    if isinstance(reference, dict) and reference.get(field) and not reference.get("optional"):
        yield _key(kind, str(reference[field]), hook)


def _key(kind: str, name: str, hook: HookObject) -> ResourceKey:
    return ResourceKey("", kind, hook.key.namespace, name)
