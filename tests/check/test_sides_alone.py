"""What one rendered side says by itself: the revision that it stands for, and the places of its findings."""

from __future__ import annotations

from pathlib import Path

import pytest
from sample_plans import config, resource, web_plan

from helmguard.check.chart_store import FoundChart
from helmguard.check.finding_files import with_files
from helmguard.check.rendered_side import RenderedSide
from helmguard.check.stand_in_revision import stand_in_revision
from helmguard.model.declared_release import ChartNeed, Controller, DeclaredRelease, FileLine, Tool
from helmguard.model.finding import Finding, Place
from helmguard.model.helm_version import HelmVersion
from helmguard.values.chart import Chart, ChartMetadata
from helmguard.values.table import Table


def side(tool: Tool = "flux", helm: str = "4.3.1") -> RenderedSide:
    need, place = ChartNeed("path", path="charts/web"), FileLine("apps/web.yaml", 3)
    declared = DeclaredRelease(tool, "x", "web", "shop", place, need, Controller("x"))
    chart = Chart(metadata=ChartMetadata(name="web"))
    return RenderedSide(declared, FoundChart(Path("x"), "", ""), chart, HelmVersion.parse(helm), Table())


@pytest.mark.parametrize(
    ("tool", "helm", "method"), [("flux", "4.3.1", "ssa"), ("flux", "3.22.0", ""), ("argo", "4.3.1", "")]
)
def test_the_way_that_the_base_was_applied(tool: Tool, helm: str, method: str) -> None:
    assert stand_in_revision(side(tool, helm)).apply_method == method


def test_what_goes_is_told_where_the_release_is_declared() -> None:
    gone = resource("delete", config({"a": "1"}), None, new=None)
    finding = Finding("r", "danger", "t", Place("object", str(gone.prediction.key)))
    [placed] = with_files(web_plan(resources=(gone,), findings=(finding,)), side()).findings
    assert (placed.where.file, placed.where.line) == ("apps/web.yaml", 3)


def test_a_template_is_a_file_of_the_tree() -> None:
    finding = Finding("r", "danger", "t", Place("chart", "web", file="web/templates/a.yaml", line=7))
    [placed] = with_files(web_plan(findings=(finding,)), side()).findings
    assert (placed.where.file, placed.where.line) == ("charts/web/templates/a.yaml", 7)
