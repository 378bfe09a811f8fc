"""Rules over one context: each fires, is quiet, or cannot tell."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import msgspec
from msgspec.structs import replace

from helmguard.model.finding import SEVERITIES, Finding, Place, Severity, Suppressed
from helmguard.model.json_value import JSONValue
from helmguard.rules.engine.cel import CelEngine, CelFailure
from helmguard.rules.engine.rule import Guard, Pack, Rule
from helmguard.rules.engine.source import Source, Template, written

ITEM, DATA = "it", "data"
"""The variables beside the context's topics: the item of ``over``, and the pack's tables."""
LACKS = "lacks"
"""The field in which an item may name the facts that its own unknown fields lack."""
_ABSENT = object()


class Verdict(msgspec.Struct, frozen=True):
    """What the rules say: findings (firing and unknown ones), and what guards kept quiet."""

    findings: tuple[Finding, ...] = ()
    suppressed: tuple[Suppressed, ...] = ()


class Judge:
    """Packs ready to judge contexts. Expressions are compiled when first needed, and kept."""

    def __init__(self, packs: Iterable[Pack], engine: CelEngine, topics: Iterable[str]) -> None:
        self.packs = tuple(packs)
        self._engine = engine
        known = frozenset(topics)
        self._topics = {rule.id: rule.topics(known) for pack in self.packs for rule in pack.rules}
        self._known = known

    def judge(self, context: Mapping[str, JSONValue], only: Iterable[str] | None = None) -> Verdict:
        """All rules of all packs that apply, or those with the ids in ``only``.

        ``context``: see docs/rule-context.md.
        """
        wanted = None if only is None else frozenset(only)
        findings: list[Finding] = []
        suppressed: list[Suppressed] = []
        for pack in self.packs:
            rules = [rule for rule in pack.rules if wanted is None or rule.id in wanted]
            if not rules or not self._holds(pack.applies, context, pack.data):
                continue
            for rule in rules:
                found = self.judge_rule(rule, context, pack.data)
                findings += found.findings
                suppressed += found.suppressed
        return Verdict(tuple(findings), tuple(suppressed))

    def judge_rule(self, rule: Rule, context: Mapping[str, JSONValue], data: JSONValue) -> Verdict:
        """One rule alone. Topics are built as late as can be: most rules are settled before they need any."""
        if not self._holds(rule.applies, context, data):
            return Verdict()
        items = _items(context, rule)
        if items == []:
            return Verdict()
        variables = {topic: context[topic] for topic in self._topics[rule.id]}
        variables[DATA] = data
        if items is None:
            return Verdict((self._not_read(rule, variables, context),))
        groups: dict[Any, Finding] = {}
        suppressed: list[Suppressed] = []
        for item in items:
            scope = _LazyScope(self._engine, {**variables, ITEM: item})
            found = self._judge_item(rule, scope, _Facts(rule, variables, item))
            if isinstance(found, Suppressed):
                suppressed.append(found)
            elif found is not None:
                _add(groups, self._group(rule, scope, found), found)
        return Verdict(tuple(groups.values()), tuple(suppressed))

    def _holds(self, applies: Source | None, context: Mapping[str, JSONValue], data: JSONValue) -> bool:
        """Whether a pack or a rule is to be asked; what cannot be told keeps none from it."""
        if applies is None:
            return True
        variables = {topic: context[topic] for topic in applies.words() & self._known}
        scope = _LazyScope(self._engine, {**variables, DATA: data, ITEM: None})
        return self._value(applies, scope) is not False

    def _not_read(
        self, rule: Rule, variables: Mapping[str, JSONValue], context: Mapping[str, JSONValue]
    ) -> Finding:
        """The answer about a list of which nobody knows what it holds."""
        scope = _LazyScope(self._engine, {**variables, ITEM: None})
        facts = _Facts(rule, variables, None)
        missing = dict.fromkeys([rule.over, *facts.absent_needs])
        release = _at(context, "release.name")
        where = Place("release", release if isinstance(release, str) else "")
        found = self._unknown(rule, scope, facts, missing)
        found = replace(found, title=rule.summary or found.title, consequence="")
        return replace(found, where=where, severity=_gravest(rule), effects=(), remedy=())

    def _judge_item(self, rule: Rule, scope: _LazyScope, facts: _Facts) -> Finding | Suppressed | None:
        fires = self._value(rule.when, scope)
        if fires is False:
            return None
        not_known: list[str] = [] if fires is True else [*facts.missing_in(fires)]
        for guard in rule.unless:
            holds = self._value(guard.when, scope)
            if holds is True:
                return self._suppressed(rule, guard, scope)
            if holds is not False:
                not_known += facts.missing_in(holds)
        if fires is not True:
            return self._unknown(rule, scope, facts, not_known)
        if facts.absent_needs or not all(_is_wanted(fact, rule) for fact in not_known):
            return self._unknown(rule, scope, facts, (*facts.absent_needs, *not_known))
        severity = rule.severity
        for case in rule.severity_when:
            holds = self._value(case.when, scope)
            if holds is True:
                severity = case.severity
                break
            if holds is not False:
                not_known += facts.missing_in(holds)
        return self._finding(rule, scope, facts, severity, not_known)

    def _suppressed(self, rule: Rule, guard: Guard, scope: _LazyScope) -> Suppressed:
        return Suppressed(rule.id, self._place(rule, scope).name, self._text(guard.because, scope))

    def _finding(
        self, rule: Rule, scope: _LazyScope, facts: _Facts, severity: Severity, missing: Iterable[str]
    ) -> Finding:
        effects = self._effects(rule, scope)
        found = Finding(
            rule=rule.id,
            severity=severity,
            title=self._text(rule.title, scope),
            where=self._place(rule, scope),
            before=self._optional(rule.before, scope),
            after=self._optional(rule.after, scope),
            effects=effects,
            consequence=self._text(rule.consequence, scope),
            remedy=tuple(self._remedies(rule, scope)),
            evidence=rule.evidence,
            key=self._text(rule.key, scope) if rule.key is not None else "",
            data_loss=rule.data_loss and severity == "blocker",
        )
        untold = (fact for failure in scope.failures for fact in facts.named_in(failure))
        return replace(found, missing=tuple(dict.fromkeys([*missing, *untold])))

    def _effects(self, rule: Rule, scope: _LazyScope) -> tuple[str, ...]:
        found = self._optional(rule.effects, scope)
        return tuple(map(written, found)) if isinstance(found, list) else ()

    def _remedies(self, rule: Rule, scope: _LazyScope) -> Iterator[str]:
        for remedy in rule.remedy:
            if remedy.when is None or self._optional(remedy.when, scope) is True:
                yield from self._lines(remedy.text, scope)

    def _unknown(self, rule: Rule, scope: _LazyScope, facts: _Facts, missing: Iterable[str]) -> Finding:
        severity = self._gravest_possible(rule, scope)
        return replace(self._finding(rule, scope, facts, severity, missing), result="unknown")

    def _gravest_possible(self, rule: Rule, scope: _LazyScope) -> Severity:
        """The rule's own severity, or a graver one that is not known not to hold."""
        possible = [rule.severity]
        for case in rule.severity_when:
            holds = self._value(case.when, scope)
            if holds is not False:
                possible.append(case.severity)
            if holds is True:
                break
        return min(possible, key=SEVERITIES.index)

    def _place(self, rule: Rule, scope: _LazyScope) -> Place:
        where = rule.where
        line = self._optional(where.line, scope)
        on, name = where.on, self._text(where.name, scope)
        for other, template in where.others:
            if not name:
                on, name = other, self._text(template, scope)
        return Place(
            on=on,
            name=name,
            field=self._text(where.field, scope) if where.field is not None else "",
            file=self._text(where.file, scope) if where.file is not None else "",
            line=line if isinstance(line, int) else 0,
        )

    def _group(self, rule: Rule, scope: _LazyScope, found: Finding) -> Any:
        """Findings of one group are one finding; without a group each item has its own."""
        name = self._text(rule.group, scope) if rule.group is not None else ""
        return (name, found.result) if name else object()

    def _optional(self, source: Source | None, scope: _LazyScope) -> JSONValue:
        value = self._value(source, scope) if source is not None else None
        if not isinstance(value, CelFailure):
            return value
        scope.failures.append(value)
        return None

    def _value(self, source: Source, scope: _LazyScope) -> JSONValue | CelFailure:
        return source.evaluate(self._engine, scope.bound())

    def _text(self, template: Template, scope: _LazyScope) -> str:
        return template.evaluate(self._engine, scope.bound(), scope.failures).strip()

    def _lines(self, template: Template, scope: _LazyScope) -> list[str]:
        return [line for line in self._text(template, scope).split("\n") if line]


class _LazyScope:
    """Variables that are handed to the engine only if an expression is evaluated.

    ``failures`` are those of texts and of other parts that stand in a finding, whatever it lacks.
    """

    def __init__(self, engine: CelEngine, variables: Mapping[str, JSONValue]) -> None:
        self._engine, self._variables, self._bound = engine, variables, None
        self.failures: list[CelFailure] = []

    def bound(self) -> Any:
        if self._bound is None:
            self._bound = self._engine.scope(self._variables)
        return self._bound


class _Facts:
    """Which facts of a rule are not known about an item."""

    def __init__(self, rule: Rule, variables: Mapping[str, JSONValue], item: JSONValue) -> None:
        whole = {**variables, ITEM: item}
        self.absent_needs = tuple(path for path in rule.needs if _at(whole, path) is _ABSENT)
        self._absent = (*self.absent_needs, *(path for path in rule.wants if _at(whole, path) is _ABSENT))
        lacks = item.get(LACKS) if isinstance(item, dict) else None
        self._lacked = self._absent if lacks is None else tuple(p for p in lacks if _at(whole, p) is _ABSENT)

    def missing_in(self, value: JSONValue | CelFailure) -> tuple[str, ...]:
        """The facts for want of which an expression has no answer."""
        if not isinstance(value, CelFailure):
            return (f"an answer: a condition gives {_TYPES.get(type(value), 'a number')}, not true or false",)
        named = self.named_in(value)
        return named or self._lacked or self.absent_needs or (value.missing_key or value.why,)

    def named_in(self, failure: CelFailure) -> tuple[str, ...]:
        """The absent facts of the rule that go by the key which a failure names."""
        return tuple(path for path in self._absent if path.rpartition(".")[2] == failure.missing_key)


_TYPES: dict[type, str] = {str: "text", list: "a list", dict: "a map", type(None): "null"}


def _is_wanted(fact: str, rule: Rule) -> bool:
    """``cluster.namespaceContents.shop`` is a part of ``cluster.namespaceContents``."""
    return any(fact == want or fact.startswith(f"{want}.") for want in rule.wants)


def _items(context: Mapping[str, JSONValue], rule: Rule) -> list[JSONValue] | None:
    """What the rule judges, one by one: the whole, or the items of a list that its filter lets by.

    None where the list is a fact that is not known.
    """
    if not rule.over:
        return [None]
    found = _at(context, rule.over)
    if found is _ABSENT:
        return None
    items = list(found.values()) if isinstance(found, dict) else found
    if not isinstance(items, list):
        return []
    kinds, groups = rule.match.kinds, rule.match.groups
    if not kinds and not groups:
        return list(items)
    return [
        item
        for item in items
        if isinstance(item, dict)
        and (not kinds or item.get("kind") in kinds)
        and (not groups or item.get("group") in groups)
    ]


def _at(value: Any, path: str) -> Any:
    for step in path.split("."):
        if not isinstance(value, Mapping) or step not in value:
            return _ABSENT
        value = value[step]
    return value


def _add(groups: dict[Any, Finding], group: Any, found: Finding) -> None:
    """Joins findings of one cause: the gravest says what it is, all say what they reach."""
    first = groups.get(group)
    if first is None:
        groups[group] = found
        return
    graver, other = (found, first) if _rank(found) < _rank(first) else (first, found)
    groups[group] = replace(
        graver,
        effects=tuple(dict.fromkeys([*first.effects, *found.effects])),
        remedy=tuple(dict.fromkeys([*graver.remedy, *other.remedy])),
        missing=tuple(dict.fromkeys([*graver.missing, *other.missing])),
    )


def _gravest(rule: Rule) -> Severity:
    given: list[Severity] = [rule.severity, *(case.severity for case in rule.severity_when)]
    return min(given, key=SEVERITIES.index)


def _rank(finding: Finding) -> int:
    return SEVERITIES.index(finding.severity)
