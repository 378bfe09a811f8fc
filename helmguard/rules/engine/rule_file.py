"""Rules, examples and packs from the texts of their files. docs/writing-rules.md describes the format."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping
from typing import TypeVar

from msgspec.structs import replace

from helmguard.manifest.checked_yaml import FieldError, read_checked
from helmguard.manifest.checked_yaml import Mapping as Fields
from helmguard.model.finding import SEVERITIES
from helmguard.model.json_value import JSONObject, JSONValue
from helmguard.rules.engine.expression_fields import (
    optional_source,
    optional_template,
    source_of,
    template_of,
)
from helmguard.rules.engine.rule import (
    Example,
    Guard,
    Match,
    Pack,
    Remedy,
    Rule,
    SeverityCase,
    Subject,
    VerificationText,
    Where,
)
from helmguard.rules.engine.source import Place, RuleError, read_template

CONTEXT_VERSION = 1
"""The version of the rule context that this helmguard offers (docs/rule-context.md)."""

VERIFICATION = "verification.yaml"
"""The file of a pack that is about what comes after the operation."""

T = TypeVar("T")
_ID = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")
_SUBJECTS: tuple[Subject, ...] = ("value", "object", "release", "chart", "node")


def read_pack(folder: str, files: Mapping[str, str]) -> Pack:
    """A pack from its files: name without folder -> text.

    Of a ``.test.yaml`` only that it is there is asked here; ``read_examples`` reads it. A
    ``verification.yaml`` holds steps for after the operation: it is no rule, and read when it is wanted.

    Raises:
        RuleError: a file cannot be used, a rule has no examples, or examples have no rule.
    """
    if "pack.yaml" not in files:
        raise RuleError("the pack has no pack.yaml", folder)
    pack = checked(lambda: _pack(folder, files["pack.yaml"]))
    own = ("pack.yaml", VERIFICATION)
    names = sorted(name for name in files if name.endswith(".yaml") and name not in own)
    tests = {name for name in names if name.endswith(".test.yaml")}
    rules = []
    for name in names:
        if name in tests:
            continue
        rules.append(_read_checked(files[name], f"{folder}/{name}", pack.name))
        if name.removesuffix(".yaml") + ".test.yaml" not in tests:
            wanted = f"{folder}/{name.removesuffix('.yaml')}.test.yaml"
            raise RuleError(f"rule {rules[-1].id} has no examples ({wanted})", f"{folder}/{name}", 1)
    orphans = tests - {f"{rule.id}.test.yaml" for rule in rules}
    if orphans:
        raise RuleError("examples without a rule", f"{folder}/{min(orphans)}", 1)
    data = {
        name.removesuffix(".json"): _json(text, f"{folder}/{name}")
        for name, text in files.items()
        if name.endswith(".json")
    }
    text = files.get(VERIFICATION)
    verification = VerificationText(f"{folder}/{VERIFICATION}", text) if text is not None else None
    return replace(pack, rules=tuple(rules), data=data, verification=verification)


def _read_checked(text: str, file: str, pack: str) -> Rule:
    return checked(lambda: read_rule(text, file, pack))


def read_rule(text: str, file: str, pack: str) -> Rule:
    """One rule.

    Raises:
        FieldError, RuleError: what is wrong, with file and line.
    """
    fields = read_checked(text, file)
    identity = fields.text("id")
    if not _ID.fullmatch(identity):
        raise fields.error(f"id {identity!r} must be lower-case words joined by hyphens", "id")
    if file.rpartition("/")[2] != f"{identity}.yaml":
        raise fields.error(f"the file of rule {identity} must be called {identity}.yaml", "id")
    rule = Rule(
        id=identity,
        pack=pack,
        place=Place(file, 1),
        summary=fields.text("summary"),
        severity=fields.choice("severity", SEVERITIES),
        category=fields.text("category", ""),
        title=template_of(fields, "title"),
        where=_where(fields),
        when=source_of(fields, "when"),
        over=fields.text("over", ""),
        applies=optional_source(fields, "applies"),
        needs=tuple(fields.texts("needs")),
        wants=tuple(fields.texts("wants")),
        match=_match(fields),
        unless=tuple(_guards(fields)),
        severity_when=tuple(_severity_cases(fields)),
        before=optional_source(fields, "before"),
        after=optional_source(fields, "after"),
        effects=optional_source(fields, "effects"),
        key=optional_template(fields, "key"),
        group=optional_template(fields, "group"),
        consequence=template_of(fields, "consequence"),
        remedy=tuple(_remedies(fields)),
        evidence=tuple(fields.texts("evidence")),
        since=fields.text("since", ""),
        data_loss=fields.flag("dataLoss"),
    )
    if not any(rule.evidence):
        raise fields.error(f"rule {identity} names no evidence")
    fields.finish()
    return rule


def read_examples(text: str, file: str) -> tuple[Example, ...]:
    """The cases of a ``.test.yaml``.

    Raises:
        RuleError: what is wrong, with file and line.
    """
    return checked(lambda: _examples(read_checked(text, file)))


def _examples(fields: Fields) -> tuple[Example, ...]:
    base = fields.any("context", {})
    cases = tuple(_example(case, base) for case in fields.maps("cases"))
    fields.finish()
    if not cases:
        raise fields.error("there are no cases")
    return cases


def _example(case: Fields, base: object) -> Example:
    name = case.text("name")
    given = case.any("context", {})
    if not isinstance(given, dict) or not isinstance(base, dict):
        raise case.error("'context' must be a map", "context")
    expect = case.items("expect") if case.has("expect") else None
    if expect is None:
        raise case.error(f"case {name!r} says not what to expect; [] for no finding")
    for index, item in enumerate(expect):
        if not isinstance(item, dict):
            raise case.error("each expected finding must be a map", "expect", index)
    found = Example(
        name=name,
        place=Place(case.file, *case.place()),
        context=merged(base, given),
        without=tuple(case.texts("without")),
        expect=tuple(expect),
    )
    case.finish()
    return found


def merged(base: JSONObject, more: JSONObject) -> JSONObject:
    """``more`` laid over ``base``: maps are merged, everything else is replaced."""
    result = dict(base)
    for name, value in more.items():
        below = result.get(name)
        result[name] = merged(below, value) if isinstance(below, dict) and isinstance(value, dict) else value
    return result


def _pack(folder: str, text: str) -> Pack:
    fields = read_checked(text, f"{folder}/pack.yaml")
    version = fields.any("context")
    if type(version) is not int:
        raise fields.error(f"'context' must be the number {CONTEXT_VERSION}", "context")
    if version != CONTEXT_VERSION:
        raise fields.error(
            f"the pack is written for rule context {version}, and this helmguard has {CONTEXT_VERSION}",
            "context",
        )
    name = fields.text("name")
    if not _ID.fullmatch(name):
        raise fields.error(f"name {name!r} must be lower-case words joined by hyphens", "name")
    pack = Pack(
        name=name,
        version=fields.text("version"),
        title=fields.text("title"),
        rules=(),
        applies=optional_source(fields, "applies"),
    )
    fields.finish()
    return pack


def _where(fields: Fields) -> Where:
    where = fields.map("where")
    if where is None:
        raise fields.error("the rule lacks 'where'")
    named = [subject for subject in _SUBJECTS if where.has(subject)]
    if not named:
        raise fields.error(f"'where' must have one of {', '.join(_SUBJECTS)}", "where")
    found = Where(
        on=named[0],
        name=template_of(where, named[0]),
        others=tuple((subject, template_of(where, subject)) for subject in named[1:]),
        field=optional_template(where, "field"),
        file=optional_template(where, "file"),
        line=optional_source(where, "line"),
    )
    where.finish()
    return found


def _match(fields: Fields) -> Match:
    match = fields.map("match")
    if match is None:
        return Match()
    found = Match(
        kinds=frozenset(match.texts("kind", or_one=True)), groups=frozenset(match.texts("group", or_one=True))
    )
    match.finish()
    return found


def _guards(fields: Fields) -> Iterator[Guard]:
    for guard in fields.maps("unless"):
        yield Guard(source_of(guard, "when"), template_of(guard, "because"))
        guard.finish()


def _severity_cases(fields: Fields) -> Iterator[SeverityCase]:
    for case in fields.maps("severityWhen"):
        yield SeverityCase(case.choice("severity", SEVERITIES), source_of(case, "when"))
        case.finish()


def _remedies(fields: Fields) -> Iterator[Remedy]:
    """Texts, or maps of ``text`` and ``when``."""
    for index, item in enumerate(fields.items("remedy")):
        place = Place(fields.file, *fields.place("remedy", index))
        if isinstance(item, str):
            yield Remedy(read_template(item, place))
            continue
        entry = fields.inner("remedy", index)
        yield Remedy(template_of(entry, "text"), source_of(entry, "when"))
        entry.finish()


def _json(text: str, file: str) -> JSONValue:
    try:
        return json.loads(
            text.removeprefix("\ufeff"), parse_constant=_no_constant, object_pairs_hook=_each_key_once
        )
    except RecursionError:
        raise RuleError("no table: it is nested too deeply", file) from None
    except ValueError as error:
        raise RuleError(f"no JSON: {error}", file, getattr(error, "lineno", 0)) from None


def _no_constant(word: str) -> JSONValue:
    raise ValueError(f"{word} is no number")


def _each_key_once(pairs: list[tuple[str, JSONValue]]) -> JSONObject:
    found = dict(pairs)
    if len(found) < len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in names if names.count(name) > 1)
        raise ValueError(f"the key {twice!r} stands twice in one object")
    return found


def checked(read: Callable[[], T]) -> T:
    """What ``read`` gives, its complaints about fields as ``RuleError``."""
    try:
        return read()
    except FieldError as error:
        raise RuleError(error.message, error.file, error.line, error.column) from None
