"""What is odd about the values as the user wrote them: secrets, ambiguous scalars, holes in lists."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated

from helmguard.masking.secret_marks import holds_masked
from helmguard.masking.secret_names import is_secret_name
from helmguard.masking.secret_patterns import is_reference, secret_intervals
from helmguard.model.field_change import MISSING, or_null
from helmguard.model.field_path import FieldPath, format_path
from helmguard.model.json_value import JSONValue
from helmguard.rules.context.record import Record
from helmguard.rules.context.value_changes import place_of
from helmguard.rules.facts import Facts
from helmguard.values.value_tree import find, json_type, same_value

_SHORTEST_SECRET = 12


class InlineSecret(Record, frozen=True):
    """A text among the user's values that is a secret by its key or its form. The text itself is not here."""

    path: Annotated[str, "where: `db.password`"]
    again: Annotated[bool, "the current revision stores the same text already"] = False
    why: Annotated[str, "`its name` or `its form`"] = "its name"
    file: Annotated[str, "the values file or the flag that gives it now, empty for neither"] = ""
    line: Annotated[int, "its line in that file, 0 where it is not known"] = 0


class Ambiguous(Record, frozen=True):
    """A plain scalar of a values file of this command that others read otherwise than Helm."""

    path: Annotated[str, "where: `env.flag`"]
    written: Annotated[str, "as the file has it: `y`, `1.10`, `0o17`"]
    value: Annotated[JSONValue, "what Helm reads"] = None
    otherwise: Annotated[str, "what a reader takes it for: `the text y`, `the version 1.10`"] = ""
    expected: Annotated[str, "the type of the chart's default, `null` where it has none"] = "null"
    read: Annotated[str, "the type that Helm reads: `boolean` or `number`"] = "boolean"
    again: Annotated[bool, "the current revision has the same value already"] = False
    file: Annotated[str, "the values file"] = ""
    line: Annotated[int, "its line in that file"] = 0


class Gap(Record, frozen=True):
    """A list in which a `--set` word with an index left places empty."""

    path: Annotated[str, "where: `env`"]
    indexes: Annotated[tuple[int, ...], "the places that hold null now, counted from 0"] = ()
    flag: Annotated[str, "the flag: `--set`"] = "--set"


def inline_secrets(facts: Facts) -> tuple[InlineSecret, ...]:
    """Secrets that the new revision stores among the user's values."""
    given = {one.path: one.provenance for one in facts.values.facts.given}
    previous = facts.values.previous_config or {}
    found = []
    for path, text in _texts(facts.values.config or {}, ()):
        why = _is_secret(path, text)
        if not why:
            continue
        file, line = place_of(given.get(path))
        before = find(previous, path)  # type: ignore[arg-type]
        again = before is not MISSING and same_value(before, text)
        found.append(InlineSecret(format_path(path), again, why, file, line))
    return tuple(found)


def _texts(value: JSONValue, path: FieldPath) -> Iterator[tuple[FieldPath, str]]:
    if isinstance(value, dict):
        for key, item in value.items():
            yield from _texts(item, (*path, key))
    elif isinstance(value, list):
        for index, item in enumerate(value):
            yield from _texts(item, (*path, index))
    elif isinstance(value, str):
        yield path, value


def _is_secret(path: FieldPath, text: str) -> str:
    masked = holds_masked(text)  # in a bundle
    if not masked and (len(text) < _SHORTEST_SECRET or is_reference(text)):
        return ""
    name = next((step for step in reversed(path) if isinstance(step, str)), "")
    if is_secret_name(name):
        return "its name"
    if masked:
        return "its form"
    return "its form" if any(True for _ in secret_intervals(text)) else ""


def ambiguous_scalars(facts: Facts) -> tuple[Ambiguous, ...]:
    """Plain scalars that others read otherwise."""
    known = facts.values.facts
    found = []
    for scalar in known.scalars:
        default = find(known.defaults, scalar.path)  # type: ignore[arg-type]
        before = find(facts.values.previous_config or {}, scalar.path)  # type: ignore[arg-type]
        found.append(
            Ambiguous(
                path=format_path(scalar.path),
                written=scalar.written,
                value=scalar.value,
                otherwise=scalar.otherwise,
                expected=json_type(or_null(default)),
                read=json_type(scalar.value),
                again=before is not MISSING and same_value(before, scalar.value),
                file=scalar.provenance.source,
                line=scalar.provenance.line,
            )
        )
    return tuple(found)


def gaps(facts: Facts) -> tuple[Gap, ...]:
    """Lists with holes."""
    return tuple(
        Gap(format_path(one.path), one.indexes, one.provenance.kind if one.provenance else "--set")
        for one in facts.values.facts.gaps
    )
