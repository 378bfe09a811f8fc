"""Failures that the prediction foretells, as findings: Helm will stop, possibly half-way."""

from __future__ import annotations

import re
from collections.abc import Iterator

from helmguard.model.finding import Finding, Place
from helmguard.model.plan import ResourceChange
from helmguard.model.prediction import Failure
from helmguard.rules.facts import Facts

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
    ("duplicate entries for key", "duplicate-object"),
    ("nil pointer evaluating", "render-failed"),
    ("execution error at", "render-failed"),
    ("template:", "render-failed"),
    ('executing "', "render-failed"),
)
"""The first text that Helm's message contains names the rule; anything else is ``upgrade-fails``."""

_TEMPLATE = re.compile(r"(?:^|template: |execution error at \(|parse error at \()([^\s:()]+):(\d+)(?=[:)])")
"""Where a template stopped: Go's words in Helm 3, in Helm 4 the place alone at the beginning."""


def foretold_failures(facts: Facts) -> Iterator[Finding]:
    """One blocker for each object that will fail, and one for a failure that is not any object's."""
    failing = [resource for resource in facts.resources if resource.prediction.error]
    for resource in failing:
        yield _object_finding(resource, facts.failure)
    if facts.failure is not None and not any(
        resource.prediction.key == facts.failure.resource for resource in failing
    ):
        yield _failure_finding(facts.failure, facts)


def rule_for(message: str) -> str:
    """The rule that Helm's error text belongs to."""
    return next((rule for text, rule in _RULE_BY_TEXT if text in message), "upgrade-fails")


def _object_finding(resource: ResourceChange, failure: Failure | None) -> Finding:
    prediction = resource.prediction
    field = next((change for change in resource.changes if change.cause == "conflict"), None)
    return Finding(
        rule=rule_for(prediction.error),
        severity="blocker",
        title="Helm will fail on this object",
        where=Place("object", str(prediction.key), field=""),
        before=field.before if field else None,
        after=field.new if field else None,
        consequence=prediction.error,
        effects=_already_changed(failure),
        remedy=remedies(rule_for(prediction.error)),
    )


def _failure_finding(failure: Failure, facts: Facts) -> Finding:
    rule = rule_for(failure.message)
    if failure.resource is not None:
        where = Place("object", str(failure.resource))
    else:
        template = _TEMPLATE.search(failure.message)
        file, line = (template[1], int(template[2])) if template else ("", 0)
        where = Place("release", facts.release.name, file=file, line=line)
    return Finding(
        rule=rule,
        severity="blocker",
        title=f"the {facts.operation} will fail",
        where=where,
        consequence=failure.message,
        effects=_already_changed(failure),
        remedy=(facts.failure_remedy,) if facts.failure_remedy else remedies(rule),
    )


def _already_changed(failure: Failure | None) -> tuple[str, ...]:
    if failure is None:
        return ()
    if not failure.applied_before:
        return ("nothing will have been changed by then",)
    changed = ", ".join(str(key) for key in failure.applied_before)
    return (f"already changed by then, and not undone: {changed}",)


def remedies(rule: str) -> tuple[str, ...]:
    """What helps against failures of this rule."""
    if rule == "drift-conflict-ssa":
        return ("add --force-conflicts to take the field over, or drop it from the chart's values",)
    if rule == "adoption-conflict":
        return ("add --take-ownership to adopt the object, or remove it from the chart",)
    if rule == "namespace-missing":
        return ("create the namespace first; for the release's own at an install add --create-namespace",)
    if rule == "flags-exclude-each-other":
        return ("leave --force-conflicts out: a client-side patch overwrites; or add --server-side=true",)
    if rule == "stored-manifest-api-removed":
        return ("map the stored manifest to served APIs first: helm plugin mapkubeapis",)
    return ()
