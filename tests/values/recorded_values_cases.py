"""The recorded value cases: what real Helm made of charts, flags and histories."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from helmguard.errors import HelmguardError
from helmguard.helm.chart_files import chart_from_files
from helmguard.model.helm_version import HelmVersion
from helmguard.values.chart import ChartFile
from helmguard.values.compute import ValuesResult, compute
from helmguard.values.differences import dialect_of
from helmguard.values.flag_words import parse_value_flags
from helmguard.values.go_format import go_numbers
from helmguard.values.user_values import merge_user_values
from helmguard.values.value_tree import same_value

VERSIONS = {"helm3": HelmVersion(3, 22, 0), "helm4": HelmVersion(4, 3, 1)}
GROUPS = ("cli", "modes", "subcharts", "random")

# Steps that fail only because of the cluster or a template: their values are computed all the same.
_NOT_ABOUT_VALUES = (
    "has no deployed releases",
    "nil pointer",
    "is invalid: metadata.name",
    "release: not found",
)


def folder() -> Path | None:
    """Where the cases are, None if nowhere: HELMGUARD_SHARED, or the folder beside the checkout."""
    shared = os.environ.get("HELMGUARD_SHARED")
    root = Path(shared) if shared else Path(__file__).parents[3] / "shared"
    cases = root / "values-cases"
    return cases if cases.is_dir() else None


def same_as_floats(left: Any, right: Any) -> bool:
    """Equal as the cases' README asks: numbers as float64, whatever their spelling."""
    return same_value(_as_floats(left), _as_floats(right))


def _as_floats(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _as_floats(item) for key, item in value.items()}
    if isinstance(value, list):
        return [_as_floats(item) for item in value]
    return float(value) if isinstance(value, int) and not isinstance(value, bool) else value


@dataclass
class Record:
    """A revision's stored config and chart values."""

    config: Any
    values: Any
    status: str


def differences(case: Mapping[str, Any], texts: Mapping[str, str], helm: str) -> Iterator[str]:
    """Where helmguard differs from one Helm in one case, in words."""
    records: dict[int, Record] = {}
    for number, (step, truth) in enumerate(zip(case["steps"], case["truth"][helm], strict=True)):
        label = f"{case['id']} {helm} step {number}"
        if step["op"] == "rollback":
            _roll_back(step, truth, records)
        else:
            for difference in _step_differences(case, texts, helm, step, truth, records):
                yield f"{label}: {difference}"
            _store(truth, records)
        for revision, changed in (truth.get("rewritten_older_records") or {}).items():
            record = records[int(revision)]
            record.config = changed.get("stored_config", record.config)
            record.values = changed.get("stored_chart_values", record.values)


def _roll_back(step: Mapping[str, Any], truth: Mapping[str, Any], records: dict[int, Record]) -> None:
    if not truth["ok"]:
        return
    target = records[step["to"] or max(records) - 1]
    _supersede(records)
    records[truth["revision"]] = Record(target.config, target.values, truth["status"])


def _store(truth: Mapping[str, Any], records: dict[int, Record]) -> None:
    if "revision" not in truth:
        return
    if truth["status"] == "deployed":
        _supersede(records)
    record = Record(truth["stored_config"], truth["stored_chart_values"], truth["status"])
    records[truth["revision"]] = record


def _supersede(records: dict[int, Record]) -> None:
    for record in records.values():
        if record.status == "deployed":
            record.status = "superseded"


def _current(records: dict[int, Record]) -> int:
    deployed = [revision for revision, record in records.items() if record.status == "deployed"]
    return max(deployed, default=max(records))


def _step_differences(
    case: Mapping[str, Any],
    texts: Mapping[str, str],
    helm: str,
    step: Mapping[str, Any],
    truth: Mapping[str, Any],
    records: dict[int, Record],
) -> Iterator[str]:
    installs = step["op"] == "install" or ("--install" in step["mode"] and not records)
    if installs == bool(records):
        return  # Helm stops before it looks at values: no release to upgrade, or one to install over.
    error = truth.get("error", "")
    foreign = any(text in error for text in _NOT_ABOUT_VALUES)
    revision = None if installs else _current(records)
    try:
        result = _computed(case, texts, helm, step, None if revision is None else records[revision])
    except HelmguardError as problem:
        if truth["ok"] or foreign or problem.message != _without_prefix(error):
            yield f"says {problem.message!r}, Helm {error!r}"
        return
    if error and not foreign:
        yield f"computes values, Helm says {error!r}"
    elif "revision" in truth:
        before = None if revision is None else records[revision]
        after = (truth.get("rewritten_older_records") or {}).get(str(revision), {})
        yield from _result_differences(result, truth, before, after)


def _result_differences(
    result: ValuesResult, truth: Mapping[str, Any], before: Record | None, rewritten: Mapping[str, Any]
) -> Iterator[str]:
    if "effective" in truth:
        if not same_as_floats(result.effective, truth["effective"]):
            yield f"effective {result.effective}, Helm {truth['effective']}"
        numbers = {path: found for path, values in result.effective.items() if (found := go_numbers(values))}
        if numbers != truth.get("go_numbers", {}):
            yield f"numbers {numbers}, Helm {truth.get('go_numbers')}"
    if not same_as_floats(result.config, truth["stored_config"] or {}):
        yield f"config {result.config}, Helm {truth['stored_config']}"
    if not same_as_floats(result.chart_values or {}, truth["stored_chart_values"] or {}):
        yield f"chart values {result.chart_values}, Helm {truth['stored_chart_values']}"
    if before is not None and truth["ok"]:
        expected = rewritten.get("stored_config", before.config)
        written = result.rewritten_previous_config
        if not same_as_floats((before.config if written is None else written) or {}, expected or {}):
            yield f"writes back {written}, Helm {expected}"


def _computed(
    case: Mapping[str, Any],
    texts: Mapping[str, str],
    helm: str,
    step: Mapping[str, Any],
    record: Record | None,
) -> ValuesResult:
    version = VERSIONS[helm]
    flags = parse_value_flags([*step["mode"], *step["args"]])
    given = merge_user_values(flags, dialect_of(version), _Files(step["files"]))
    files = [
        ChartFile(path, texts.get(text, text).encode())
        for path, text in case["charts"][step["chart"]].items()
    ]
    chart = chart_from_files(files, dialect_of(version))
    current = None
    if record is not None:
        current = {
            "config": record.config,
            "chart": {"metadata": {"name": "parent"}, "values": record.values},
        }
    return compute(chart, given, flags, current=current, helm=version)


class _Files:
    """Serves the files of a step as the file system would."""

    def __init__(self, files: Mapping[str, str]) -> None:
        self.files = files

    def __call__(self, name: str) -> bytes:
        if name not in self.files:
            raise FileNotFoundError(2, "No such file or directory", name)
        return self.files[name].encode()


def _without_prefix(error: str) -> str:
    text = error.removeprefix("Error: ")
    return text.removeprefix("INSTALLATION FAILED: ").removeprefix("UPGRADE FAILED: ")


def load(group: str) -> tuple[list[dict[str, Any]], dict[str, str]]:
    """The cases of a group and the texts they share."""
    where = folder()
    assert where is not None
    document = json.loads((where / f"{group}.json").read_text())
    return document["cases"], document["texts"]
