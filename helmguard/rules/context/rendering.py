"""What the values have to do with a rendering that fails, as rules see it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Annotated

from helmguard.model.field_path import FieldPath, format_path
from helmguard.model.json_value import JSONValue
from helmguard.rules.context.record import Record
from helmguard.rules.context.value_changes import place_of
from helmguard.rules.facts import Facts
from helmguard.values.provenance import origin_of


class FailingValue(Record, frozen=True):
    """A value that the failing template depends on."""

    path: Annotated[str, "where: `certName`"]
    value: Annotated[JSONValue, "its value; null where it has none"] = None
    is_set: Annotated[bool, "it has a value that is not empty"] = False
    file: Annotated[str, "the values file or the flag that sets it in this command, empty for neither"] = ""
    line: Annotated[int, "its line in that file, 0 where it is not known"] = 0


class SchemaProblem(Record, frozen=True):
    """A value that the chart's values.schema.json refuses."""

    path: Annotated[str, "where: `service.port`; empty for the values as a whole"]
    reason: Annotated[str, "Helm's words: `got string, want integer`"] = ""
    file: Annotated[str, "the values file or the flag that sets it in this command, empty for neither"] = ""
    line: Annotated[int, "its line in that file, 0 where it is not known"] = 0


class RenderingFacts(Record, frozen=True):
    """Why the chart does not render, where values are behind it."""

    values: Annotated[
        tuple[FailingValue, ...], "values that the failing template depends on, nearest first"
    ] = ()
    unset: Annotated[str, "the first of these without a value, empty where all have one"] = ""
    schema: Annotated[tuple[SchemaProblem, ...], "values that the chart's schema refuses"] = ()


def rendering_of(facts: Facts) -> RenderingFacts:
    """The values behind a foretold failure."""
    known = facts.values.facts
    given = {one.path: one.provenance for one in known.given}
    values = []
    for failing in known.failing:
        file, line = place_of(origin_of(failing.path, given))  # type: ignore[arg-type]
        values.append(FailingValue(format_path(failing.path), failing.value, failing.is_set, file, line))
    message = facts.failure.message if facts.failure is not None else ""
    return RenderingFacts(
        values=tuple(values),
        unset=next((value.path for value in values if not value.is_set), ""),
        schema=tuple(_schema(message, facts)) if "specifications of the schema" in message else (),
    )


_CHART = re.compile(r"(\S+):")
_AT = re.compile(r"\s*- at '(?P<pointer>(?:[^'\\]|\\.)*)': (?P<reason>.*)")
_PROPERTY = re.compile(r"\s*- (?P<path>[^\s:]+): (?P<reason>.*)")
"""Lines of Helm's text: JSON pointers since 3.18, dotted paths before."""


def _schema(message: str, facts: Facts) -> Iterator[SchemaProblem]:
    given = {one.path: one.provenance for one in facts.values.facts.given}
    lines, prefix = message.split("\n")[1:], ()  # type: tuple[list[str], FieldPath]
    found: list[tuple[FieldPath, str]] = []
    for line in lines:
        chart = _CHART.fullmatch(line)
        if chart is not None:
            prefix = () if chart[1] == facts.release.new_chart.name else (chart[1],)
            continue
        at, dotted = _AT.fullmatch(line), _PROPERTY.fullmatch(line)
        if at is not None:
            steps = tuple(_step(step) for step in at["pointer"].split("/")[1:])
            found.append(((*prefix, *steps), at["reason"]))
        elif dotted is not None:
            inner = () if dotted["path"] == "(root)" else tuple(map(_step, dotted["path"].split(".")))
            found.append(((*prefix, *inner), dotted["reason"]))
    for path, reason in found:
        if reason.startswith(("allOf failed", "anyOf failed", "oneOf failed")) and len(found) > 1:
            continue
        file, number = place_of(origin_of(path, given))  # type: ignore[arg-type]
        yield SchemaProblem(format_path(path), reason, file, number)


def _step(text: str) -> str | int:
    text = text.replace("~1", "/").replace("~0", "~")
    return int(text) if text.isdigit() else text
