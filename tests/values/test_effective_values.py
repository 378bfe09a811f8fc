"""How values, defaults, nulls, globals and sub-charts come together, in Helm 3 and in Helm 4."""

from __future__ import annotations

from typing import Any

import pytest
from value_charts import BOTH, HELM3, HELM4, chart_files, chart_of, computed, dependency, given_values

from helmguard.errors import ChartError, ValuesError
from helmguard.model.helm_version import HelmVersion
from helmguard.values.compute import compute
from helmguard.values.flag_words import ValueFlags

both = pytest.mark.parametrize("version", BOTH, ids=["h3", "h4"])
LISTED = [dependency("sub")]


def nested(values: Any, **more: Any) -> dict[str, str]:
    return chart_files(values, name="sub", **more)


@both
def test_user_values_win_and_maps_merge(version: HelmVersion) -> None:
    result = computed(
        chart_files({"a": 1, "m": {"x": 1, "y": [1, 2]}}), ["--set", "m.y[1]=9,b=2"], helm=version
    )
    assert result.values == {"a": 1, "m": {"x": 1, "y": [None, 9]}, "b": 2}
    assert result.config == {"m": {"y": [None, 9]}, "b": 2}


@both
def test_a_null_of_the_user_deletes_a_default(version: HelmVersion) -> None:
    result = computed(
        chart_files({"a": 1, "m": {"x": 1, "y": 2}}), ["--set", "a=null,m.x=null"], helm=version
    )
    assert result.values == {"m": {"y": 2}}
    assert result.config == {"a": None, "m": {"x": None}}


@pytest.mark.parametrize(
    ("version", "expected"), [(HELM3, {"a": None, "m": {"x": None}}), (HELM4, {"m": {}})]
)
def test_nulls_of_a_chart_stay_in_helm_3_only(version: HelmVersion, expected: Any) -> None:
    assert computed(chart_files({"a": None, "m": {"x": None}}), helm=version).values == expected


@pytest.mark.parametrize(("version", "x"), [(HELM3, {}), (HELM4, {"x": 1.0})])
def test_a_parent_s_null_for_a_listed_sub_chart_counts_in_helm_4_only_beside_a_user_value(
    version: HelmVersion, x: Any
) -> None:
    files = chart_files({"sub": {"x": None}}, dependencies=LISTED, sub=nested({"x": 1}))
    assert computed(files, helm=version).values["sub"] == {"global": {}, **x}
    assert computed(files, ["--set", "sub.y=1"], helm=version).values["sub"] == {"global": {}, "y": 1}


@both
def test_globals_reach_every_sub_chart_and_the_parent_s_win(version: HelmVersion) -> None:
    deep = chart_files({"global": {"g": "deep", "own": 1}}, name="nest")
    files = chart_files({"global": {"g": "parent", "t": {"a": 1}}}, sub=nested({}, nest=deep))
    result = computed(files, ["--set", "global.t.b=2"], helm=version)
    expected = {"g": "parent", "t": {"a": 1, "b": 2}}
    assert result.effective["parent/charts/sub"]["global"] == expected
    assert result.effective["parent/charts/sub/charts/nest"]["global"] == {**expected, "own": 1}


@both
def test_globals_of_a_sub_chart_stay_with_it(version: HelmVersion) -> None:
    files = chart_files(
        {"global": {"t": {"a": 1}}},
        one=chart_files({"global": {"t": {"own": 1}}}, name="one"),
        two=chart_files({}, name="two"),
    )
    result = computed(files, helm=version)
    assert result.values["global"] == {"t": {"a": 1}}
    assert result.values["one"]["global"] == {"t": {"a": 1, "own": 1}}
    assert result.values["two"]["global"] == {"t": {"a": 1}}


@both
def test_a_chart_with_a_dot_in_its_name_sees_no_values(version: HelmVersion) -> None:
    files = chart_files({}, dotted=chart_files({"x": 1}, name="dotted.sub"))
    result = computed(files, helm=version)
    assert result.effective["parent/charts/dotted.sub"] == {}
    assert result.values["dotted.sub"] == {"global": {}, "x": 1}


@both
def test_only_the_table_of_its_name_reaches_a_sub_chart(version: HelmVersion) -> None:
    files = chart_files({"a": 1, "sub": {"x": 2}}, sub=nested({"x": 1, "y": 1}))
    assert computed(files, helm=version).effective == {
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
    entry: dict[str, Any], words: list[str], enabled: bool, version: HelmVersion
) -> None:
    files = chart_files({}, dependencies=[dependency("sub", **entry)], sub=nested({"x": 1}))
    result = computed(files, words, helm=version)
    assert ("parent/charts/sub" in result.effective) is enabled
    assert result.enabled_charts == (("parent", "parent/charts/sub") if enabled else ("parent",))


@both
def test_aliases_give_a_chart_several_times(version: HelmVersion) -> None:
    entries = [dependency("sub", alias="one"), dependency("sub", alias="two"), dependency("sub")]
    files = chart_files({"two": {"x": 2}}, dependencies=entries, sub=nested({"x": 1}))
    result = computed(files, ["--set", "one.x=9"], helm=version)
    assert {path: values["x"] for path, values in result.effective.items() if path != "parent"} == {
        "parent/charts/one": 9,
        "parent/charts/two": 2,
        "parent/charts/sub": 1,
    }


@both
def test_a_condition_switches_off_one_alias(version: HelmVersion) -> None:
    entries = [dependency("sub", alias="one", condition="one.on"), dependency("sub", alias="two")]
    files = chart_files(None, dependencies=entries, sub=nested({"x": 1}))
    result = computed(files, ["--set", "one.on=false"], helm=version)
    assert result.enabled_charts == ("parent", "parent/charts/two")
    alone = chart_files(None, dependencies=entries[:1], sub=nested({"x": 1}))
    assert computed(alone, ["--set", "one.on=false"], helm=version).chart_values is None


@pytest.mark.parametrize(("version", "path"), [(HELM3, "parent/charts/sub/charts/nest"),
                                            (HELM4, "parent/charts/one/charts/nest")])  # fmt: skip
def test_the_path_of_a_chart_below_an_alias(version: HelmVersion, path: str) -> None:
    below = nested({}, nest=chart_files({"n": 1}, name="nest"))
    files = chart_files({}, dependencies=[dependency("sub", alias="one")], sub=below)
    assert path in computed(files, helm=version).effective


@both
def test_imported_values_lose_to_the_parent_s_own(version: HelmVersion) -> None:
    child = nested({"exports": {"data": {"a": "child", "b": "child"}}, "m": {"k": "child"}})
    wanted = ["data", {"child": "m", "parent": "imported.here"}]
    files = chart_files({"a": "own"}, dependencies=[dependency("sub", import_values=wanted)], sub=child)
    result = computed(files, helm=version)
    assert {key: result.values[key] for key in ("a", "b", "imported")} == {
        "a": "own",
        "b": "child",
        "imported": {"here": {"k": "child"}},
    }
    assert result.chart_values is not None
    assert result.chart_values["b"] == "child"
    assert result.provenance[("b",)].kind == "import-values"


@both
def test_listed_sub_charts_put_their_defaults_into_the_stored_values(version: HelmVersion) -> None:
    listed = computed(chart_files({}, dependencies=LISTED, sub=nested({"x": 1})), helm=version)
    unlisted = computed(chart_files({}, sub=nested({"x": 1})), helm=version)
    assert listed.chart_values == {"sub": {"global": {}, "x": 1}}
    assert unlisted.chart_values == {}


@both
def test_a_library_chart_has_values_and_no_templates(version: HelmVersion) -> None:
    child = {
        **nested({"x": 1}),
        "Chart.yaml": '{"apiVersion":"v2","name":"sub","version":"1.0.0","type":"library"}',
    }
    result = computed(chart_files({}, dependencies=LISTED, sub=child), helm=version)
    assert list(result.effective) == ["parent"]
    assert result.values == {"sub": {"global": {}, "x": 1}}


@pytest.mark.parametrize(
    ("version", "prefix"), [(HELM3, ""), (HELM4, "chart dependencies processing failed: ")]
)
def test_a_scalar_where_a_sub_chart_s_table_belongs(version: HelmVersion, prefix: str) -> None:
    files = chart_files({}, dependencies=LISTED, sub=nested({"x": 1}))
    with pytest.raises(ValuesError) as raised:
        computed(files, ["--set", "sub=text"], helm=version)
    assert raised.value.message == f"{prefix}type mismatch on sub: %!t(string=text)"


@both
def test_a_listed_chart_that_is_not_there(version: HelmVersion) -> None:
    with pytest.raises(
        ChartError, match=r"found in Chart.yaml, but missing in charts/ directory: sub, other"
    ):
        computed(chart_files({}, dependencies=[*LISTED, dependency("other")]), helm=version)


@both
def test_a_library_cannot_be_installed(version: HelmVersion) -> None:
    files = {"Chart.yaml": '{"apiVersion": "v2", "name": "lib", "version": "1.0.0", "type": "library"}'}
    with pytest.raises(ChartError, match="library charts are not installable"):
        computed(files, helm=version)


@both
def test_a_chart_that_imports_a_table_into_itself_crashes_helm(version: HelmVersion) -> None:
    wanted = [{"child": "a", "parent": "."}, {"child": "a.k", "parent": "k.z"}]
    child = nested({"a": {"k": {"q": 1}}})
    files = chart_files({}, dependencies=[dependency("sub", import_values=wanted)], sub=child)
    with pytest.raises(ChartError, match="Helm crashes on this chart"):
        computed(files, helm=version)


@both
def test_the_loaded_chart_is_left_as_it_was(version: HelmVersion) -> None:
    entries = [dependency("sub", alias="one", import_values=["data"])]
    child = nested({"exports": {"data": {"a": None, "b": 1}}})
    chart = chart_of(chart_files({"one": {"x": None}}, dependencies=entries, sub=child), version)
    given = given_values(["--set", "one.y=1"], version)
    first = compute(chart, given, ValueFlags(), helm=version)
    assert compute(chart, given, ValueFlags(), helm=version).effective == first.effective
    assert chart.metadata.dependencies is not None
    assert chart.metadata.dependencies[0].name == "sub"
    assert given == {"one": {"y": 1}}


def test_helm_3_and_4_take_a_table_over_a_scalar_default_and_warn() -> None:
    result = computed(chart_files({"a": 1, "m": {"x": 1}}), ["--set", "a.b=1,m=5"])
    assert result.values == {"a": {"b": 1}, "m": 5}
    assert [(one.kind, one.path) for one in result.warnings] == [("table conflict", ("parent", "a"))]
