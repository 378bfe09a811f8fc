#!/usr/bin/env python3
"""Writes the tables of docs/labelled-corpus.md: the upgrades of fixtures/labelled planned and scored.

    tools/generate/labelled_table.py [--helm3 HELM --helm4 HELM]

The helms render the few charts whose manifest is not recorded; without them these cases are left out.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections import Counter
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT), str(ROOT / "tests" / "labelled")]

from labelled_scoring import CORPUS, Case, Known, Score, cases_in, plan_of, score  # noqa: E402

PAGE = ROOT / "docs" / "labelled-corpus.md"
BEGIN, END = "<!-- table: generated -->", "<!-- end of table -->"
KNOWN: dict[Known, str] = {
    "all": "all that was recorded",
    "objects": "no facts around the release",
    "manifests": "nothing of the cluster",
}


def scores_of(cases: list[Case], known: Known, helms: dict[str, str]) -> list[Score]:
    """The cases that are asked for at this state of knowledge, planned and scored."""
    scores = []
    for case in cases:
        if not case.is_judged(known):
            continue
        helm = helms["3" if case.label["helm"] == "h3" else "4"]
        if case.is_without_manifest and not helm:
            continue
        with_helm = f"{Path(helm).parent}:{os.environ['PATH']}" if helm else os.environ["PATH"]
        usual, os.environ["PATH"] = os.environ["PATH"], with_helm
        try:
            scores.append(score(case, plan_of(case, known).findings, known))
        finally:
            os.environ["PATH"] = usual
    return scores


def group_table(scores: list[Score]) -> list[str]:
    """Group by group, with all that was recorded."""
    lines = [
        "| group | dangerous | caught | missed | harmless | false alarms |",
        "| --- | --- | --- | --- | --- | --- |",
    ]
    total: Counter[str] = Counter()
    for group in sorted({one.case.label["group"] for one in scores}):
        count = _count(one for one in scores if one.case.label["group"] == group)
        total += count
        lines.append(_row(group, count))
    return [*lines, _row("**all**", total)]


def _count(scores: object) -> Counter[str]:
    count: Counter[str] = Counter()
    for one in scores:  # type: ignore[attr-defined]
        count["dangerous" if one.case.is_dangerous else "harmless"] += 1
        count[one.verdict] += 1
    return count


def _row(name: str, count: Counter[str]) -> str:
    missed = count["missed"] + count["loosely"]
    cells = [count["dangerous"], count["caught"], missed, count["harmless"], count["false alarm"]]
    return f"| {name} | " + " | ".join(map(str, cells)) + " |"


def knowledge_table(by_known: dict[Known, list[Score]]) -> list[str]:
    """What is left of it where less is known."""
    lines = [
        "| known | dangerous | caught | unknown | missed | harmless | false alarms |",
        "| --- | --- | --- | --- | --- | --- | --- |",
    ]
    for known, scores in by_known.items():
        count = _count(scores)
        missed = count["missed"] + count["loosely"]
        cells = [count["dangerous"], count["caught"], count["unknown"], missed, count["harmless"]]
        cells.append(count["false alarm"])
        lines.append(f"| {KNOWN[known]} | " + " | ".join(map(str, cells)) + " |")
    return lines


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--helm3", default="")
    parser.add_argument("--helm4", default="")
    arguments = parser.parse_args()
    helms = {"3": arguments.helm3, "4": arguments.helm4}
    cases = list(cases_in(CORPUS))
    by_known = {known: scores_of(cases, known, helms) for known in KNOWN}
    wrong = [str(one) for scores in by_known.values() for one in scores if not one.is_right]
    lines = [*group_table(by_known["all"]), "", *knowledge_table(by_known)]
    text = PAGE.read_text(encoding="utf-8")
    start, rest = text.split(BEGIN)
    _, end = rest.split(END)
    PAGE.write_text(start + BEGIN + "\n" + "\n".join(lines) + "\n" + END + end, encoding="utf-8")
    print("\n".join(wrong))
    return 0


if __name__ == "__main__":
    sys.exit(main())
