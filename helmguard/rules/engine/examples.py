"""Runs the examples beside the rules: each says what a rule must make of a context."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import msgspec

from helmguard.model.finding import Finding
from helmguard.model.json_value import JSONObject, JSONValue
from helmguard.rules.context.record import ListOf, MapOf, Record, RecordOf, Scalar, Shape, defaults, fields_of
from helmguard.rules.engine.evaluate import Judge
from helmguard.rules.engine.rule import Example, Pack, Rule
from helmguard.rules.engine.source import RuleError

_EXPECTED = (
    "severity",
    "result",
    "name",
    "field",
    "key",
    "before",
    "after",
    "missing",
    "text",
    "effects",
    "remedy",
    "title",
)


class Outcome(msgspec.Struct, frozen=True):
    """One example and what was wrong with it, empty where nothing was."""

    rule: str
    example: Example
    problems: tuple[str, ...]


def run_example(rule: Rule, example: Example, pack: Pack, judge: Judge, context: type[Record]) -> Outcome:
    """One example.

    Raises:
        RuleError: its context has a field that there is not.
    """
    given = complete(example.context, RecordOf(context), example)
    for path in example.without:
        _check_path(path, RecordOf(context), example)
        _remove(given, path)
    found = judge.judge_rule(rule, given, pack.data).findings
    return Outcome(rule.id, example, tuple(_problems(found, example)))


def results(example: Example) -> set[str]:
    """``fires``, ``quiet`` and ``unknown``: what the example shows."""
    return {str(item.get("result", "fires")) for item in example.expect} or {"quiet"}


def complete(value: JSONValue, shape: Shape, example: Example, path: str = "") -> JSONValue:
    """The example's context with all defaults; facts that it does not give stay unknown.

    Raises:
        RuleError: a field is not one of the context, or has another type.
    """
    where = path or "the context"
    if isinstance(shape, RecordOf):
        if value is None:
            return None
        if not isinstance(value, dict):
            raise _error(example, f"{where} must be a map")
        known = fields_of(shape.record)
        for name in value:
            if name not in known:
                raise _error(example, f"{where} has no field {name!r} (it has {', '.join(known)})")
        given = {
            name: complete(item, known[name].shape, example, f"{path}.{name}".lstrip("."))
            for name, item in value.items()
        }
        return {**defaults(shape.record), **given}
    if isinstance(shape, ListOf) and isinstance(value, list):
        return [complete(item, shape.item, example, f"{path}[{index}]") for index, item in enumerate(value)]
    if isinstance(shape, MapOf) and isinstance(value, dict):
        return {name: complete(item, shape.item, example, f"{path}.{name}") for name, item in value.items()}
    if value is None:
        return None
    if isinstance(shape, ListOf | MapOf):
        raise _error(example, f"{where} must be a {'list' if isinstance(shape, ListOf) else 'map'}")
    if isinstance(shape, Scalar):
        _check_scalar(value, shape, where, example)
    return value


def _check_scalar(value: JSONValue, shape: Scalar, where: str, example: Example) -> None:
    types: Mapping[str, tuple[type, ...]] = {
        "string": (str,),
        "bool": (bool,),
        "int": (int,),
        "double": (int, float),
    }
    if not isinstance(value, types[shape.name]) or (isinstance(value, bool) and shape.name != "bool"):
        raise _error(example, f"{where} must be a {shape.name}, not {value!r}")
    if shape.words and value not in shape.words:
        raise _error(example, f"{where} must be one of {', '.join(shape.words)}, not {value!r}")


def _problems(found: tuple[Finding, ...], example: Example) -> Iterator[str]:
    if len(found) != len(example.expect):
        yield f"expected {len(example.expect)} findings, got {len(found)}: {[_summary(one) for one in found]}"
        return
    for finding, expected in zip(found, example.expect, strict=True):
        yield from _differences(finding, expected)


def _differences(finding: Finding, expected: JSONObject) -> Iterator[str]:
    actual = {
        "severity": finding.severity,
        "result": finding.result,
        "name": finding.where.name,
        "field": finding.where.field,
        "key": finding.key,
        "before": finding.before,
        "after": finding.after,
        "missing": list(finding.missing),
        "effects": list(finding.effects),
        "remedy": list(finding.remedy),
        "title": finding.title,
    }
    for name, wanted in {"result": "fires", **expected}.items():
        if name == "text":
            words = " ".join([finding.title, finding.consequence, *finding.remedy, *finding.effects])
            for part in wanted if isinstance(wanted, list) else [wanted]:
                if str(part) not in words:
                    yield f"{part!r} is not in {words!r}"
        elif name not in _EXPECTED:
            yield f"unknown expectation {name!r}; known are {', '.join(_EXPECTED)}"
        elif actual[name] != wanted:
            yield f"{name}: expected {wanted!r}, got {actual[name]!r}"


def _summary(finding: Finding) -> str:
    missing = f" (missing {', '.join(finding.missing)})" if finding.missing else ""
    return f"{finding.result} {finding.severity} {finding.where.name}: {finding.title}{missing}"


def _check_path(path: str, shape: Shape, example: Example) -> None:
    for step in path.split("."):
        if isinstance(shape, RecordOf):
            known = fields_of(shape.record)
            if step not in known:
                names = ", ".join(known)
                raise _error(example, f"'without' {path}: there is no {step!r} (there is {names})")
            shape = known[step].shape
        elif isinstance(shape, ListOf | MapOf):
            shape = shape.item


def _remove(value: JSONValue, path: str) -> None:
    first, _, rest = path.partition(".")
    if first == "*" and isinstance(value, list):
        for item in value:
            _remove(item, rest)
    elif isinstance(value, dict) and first in value:
        if rest:
            _remove(value[first], rest)
        else:
            del value[first]


def _error(example: Example, message: str) -> RuleError:
    return RuleError(f"example {example.name!r}: {message}", example.place.file, example.place.line)
