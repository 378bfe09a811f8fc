"""Failures that the prediction foretells: Helm will stop, possibly half-way."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Annotated

from helmguard.model.json_value import JSONValue
from helmguard.model.live_state import Present, Unreadable
from helmguard.model.plan import ResourceChange
from helmguard.model.prediction import Failure, ResourcePrediction
from helmguard.model.resource_key import ResourceKey
from helmguard.rules.context.apis import unserved_keys
from helmguard.rules.context.definitions import dropped_versions
from helmguard.rules.context.failure_classes import (
    GENERAL,
    TOLD_BY_LISTS,
    is_version_in_use,
    remedies,
    rule_for,
)
from helmguard.rules.context.ownership import is_refused
from helmguard.rules.context.record import UNKNOWN, Record, Unknown
from helmguard.rules.facts import Facts
from helmguard.rules.failure_effects import failure_effects
from helmguard.rules.kubectl import kubectl_target


class Conflict(Record, frozen=True):
    """Fields of an object that another field manager owns."""

    manager: Annotated[str, "the field manager: `kubectl-edit`"]
    operation: Annotated[str, "how it wrote them: `Update` or `Apply`"] = "Update"
    subresource: Annotated[str, "the subresource it wrote through, empty for the object itself"] = ""
    fields: Annotated[tuple[str, ...], "the fields, as the API server names them: `.spec.replicas`"] = ()


class Foretold(Record, frozen=True):
    """One failure that is foretold: of an object, or of the operation as a whole."""

    rule: Annotated[str, "the id of the rule that tells it; `upgrade-fails` where no other does"]
    text: Annotated[str | Unknown, "what Helm will say; unknown where nobody knows whether it fails"] = (
        UNKNOWN
    )
    lacks: Annotated[tuple[str, ...], "facts for want of which the text is not known"] = ()
    stage: Annotated[str, "`before` (nothing is changed yet), `apply`, `delete` or `hook`"] = "apply"
    stops: Annotated[bool, "Helm stops here; other objects would fail, too, if it came to them"] = True
    ref: Annotated[str, "the object's name on the page, empty where it is no object's failure"] = ""
    kind: Annotated[str, "the object's kind, empty where it is no object's failure"] = ""
    group: Annotated[str, "its API group"] = ""
    api_version: Annotated[str, "its apiVersion in the new manifest, empty for a hook's"] = ""
    namespace: Annotated[str | None, "its namespace, null for cluster-scoped kinds"] = None
    name: Annotated[str, "its name"] = ""
    target: Annotated[str, "how kubectl is told of it: `-n shop deployment.apps/web`"] = ""
    live: Annotated[bool, "the object is live now, so that Helm changes it"] = False
    file: Annotated[str, "the template that stopped, as Helm names it; empty where it does not"] = ""
    line: Annotated[int, "the line of that template, 0 where Helm names none"] = 0
    before: Annotated[JSONValue, "of a conflict: the live value of the first field"] = None
    after: Annotated[JSONValue, "of a conflict: the value that the chart asks for"] = None
    conflicts: Annotated[tuple[Conflict, ...], "of a conflict: who owns what"] = ()
    effects: Annotated[tuple[str, ...], "what it leaves behind, said where Helm stops"] = ()
    remedy: Annotated[tuple[str, ...], "what helps, where the text or a try of the rendering tells it"] = ()


class Failures(Record, frozen=True):
    """Failures that are foretold, and what the first of them leaves behind."""

    text: Annotated[str, "what Helm will say, empty where nothing fails"] = ""
    stage: Annotated[str, "where it stops: `before`, `apply`, `delete` or `hook`; empty for nowhere"] = ""
    ref: Annotated[str, "the object at which it stops, by its name on the page; empty for none"] = ""
    effects: Annotated[tuple[str, ...], "what it leaves behind, in words"] = ()
    foretold: Annotated[
        tuple[Foretold, ...],
        "failures, each once. Left out is what other lists hold: objects that Helm refuses to take over, "
        "kinds that are not served, fields that the schema lacks, documents that are there twice, a record "
        "that is too big",
    ] = ()


def failures_of(facts: Facts) -> Failures:
    """What is foretold to fail."""
    failure = facts.failure
    return Failures(
        text=failure.message if failure is not None else "",
        stage=failure.stage if failure is not None else "",
        ref=str(failure.resource) if failure is not None and failure.resource is not None else "",
        effects=tuple(failure_effects(facts)),
        foretold=tuple(_foretold(facts)),
    )


def _foretold(facts: Facts) -> Iterator[Foretold]:
    failing = [resource for resource in facts.resources if resource.prediction.error]
    failure = facts.failure
    unserved = unserved_keys(facts) if failing or failure is not None else frozenset()
    for resource in failing:
        if resource.prediction.key not in unserved and not _is_told_elsewhere(resource.prediction, facts):
            yield _of_object(resource, facts)
    yield from _assumed(facts)
    yield from _possible_conflicts(facts)
    if failure is None or failure.resource in unserved:
        return
    if any(resource.prediction.key == failure.resource for resource in failing):
        return
    if rule_for(failure.message) == "generate-name" and failure.resource is not None:
        return
    if rule_for(failure.message) != "release-record-too-big" or facts.around.record is None:
        yield _of_operation(failure, facts)


def _assumed(facts: Facts) -> Iterator[Foretold]:
    """Refused changes of objects whose live state is not known: that they hold what Helm wrote is likely."""
    predictions = {resource.prediction.key: resource.prediction for resource in facts.resources}
    for one in facts.around.assumed_failures:
        prediction = predictions.get(one.key)
        if prediction is not None and rule_for(one.error, live=True) == "immutable-field":
            yield Foretold(
                rule="immutable-field",
                text=f"As the previous manifest made it, the change is refused: {one.error}",
                stops=False,
                ref=str(one.key),
                kind=one.key.kind,
                group=one.key.group,
                api_version=prediction.api_version,
                namespace=one.key.namespace,
                name=one.key.name,
                target=kubectl_target(one.key),
                live=True,
                effects=("its live state is not known",),
            )


def _possible_conflicts(facts: Facts) -> Iterator[Foretold]:
    """Server-side apply fails where somebody else owns a field that changes, and only live objects tell."""
    if (
        facts.engine.apply_method != "ssa"
        or facts.around.options.force_conflicts
        or facts.failure is not None
    ):
        return
    for resource in facts.resources:
        prediction = resource.prediction
        changes = prediction.previous is not None and prediction.new not in (None, prediction.previous)
        if changes and isinstance(prediction.live, Unreadable) and resource.action != "hook":
            yield Foretold(rule="drift-conflict-ssa", ref=str(prediction.key), lacks=("live",))


def _is_told_elsewhere(prediction: ResourcePrediction, facts: Facts) -> bool:
    error = prediction.error
    if "invalid ownership metadata" in error:
        return is_refused(prediction, facts)
    rule = rule_for(error)
    if rule in ("unknown-manifest-field", "null-in-manifest", "generate-name"):
        return True
    if is_version_in_use(error):
        return any(one.removed and one.stored for one in dropped_versions(facts, prediction.key))
    twice = any(duplicate.key == prediction.key for duplicate in facts.around.duplicates)
    return twice and "already exists" in error


def _of_object(resource: ResourceChange, facts: Facts) -> Foretold:
    prediction, failure = resource.prediction, facts.failure
    is_first = failure is not None and failure.resource in (prediction.key, None)
    field = next((change for change in resource.changes if change.cause == "conflict"), None)
    return Foretold(
        rule=_rule_of(prediction.error, prediction, failure),
        text=prediction.error,
        stage=failure.stage if failure is not None else "apply",
        stops=is_first,
        ref=str(prediction.key),
        kind=prediction.key.kind,
        group=prediction.key.group,
        api_version=prediction.api_version,
        namespace=prediction.key.namespace,
        name=prediction.key.name,
        target=kubectl_target(prediction.key),
        live=isinstance(prediction.live, Present),
        before=field.before if field else None,
        after=field.new if field else None,
        conflicts=conflicts_in(prediction.error),
        effects=tuple(failure_effects(facts)) if is_first else (),
        remedy=remedies(prediction.error),
    )


def _of_operation(failure: Failure, facts: Facts) -> Foretold:
    key = failure.resource
    prediction = next((one.prediction for one in facts.resources if one.prediction.key == key), None)
    template = _TEMPLATE.search(failure.message) if key is None else None
    named = key if key is not None else _NO_OBJECT
    return Foretold(
        rule=_rule_of(failure.message, prediction, failure),
        text=failure.message,
        stage=failure.stage,
        ref=str(key) if key is not None else "",
        kind=named.kind,
        group=named.group,
        api_version=prediction.api_version if prediction is not None else "",
        namespace=named.namespace,
        name=named.name,
        target=kubectl_target(key) if key is not None else "",
        live=prediction is not None and isinstance(prediction.live, Present),
        file=template[1] if template else "",
        line=int(template[2]) if template else 0,
        conflicts=conflicts_in(failure.message),
        effects=tuple(failure_effects(facts)),
        remedy=(facts.failure_remedy,) if facts.failure_remedy else remedies(failure.message),
    )


_NO_OBJECT = ResourceKey("", "", None, "")

_TEMPLATE = re.compile(r"(?:^|template: |execution error at \(|parse error at \()([^\s:()]+):(\d+)(?=[:)])")
"""Where a template stopped: Go's words in Helm 3, in Helm 4 the place alone at the beginning."""


def _rule_of(message: str, prediction: ResourcePrediction | None, failure: Failure | None) -> str:
    """What rules tell by lists of their own comes here only where those do not hold it."""
    live = prediction is not None and isinstance(prediction.live, Present)
    rule = rule_for(message, live=live)
    if rule in TOLD_BY_LISTS:
        return GENERAL
    if rule == GENERAL and "already exists" in message and failure is not None:
        return "hook-collides" if failure.stage == "hook" else rule
    return rule


_OWNER = re.compile(
    r'conflicts? with "(?P<manager>[^"]*)"(?: with subresource "(?P<subresource>[^"]*)")?'
    r"(?P<using> using [^\s:]+(?: at [0-9TZ:.+-]+)?)?:(?P<fields>(?:\s+(?:- )?\.[^\n]+)+)"
)


def conflicts_in(text: str) -> tuple[Conflict, ...]:
    """Who owns what, out of the API server's words: a manager that applies is named without a version."""
    return tuple(
        Conflict(
            manager=found["manager"],
            operation="Update" if found["using"] else "Apply",
            subresource=found["subresource"] or "",
            fields=tuple(
                line.strip().removeprefix("- ") for line in found["fields"].splitlines() if line.strip()
            ),
        )
        for found in _OWNER.finditer(text)
    )
