"""What a failure leaves behind, in words: said once, beside the object at which Helm stops."""

from __future__ import annotations

from helmguard.model.resource_key import ResourceKey
from helmguard.rules.facts import Facts
from helmguard.rules.kubectl import listed


def effects_at(key: ResourceKey, facts: Facts) -> tuple[str, ...]:
    """The failure's effects beside the object at which Helm stops, none beside others."""
    stops = facts.failure is not None and facts.failure.resource == key
    return tuple(failure_effects(facts)) if stops else ()


def failure_effects(facts: Facts) -> list[str]:
    """What is changed by then, which hooks have run, what is never reached, and the release's state then."""
    failure, after = facts.failure, facts.around.aftermath
    if failure is None:
        return []
    hooks = after.hooks_run if after is not None else ()
    changed = [str(key) for key in failure.applied_before if str(key) not in hooks]
    effects = []
    if changed:
        effects = [f"already changed by then, and not undone: {listed(changed)}"]
    elif not hooks:
        effects = ["nothing will have been changed by then"]
    if after is None:
        return effects
    if after.hooks_run:
        effects.append(f"hooks run by then: {listed(after.hooks_run)}")
    if after.not_reached:
        effects.append(f"never reached: {listed(map(str, after.not_reached))}")
    return [*effects, after.text]
