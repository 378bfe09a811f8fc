"""Small changes of a rule, each of which its examples must notice."""

from __future__ import annotations

import re
from collections.abc import Iterator

from msgspec.structs import replace

from helmguard.model.finding import SEVERITIES
from helmguard.rules.engine.rule import Rule
from helmguard.rules.engine.source import Source

_TOKEN = re.compile(
    r"""r?"(?:[^"\\]|\\.)*"|r?'(?:[^'\\]|\\.)*'|&&|\|\||[=!<>]=|[<>!?:+\-*/%()\[\]{},.]|[\w]+|\s+"""
)
_SWAPS = {
    "==": ("!=",),
    "!=": ("==",),
    "<": (">=",),
    ">": ("<=",),
    "<=": (">",),
    ">=": ("<",),
    "&&": ("||",),
    "||": ("&&",),
    "true": ("false",),
    "false": ("true",),
    "exists": ("all",),
    "all": ("exists",),
}


def mutants(rule: Rule) -> Iterator[tuple[str, Rule]]:
    """Each with what was changed: operators, guards and severities of its conditions."""
    yield from ((f"when: {text}", replace(rule, when=source)) for text, source in _changed(rule.when))
    yield "when: true", replace(rule, when=_like(rule.when, "true"))
    for index, guard in enumerate(rule.unless):
        rest = (*rule.unless[:index], *rule.unless[index + 1 :])
        yield f"without the guard {guard.when.text}", replace(rule, unless=rest)
        for text, source in _changed(guard.when):
            changed = (*rule.unless[:index], replace(guard, when=source), *rule.unless[index + 1 :])
            yield f"guard: {text}", replace(rule, unless=changed)
    for index, case in enumerate(rule.severity_when):
        rest = (*rule.severity_when[:index], *rule.severity_when[index + 1 :])
        yield f"without {case.severity} when {case.when.text}", replace(rule, severity_when=rest)
        for text, source in _changed(case.when):
            changed_case = replace(case, when=source)
            changed_cases = (*rule.severity_when[:index], changed_case, *rule.severity_when[index + 1 :])
            yield f"{case.severity} when {text}", replace(rule, severity_when=changed_cases)
    for index, remedy in enumerate(rule.remedy):
        if remedy.when is None:
            continue
        for text, source in _changed(remedy.when):
            other = replace(remedy, when=source)
            yield (
                f"remedy: {text}",
                replace(rule, remedy=(*rule.remedy[:index], other, *rule.remedy[index + 1 :])),
            )
    for severity in SEVERITIES:
        if severity != rule.severity:
            yield f"severity: {severity}", replace(rule, severity=severity)


def _changed(source: Source) -> Iterator[tuple[str, Source]]:
    tokens = _TOKEN.findall(source.text)
    if "".join(tokens) != source.text:
        raise AssertionError(f"cannot read {source.text!r}")
    for index, token in enumerate(tokens):
        for other in _SWAPS.get(token, ()):
            text = "".join([*tokens[:index], other, *tokens[index + 1 :]])
            yield text, _like(source, text)


def _like(source: Source, text: str) -> Source:
    return Source(text, source.place)
