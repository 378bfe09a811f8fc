"""How values, defaults, nulls, globals and sub-charts come together, in Helm 3 and in Helm 4."""

from __future__ import annotations

from typing import Any

import pytest
from value_charts import BOTH, HELM3, HELM4, chart_files, chart_of, computed, dependency, given_values

from helmguard.errors import ChartError, ValuesError
from helmguard.model.helm_version import HelmVersion
from helmguard.values.compute import compute
from helmguard.values.flag_words import ValueFlags

both = pytest.mark.parametrize("helm", BOTH, ids=["h3", "h4"])
LISTED = [dependency("sub")]


def nested(values: Any, **more: Any) -> dict[str, str]:
    return chart_files(values, name="sub", **more)


@both
def test_user_values_win_and_maps_merge(helm: HelmVersion) -> None:
    result = computed(chart_files({"a": 1, "m": {"x": 1, "y": [1, 2]}}), ["--set", "m.y[1]=9,b=2"], helm=helm)
    assert result.values == {"a": 1, "m": {"x": 1, "y": [None, 9]}, "b": 2}
    assert result.config == {"m": {"y": [None, 9]}, "b": 2}


@both
def test_a_null_of_the_user_deletes_a_default(helm: HelmVersion) -> None:
    result = computed(chart_files({"a": 1, "m": {"x": 1, "y": 2}}), ["--set", "a=null,m.x=null"], helm=helm)
    assert result.values == {"m": {"y": 2}}
    assert result.config == {"a": None, "m": {"x": None}}


@pytest.mark.parametrize(("helm", "expected"), [(HELM3, {"a": None, "m": {"x": None}}), (HELM4, {"m": {}})])
def test_nulls_of_a_chart_stay_in_helm_3_only(helm: HelmVersion, expected: Any) -> None:
    assert computed(chart_files({"a": None, "m": {"x": None}}), helm=helm).values == expected


@pytest.mark.parametrize(("helm", "x"), [(HELM3, {}), (HELM4, {"x": 1.0})])
def test_a_parent_s_null_for_a_listed_sub_chart_counts_in_helm_4_only_beside_a_user_value(
    helm: HelmVersion, x: Any
) -> None:
    files = chart_files({"sub": {"x": None}}, dependencies=LISTED, sub=nested({"x": 1}))
    assert computed(files, helm=helm).values["sub"] == {"global": {}, **x}
    assert computed(files, ["--set", "sub.y=1"], helm=helm).values["sub"] == {"global": {}, "y": 1}


@both
def test_globals_reach_every_sub_chart_and_the_parent_s_win(helm: HelmVersion) -> None:
    deep = chart_files({"global": {"g": "deep", "own": 1}}, name="nest")
    files = chart_files({"global": {"g": "parent", "t": {"a": 1}}}, sub=nested({}, nest=deep))
    result = computed(files, ["--set", "global.t.b=2"], helm=helm)
    expected = {"g": "parent", "t": {"a": 1, "b": 2}}
    assert result.effective["parent/charts/sub"]["global"] == expected
    assert result.effective["parent/charts/sub/charts/nest"]["global"] == {**expected, "own": 1}


@both
def test_only_the_table_of_its_name_reaches_a_sub_chart(helm: HelmVersion) -> None:
    files = chart_files({"a": 1, "sub": {"x": 2}}, sub=nested({"x": 1, "y": 1}))
    assert computed(files, helm=helm).effective == {
        "parent": {"a": 1, "sub": {"global": {}, "x": 2, "y": 1}},
        "parent/charts/sub": {"global": {}, "x": 2, "y": 1},
    }


@both
@pytest.mark.parametrize(
    ("entry", "words", "enabled"),
    [
        ({"condition": "sub.enabled"}, [], True),
        ({"condition": "sub.enabled"}, ["--set", "sub.enabled=false"], False),
        ({"condition": "no.such,sub.enabled"}, ["--set", "sub.enabled=false"], False),
        ({"condition": "a,sub.enabled"}, ["--set", "a=text,sub.enabled=false"], False),
        ({"condition": "sub.enabled,b"}, ["--set", "sub.enabled=true,b=false"], True),
        ({"tags": ["t"]}, ["--set", "tags.t=false"], False),
        ({"tags": ["t", "u"]}, ["--set", "tags.t=false,tags.u=true"], True),
        ({"tags": ["t"], "condition": "on"}, ["--set", "tags.t=false,on=true"], True),
        ({"version": ">=2", "condition": "on"}, ["--set", "on=false"], False),
        ({"version": ">=2"}, [], True),
    ],
)
def test_conditions_and_tags(
    entry: dict[str, Any], words: list[str], enabled: bool, helm: HelmVersion
) -> None:
    files = chart_files({}, dependencies=[dependency("sub", **entry)], sub=nested({"x": 1}))
    result = computed(files, words, helm=helm)
    assert ("parent/charts/sub" in result.effective) is enabled
    assert result.enabled_charts == (("parent", "parent/charts/sub") if enabled else ("parent",))


@both
def test_aliases_give_a_chart_several_times(helm: HelmVersion) -> None:
    entries = [dependency("sub", alias="one"), dependency("sub", alias="two"), dependency("sub")]
    files = chart_files({"two": {"x": 2}}, dependencies=entries, sub=nested({"x": 1}))
    result = computed(files, ["--set", "one.x=9"], helm=helm)
    assert {path: values["x"] for path, values in result.effective.items() if path != "parent"} == {
        "parent/charts/one": 9,
        "parent/charts/two": 2,
        "parent/charts/sub": 1,
    }


@pytest.mark.parametrize(("helm", "path"), [(HELM3, "parent/charts/sub/charts/nest"),
                                            (HELM4, "parent/charts/one/charts/nest")])  # fmt: skip
def test_the_path_of_a_chart_below_an_alias(helm: HelmVersion, path: str) -> None:
    below = nested({}, nest=chart_files({"n": 1}, name="nest"))
    files = chart_files({}, dependencies=[dependency("sub", alias="one")], sub=below)
    assert path in computed(files, helm=helm).effective


@both
def test_imported_values_lose_to_the_parent_s_own(helm: HelmVersion) -> None:
    child = nested({"exports": {"data": {"a": "child", "b": "child"}}, "m": {"k": "child"}})
    wanted = ["data", {"child": "m", "parent": "imported.here"}]
    files = chart_files({"a": "own"}, dependencies=[dependency("sub", import_values=wanted)], sub=child)
    result = computed(files, helm=helm)
    assert {key: result.values[key] for key in ("a", "b", "imported")} == {
        "a": "own",
        "b": "child",
        "imported": {"here": {"k": "child"}},
    }
    assert result.chart_values is not None
    assert result.chart_values["b"] == "child"
    assert result.provenance[("b",)].kind == "import-values"


@both
def test_listed_sub_charts_put_their_defaults_into_the_stored_values(helm: HelmVersion) -> None:
    listed = computed(chart_files({}, dependencies=LISTED, sub=nested({"x": 1})), helm=helm)
    unlisted = computed(chart_files({}, sub=nested({"x": 1})), helm=helm)
    assert listed.chart_values == {"sub": {"global": {}, "x": 1}}
    assert unlisted.chart_values == {}


@both
def test_a_library_chart_has_values_and_no_templates(helm: HelmVersion) -> None:
    child = {
        **nested({"x": 1}),
        "Chart.yaml": '{"apiVersion":"v2","name":"sub","version":"1.0.0","type":"library"}',
    }
    result = computed(chart_files({}, dependencies=LISTED, sub=child), helm=helm)
    assert list(result.effective) == ["parent"]
    assert result.values == {"sub": {"global": {}, "x": 1}}


@pytest.mark.parametrize(("helm", "prefix"), [(HELM3, ""), (HELM4, "chart dependencies processing failed: ")])
def test_a_scalar_where_a_sub_chart_s_table_belongs(helm: HelmVersion, prefix: str) -> None:
    files = chart_files({}, dependencies=LISTED, sub=nested({"x": 1}))
    with pytest.raises(ValuesError) as raised:
        computed(files, ["--set", "sub=text"], helm=helm)
    assert raised.value.message == f"{prefix}type mismatch on sub: %!t(string=text)"


@both
def test_a_listed_chart_that_is_not_there(helm: HelmVersion) -> None:
    with pytest.raises(
        ChartError, match=r"found in Chart.yaml, but missing in charts/ directory: sub, other"
    ):
        computed(chart_files({}, dependencies=[*LISTED, dependency("other")]), helm=helm)


@both
def test_a_library_cannot_be_installed(helm: HelmVersion) -> None:
    files = {"Chart.yaml": '{"apiVersion": "v2", "name": "lib", "version": "1.0.0", "type": "library"}'}
    with pytest.raises(ChartError, match="library charts are not installable"):
        computed(files, helm=helm)


@both
def test_a_chart_that_imports_a_table_into_itself_crashes_helm(helm: HelmVersion) -> None:
    wanted = [{"child": "a", "parent": "."}, {"child": "a.k", "parent": "k.z"}]
    child = nested({"a": {"k": {"q": 1}}})
    files = chart_files({}, dependencies=[dependency("sub", import_values=wanted)], sub=child)
    with pytest.raises(ChartError, match="Helm crashes on this chart"):
        computed(files, helm=helm)


@both
def test_the_loaded_chart_is_left_as_it_was(helm: HelmVersion) -> None:
    entries = [dependency("sub", alias="one", import_values=["data"])]
    child = nested({"exports": {"data": {"a": None, "b": 1}}})
    chart = chart_of(chart_files({"one": {"x": None}}, dependencies=entries, sub=child), helm)
    given = given_values(["--set", "one.y=1"], helm)
    first = compute(chart, given, ValueFlags(), helm=helm)
    assert compute(chart, given, ValueFlags(), helm=helm).effective == first.effective
    assert chart.metadata.dependencies is not None
    assert chart.metadata.dependencies[0].name == "sub"
    assert given == {"one": {"y": 1}}


def test_helm_3_and_4_take_a_table_over_a_scalar_default_and_warn() -> None:
    result = computed(chart_files({"a": 1, "m": {"x": 1}}), ["--set", "a.b=1,m=5"])
    assert result.values == {"a": {"b": 1}, "m": 5}
    assert [(one.kind, one.path) for one in result.warnings] == [("table conflict", ("parent", "a"))]
