"""Whether a rule can be used: every expression compiles and names only what the context has."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from helmguard.rules.context.record import AnyJSON, ListOf, MapOf, RecordOf, Shape, fields_of
from helmguard.rules.engine.cel import CelEngine
from helmguard.rules.engine.evaluate import DATA, ITEM
from helmguard.rules.engine.name_check import Known, Tables, check_names
from helmguard.rules.engine.rule import Pack, Rule
from helmguard.rules.engine.source import RuleError, Source


def check_pack(pack: Pack, engine: CelEngine, topics: Mapping[str, Shape]) -> None:
    """Checks when the pack applies, and each of its rules with the pack's tables at hand.

    Raises:
        RuleError: what is wrong, with file and line.
    """
    if pack.applies is not None:
        check_names(pack.applies, engine, {**topics, DATA: Tables(frozenset(pack.data))})
        _check_type(pack.applies, "bool", engine)
    for rule in pack.rules:
        check_rule(rule, engine, topics, pack.data)


def check_rule(
    rule: Rule, engine: CelEngine, topics: Mapping[str, Shape], tables: Iterable[str] | None = None
) -> None:
    """Compiles every expression and checks every name; ``tables`` are those of the pack, None for any.

    Raises:
        RuleError: what is wrong, with file and line.
    """
    item: Shape = AnyJSON()
    if rule.over:
        listed = _shape_at(rule, rule.over, topics)
        if not isinstance(listed, ListOf | MapOf):
            raise RuleError(f"'over: {rule.over}' is no list", rule.place.file, rule.place.line)
        item = listed.item
    _check_match(rule, item)
    for need in (*rule.needs, *rule.wants):
        _shape_at(rule, need, {**topics, ITEM: item})
    whole: dict[str, Known] = {**topics, DATA: AnyJSON() if tables is None else Tables(frozenset(tables))}
    judged = {**whole, ITEM: item} if rule.over else whole
    for source in rule.sources():
        check_names(source, engine, whole if source is rule.applies else judged)
    for source, wanted in _typed(rule):
        _check_type(source, wanted, engine)


def _check_type(source: Source, wanted: str, engine: CelEngine) -> None:
    found = source.compiled(engine).result_type()
    if found not in (wanted, "dyn"):
        raise source.error(f"this must give {_TYPES[wanted]}, and gives {_TYPES.get(found, found)}", 0)


_TYPES = {
    "bool": "true or false",
    "list": "a list",
    "int": "a whole number",
    "string": "text",
    "map": "a map",
    "null": "null",
    "double": "a number with a fraction",
}


def _typed(rule: Rule) -> Iterator[tuple[Source, str]]:
    """The expressions whose answer must be of one type, with CEL's name of it."""
    conditions = [rule.when, rule.applies, *(guard.when for guard in rule.unless)]
    conditions += [case.when for case in rule.severity_when]
    conditions += [remedy.when for remedy in rule.remedy]
    yield from ((source, "bool") for source in conditions if source is not None)
    if rule.effects is not None:
        yield rule.effects, "list"
    if rule.where.line is not None:
        yield rule.where.line, "int"


def _check_match(rule: Rule, item: Shape) -> None:
    """A filter on what the items do not have would keep the rule quiet for ever."""
    for name, words in (("kind", rule.match.kinds), ("group", rule.match.groups)):
        if not words:
            continue
        if not rule.over:
            raise RuleError("'match' filters the items of 'over', and there is none", *_begin(rule))
        # Raw objects of the cluster have a kind, and an apiVersion where records have a group.
        has = name in fields_of(item.record) if isinstance(item, RecordOf) else isinstance(item, AnyJSON)
        if not has or (name == "group" and not isinstance(item, RecordOf)):
            raise RuleError(f"'match: {name}': the items of {rule.over} have no {name!r}", *_begin(rule))


def _begin(rule: Rule) -> tuple[str, int]:
    return rule.place.file, rule.place.line


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
