"""Hooks of the operation: what runs, what it needs, and what is live under the hooks' names."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated

from helmguard.manifest.hooks import OPERATION_EVENTS
from helmguard.model.json_value import JSONObject, JSONValue
from helmguard.model.live_state import Absent, Present, Unreadable
from helmguard.model.plan import ResourceChange
from helmguard.model.surroundings import HookObject
from helmguard.rules.context.named_objects import edges_of, pod_spec_of
from helmguard.rules.context.record import UNKNOWN, Record, Unknown
from helmguard.rules.facts import Facts
from helmguard.rules.hook_fate import left_over_fate
from helmguard.rules.kubectl import kubectl_target

_WORKERS = ("Job", "Pod")


class HookNeed(Record, frozen=True):
    """An object that a hook's pod cannot start without."""

    ref: Annotated[str, "`Kind/name`"]
    later: Annotated[bool, "neither live nor a hook of the same event: the manifest brings it afterwards"] = (
        False
    )


class RunningHook(Record, frozen=True):
    """A hook of an event of this operation."""

    ref: Annotated[str, "`Kind/name`"]
    kind: Annotated[str, "`Job`"]
    group: Annotated[str, "API group"] = ""
    namespace: Annotated[str | None, "its namespace, null for cluster-scoped kinds"] = None
    name: Annotated[str, "its name"] = ""
    target: Annotated[str, "how kubectl is told of it: `-n shop job.batch/migrate`"] = ""
    event: Annotated[str, "the first event of this operation at which it runs: `pre-upgrade`"] = ""
    order: Annotated[int, "its place within the event, from 1; 0 where --no-hooks skips it"] = 0
    weight: Annotated[int, "its weight"] = 0
    policies: Annotated[tuple[str, ...], "its delete policies; Helm's default is before-hook-creation"] = ()
    images: Annotated[tuple[str, ...], "images of its containers"] = ()
    commands: Annotated[tuple[str, ...], "commands and arguments of its containers, a line for each"] = ()
    service_account: Annotated[str, "the ServiceAccount of its pod, empty for the default one"] = ""
    body: Annotated[JSONValue, "its document"] = None
    live: Annotated[JSONValue | Unknown, "what is live under its name, null for nothing"] = UNKNOWN
    fate: Annotated[
        str, "what becomes of that: `none`, `deleted first`, `collides`, `patched` or `unknown`"
    ] = "none"
    is_new: Annotated[bool, "the current revision has no hook of this name"] = False
    needs: Annotated[tuple[HookNeed, ...], "what its pod cannot start without"] = ()


class MovedHook(Record, frozen=True):
    """A live object of the current manifest that is a hook of the new revision."""

    ref: Annotated[str, "`Kind/name`"]
    target: Annotated[str, "how kubectl is told of it"] = ""
    events: Annotated[tuple[str, ...], "all events of the hook"] = ()
    event: Annotated[str, "the event of this operation at which it runs, empty for none"] = ""
    gone: Annotated[bool, "it is predicted to be absent afterwards"] = False


class LeftBehind(Record, frozen=True):
    """A live hook of the current revision that the new one lacks."""

    ref: Annotated[str, "`Kind/name`"]
    target: Annotated[str, "how kubectl is told of it"] = ""


class Hooks(Record, frozen=True):
    """Hooks of the operation."""

    running: Annotated[tuple[RunningHook, ...], "those that run, in their order"] = ()
    skipped: Annotated[tuple[RunningHook, ...], "those that would run but for `--no-hooks`"] = ()
    moved: Annotated[tuple[MovedHook, ...], "objects that become hooks"] = ()
    left_behind: Annotated[tuple[LeftBehind, ...], "hooks that nobody will delete"] = ()


def hooks_of(facts: Facts) -> Hooks:
    """The hooks of a plan."""
    events = OPERATION_EVENTS.get(facts.operation, ())
    concerned = tuple(
        _running(hook, event, facts)
        for event in events
        for hook in facts.around.hooks
        if event in hook.events and event == next(one for one in events if one in hook.events)
    )
    skipped = facts.around.options.no_hooks
    return Hooks(
        running=() if skipped else concerned,
        skipped=concerned if skipped else (),
        moved=tuple(_moved(facts)),
        left_behind=tuple(_left_behind(facts)),
    )


def _running(hook: HookObject, event: str, facts: Facts) -> RunningHook:
    run = next(
        (
            one
            for one in facts.hooks
            if (one.event, one.kind, one.name) == (event, hook.key.kind, hook.key.name)
        ),
        None,
    )
    containers = _containers(hook)
    return RunningHook(
        ref=str(hook.key),
        kind=hook.key.kind,
        group=hook.key.group,
        namespace=hook.key.namespace,
        name=hook.key.name,
        target=kubectl_target(hook.key),
        event=event,
        order=run.order if run is not None else 0,
        weight=run.weight if run is not None else 0,
        policies=hook.delete_policies,
        images=tuple(dict.fromkeys(str(one.get("image")) for one in containers if one.get("image"))),
        commands=tuple(" ".join(_words(one)) for one in containers),
        service_account=str(_pod_spec(hook).get("serviceAccountName") or ""),
        body=hook.body,
        live=_live(hook),
        fate=left_over_fate(hook, facts.engine.apply_method),
        is_new=all(one.key != hook.key for one in facts.around.previous_hooks),
        needs=tuple(_needs(hook, event, facts)),
    )


def _live(hook: HookObject) -> JSONValue | Unknown:
    if isinstance(hook.live, Present):
        return hook.live.body
    return UNKNOWN if isinstance(hook.live, Unreadable) else None


def _needs(hook: HookObject, event: str, facts: Facts) -> Iterator[HookNeed]:
    if hook.key.kind not in _WORKERS:
        return
    brought = {one.key for one in facts.around.hooks if event in one.events}
    coming = {
        resource.prediction.key
        for resource in facts.resources
        if resource.prediction.new is not None and isinstance(resource.prediction.live, Absent)
    }
    before_all = event.startswith("pre-")
    named = (edge.target for edge in edges_of(hook.body, hook.key.namespace) if not edge.optional)
    for key in dict.fromkeys(key for key in named if key.kind in _NEEDED):
        yield HookNeed(str(key), later=before_all and key in coming and key not in brought)


_NEEDED = ("ServiceAccount", "Secret", "ConfigMap", "PersistentVolumeClaim")
"""What a pod's start waits for."""


def _pod_spec(hook: HookObject) -> JSONObject:
    found = pod_spec_of(hook.body) if hook.key.kind in _WORKERS else None
    return found[0] if found is not None else {}


def _containers(hook: HookObject) -> list[JSONObject]:
    pod = _pod_spec(hook)
    return [*(pod.get("initContainers") or ()), *(pod.get("containers") or ())]


def _words(container: JSONObject) -> list[str]:
    return [str(word) for word in (*(container.get("command") or ()), *(container.get("args") or ()))]


def _moved(facts: Facts) -> Iterator[MovedHook]:
    """The other way, from a hook to an object, is refused for want of marks: ``adoption-conflict``."""
    hooks = {hook.key: hook for hook in facts.around.hooks}
    for resource in facts.resources:
        hook = hooks.get(resource.prediction.key)
        if hook is not None and resource.prediction.previous is not None and _is_live(resource):
            yield MovedHook(
                ref=str(hook.key),
                target=kubectl_target(hook.key),
                events=hook.events,
                event=_event_now(hook, facts),
                gone=resource.prediction.predicted is None,
            )


def _is_live(resource: ResourceChange) -> bool:
    return isinstance(resource.prediction.live, Present)


def _event_now(hook: HookObject, facts: Facts) -> str:
    if facts.around.options.no_hooks:
        return ""
    events = OPERATION_EVENTS.get(facts.operation, ())
    return next((event for event in events if event in hook.events), "")


def _left_behind(facts: Facts) -> Iterator[LeftBehind]:
    """Hooks that the new revision lacks: they are in no manifest, so nothing deletes them."""
    known = {hook.key for hook in facts.around.hooks}
    known |= {resource.prediction.key for resource in facts.resources if resource.prediction.new is not None}
    for hook in facts.around.previous_hooks:
        if hook.key in known or not isinstance(hook.live, Present):
            continue
        known.add(hook.key)
        annotations = (hook.live.body.get("metadata") or {}).get("annotations") or {}
        if "helm.sh/hook" in annotations:
            yield LeftBehind(str(hook.key), kubectl_target(hook.key))
