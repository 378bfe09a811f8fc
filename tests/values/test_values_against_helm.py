"""Random charts, flags and histories: helmguard computes what the real Helm 3 and Helm 4 compute.

HELMGUARD_PROPERTY_EXAMPLES sets the number of random cases for each Helm.
"""

from __future__ import annotations

import base64
import gzip
import json
import os
import random
import re
import tempfile
import uuid
from dataclasses import replace
from pathlib import Path
from typing import Any

from controlplane.client import ControlPlane
from controlplane.helm import Helm
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from recorded_values_cases import same_as_floats
from values_generator import (
    NUMBERS,
    SHOW,
    Case,
    Step,
    generate_case,
    generate_map,
    generate_set_word,
    shown_values,
    write_chart,
)

from helmguard.errors import HelmguardError
from helmguard.helm.value_flags import compute_values
from helmguard.values.compute import ValuesResult
from helmguard.values.go_format import go_numbers

EXAMPLES = int(os.environ.get("HELMGUARD_PROPERTY_EXAMPLES", "0"))
SEEDS = st.integers(min_value=0, max_value=2**48)
_HEALTH = [HealthCheck.too_slow, HealthCheck.function_scoped_fixture]


def examples(default: int) -> Any:
    return settings(
        max_examples=EXAMPLES or default, deadline=None, suppress_health_check=_HEALTH, database=None
    )


@examples(8)
@given(seed=SEEDS)
def test_what_templates_see_in_a_random_chart(helm_binary: Path, seed: int) -> None:
    case = generate_case(random.Random(seed), steps=1)
    _compare_template(helm_binary, case)


@examples(8)
@given(seed=SEEDS)
def test_what_a_random_set_word_does(helm_binary: Path, seed: int) -> None:
    rng = random.Random(seed)
    flag = rng.choice(["--set", "--set", "--set-string", "--set-json", "--set-literal", "--set-file"])
    word = generate_set_word(rng)
    if flag == "--set-file":
        word = word.replace("-", "")  # a file called - is standard input
    chart = {
        "Chart.yaml": '{"apiVersion": "v2", "name": "parent", "version": "1.0.0"}',
        "templates/values.yaml": SHOW,
        "templates/_numbers.tpl": NUMBERS,
    }
    files = {"f.yaml": json.dumps(generate_map(rng, 3)) + "\n"}
    step = Step("install", "old", ["-f", "f.yaml", flag, word], files)
    _compare_template(helm_binary, Case({"old": chart}, [step]))


@examples(3)
@given(seed=SEEDS)
def test_what_a_random_history_stores(helm: Helm, control_plane: ControlPlane, seed: int) -> None:
    case = generate_case(random.Random(seed))
    with tempfile.TemporaryDirectory(dir=helm.home) as scratch:
        _compare_history(replace(helm, home=Path(scratch)), control_plane, case, f"r{uuid.uuid4().hex[:12]}")


def _compare_template(binary: Path, case: Case) -> None:
    with tempfile.TemporaryDirectory() as scratch:
        helm = Helm(binary, Path(scratch))
        charts = _written(helm.home, case)
        step = case.steps[0]
        _write_files(helm, step)
        done = helm.run("template", "r", charts[step.chart], *step.words, check=False)
        result, error = _computed(helm, charts, step, None)
        if done.returncode:
            _assert_same_error(error, done.stderr)
            return
        assert result is not None, f"Helm takes it, helmguard says {error}"
        _assert_same_values(result, done.stdout)


def _compare_history(helm: Helm, control_plane: ControlPlane, case: Case, release: str) -> None:
    charts = _written(helm.home, case)
    records: dict[int, dict[str, Any]] = {}
    for step in case.steps:
        _write_files(helm, step)
        command = [step.operation, release, charts[step.chart], "--disable-openapi-validation"]
        done = helm.run(*command, *step.words, check=False)
        if "has no deployed releases" in done.stderr:
            return
        current = records[max(records)] if records else None
        result, error = _computed(helm, charts, step, current)
        if done.returncode:
            _assert_same_error(error, done.stderr)
            continue
        assert result is not None, f"Helm takes it, helmguard says {error}"
        records = _records(control_plane, helm.namespace, release)
        newest = records[max(records)]
        _assert_same_values(result, newest["manifest"])
        assert same_as_floats(result.config, newest.get("config") or {})
        assert same_as_floats(result.chart_values or {}, newest["chart"].get("values") or {})
        if current is not None:
            written = result.rewritten_previous_config
            expected = current.get("config") if written is None else written
            assert same_as_floats(expected or {}, records[current["version"]].get("config") or {})


def _written(folder: Path, case: Case) -> dict[str, Path]:
    for name, files in case.charts.items():
        write_chart(folder / name, files)
    return {name: folder / name for name in case.charts}


def _computed(
    helm: Helm, charts: dict[str, Path], step: Step, current: dict[str, Any] | None
) -> tuple[ValuesResult | None, str]:
    version = "3.22.0" if "helm3" in str(helm.binary) else "4.3.1"
    try:
        result = compute_values(charts[step.chart], step.words, current=current, helm=version, cwd=helm.home)
    except HelmguardError as error:
        return None, error.message
    return result, ""


def _write_files(helm: Helm, step: Step) -> None:
    for name, text in step.files.items():
        (helm.home / name).write_text(text)


def _records(control_plane: ControlPlane, namespace: str, release: str) -> dict[int, dict[str, Any]]:
    """The release's records, read from their Secrets."""
    secrets = control_plane.items(
        f"/api/v1/namespaces/{namespace}/secrets", labelSelector=f"owner=helm,name={release}"
    )
    records = [
        json.loads(gzip.decompress(base64.b64decode(base64.b64decode(secret["data"]["release"]))))
        for secret in secrets
    ]
    return {record["version"]: record for record in records}


def _assert_same_values(result: ValuesResult, manifest: str) -> None:
    values, numbers = shown_values(manifest)
    assert same_as_floats(result.effective, values)
    assert {path: found for path, tree in result.effective.items() if (found := go_numbers(tree))} == numbers


def _assert_same_error(error: str, stderr: str) -> None:
    """The same text, lines in any order: Go's map order decides which of several faults comes first."""
    told = stderr[stderr.index("Error: ") :].removeprefix("Error: ").rstrip("\n")
    told = told.removeprefix("INSTALLATION FAILED: ").removeprefix("UPGRADE FAILED: ")
    if "type mismatch on " in told:
        assert "type mismatch on " in error
        return
    # What cannot be read could hold a secret, and is masked.
    masked = [re.escape(part) for part in "\n".join(_sorted_lines(error)).split("(secret)")]
    assert re.fullmatch(".*".join(masked), "\n".join(_sorted_lines(told)), re.DOTALL), (error, told)


def _sorted_lines(text: str) -> list[str]:
    def in_order(match: re.Match[str]) -> str:
        return f"additional properties {', '.join(sorted(match.group(1).split(', ')))} not allowed"

    return sorted(re.sub("additional properties (.*) not allowed", in_order, text).splitlines())
