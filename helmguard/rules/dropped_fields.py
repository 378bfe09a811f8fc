"""``cr-field-pruned`` and ``unknown-manifest-field``: fields that the server's schema does not have."""

from __future__ import annotations

from collections.abc import Iterator

from helmguard.model.finding import Finding, Place
from helmguard.model.surroundings import DroppedFields
from helmguard.rules.facts import Facts
from helmguard.rules.failure_effects import failure_effects
from helmguard.rules.kubectl import listed
from helmguard.rules.stale_definitions import apply_command

_EFFECTS = 20


def dropped_fields(facts: Facts) -> Iterator[Finding]:
    """One finding an object, naming the fields: silently dropped client-side, refused server-side."""
    for dropped in facts.around.dropped_fields:
        yield _finding(dropped, facts)


def names_all_fields(key: object, facts: Facts) -> bool:
    """Whether ``dropped_fields`` tells of the object, so that the failure itself need not be told."""
    return any(dropped.key == key for dropped in facts.around.dropped_fields)


def _finding(dropped: DroppedFields, facts: Facts) -> Finding:
    refused = facts.engine.apply_method == "ssa"
    resource = next((one for one in facts.resources if one.prediction.key == dropped.key), None)
    error = resource.prediction.error if resource is not None else ""
    refused = refused or "unknown field" in error
    schema = "the live definition" if dropped.custom else f"{dropped.key.kind} ({dropped.api_version})"
    count = f"{len(dropped.paths)} fields" if len(dropped.paths) > 1 else "a field"
    what = "refuses the object" if refused else "drops them" if len(dropped.paths) > 1 else "drops it"
    is_first = facts.failure is not None and facts.failure.resource == dropped.key and bool(error)
    remedy = "correct the names in the chart or its values"
    if dropped.custom:
        remedy = (
            apply_command(facts, force=True)
            if _in_chart(dropped, facts)
            else (f"bring the definition of {dropped.key.kind} up to date first")
        )
    return Finding(
        rule="cr-field-pruned" if dropped.custom else "unknown-manifest-field",
        severity="blocker" if refused else "danger",
        title=f"{schema} does not have {count}, and the server {what}",
        where=Place("object", str(dropped.key), field=listed(dropped.paths, 3)),
        effects=(
            *(f"{dropped.key} {path}" for path in dropped.paths[:_EFFECTS]),
            *(failure_effects(facts) if is_first else ()),
        ),
        consequence=error
        or (
            "Helm stops here and says that the field is not declared in schema."
            if refused
            else "Helm reports success, with a warning line at most; what the fields ask for never happens."
        ),
        remedy=(remedy,),
        evidence=("edgelesssys/contrast#2599",) if dropped.custom else (),
    )


def _in_chart(dropped: DroppedFields, facts: Facts) -> bool:
    return any(
        state.kind == dropped.key.kind and state.name.endswith(f".{dropped.key.group}")
        for state in facts.around.definitions
    )
