"""Whether a rule can be used: every expression compiles and names only what the context has."""

from __future__ import annotations

from collections.abc import Mapping

from helmguard.rules.context.record import AnyJSON, ListOf, MapOf, RecordOf, Shape, fields_of
from helmguard.rules.engine.cel import CelEngine
from helmguard.rules.engine.evaluate import DATA, ITEM
from helmguard.rules.engine.name_check import check_names
from helmguard.rules.engine.rule import Rule
from helmguard.rules.engine.source import RuleError


def check_rule(rule: Rule, engine: CelEngine, topics: Mapping[str, Shape]) -> None:
    """Compiles every expression and checks every name.

    Raises:
        RuleError: what is wrong, with file and line.
    """
    item: Shape = AnyJSON()
    if rule.over:
        listed = _shape_at(rule, rule.over, topics)
        if not isinstance(listed, ListOf | MapOf):
            raise RuleError(f"'over: {rule.over}' is no list", rule.place.file, rule.place.line)
        item = listed.item
    variables = {**topics, ITEM: item, DATA: AnyJSON()}
    for need in (*rule.needs, *rule.wants):
        _shape_at(rule, need, variables)
    for source in rule.sources():
        check_names(source, engine, variables)


def _shape_at(rule: Rule, path: str, variables: Mapping[str, Shape]) -> Shape:
    first, *rest = path.split(".")
    if first not in variables:
        known = ", ".join(variables)
        raise RuleError(f"{path!r}: there is no {first!r} (there is {known})", rule.place.file, 1)
    shape = variables[first]
    for name in rest:
        if isinstance(shape, MapOf):
            shape = shape.item
            continue
        if not isinstance(shape, RecordOf):
            return AnyJSON()
        known_fields = fields_of(shape.record)
        if name not in known_fields:
            names = ", ".join(known_fields)
            raise RuleError(
                f"{path!r}: {shape.record.__name__} has no field {name!r} (it has {names})",
                rule.place.file,
                1,
            )
        shape = known_fields[name].shape
    return shape
