"""Failures that the prediction foretells and that no rule of the packs tells: Helm will stop."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

from helmguard.model.finding import Finding, Place
from helmguard.model.prediction import ResourcePrediction
from helmguard.model.resource_key import ResourceKey
from helmguard.rules.context.failures import Foretold, failures_of
from helmguard.rules.facts import Facts
from helmguard.rules.failure_remedies import failure_remedies, history_effects
from helmguard.rules.packs import builtin_packs


def foretold_failures(facts: Facts) -> Iterator[Finding]:
    """One blocker for each object that will fail, and one for a failure that is not any object's."""
    for failure in failures_of(facts).foretold:
        if failure.rule not in _told_by_packs():
            yield _finding(failure, facts)


@cache
def _told_by_packs() -> frozenset[str]:
    return frozenset(rule.id for pack in builtin_packs() for rule in pack.rules)


def _finding(failure: Foretold, facts: Facts) -> Finding:
    key, prediction = _named(failure, facts)
    of_object = prediction is not None and bool(prediction.error)
    on_release = Place("release", facts.release.name, file=failure.file, line=failure.line)
    return Finding(
        rule=failure.rule,
        severity="blocker",
        title="Helm will fail on this object" if of_object else f"the {facts.operation} will fail",
        where=Place("object", failure.ref) if failure.ref else on_release,
        before=failure.before,
        after=failure.after,
        consequence=failure.text,
        effects=(*(() if of_object else history_effects(failure.rule, facts)), *failure.effects),
        remedy=failure.remedy or failure_remedies(failure.rule, facts, prediction, key),
    )


def _named(failure: Foretold, facts: Facts) -> tuple[ResourceKey | None, ResourcePrediction | None]:
    if not failure.ref:
        return None, None
    key = ResourceKey(failure.group, failure.kind, failure.namespace, failure.name)
    return key, next((one.prediction for one in facts.resources if one.prediction.key == key), None)
