"""Sub-charts, images and failing values as rules see them."""

from __future__ import annotations

from typing import Any

import pytest
from facts_of import facts, resource
from msgspec.structs import replace

from helmguard.model.plan import ResourceChange, ValuesReport
from helmguard.model.prediction import Failure
from helmguard.model.value_change import Provenance, ValueChange
from helmguard.model.value_facts import FailingValue, GivenValue, Subchart, ValueFacts
from helmguard.rules.context.images import images_of
from helmguard.rules.context.rendering import rendering_of
from helmguard.rules.context.subcharts import subcharts_of

FILE = Provenance("values file", "prod.yaml", line=7)


def report(*changes: ValueChange, **known: Any) -> ValuesReport:
    return ValuesReport("reset", "", changes, facts=ValueFacts(known=True, **known))


def of_source(source: str, action: str) -> ResourceChange:
    made = resource(action=action)
    return replace(made, prediction=replace(made.prediction, source=source))


def test_a_sub_chart_that_goes_takes_its_objects_along() -> None:
    off = ValueChange(("nfd", "enabled"), True, False, "values", provenance_after=FILE)
    subchart = Subchart("nfd", True, False, True, "1.0.0", "1.0.0", "nfd.enabled")
    gone = of_source("web/charts/nfd/templates/a.yaml", "delete")
    other = of_source("web/templates/a.yaml", "delete")
    found = subcharts_of(facts(gone, other, values=report(off, subcharts=(subchart,))))
    (one,) = found.toggled
    assert (one.switch, one.cause, one.requested, one.file, one.line) == (
        "nfd.enabled",
        "values",
        True,
        "prod.yaml",
        7,
    )
    assert (one.removed, one.added, one.keep) == (("Deployment/web",), (), "--set nfd.enabled=true")
    assert found.versions == ()


def test_sub_charts_in_other_versions() -> None:
    moved = Subchart("nfd", True, True, True, "1.0.0", "1.1.0")
    same, unknown = (
        Subchart("a", True, True, True, "1.0.0", "1.0.0"),
        Subchart("b", True, True, True, "", "1.0.0"),
    )
    found = subcharts_of(facts(values=report(subcharts=(moved, same, unknown))))
    assert ([one.name for one in found.versions], found.toggled) == (["nfd"], ())


def pods(image: str, kind: str = "containers") -> dict[str, Any]:
    return {"spec": {"template": {"spec": {kind: [{"name": "web", "image": image}]}}}}


@pytest.mark.parametrize(
    ("before", "after", "names", "tags"),
    [
        ("nginx:1.25", "nginx:1.26", ("docker.io/library/nginx",) * 2, ("1.25", "1.26")),
        ("nginx:1.25", "docker.io/nginx:1.26", ("docker.io/library/nginx",) * 2, ("1.25", "1.26")),
        ("a/b:1", "docker.io/a/b:2", ("docker.io/a/b",) * 2, ("1", "2")),
        ("host:5000/b", "other.example.com/b:2", ("host:5000/b", "other.example.com/b"), ("", "2")),
    ],
)
def test_images_of_both_manifests(before: str, after: str, names: Any, tags: Any) -> None:
    made = resource()
    made = replace(made, prediction=replace(made.prediction, previous=pods(before), new=pods(after)))
    (image,) = images_of(facts(made)).changed
    assert (image.name_before, image.name_after) == names
    assert (image.tag_before, image.tag_after) == tags
    assert (image.ref, image.container, image.field) == (
        "Deployment/web",
        "web",
        "containers[name=web].image",
    )


def test_images_that_stay_and_containers_that_come() -> None:
    made = resource()
    same = replace(made, prediction=replace(made.prediction, previous=pods("a:1"), new=pods("a:1")))
    comes = replace(
        made, prediction=replace(made.prediction, previous=pods("a:1"), new=pods("b:1", "initContainers"))
    )
    assert images_of(facts(same, comes, made)).changed == ()


def test_values_behind_a_failing_template() -> None:
    failing = (FailingValue(("tls",), True, True), FailingValue(("certName",), "", False))
    known = report(failing=failing, given=(GivenValue(("tls",), True, FILE),))
    found = rendering_of(facts(values=known, failure=Failure("execution error", "before")))
    assert found.unset == "certName"
    assert [(one.path, one.file, one.line) for one in found.values] == [
        ("tls", "prod.yaml", 7),
        ("certName", "", 0),
    ]
    assert found.schema == ()


HEAD = "values don't meet the specifications of the schema(s) in the following chart(s):\n"


@pytest.mark.parametrize(
    ("lines", "found"),
    [
        (
            "web:\n- at '/service/port': got string, want integer",
            [("service.port", "got string, want integer")],
        ),
        ("web:\n- service.port: Invalid type", [("service.port", "Invalid type")]),
        ("web:\n- (root): x is required", [("", "x is required")]),
        ("db:\n- at '/a~1b/0': wrong", [("db.a/b[0]", "wrong")]),
        (
            "web:\n- at '/a': anyOf failed\n  - at '/a': got string, want object",
            [("a", "got string, want object")],
        ),
    ],
)
def test_what_a_schema_refuses(lines: str, found: list[tuple[str, str]]) -> None:
    made = facts(values=report(), failure=Failure(HEAD + lines, "before"))
    assert [(one.path, one.reason) for one in rendering_of(made).schema] == found
