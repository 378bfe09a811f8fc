"""A recorded operation as a request: what was known before it, and nothing of its outcome."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from helmguard.errors import BundleError
from helmguard.model.apply_options import ApplyOptions
from helmguard.planner.trace_request import read_trace_request


def scenario(verb: str = "upgrade", **operation: Any) -> dict[str, Any]:
    return {
        "release": "web",
        "namespace": "shop",
        "helm": "4.3.1",
        "kubernetes": "1.36.3",
        "chart_new": "chart-new",
        "operation": {"verb": verb, **operation},
        "outcome": "failed",
        "apply_method": "ssa",
    }


@pytest.mark.parametrize(
    ("flags", "options", "words"),
    [
        ([], {}, ()),
        (["--force"], {"force": True}, ()),
        (["--force-replace"], {"force": True}, ()),
        (["--force-conflicts", "--take-ownership"], {"force_conflicts": True, "take_ownership": True}, ()),
        (["--force-conflicts=false"], {"force_conflicts": False}, ()),
        (["--atomic", "--cleanup-on-fail"], {"atomic": True, "cleanup_on_fail": True}, ()),
        (["--rollback-on-failure"], {"atomic": True}, ()),
        (["--no-hooks", "--skip-crds"], {"no_hooks": True, "skip_crds": True}, ()),
        (["--server-side=false"], {"server_side": "false"}, ()),
        (["--server-side"], {"server_side": "true"}, ()),
        (["--set", "a=1", "--reuse-values"], {}, ("--set", "a=1", "--reuse-values")),
        (["--set=a=1", "--set-json", "b=2"], {}, ("--set=a=1", "--set-json", "b=2")),
        (["-f", "x.yaml", "--reset-then-reuse-values"], {}, ("-f", "x.yaml", "--reset-then-reuse-values")),
        (["--wait", "--timeout", "5m", "--debug"], {}, ()),
    ],
)
def test_flags(tmp_path: Path, flags: list[str], options: dict[str, Any], words: tuple[str, ...]) -> None:
    request = read_trace_request(scenario(flags=flags), tmp_path)
    assert request.options == ApplyOptions(**options)
    assert request.value_words == words
    assert (request.release, request.namespace, str(request.helm)) == ("web", "shop", "4.3.1")


def test_the_values_file_comes_first_where_there_is_one(tmp_path: Path) -> None:
    document = scenario(values_file="values-given.yaml", flags=["--set", "a=1"])
    assert read_trace_request(document, tmp_path).value_words == ("--set", "a=1")
    (tmp_path / "values-given.yaml").write_text("{}\n")
    assert read_trace_request(document, tmp_path).value_words == ("-f", "values-given.yaml", "--set", "a=1")


def test_a_rollback(tmp_path: Path) -> None:
    request = read_trace_request(scenario("rollback", revision=3), tmp_path)
    assert (request.operation, request.rollback_to) == ("rollback", 3)
    assert read_trace_request(scenario("rollback"), tmp_path).rollback_to == 0


def test_the_chart_is_named_and_taken_where_it_is_there(tmp_path: Path) -> None:
    without = read_trace_request(scenario(), tmp_path)
    assert (without.chart, without.reference) == ("", "chart-new")
    (tmp_path / "chart-new").mkdir()
    assert read_trace_request(scenario(), tmp_path).chart == "chart-new"


@pytest.mark.parametrize("lacking", ["release", "namespace", "helm", "operation"])
def test_what_lacks_a_part_is_no_scenario(tmp_path: Path, lacking: str) -> None:
    document = {name: value for name, value in scenario().items() if name != lacking}
    with pytest.raises(BundleError, match=r"scenario.yaml: not a scenario \(KeyError"):
        read_trace_request(document, tmp_path)
    with pytest.raises(BundleError, match="not a scenario"):
        read_trace_request({**scenario(), "helm": "three"}, tmp_path)
