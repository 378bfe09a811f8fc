"""Rules and the results of their examples, for people and machines."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from helmguard.model.finding import SEVERITIES
from helmguard.model.json_value import JSONObject
from helmguard.rules.engine.functions import counted
from helmguard.rules.engine.rule import Pack, Remedy, Rule
from helmguard.rules.engine.rule_result import RuleResult
from helmguard.rules.engine.source import Source, Template


def rules_json(packs: Iterable[Pack]) -> JSONObject:
    """``helmguard.rules/v1``: every rule as its file says it."""
    return {
        "formatVersion": "helmguard.rules/v1",
        "packs": [
            {
                "name": pack.name,
                "version": pack.version,
                "title": pack.title,
                "applies": _written(pack.applies),
                "rules": [rule_json(rule) for rule in pack.rules],
            }
            for pack in packs
        ],
    }


def rule_json(rule: Rule) -> JSONObject:
    """One rule."""
    return {
        "id": rule.id,
        "pack": rule.pack,
        "file": rule.place.file,
        "summary": rule.summary,
        "title": _written(rule.title),
        "severity": rule.severity,
        "severityWhen": [{"severity": case.severity, "when": case.when.text} for case in rule.severity_when],
        "category": rule.category,
        "applies": _written(rule.applies),
        "over": rule.over,
        "match": {"kind": sorted(rule.match.kinds), "group": sorted(rule.match.groups)},
        "needs": list(rule.needs),
        "wants": list(rule.wants),
        "when": rule.when.text,
        "unless": [{"when": guard.when.text, "because": _written(guard.because)} for guard in rule.unless],
        "where": {
            "on": rule.where.on,
            "name": _written(rule.where.name),
            "field": _written(rule.where.field),
        },
        "consequence": _written(rule.consequence),
        "remedy": [{"text": _written(one.text), "when": _written(one.when)} for one in rule.remedy],
        "evidence": list(rule.evidence),
        "dataLoss": rule.data_loss,
        "since": rule.since,
    }


def rules_table(packs: Iterable[Pack]) -> str:
    """One line a rule: id, severities, summary."""
    lines = []
    for pack in packs:
        lines += ["", f"{pack.name} {pack.version}: {pack.title}"]
        width = max((len(rule.id) for rule in pack.rules), default=0)
        lines += [f"  {rule.id:<{width}}  {severities(rule):<24}  {rule.summary}" for rule in pack.rules]
    return "\n".join(lines[1:]) + "\n"


def rules_markdown(packs: Iterable[Pack]) -> str:
    """A table for each pack."""
    lines = []
    for pack in packs:
        lines += [
            "",
            f"## {pack.name}",
            "",
            f"{pack.title}.",
            "",
            "| rule | severity | says |",
            "|---|---|---|",
        ]
        lines += [f"| `{rule.id}` | {severities(rule)} | {_cell(rule.summary)} |" for rule in pack.rules]
    return "\n".join(lines[1:]) + "\n"


_PAGE = """\
# Rules

Each danger that helmguard knows is a rule: a YAML file with its conditions, guards, words and evidence, and
examples beside it. Its id stands beside the finding on the page and as `rule` in the JSON; from `--fail-on`
(default `danger`) on, a finding refuses the plan. `helmguard rules show ID` prints a rule. How they are
written: [docs/writing-rules.md](../docs/writing-rules.md); what is not built, and why:
[NOT-BUILT.md](NOT-BUILT.md). Where several severities are given, the facts decide. This page is generated
(`tools/generate/rules_readme.py`).
"""


def rules_page(packs: Iterable[Pack]) -> str:
    """rules/README.md."""
    return f"{_PAGE}\n{rules_markdown(packs)}"


def rule_text(rule: Rule) -> str:
    """Everything about one rule, to read."""
    lines = [f"{rule.id} ({rule.pack}): {rule.summary}", ""]
    facts = [
        ("title", _written(rule.title)),
        ("severity", rule.severity),
        *((f"  {case.severity} when", case.when.text) for case in rule.severity_when),
        ("file", rule.place.file),
        ("applies", _written(rule.applies)),
        ("over", rule.over),
        ("kinds", ", ".join(sorted(rule.match.kinds))),
        ("needs", ", ".join(rule.needs)),
        ("wants", ", ".join(rule.wants)),
        ("when", rule.when.text),
        *((f"  quiet when ({_written(guard.because)})", guard.when.text) for guard in rule.unless),
        ("why", _written(rule.consequence)),
        *((_remedy_label(one), _written(one.text)) for one in rule.remedy),
        *(("evidence", line) for line in rule.evidence),
        ("data loss", "a waiver must say allowDataLoss: true" if rule.data_loss else ""),
    ]
    for name, value in facts:
        if value:
            first, *rest = str(value).strip().splitlines()
            lines += [f"{name:<12} {first}", *(f"{'':<12} {line}" for line in rest)]
    return "\n".join(lines) + "\n"


def _remedy_label(remedy: Remedy) -> str:
    return f"remedy when {remedy.when.text}" if remedy.when is not None else "remedy"


def severities(rule: Rule) -> str:
    """All that the rule may give, gravest first."""
    given = {rule.severity, *(case.severity for case in rule.severity_when)}
    return ", ".join(severity for severity in SEVERITIES if severity in given)


def results_text(results: Sequence[RuleResult], *, verbose: bool = False) -> str:
    """What failed, and a summary."""
    lines = []
    for result in results:
        if result.ok and not verbose:
            continue
        lines.append(f"{'ok    ' if result.ok else 'FAILED'}  {result.rule}")
        for example in result.examples:
            if example.problems or verbose:
                lines.append(
                    f"        {'FAILED' if example.problems else 'ok'}  {example.name} ({example.place})"
                )
            lines += [f"                {problem}" for problem in example.problems]
        if result.missing:
            lines.append(f"        no example shows the answer {' or '.join(result.missing)}")
    failed = sum(bool(example.problems) for result in results for example in result.examples)
    failed += sum(bool(result.missing) for result in results)
    examples = sum(len(result.examples) for result in results)
    done = f"{counted(len(results), 'rule')}, {counted(examples, 'example')}"
    lines.append(f"{done}: {failed or 'none'} failed")
    return "\n".join(lines) + "\n"


def results_json(results: Sequence[RuleResult]) -> JSONObject:
    """``helmguard.rule-tests/v1``."""
    return {
        "formatVersion": "helmguard.rule-tests/v1",
        "ok": all(result.ok for result in results),
        "rules": [
            {
                "rule": result.rule,
                "pack": result.pack,
                "ok": result.ok,
                "missing": list(result.missing),
                "examples": [
                    {"name": one.name, "place": one.place, "problems": list(one.problems)}
                    for one in result.examples
                ],
            }
            for result in results
        ],
    }


def _written(part: Template | Source | None) -> str:
    if part is None:
        return ""
    if isinstance(part, Source):
        return part.text
    return "".join(piece if isinstance(piece, str) else f"${{{piece.text}}}" for piece in part.parts)


def _cell(text: str) -> str:
    return text.replace("|", "\\|").replace("\n", " ")
