"""``hook-deletes-foreign-object``: what bears a hook's name and is deleted before the hook runs."""

from __future__ import annotations

from collections.abc import Iterator

from helmguard.manifest.hooks import OPERATION_EVENTS
from helmguard.model.finding import Finding, Place
from helmguard.model.live_state import Present
from helmguard.rules.context.ownership import other_release
from helmguard.rules.facts import Facts
from helmguard.rules.hook_fate import left_over_fate


def other_releases(facts: Facts) -> Iterator[Finding]:
    """One finding for each object that no hook made, or that is another release's."""
    events = OPERATION_EVENTS.get(facts.operation, ())
    if facts.around.options.no_hooks:
        return
    own = {resource.prediction.key for resource in facts.resources if resource.prediction.previous}
    for hook in facts.around.hooks:
        if hook.key in own or not set(events).intersection(hook.events):
            continue
        fate = left_over_fate(hook, facts.engine.apply_method)
        if fate != "deleted first" or not isinstance(hook.live, Present):
            continue
        owner = other_release(hook.live.body, facts)
        annotations = (hook.live.body.get("metadata") or {}).get("annotations") or {}
        if owner or "helm.sh/hook" not in annotations:
            whose = f"belongs to release {owner}" if owner else "was not made by a hook"
            yield Finding(
                rule="hook-deletes-foreign-object",
                severity="blocker" if owner else "danger",
                title=f"{whose}, and a hook of this name deletes it",
                where=Place("object", str(hook.key)),
                consequence=(
                    "Before it creates the hook, Helm deletes whatever bears its name "
                    "(before-hook-creation), without looking at whose it is."
                ),
                remedy=("rename the hook in the chart, or run with --no-hooks",),
            )
