"""How often a plan is right: recorded operations, planned from what was known before, against what happened.

A recording is a folder with what was known before one `helm upgrade` or `helm rollback` and what the cluster
held afterwards (fixtures/traces/README.md). It counts as right when all of this holds: the plan foretells a
failure exactly where Helm failed, and every object is afterwards as predicted, each field and value of it.

    .venv/bin/python benchmarks/predictions.py                         # the recordings of this repository
    .venv/bin/python benchmarks/predictions.py DIR [DIR ...] --by tag
    .venv/bin/python benchmarks/predictions.py DIR --chart NVIDIA/gpu-operator@v26.3.3=./gpu-operator

Recordings of public charts do not hold the chart; --chart gives it, by the name in scenario.yaml before the
second colon, and --helm3/--helm4 the helm to render it with where a recording holds no rendering.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import helmguard

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "tests" / "predict"))

from same_as_server import comparable  # noqa: E402 - the path is set above
from trace_bundle import OWN_TRACES, copy_of_the_known, facts_of, traces_in  # noqa: E402

NO_CHANGE = ("unchanged", "keep", "fail")
CHOSEN_BY_THE_SERVER = (
    "clusterIP",
    "clusterIPs",
    "ipFamilies",
    "ipFamilyPolicy",
    "nodePort",
    "healthCheckNodePort",
)

ALL = "all"

Key = tuple[str, str, str, str]
"""API group, kind, namespace (the release's where none is given), name."""


@dataclass(frozen=True)
class Result:
    """One recording: what went wrong in its plan, empty where all is right."""

    name: str
    tags: tuple[str, ...]
    helm: str
    failed: bool
    foretold: bool
    wrong: tuple[str, ...]


def measure(folder: Path, charts: Mapping[str, Path], helms: Mapping[str, str]) -> Result:
    """Plan one recording from what was known before, and compare with what happened."""
    scenario = facts_of(folder)
    repository, _, _ = str(scenario.get("chart_new", "")).rpartition(":")
    chart = charts.get(repository)
    with tempfile.TemporaryDirectory() as scratch:
        bundle = copy_of_the_known(folder, Path(scratch) / "bundle")
        helm = helms.get(str(scenario["helm"]).partition(".")[0], "") if chart else ""
        try:
            plan = helmguard.plan_bundle(bundle, chart=str(chart or ""), helm_binary=helm)
        except helmguard.HelmguardError as error:
            return _result(folder, scenario, foretold=False, wrong=(f"no plan: {error}",))
        document = plan.to_dict(show_secrets=True)
    foretold = document["failure"] is not None
    wrong = list(_wrong_objects(folder, scenario, document))
    if foretold != (folder / "error.txt").exists():
        wrong.insert(0, "a failure that did not happen" if foretold else "the failure was not foretold")
    return _result(folder, scenario, foretold, tuple(wrong))


def _result(folder: Path, scenario: Mapping[str, Any], foretold: bool, wrong: tuple[str, ...]) -> Result:
    major = str(scenario["helm"]).partition(".")[0]
    method = "server-side" if scenario.get("apply_method") == "ssa" else "client-side"
    helm = f"Helm {major}" if major == "3" else f"Helm {major}, {method}"
    failed = (folder / "error.txt").exists()
    return Result(folder.name, tuple(scenario.get("tags") or ()), helm, failed, foretold, wrong)


def _wrong_objects(folder: Path, scenario: Mapping[str, Any], document: Any) -> Iterable[str]:
    """The objects that are afterwards not as the plan says; what only hooks wrote is left out."""
    place = str(scenario["namespace"])
    predicted = {
        _key(entry, entry["namespace"] or place): entry
        for entry in document["resources"]
        if not entry["hook"]
    }
    values_count = "nondeterministic" not in (scenario.get("tags") or ())
    before = json.loads((folder / "live-before.json").read_text())
    after = json.loads((folder / "live-after.json").read_text())
    for old, new in zip(before, after, strict=True):
        key = _key(old, old["namespace"] or place)
        entry = predicted.pop(key, None)
        if set(old["source"]) <= {"hook"} or old.get("hook_effect"):
            continue
        expected = old["object"] if entry is None or entry["action"] in NO_CHANGE else entry["after"]
        real = None if _goes_away(old["object"], new["object"]) else new["object"]
        same = comparable(expected) == _without_what_the_server_chose(comparable(real), comparable(expected))
        if not same and (values_count or (expected is None) != (real is None)):
            yield f"{key[1]}/{key[3]}"
    for key, entry in predicted.items():
        if entry["action"] not in NO_CHANGE:
            yield f"{key[1]}/{key[3]} is not in the recording"


def _without_what_the_server_chose(real: Any, expected: Any) -> Any:
    """``real`` without addresses and ports that no manifest asks for and that no plan can know."""
    if isinstance(real, dict) and isinstance(expected, dict):
        return {
            name: _without_what_the_server_chose(value, expected.get(name))
            for name, value in real.items()
            if name in expected or name not in CHOSEN_BY_THE_SERVER
        }
    if isinstance(real, list) and isinstance(expected, list) and len(real) == len(expected):
        return [_without_what_the_server_chose(*pair) for pair in zip(real, expected, strict=True)]
    return real


def _key(entry: Mapping[str, Any], namespace: str) -> Key:
    group = entry["apiVersion"].rpartition("/")[0]
    return (group, entry["kind"], namespace, entry["name"])


def _goes_away(before: Any, after: Any) -> bool:
    """Deleted, and only waiting for its finalizers."""
    if before is None or after is None:
        return False
    return "deletionTimestamp" in after["metadata"] and "deletionTimestamp" not in before["metadata"]


HELMS = ("Helm 3", "Helm 4, client-side", "Helm 4, server-side")


def table(results: Sequence[Result], by_tag: bool) -> str:
    """Markdown: those right in whole of all recordings, failures foretold of all failures, false alarms."""
    rows: dict[str, list[Result]] = defaultdict(list)
    for result in results:
        for tag in (*(sorted(result.tags) if by_tag else ()), ALL):
            rows[tag].append(result)
    lines = [
        f"| recordings | {' | '.join(HELMS)} | failures foretold | false alarms |",
        f"|---|{'---|' * len(HELMS)}---|---|",
    ]
    for tag in sorted(rows, key=lambda tag: (tag == ALL, tag)):
        group = rows[tag]
        cells = [_right([result for result in group if result.helm == helm]) for helm in HELMS]
        failed = [result for result in group if result.failed]
        foretold = f"{sum(result.foretold for result in failed)} of {len(failed)}" if failed else ""
        alarms = sum(result.foretold for result in group if not result.failed)
        lines.append(f"| {tag} | {' | '.join(cells)} | {foretold} | {alarms} |")
    return "\n".join(lines)


def _right(group: Sequence[Result]) -> str:
    return f"{sum(not result.wrong for result in group)} of {len(group)}" if group else ""


def main() -> int:
    """Measure, print the table and what is wrong; 1 where a folder holds no recording."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folders", nargs="*", type=Path, default=[OWN_TRACES])
    parser.add_argument("--by", choices=("helm", "tag"), default="helm")
    parser.add_argument("--chart", action="append", default=[], metavar="NAME=PATH")
    parser.add_argument("--helm3", default="")
    parser.add_argument("--helm4", default="")
    options = parser.parse_args()
    charts = {name: Path(path) for name, _, path in (word.partition("=") for word in options.chart)}
    helms = {"3": options.helm3, "4": options.helm4}
    folders = [trace for folder in options.folders for trace in traces_in(folder)]
    if not folders:
        print("no recordings there", file=sys.stderr)
        return 1
    results = [measure(folder, charts, helms) for folder in folders]
    print(table(results, by_tag=options.by == "tag"))
    for result in results:
        if result.wrong:
            print(f"\nnot right: {result.name} ({', '.join(result.tags)}): {'; '.join(result.wrong[:4])}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
