"""What a command changes in the values of a release, and what looks odd about the values given."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest
from value_charts import HELM3, chart_files, chart_of, computed, dependency, given_values, record_of

from helmguard.model.field_change import MISSING
from helmguard.model.value_change import Provenance, ValueWarning
from helmguard.values.comparison import RecordedValues, ValueComparison, coalesced, recorded_values
from helmguard.values.given_values import changed_types, replaced_lists, unknown_keys
from helmguard.values.list_losses import list_losses
from helmguard.values.table import to_json

OPERATOR = {
    "driver": {"enabled": True, "version": "1"},
    "toolkit": {"enabled": True},
    "nfd": {"enabled": True},
}


def compared(
    files: dict[str, str],
    words: Sequence[str],
    current: dict[str, Any],
    history: Sequence[tuple[int, Any]] = (),
) -> ValueComparison:
    result = computed(files, words, current=current, history=history)
    defaults = result.chart_values or {}
    after = RecordedValues(result.config, defaults, coalesced(result.config, defaults, HELM3))
    given = to_json(given_values(words))
    return ValueComparison(recorded_values(current, HELM3), after, result, given, history)


def changes(comparison: ValueComparison) -> dict[tuple[Any, ...], tuple[Any, Any, str]]:
    return {one.path: (one.before, one.after, one.cause) for one in comparison.changes()}


def test_the_story_of_one_set_that_loses_an_override() -> None:
    files = chart_files(OPERATOR)
    config = {"driver": {"enabled": False}, "nfd": {"enabled": True}}
    history = [(1, config), (2, config)]
    current = record_of(computed(files, ["--set", "driver.enabled=false,nfd.enabled=true"]), version=2)
    comparison = compared(files, ["--set", "toolkit.enabled=false"], current, history)
    assert changes(comparison) == {
        ("driver", "enabled"): (False, True, "lost override"),
        ("toolkit", "enabled"): (True, False, "values"),
    }
    driver, toolkit = comparison.changes()
    assert driver.provenance_before == Provenance("previous revision", revision=1)
    assert driver.provenance_after == Provenance("chart default", "parent", line=1, column=13)
    assert toolkit.provenance_after == Provenance("--set", "toolkit.enabled=false")
    assert [(one.kind, one.path) for one in comparison.dropped_without_effect()] == [
        ("override dropped without effect", ("nfd", "enabled"))
    ]


def test_defaults_that_the_new_chart_changes() -> None:
    current = record_of(computed(chart_files({"a": 1, "gone": 1, "l": [{"v": 1}]}), ["--set", "mine=1"]))
    new = chart_files({"a": 2, "more": {"x": 1}, "l": [{"v": 2}]}, version="2.0.0")
    assert changes(compared(new, [], current)) == {
        ("a",): (1, 2, "default"),
        ("gone",): (1, MISSING, "default"),
        ("more", "x"): (MISSING, 1, "default"),
        ("l", 0, "v"): (1, 2, "default"),
    }


def test_lists_of_another_length_are_one_change() -> None:
    current = record_of(computed(chart_files({"l": [1, 2]})))
    assert changes(compared(chart_files({"l": [1, 2]}), ["--set", "l={3}"], current)) == {
        ("l",): ([1, 2], [3], "values")
    }


def test_a_lost_null_brings_the_default_back() -> None:
    files = chart_files({"a": 1})
    current = record_of(computed(files, ["--set", "a=null"]))
    assert changes(compared(files, ["--reset-values"], current)) == {("a",): (MISSING, 1, "lost override")}


def test_a_null_of_this_command_is_the_user_s_own() -> None:
    files = chart_files({"a": 1})
    (change,) = compared(files, ["--set", "a=null"], record_of(computed(files))).changes()
    assert (change.before, change.after, change.cause) == (1, MISSING, "values")
    assert change.provenance_after == Provenance("null", "--set a=null")


def test_a_listed_sub_chart_that_goes_is_the_chart_s_doing() -> None:
    def files(enabled: bool) -> dict[str, str]:
        entry = dependency("sub", condition="useSub")
        return chart_files({"useSub": enabled}, dependencies=[entry], sub=chart_files({"x": 1}, name="sub"))

    installed = computed(files(True))
    current = record_of(installed)
    current["chart"]["metadata"]["dependencies"] = [{"name": "sub", "version": "*", "enabled": True}]
    found = changes(compared(files(False), [], current))
    assert found[("useSub",)] == (True, False, "default")
    assert found[("sub", "x")] == (1, MISSING, "chart")


def test_the_default_behind_a_lost_override_in_an_unlisted_sub_chart() -> None:
    files = chart_files({}, sub=chart_files({"x": 1}, name="sub"))
    current = record_of(computed(files, ["--set", "sub.x=5"]))
    assert changes(compared(files, ["--reset-values"], current)) == {("sub", "x"): (5, 1, "lost override")}


def test_what_reuse_hides_from_parent_and_sub_charts() -> None:
    def files(parent: Any, sub: Any) -> dict[str, str]:
        return chart_files(parent, dependencies=[dependency("sub")], sub=chart_files(sub, name="sub"))

    old = record_of(computed(files({"a": 1, "mine": 1}, {"x": 1}), ["--set", "mine=2"]))
    new = files({"a": 2, "mine": 3, "more": {"k": 1}}, {"x": 2})
    warnings = computed(new, ["--reuse-values"], current=old).warnings
    assert {(one.kind, one.path, one.before, one.after) for one in warnings} == {
        ("stale default", ("a",), 1, 2),
        ("stale default", ("sub", "x"), 1, 2),
        ("new default ignored", ("more", "k"), None, 1),
    }
    assert not computed(new, ["--reset-then-reuse-values"], current=old).warnings


@pytest.mark.parametrize(
    ("old", "new", "losses"),
    [
        (["a", "b"], ["b", "c"], ["item 1"]),
        ([{"name": "a", "v": 1}, {"name": "b"}], [{"name": "a"}], ["name=a: v", "name=b"]),
        ([{"containerPort": 80}, {"containerPort": 81}], [{"containerPort": 80, "name": "x"}],
         ["containerPort=81"]),
        ([{"effect": "NoSchedule", "key": "gpu", "operator": "Exists"}], [], ["key=gpu"]),
        ([{"a": 1, "b": {"c": 2, "d": 3}}, {"a": 1, "x": 1}],
         [{"a": 1, "x": 1}, {"a": 1, "b": {"c": 2}}], ["item 1: b.d"]),
        ([1, True], [1], ["item 2"]),
        ([], ["a"], []),
        ([{"name": "a"}], [{"name": "a", "more": 1}, {"name": "b"}], []),
        ([{"name": "a", "v": None, "w": "", "x": [], "y": {}, "z": 0}], [{"name": "a"}], ["name=a: z"]),
        ([{"bucket": None, "prefix": "", "mode": "rw"}], [{"bucket": "b"}], ["item 1: mode"]),
    ],
)  # fmt: skip
def test_what_a_list_loses(old: list[Any], new: list[Any], losses: list[str]) -> None:
    assert list_losses(old, new) == losses


def test_a_replaced_list_is_named_with_both_lists_and_no_values_in_words() -> None:
    given = {"env": [{"name": "B", "value": "secret"}]}
    defaults = {"env": [{"name": "A", "value": "other-secret"}]}
    (warning,) = replaced_lists(given, defaults, defaults, {})
    assert (warning.before, warning.after) == (defaults["env"], given["env"])
    assert "name=A" in warning.message
    assert "secret" not in warning.message


def test_types_that_are_not_the_default_s() -> None:
    defaults = {"on": True, "n": 1, "s": "x", "nothing": None, "l": [1], "e": [], "m": {}, "f": 1.5}
    given = {"on": "false", "n": "1", "s": 1.0, "nothing": "x", "l": "x", "e": "x", "m": "x", "f": 2}
    found = {warning.path: warning.message for warning in changed_types(given, defaults, {})}
    assert set(found) == {("on",), ("n",), ("s",), ("l",)}
    assert "counts as true" in found[("on",)]


def test_text_in_place_of_a_map_is_told_where_helm_does_not() -> None:
    defaults = {"top": {"a": 1}, "deep": {"map": {"a": 1}}, "plain": 1}
    given = {"top": "x", "deep": {"map": "x"}, "plain": {"a": 1}}
    (warning,) = changed_types(given, defaults, {})
    assert warning.path == ("top",)
    assert "Helm says nothing" in warning.message


def unknown(files: dict[str, str], config: Any) -> list[ValueWarning]:
    return list(unknown_keys(chart_of(files), config, {}))


TEMPLATE = "{{ .Values.toolkit.enabled }} {{ if .Values.driver.version }}{{ end }}"


@pytest.mark.parametrize(
    ("config", "nearest"),
    [
        ({"toolkit": {"enable": True}}, "toolkit.enabled"),
        ({"toolKit": {"enabled": True}}, "toolkit"),
        ({"driver": {"versoin": "1"}}, "driver.version"),
        ({"nobodyKnows": 1}, ""),
    ],
)
def test_misspelt_keys(config: Any, nearest: str) -> None:
    (warning,) = unknown(chart_files(OPERATOR, files={"templates/a.yaml": TEMPLATE}), config)
    assert warning.nearest == nearest
    assert ("did you mean" in warning.message) is bool(nearest)


SCHEMA = """{"properties": {"known": {}, "open": {"additionalProperties": true},
                            "closed": {"properties": {"a": {}}}}}"""


@pytest.mark.parametrize(
    ("values", "template", "config"),
    [
        ({"nodeSelector": {}}, "", {"nodeSelector": {"disk": "ssd"}}),
        ({"extra": None}, "", {"extra": {"a": {"b": 1}}}),
        ({"l": []}, "", {"l": [{"a": 1}]}),
        ({"s": "x"}, "", {"s": {"a": 1}}),
        ({"labels": {"a": 1}}, "{{ toYaml .Values.labels }}", {"labels": {"b": 1}}),
        ({"m": {"a": 1}}, "{{ with $.Values.m }}{{ .b }}{{ end }}", {"m": {"b": 1}}),
        ({"m": {"a": 1}}, '{{ index .Values.m "b-c" }}', {"m": {"b-c": 1}}),
        ({"m": {"a": 1}}, "{{ .Values.m.b.c }}", {"m": {"b": {"c": 1}}}),
        ({"m": {"a": 1}}, "{{ tpl (toYaml .Values) . }}", {"anything": 1}),
        ({}, "", {"global": {"x": 1}, "tags": {"t": True}}),
        ({}, "", {"known": 1, "open": {"any": 1}, "closed": {"a": 1}}),
        ({}, "", {"sub": {"x": 1}, "one": {"x": 1}}),
        ({}, "", {"imported": 1, "placed": {"any": 1}}),
    ],
)
def test_keys_that_somebody_knows(values: Any, template: str, config: Any) -> None:
    wanted = ["data", {"child": "x", "parent": "placed.here"}]
    entries = [dependency("sub", condition="off"), dependency("sub", alias="one", import_values=wanted)]
    child = chart_files({"x": 1, "exports": {"data": {"imported": 1}}}, name="sub")
    files = {"templates/a.yaml": template, "values.schema.json": SCHEMA}
    assert unknown(chart_files(values, dependencies=entries, files=files, sub=child), config) == []


def test_conditions_make_keys_known_and_can_be_misspelt() -> None:
    nest = chart_files({"n": 1}, name="nest")
    child = chart_files(
        {"x": 1}, name="sub", dependencies=[dependency("nest", condition="nest.on")], nest=nest
    )
    files = chart_files(
        {"a": 1}, dependencies=[dependency("sub", condition="sub.enabled,use.sub")], sub=child
    )
    assert unknown(files, {"sub": {"enabled": True, "nest": {"on": True}}, "use": {"sub": True}}) == []
    (warning,) = unknown(files, {"sub": {"enable": True}})
    assert warning.nearest == "sub.enabled"


def test_a_comment_is_no_reading_and_a_sub_chart_has_keys_of_its_own() -> None:
    child = chart_files({"known": 1}, name="sub")
    files = {"templates/a.yaml": "{{/* .Values.m.b */}}{{ .Values.m.a }}"}
    found = unknown(chart_files({"m": {"a": 1}}, files=files, sub=child), {"m": {"b": 1}, "sub": {"m": 1}})
    assert [warning.path for warning in found] == [("m", "b"), ("sub", "m")]


def test_a_library_reads_with_its_caller_s_values() -> None:
    library = chart_files({}, name="lib", files={"templates/_x.tpl": "{{ .Values.m.b }}"})
    library["Chart.yaml"] = '{"apiVersion": "v2", "name": "lib", "version": "1.0.0", "type": "library"}'
    assert unknown(chart_files({"m": {"a": 1}}, lib=library), {"m": {"b": 1}}) == []
