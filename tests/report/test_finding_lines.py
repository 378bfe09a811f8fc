"""The file and line that a finding comes from."""

from __future__ import annotations

from typing import Any

import pytest
from check_reports import checked, declared, local_chart
from msgspec.structs import replace
from sample_plans import change, config, resource, web_plan

from helmguard.model.declared_release import ChartNeed, FileLine, ValuesLayer
from helmguard.model.finding import Finding, Place
from helmguard.model.plan import HookRun, ValuesReport
from helmguard.model.value_change import Provenance, ValueChange
from helmguard.report.finding_lines import place_of

FILE = "apps/web/values.yaml"
HERE = FileLine("clusters/prod/web/helmrelease.yaml", 12)
REMOTE = ChartNeed(
    "oci", url="oci://registry.example.com/web", version="1.0.0", place=FileLine("apps/web/source.yaml", 8)
)


def plan() -> Any:
    objects = (
        resource(
            "update",
            config({"a": "1", "b": "1", "c": "1"}),
            config({"a": "2", "b": "2", "c": "2"}),
            change("data.a", "1", "2", "values", value_path="a"),
            change("data.b", "1", "2", "default", value_path="b"),
            change("data.c", "1", "2"),
            source="web/templates/config.yaml",
        ),
        resource("create", None, config({}, "sub"), source="web/charts/db/templates/config.yaml"),
        resource("create", None, config({}, "bare")),
    )
    values = ValuesReport(
        "reset",
        "",
        (
            ValueChange(
                ("a",), 1, 2, "values", Provenance("chart default"), Provenance("values file", FILE, line=3)
            ),
            ValueChange(("b",), 1, 2, "default", None, Provenance("chart default", "web", line=7)),
            ValueChange(("gone",), 1, 2, "values", Provenance("values file", FILE, line=9), None),
        ),
    )
    hook = HookRun("pre-upgrade", "batch/v1", "Job", "shop", "up", 0, (), 1, "web/templates/job.yaml")
    return web_plan(resources=objects, values=values, hooks=(hook,))


def found(where: Place, chart: ChartNeed) -> FileLine:
    release = declared("web", chart=chart, layers=(ValuesLayer("yaml", FILE),))
    return place_of(Finding("r", "danger", "t", where), checked("changed", release, plan()))


@pytest.mark.parametrize(
    ("where", "local", "remote"),
    [
        (Place("value", "a", file="x.yaml", line=4), FileLine("x.yaml", 4), FileLine("x.yaml", 4)),
        (Place("value", "a", file="--set"), FileLine(FILE, 3), FileLine(FILE, 3)),
        (Place("value", "a"), FileLine(FILE, 3), FileLine(FILE, 3)),
        (Place("value", "b"), FileLine("charts/web/values.yaml", 7), HERE),
        (Place("value", "gone"), FileLine(FILE, 9), FileLine(FILE, 9)),
        (Place("value", "unheard.of"), HERE, HERE),
        (Place("object", "ConfigMap/web", field="data.a"), FileLine(FILE, 3), FileLine(FILE, 3)),
        (Place("object", "ConfigMap/web", field="a"), FileLine(FILE, 3), FileLine(FILE, 3)),
        (Place("object", "ConfigMap/web", field="data.b"), FileLine("charts/web/values.yaml", 7), HERE),
        (
            Place("object", "ConfigMap/web", field="data.c"),
            FileLine("charts/web/templates/config.yaml"),
            HERE,
        ),
        (Place("object", "ConfigMap/web"), FileLine("charts/web/templates/config.yaml"), HERE),
        (Place("object", "ConfigMap/sub"), FileLine("charts/web/Chart.yaml"), HERE),
        (Place("object", "ConfigMap/bare"), HERE, HERE),
        (Place("object", "Job/up"), FileLine("charts/web/templates/job.yaml"), HERE),
        (Place("chart", "web"), FileLine("charts/web/Chart.yaml"), FileLine("apps/web/source.yaml", 8)),
        (Place("release", "web"), HERE, HERE),
        (Place("node", "gpu-a"), HERE, HERE),
    ],
)
def test_places(where: Place, local: FileLine, remote: FileLine) -> None:
    assert found(where, local_chart("charts/web")) == local
    assert found(where, REMOTE) == remote


@pytest.mark.parametrize(
    ("field", "place"),
    [("data.c", REMOTE.place), ("", REMOTE.place), ("data.b", HERE), ("data.a", FileLine(FILE, 3))],
)
def test_what_another_version_of_the_chart_brings_is_where_the_version_is_written(
    field: str, place: FileLine
) -> None:
    head = declared("web", chart=REMOTE, layers=(ValuesLayer("yaml", FILE),))
    release = checked("changed", head, plan())
    release = replace(release, base=replace(head, chart=replace(REMOTE, version="0.9.0")))
    finding = Finding("r", "danger", "t", Place("object", "ConfigMap/web", field=field))
    assert place_of(finding, release) == place


def test_an_archive_in_the_repository_has_no_files_of_its_own() -> None:
    archive = local_chart("charts/web-1.0.0.tgz")
    assert found(Place("object", "ConfigMap/web"), archive) == HERE
    assert found(Place("chart", "web"), archive) == HERE


def test_a_release_that_goes_is_where_it_was() -> None:
    release = checked("removed", declared("web"), replace(plan(), resources=()))
    assert place_of(Finding("r", "danger", "t", Place("release", "web")), release) == HERE


@pytest.mark.parametrize(("text", "line"), [(b"a: 1\nb: 2\n", 5), (b"x: 1\n" * 20, 9), (b"", 9)])
def test_the_line_of_a_value_that_is_gone_is_one_that_the_file_still_has(text: bytes, line: int) -> None:
    layers = (ValuesLayer("yaml", FILE, text=text, lines_before=3),)
    release = checked("changed", declared("web", chart=REMOTE, layers=layers), plan())
    finding = Finding("r", "danger", "t", Place("value", "gone"))
    assert place_of(finding, release) == FileLine(FILE, line)
