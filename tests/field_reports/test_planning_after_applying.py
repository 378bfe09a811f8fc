"""A plan made right after Helm has applied the same chart and values is empty."""

from __future__ import annotations

from contextlib import nullcontext
from pathlib import Path

import pytest
from controlplane.operators_chart import alone_with_the_operator
from field_case import JSON, FieldCase, changed_paths

TESTS = Path(__file__).parents[1]
EVERY_KIND = TESTS.parent / "fixtures" / "charts" / "every-kind"
ONE = ["--set", "cluster=true"]
TWO = ["--set", "level=two,replicas=3,image=nginx:2,more=true,cluster=true"]
CHARTS = [
    chart.parent
    for folder in ("../fixtures/charts", "cluster/charts", "e2e/charts", "helm/charts")
    for chart in sorted((TESTS / folder).glob("*/Chart.yaml"))
    if chart.parent.name not in ("random", "revision", "every-kind")
]
"""Every chart that installs as it stands, but for two that render differently each time by design, and the
one of the second test."""

DEPENDS_ON_THE_OPERATION = {
    "helm/charts/web": {"data.mode", "spec.template.metadata.annotations.checksum/config"}
}
"""Fields that the chart renders otherwise at an upgrade than at an install."""


def chart_id(chart: Path) -> str:
    return str(chart.resolve().relative_to(TESTS.parent)).removeprefix("tests/")


@pytest.mark.parametrize("chart", CHARTS, ids=chart_id)
def test_plan_is_empty(case: FieldCase, chart: Path) -> None:
    is_operator = chart.name == "gpu-operator"
    with alone_with_the_operator(case.cluster) if is_operator else nullcontext():
        case.install(chart, "--no-hooks")
        by_operation = DEPENDS_ON_THE_OPERATION.get(chart_id(chart), set())
        assert remaining(case.plan(chart)) <= by_operation
        case.upgrade(chart, "--no-hooks")
        is_empty(case.plan(chart))
        is_empty(case.plan(None, "--rollback", "2"))


@pytest.mark.parametrize(
    ("helm_binary", "born_in_3", "flags"),
    [
        ("helm3", True, []),
        ("helm4", False, []),
        ("helm4", False, ["--server-side=false"]),
        ("helm4", True, []),
    ],
    indirect=["helm_binary"],
    ids=["h3", "h4", "h4 client-side", "h4 after h3"],
)
def test_after_changes_of_every_kind(case: FieldCase, helm3: Path, born_in_3: bool, flags: list[str]) -> None:
    """Upgrade and rollback change nearly all objects; each time the same operation again does nothing."""
    born = case.with_helm(helm3) if born_in_3 else case
    born.install(EVERY_KIND, *ONE, *flags)
    is_empty(case.plan(EVERY_KIND, *ONE))
    case.upgrade(EVERY_KIND, *TWO)
    is_empty(case.plan(EVERY_KIND, *TWO))
    is_empty(case.plan(EVERY_KIND, *TWO, "--server-dry-run=always"))
    case.helm.run("rollback", "rel", "1")
    is_empty(case.plan(None, "--rollback", "1"))
    is_empty(case.plan(EVERY_KIND, *ONE))
    case.helm.run("uninstall", "rel")


def remaining(plan: JSON) -> set[str]:
    """The fields that the plan would change; an object that comes or goes stands with its action."""
    assert plan["failure"] is None
    assert plan["unknown"] == []
    found = set()
    for entry in (entry for entry in plan["resources"] if not entry["hook"]):
        name = f"{entry['kind']}/{entry['name']}"
        if entry["action"] == "update":
            found.update(changed_paths(plan, name) or [f"{name} has no changed field"])
        elif entry["action"] != "unchanged":
            found.add(f"{entry['action']} {name}")
    return found


def is_empty(plan: JSON) -> None:
    assert remaining(plan) == set()
    assert plan["summary"]["drift"] == 0
    assert plan["exitCode"] == (2 if plan["hooks"] else 0)
