"""Where each leaf of the effective values comes from."""

from __future__ import annotations

import pytest
from value_charts import BOTH, HELM4, chart_files, computed, dependency, record_of

from helmguard.model.helm_version import HelmVersion
from helmguard.model.value_change import Provenance

both = pytest.mark.parametrize("version", BOTH, ids=["h3", "h4"])
CHART = "a: 1\nm:\n  x: 1\n  l:\n  - name: one\n"


@both
def test_defaults_files_and_flags(version: HelmVersion) -> None:
    files = {"f.yaml": "# mine\nm:\n  x: 2\nfromFile: true\n"}
    words = ["-f", "f.yaml", "--set", "m.y=3,n=4", "--set-string", "s=5", "--set-json", 'j={"k": 1}']
    provenance = computed(chart_files(CHART), words, helm=version, value_files=files).provenance
    assert dict(provenance) == {
        ("a",): Provenance("chart default", "parent", line=1, column=1),
        ("m", "l"): Provenance("chart default", "parent", line=4, column=3),
        ("m", "l", 0, "name"): Provenance("chart default", "parent", line=5, column=5),
        ("m", "x"): Provenance("values file", "f.yaml", line=3, column=3),
        ("fromFile",): Provenance("values file", "f.yaml", line=4, column=1),
        ("m", "y"): Provenance("--set", "m.y=3"),
        ("n",): Provenance("--set", "n=4"),
        ("s",): Provenance("--set-string", "s=5"),
        ("j", "k"): Provenance("--set-json", 'j={"k": 1}'),
    }


@both
def test_sub_charts_and_aliases(version: HelmVersion) -> None:
    child = chart_files("x: 1\nw: 1\n", name="sub")
    files = chart_files("one:\n  w: 2\n", dependencies=[dependency("sub", alias="one")], sub=child)
    provenance = computed(files, ["--set", "global.g=1"], helm=version).provenance
    assert provenance[("one", "x")] == Provenance("subchart default", "parent/charts/sub", line=1, column=1)
    assert provenance[("one", "w")] == Provenance("chart default", "parent", line=2, column=3)
    assert provenance[("one", "global", "g")] == Provenance("--set", "global.g=1")


def test_lines_of_later_documents_count_from_the_top_of_the_file() -> None:
    files = {"f.yaml": "a: 1\n---\n\nb: 2\n"}
    provenance = computed(chart_files({}), ["-f", "f.yaml"], helm=HELM4, value_files=files).provenance
    assert provenance[("b",)] == Provenance("values file", "f.yaml", line=4, column=1)


@both
def test_values_of_earlier_revisions_name_the_revision_that_set_them(version: HelmVersion) -> None:
    history = [(1, {"a": 5, "b": 1}), (2, {"a": 5, "b": 2}), (3, {"a": 5, "b": 2})]
    current = {
        "version": 3,
        "config": history[-1][1],
        "chart": {"metadata": {"name": "parent"}, "values": {"d": 1}},
    }
    result = computed(chart_files(CHART), ["--reuse-values"], helm=version, current=current, history=history)
    assert result.provenance[("a",)] == Provenance("previous revision", revision=1)
    assert result.provenance[("b",)] == Provenance("previous revision", revision=2)
    assert result.provenance[("d",)] == Provenance("chart default", "parent", revision=3)


@both
def test_keys_that_a_null_took_away(version: HelmVersion) -> None:
    files = {"f.yaml": "m:\n  x: null\n"}
    result = computed(
        chart_files(CHART), ["--set", "a=null", "-f", "f.yaml"], helm=version, value_files=files
    )
    assert dict(result.removed) == {
        ("a",): Provenance("null", "--set a=null"),
        ("m", "x"): Provenance("null", "f.yaml", line=2, column=3),
    }


@both
def test_every_leaf_has_a_provenance(version: HelmVersion) -> None:
    files = chart_files(CHART, sub=chart_files({"x": {"y": [1]}, "e": {}}, name="sub"))
    installed = computed(files, ["--set", "l[0].a=1,sub.x.z=1"], helm=version)
    for result in (
        installed,
        computed(files, ["--reuse-values"], helm=version, current=record_of(installed)),
    ):
        expected = {
            ("a",), ("m", "x"), ("m", "l"), ("m", "l", 0, "name"), ("l",), ("l", 0, "a"),
            ("sub", "x", "y"), ("sub", "x", "y", 0), ("sub", "x", "z"), ("sub", "e"),
        }  # fmt: skip
        assert set(result.provenance) - {("sub", "global")} == expected
