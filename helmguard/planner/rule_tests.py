"""Runs the examples of packs: the test runner of rules."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from helmguard.errors import RuleFileError
from helmguard.planner.rule_folders import pack_folders, read_packs
from helmguard.rules.context.root import BUILDERS, Root
from helmguard.rules.engine.evaluate import Judge
from helmguard.rules.engine.examples import results, run_example
from helmguard.rules.engine.rule import Pack, Rule
from helmguard.rules.engine.rule_file import read_examples
from helmguard.rules.engine.rule_result import ExampleResult, RuleResult
from helmguard.rules.engine.source import RuleError
from helmguard.rules.packs import builtin_packs, new_engine, rules_folder


def test_rules(folders: Sequence[Path], only: Sequence[str] = ()) -> tuple[RuleResult, ...]:
    """The examples of the packs in these folders, of the built-in packs where none is given.

    ``only``: ids of rules.

    Raises:
        RuleFileError: a file cannot be used, or there is no rule of such an id.
    """
    packs = _packs(folders)
    if not any(pack.rules for pack, _ in packs):
        named = ", ".join(str(folder) for folder in folders)
        raise RuleFileError(
            f"there are no rules in {named}: a pack is a folder with a pack.yaml",
            remedy="helmguard rules new PACK/ID writes a first one.",
        )
    unknown = set(only) - {rule.id for pack, _ in packs for rule in pack.rules}
    if unknown:
        raise RuleFileError(f"there is no rule {min(unknown)} in these packs")
    judge = Judge([pack for pack, _ in packs], new_engine(), BUILDERS)
    wanted = [
        (pack, folder, rule) for pack, folder in packs for rule in pack.rules if not only or rule.id in only
    ]
    try:
        return tuple(_result(pack, folder, rule, judge) for pack, folder, rule in wanted)
    except RuleError as error:
        raise RuleFileError(str(error), remedy="See docs/writing-rules.md for the format.") from None


test_rules.__test__ = False  # type: ignore[attr-defined]


def _packs(folders: Sequence[Path]) -> list[tuple[Pack, Path]]:
    if not folders:
        return [(pack, rules_folder() / pack.name) for pack in builtin_packs()]
    places = {place.resolve(): place for folder in folders for place in pack_folders(folder)}
    return [(pack, place) for place in places.values() for pack in read_packs(place)]


def _result(pack: Pack, folder: Path, rule: Rule, judge: Judge) -> RuleResult:
    file = folder / f"{rule.id}.test.yaml"
    examples = read_examples(file.read_text(encoding="utf-8"), str(file))
    outcomes = [run_example(rule, example, pack, judge, Root) for example in examples]
    shown = {answer for example in examples for answer in results(example)}
    wanted = ("fires", "quiet", "unknown") if rule.needs else ("fires", "quiet")
    return RuleResult(
        rule=rule.id,
        pack=pack.name,
        examples=tuple(
            ExampleResult(
                outcome.example.name,
                f"{outcome.example.place.file}:{outcome.example.place.line}",
                outcome.problems,
            )
            for outcome in outcomes
        ),
        missing=tuple(answer for answer in wanted if answer not in shown),
    )
