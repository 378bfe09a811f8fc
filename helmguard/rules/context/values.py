"""The values of the operation, as rules see them."""

from __future__ import annotations

from typing import Annotated

from helmguard.model.field_path import format_path
from helmguard.rules.context.record import Record
from helmguard.rules.context.value_changes import ValueChanged, changed_values
from helmguard.rules.context.value_texts import (
    Ambiguous,
    Gap,
    InlineSecret,
    ambiguous_scalars,
    gaps,
    inline_secrets,
)
from helmguard.rules.context.value_warnings import (
    HiddenDefault,
    ListReplaced,
    MapMerged,
    NullDelete,
    RemovedKey,
    TableConflict,
    TypeChange,
    UnknownKey,
    hidden_defaults,
    merged_maps,
    null_deletes,
    removed_keys,
    replaced_lists,
    table_conflicts,
    type_changes,
    unknown_keys,
)
from helmguard.rules.facts import Facts
from helmguard.values.value_tree import is_set, leaves


class Values(Record, frozen=True):
    """How the values change, and what is odd about those given."""

    changes: Annotated[tuple[ValueChanged, ...], "leaves of the effective values that differ"] = ()
    why_mode: Annotated[str, "what chose Helm's value mode, in words"] = ""
    given: Annotated[int, "how many values this command gives"] = 0
    kept: Annotated[
        tuple[str, ...], "values that the current revision stores and the new one stores, too"
    ] = ()
    dropped: Annotated[
        tuple[str, ...], "values that the current revision stores and the new one does not"
    ] = ()
    fresh_command: Annotated[
        str, "the command with `--reset-then-reuse-values` for `--reuse-values`, empty in other modes"
    ] = ""
    schema_skipped: Annotated[bool, "the chart has a values.schema.json, and a flag skips it"] = False
    stale: Annotated[
        tuple[HiddenDefault, ...], "defaults of the new chart in whose place `--reuse-values` keeps old ones"
    ] = ()
    missing: Annotated[
        tuple[HiddenDefault, ...], "defaults new in the chart that `--reuse-values` leaves out"
    ] = ()
    unknown: Annotated[tuple[UnknownKey, ...], "keys that nothing in the chart reads"] = ()
    gone: Annotated[tuple[RemovedKey, ...], "keys of the user that the chart has no more"] = ()
    type_changes: Annotated[tuple[TypeChange, ...], "values of another type than their defaults"] = ()
    nulls: Annotated[tuple[NullDelete, ...], "defaults that a null takes away"] = ()
    lists: Annotated[tuple[ListReplaced, ...], "lists that lack items of those they replace"] = ()
    merged_maps: Annotated[tuple[MapMerged, ...], "maps to which keys are added while others stay"] = ()
    conflicts: Annotated[tuple[TableConflict, ...], "maps against something else"] = ()
    secrets: Annotated[tuple[InlineSecret, ...], "secrets among the user's values"] = ()
    scalars: Annotated[tuple[Ambiguous, ...], "scalars of values files that others read otherwise"] = ()
    gaps: Annotated[tuple[Gap, ...], "lists with holes"] = ()


def values_of(facts: Facts) -> Values:
    """How the values change."""
    report = facts.values
    stored = [path for path, _ in leaves(report.previous_config or {}) if path]
    config = report.config or {}
    return Values(
        changes=changed_values(facts),
        why_mode=report.mode_why,
        given=len(report.facts.given),
        kept=tuple(format_path(path) for path in stored if is_set(config, path)),
        dropped=tuple(format_path(path) for path in stored if not is_set(config, path)),
        fresh_command=report.facts.fresh_command,
        schema_skipped=report.facts.schema_skipped,
        stale=hidden_defaults(facts, "stale default"),
        missing=hidden_defaults(facts, "new default ignored"),
        unknown=unknown_keys(facts),
        gone=removed_keys(facts),
        type_changes=type_changes(facts),
        nulls=null_deletes(facts),
        lists=replaced_lists(facts),
        merged_maps=merged_maps(facts),
        conflicts=table_conflicts(facts),
        secrets=inline_secrets(facts),
        scalars=ambiguous_scalars(facts),
        gaps=gaps(facts),
    )
