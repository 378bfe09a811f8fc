"""How often a plan is right: recorded operations, planned from what was known before, against what happened.

A recording is a folder with what was known before one `helm upgrade` or `helm rollback` and what the cluster
held afterwards (docs/bundle-format.md). It counts as right when all of this holds: the plan foretells a
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
import shutil
import sys
import tempfile
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import helmguard
from helmguard.manifest import yaml

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "tests" / "predict"))

from same_as_server import comparable  # noqa: E402 - the path is set above

KNOWN_BEFORE = (
    "values-given.yaml",
    "release-before.json",
    "new-manifest.yaml",
    "hooks.json",
    "chart-old",
    "chart-new",
)
KNOWN_OF_SCENARIO = (
    "id",
    "helm",
    "helm_at_install",
    "kubernetes",
    "release",
    "namespace",
    "chart_old",
    "chart_new",
    "operation",
)
KNOWN_OF_OBJECT = ("apiVersion", "kind", "namespace", "name", "object", "source")
NO_CHANGE = ("unchanged", "keep", "fail")
CHOSEN_BY_THE_SERVER = (
    "clusterIP",
    "clusterIPs",
    "ipFamilies",
    "ipFamilyPolicy",
    "nodePort",
    "healthCheckNodePort",
)

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
    scenario = yaml.load((folder / "scenario.yaml").read_text())
    repository, _, _ = str(scenario.get("chart_new", "")).rpartition(":")
    chart = charts.get(repository)
    with tempfile.TemporaryDirectory() as scratch:
        bundle = copy_what_was_known(folder, Path(scratch) / "bundle", scenario)
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


def copy_what_was_known(folder: Path, bundle: Path, scenario: Mapping[str, Any]) -> Path:
    """The recording without its outcome."""
    bundle.mkdir()
    for name in KNOWN_BEFORE:
        source = folder / name
        if source.is_dir():
            shutil.copytree(source, bundle / name)
        elif source.exists():
            shutil.copy(source, bundle / name)
    known = {name: scenario[name] for name in KNOWN_OF_SCENARIO if name in scenario}
    (bundle / "scenario.yaml").write_text(json.dumps(known))
    entries = json.loads((folder / "live-before.json").read_text())
    live = [{name: entry[name] for name in KNOWN_OF_OBJECT if name in entry} for entry in entries]
    (bundle / "live-before.json").write_text(json.dumps(live))
    return bundle


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


def table(results: Sequence[Result], by_tag: bool) -> str:
    """Markdown: recordings, those right in whole, failures foretold and false alarms, by Helm and by tag."""
    rows: dict[tuple[str, str], list[Result]] = defaultdict(list)
    for result in results:
        for tag in result.tags if by_tag else ("all",):
            rows[(tag, result.helm)].append(result)
    lines = ["| recordings | Helm | number | right in whole | failures foretold | false alarms |"]
    lines.append("|---|---|---|---|---|---|")
    for (tag, helm), group in sorted(rows.items()):
        failed = [result for result in group if result.failed]
        foretold = sum(result.foretold for result in failed)
        alarms = sum(result.foretold for result in group if not result.failed)
        right = sum(not result.wrong for result in group)
        share = 100 * right / len(group)
        lines.append(
            f"| {tag} | {helm} | {len(group)} | {right} ({share:.1f} %) "
            f"| {foretold} of {len(failed)} | {alarms} |"
        )
    return "\n".join(lines)


def main() -> int:
    """Measure, print the table and what is wrong; 1 where a folder holds no recording."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folders", nargs="*", type=Path, default=[ROOT / "fixtures" / "traces"])
    parser.add_argument("--by", choices=("helm", "tag"), default="helm")
    parser.add_argument("--chart", action="append", default=[], metavar="NAME=PATH")
    parser.add_argument("--helm3", default="")
    parser.add_argument("--helm4", default="")
    options = parser.parse_args()
    charts = {name: Path(path) for name, _, path in (word.partition("=") for word in options.chart)}
    helms = {"3": options.helm3, "4": options.helm4}
    folders = [path.parent for folder in options.folders for path in sorted(folder.glob("*/scenario.yaml"))]
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
