"""Failures that the prediction foretells, as findings: Helm will stop, possibly half-way."""

from __future__ import annotations

import re
from collections.abc import Iterator

from helmguard.model.finding import Finding, Place
from helmguard.model.plan import ResourceChange
from helmguard.model.prediction import Failure, ResourcePrediction
from helmguard.predict.schema.builtin_types import builtin_type
from helmguard.rules.adoption import is_refused
from helmguard.rules.dropped_fields import names_all_fields
from helmguard.rules.facts import Facts
from helmguard.rules.failure_effects import failure_effects
from helmguard.rules.failure_remedies import failure_remedies, history_effects

_RULE_BY_TEXT: tuple[tuple[str, str], ...] = (
    ("another operation (install/upgrade/rollback) is in progress", "release-pending"),
    ("has no deployed releases", "no-deployed-revision"),
    ("no revision for release", "no-deployed-revision"),
    ("invalid ownership metadata", "adoption-conflict"),
    ("from current release manifest", "stored-manifest-api-removed"),
    ("no matches for kind", "api-removed"),
    ("requires kubeVersion", "kube-version"),
    ("specifications of the schema", "values-schema-violation"),
    ("forceConflicts enabled when serverSideApply disabled", "flags-exclude-each-other"),
    ("conflict occurred while applying", "drift-conflict-ssa"),
    ("Apply failed with", "drift-conflict-ssa"),
    ('namespaces "', "namespace-missing"),
    ("because it is being terminated", "namespace-missing"),
    ("immutable", "immutable-field"),
    ("are forbidden", "immutable-field"),
    ("field not declared in schema", "unknown-manifest-field"),
    ("duplicate entries for key", "duplicate-list-key"),
    ("may not be more than 1048576 bytes", "release-record-too-big"),
    ("resource name may not be empty", "generate-name"),
    ("nil pointer evaluating", "render-failed"),
    ("execution error at", "render-failed"),
    ("template:", "render-failed"),
    ('executing "', "render-failed"),
)
"""The first text that Helm's message contains names the rule; anything else is ``upgrade-fails``."""

_TEMPLATE = re.compile(r"(?:^|template: |execution error at \(|parse error at \()([^\s:()]+):(\d+)(?=[:)])")
"""Where a template stopped: Go's words in Helm 3, in Helm 4 the place alone at the beginning."""


def foretold_failures(facts: Facts) -> Iterator[Finding]:
    """One blocker for each object that will fail, and one for a failure that is not any object's.

    What another rule tells better is left to it: objects that Helm refuses to take over, fields that the
    schema does not have, documents that are there twice, a record that is too big.
    """
    failing = [resource for resource in facts.resources if resource.prediction.error]
    for resource in failing:
        if not _is_told_elsewhere(resource.prediction, facts):
            yield _object_finding(resource, facts)
    failure = facts.failure
    if failure is None or any(resource.prediction.key == failure.resource for resource in failing):
        return
    if rule_for(failure.message) != "release-record-too-big" or facts.around.record is None:
        yield _failure_finding(failure, facts)


def _is_told_elsewhere(prediction: ResourcePrediction, facts: Facts) -> bool:
    error = prediction.error
    if "invalid ownership metadata" in error:
        return is_refused(prediction, facts)
    if "field not declared in schema" in error or "unknown field" in error:
        return names_all_fields(prediction.key, facts)
    twice = any(duplicate.key == prediction.key for duplicate in facts.around.duplicates)
    return twice and "already exists" in error


def rule_for(message: str) -> str:
    """The rule that Helm's error text belongs to."""
    return next((rule for text, rule in _RULE_BY_TEXT if text in message), "upgrade-fails")


def _rule_of(message: str, prediction: ResourcePrediction | None, facts: Facts) -> str:
    """As `rule_for`, told apart further by the object."""
    rule = rule_for(message)
    if rule == "api-removed" and prediction is not None:
        key = prediction.key
        custom = "." in key.group and builtin_type(prediction.api_version, key.kind) is None
        return "cr-kind-missing" if custom and not key.group.endswith(".k8s.io") else rule
    if rule == "upgrade-fails" and "already exists" in message and facts.failure is not None:
        return "hook-collides" if facts.failure.stage == "hook" else rule
    return rule


def _object_finding(resource: ResourceChange, facts: Facts) -> Finding:
    prediction = resource.prediction
    field = next((change for change in resource.changes if change.cause == "conflict"), None)
    rule = _rule_of(prediction.error, prediction, facts)
    is_first = facts.failure is not None and facts.failure.resource in (prediction.key, None)
    return Finding(
        rule=rule,
        severity="blocker",
        title="Helm will fail on this object",
        where=Place("object", str(prediction.key), field=""),
        before=field.before if field else None,
        after=field.new if field else None,
        consequence=prediction.error,
        effects=tuple(failure_effects(facts)) if is_first else (),
        remedy=failure_remedies(rule, facts, prediction, prediction.key),
    )


def _failure_finding(failure: Failure, facts: Facts) -> Finding:
    prediction = next(
        (one.prediction for one in facts.resources if one.prediction.key == failure.resource), None
    )
    rule = _rule_of(failure.message, prediction, facts)
    if failure.resource is not None:
        where = Place("object", str(failure.resource))
    else:
        template = _TEMPLATE.search(failure.message)
        file, line = (template[1], int(template[2])) if template else ("", 0)
        where = Place("release", facts.release.name, file=file, line=line)
    remedy = failure_remedies(rule, facts, prediction, failure.resource)
    return Finding(
        rule=rule,
        severity="blocker",
        title=f"the {facts.operation} will fail",
        where=where,
        consequence=failure.message,
        effects=(*history_effects(rule, facts), *failure_effects(facts)),
        remedy=(facts.failure_remedy,) if facts.failure_remedy else remedy,
    )
