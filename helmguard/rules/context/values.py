"""Changes of the effective values, as rules see them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from helmguard.model.field_change import MISSING
from helmguard.model.field_path import format_path
from helmguard.model.json_value import JSONValue
from helmguard.model.value_change import Provenance, ValueChange
from helmguard.rules.context.record import Record
from helmguard.rules.facts import Facts


@dataclass(frozen=True, slots=True)
class Origin(Record):
    """Where a value comes from."""

    kind: Annotated[str, "a kind of docs/plan-format.md: `chart default`, `values file`, `--set`, …"] = ""
    source: Annotated[str, "the chart's name, the file's name, or the flag's word"] = ""
    revision: Annotated[int, "the revision that first set it, 0 for none"] = 0
    line: Annotated[int, "its line in the file, 0 where it is not known"] = 0


@dataclass(frozen=True, slots=True)
class ValueChanged(Record):
    """One leaf of the effective values that differs."""

    path: Annotated[str, "where: `driver.enabled`"]
    before: Annotated[JSONValue, "its value now; null for absent"]
    after: Annotated[JSONValue, "its value after; null for absent"]
    removed: Annotated[bool, "there is no value after"] = False
    added: Annotated[bool, "there is no value before"] = False
    cause: Annotated[str, "why: `values`, `default`, `lost override` or `chart`"] = "values"
    origin_before: Annotated[Origin | None, "where the value before comes from"] = None
    origin_after: Annotated[Origin | None, "where the value after comes from"] = None
    reaches: Annotated[tuple[str, ...], "objects and fields that it is known to change"] = ()


@dataclass(frozen=True, slots=True)
class Values(Record):
    """How the values change."""

    changes: Annotated[tuple[ValueChanged, ...], "leaves of the effective values that differ"] = ()


def values_of(facts: Facts) -> Values:
    """How the values change."""
    return Values(changes=tuple(_changed(change, facts) for change in facts.values.changes))


def _changed(change: ValueChange, facts: Facts) -> ValueChanged:
    return ValueChanged(
        path=format_path(change.path),
        before=None if change.before is MISSING else change.before,
        after=None if change.after is MISSING else change.after,
        removed=change.after is MISSING,
        added=change.before is MISSING,
        cause=change.cause,
        origin_before=_origin(change.provenance_before),
        origin_after=_origin(change.provenance_after),
        reaches=reached(change, facts),
    )


def _origin(provenance: Provenance | None) -> Origin | None:
    if provenance is None:
        return None
    return Origin(provenance.kind, provenance.source, provenance.revision, provenance.line)


_VERBS = {"delete": "is deleted", "keep": "leaves the release"}


def reached(change: ValueChange, facts: Facts) -> tuple[str, ...]:
    """The fields, and the objects that come or go, where this value is known to be the one behind them."""
    name = format_path(change.path)
    alone = sum(other.cause == change.cause for other in facts.values.changes) == 1
    found = []
    for resource in facts.resources:
        key = resource.prediction.key
        if resource.cause == change.cause:
            verb = _VERBS.get(resource.action, "is created")
            found += [f"{key} {verb}"] if alone else []
            continue
        for field in resource.changes:
            traced = field.value_path == name or (alone and not field.value_path)
            if field.cause == change.cause and traced:
                found.append(f"{key} {format_path(field.path)}")
    return tuple(found)
