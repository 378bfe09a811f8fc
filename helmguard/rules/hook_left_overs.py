"""Hooks and what is live under their names: deleted first, collided with, or patched instead of run."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from helmguard.manifest.hooks import OPERATION_EVENTS
from helmguard.model.finding import Finding, Place
from helmguard.model.live_state import Absent, Present
from helmguard.model.release import ApplyMethod
from helmguard.model.surroundings import HookObject
from helmguard.predict.hook_effects import BEFORE_CREATION
from helmguard.rules.facts import Facts
from helmguard.rules.kubectl import kubectl, listed

Fate = Literal["none", "deleted first", "collides", "patched", "unknown"]


def left_over_fate(hook: HookObject, method: ApplyMethod) -> Fate:
    """What becomes of the object that is live under the hook's name."""
    if isinstance(hook.live, Absent):
        return "none"
    if not isinstance(hook.live, Present):
        return "unknown"
    if BEFORE_CREATION in hook.delete_policies and hook.key.kind != "CustomResourceDefinition":
        return "deleted first"
    return "collides" if method == "csa" else "patched"


def hook_left_overs(facts: Facts) -> Iterator[Finding]:
    """Hooks that will not run as they should, that are not run at all, and that nobody cleans up."""
    events = set(OPERATION_EVENTS.get(facts.operation, ()))
    concerned = [hook for hook in facts.around.hooks if events.intersection(hook.events)]
    if facts.around.options.no_hooks:
        yield from _skipped(concerned)
    else:
        for hook in concerned:
            yield from _not_run_anew(hook, facts)
    yield from _left_behind(facts)


def _skipped(hooks: list[HookObject]) -> Iterator[Finding]:
    workers = [str(hook.key) for hook in hooks if hook.key.kind in ("Job", "Pod")]
    if workers:
        yield Finding(
            rule="no-hooks-flag",
            severity="danger",
            title=f"--no-hooks skips {listed(workers)}",
            where=Place("chart", "hooks"),
            consequence="Whatever these hooks do, migrations and upgrades of CRDs among them, is not done.",
            remedy=("leave --no-hooks out",),
        )


def _not_run_anew(hook: HookObject, facts: Facts) -> Iterator[Finding]:
    if left_over_fate(hook, facts.engine.apply_method) != "patched" or hook.key.kind not in ("Job", "Pod"):
        return
    policies = ", ".join(hook.delete_policies)
    yield Finding(
        rule="hook-not-run-again",
        severity="danger",
        title="a left-over of this hook is there, and is patched instead of run anew",
        where=Place("object", str(hook.key)),
        consequence=(
            f"Its delete policy is {policies}, so Helm does not delete the one of an earlier run; "
            "server-side it applies the hook over it. A finished Job does not start again, and Helm takes "
            "it for done."
        ),
        remedy=(kubectl("delete", hook.key), "or give the hook the policy before-hook-creation"),
    )


def _left_behind(facts: Facts) -> Iterator[Finding]:
    """Hooks that the new revision no longer has: they are in no manifest, so nothing deletes them."""
    known = {hook.key for hook in facts.around.hooks}
    known |= {resource.prediction.key for resource in facts.resources if resource.prediction.new is not None}
    for hook in facts.around.previous_hooks:
        if hook.key in known or not isinstance(hook.live, Present):
            continue
        known.add(hook.key)
        annotations = (hook.live.body.get("metadata") or {}).get("annotations") or {}
        if "helm.sh/hook" in annotations:
            yield Finding(
                rule="hook-removed-left-behind",
                severity="warning",
                title="was a hook, and nothing will delete it",
                where=Place("object", str(hook.key)),
                consequence="Hooks are in no manifest: the new revision lacks it, so Helm forgets it.",
                remedy=(kubectl("delete", hook.key),),
            )
