"""The ways of an upgrade with the old values, and what Helm stores of them."""

from __future__ import annotations

from typing import Any

import pytest
from value_charts import BOTH, chart_files, computed, dependency, record_of

from helmguard.model.helm_version import HelmVersion
from helmguard.values.flag_words import ValueMode

both = pytest.mark.parametrize("version", BOTH, ids=["h3", "h4"])

OLD = chart_files({"a": 1, "m": {"x": 1, "w": 2}, "flip": True})
NEW = chart_files({"a": 10, "m": {"x": 10, "w": 20, "z": 30}, "flip": False, "b": "new"}, version="2.0.0")
INSTALL = ["--set", "a=5,m.x=7"]

MODES: list[tuple[list[str], ValueMode, Any, Any]] = [
    ([], ValueMode.NONE_GIVEN,
     {"a": 5, "b": "new", "flip": False, "m": {"w": 20, "x": 7, "z": 30}}, {"a": 5, "m": {"x": 7}}),
    (["--set", "c=1"], ValueMode.GIVEN,
     {"a": 10, "b": "new", "c": 1, "flip": False, "m": {"w": 20, "x": 10, "z": 30}}, {"c": 1}),
    (["--reuse-values"], ValueMode.REUSE,
     {"a": 5, "flip": True, "m": {"w": 2, "x": 7}}, {"a": 5, "m": {"x": 7}}),
    (["--reset-then-reuse-values", "--set", "m.x=8"], ValueMode.RESET_THEN_REUSE,
     {"a": 5, "b": "new", "flip": False, "m": {"w": 20, "x": 8, "z": 30}}, {"a": 5, "m": {"x": 8}}),
    (["--reset-values"], ValueMode.RESET,
     {"a": 10, "b": "new", "flip": False, "m": {"w": 20, "x": 10, "z": 30}}, {}),
    (["--reset-values", "--reuse-values"], ValueMode.RESET,
     {"a": 10, "b": "new", "flip": False, "m": {"w": 20, "x": 10, "z": 30}}, {}),
    (["--reuse-values", "--reset-then-reuse-values"], ValueMode.REUSE,
     {"a": 5, "flip": True, "m": {"w": 2, "x": 7}}, {"a": 5, "m": {"x": 7}}),
    (["--reuse-values", "--reuse-values=false"], ValueMode.NONE_GIVEN,
     {"a": 5, "b": "new", "flip": False, "m": {"w": 20, "x": 7, "z": 30}}, {"a": 5, "m": {"x": 7}}),
]  # fmt: skip


@both
@pytest.mark.parametrize(("words", "mode", "values", "config"), MODES)
def test_modes(words: list[str], mode: ValueMode, values: Any, config: Any, version: HelmVersion) -> None:
    installed = computed(OLD, INSTALL, helm=version)
    result = computed(NEW, words, helm=version, current=record_of(installed))
    assert (result.mode, result.values, result.config) == (mode, values, config)


@both
def test_an_empty_file_counts_as_no_values(version: HelmVersion) -> None:
    installed = computed(OLD, INSTALL, helm=version)
    files = {"empty.yaml": "# nothing\n"}
    result = computed(
        NEW, ["-f", "empty.yaml"], helm=version, current=record_of(installed), value_files=files
    )
    assert result.mode is ValueMode.NONE_GIVEN


@both
def test_reuse_burns_the_old_values_into_the_stored_chart(version: HelmVersion) -> None:
    installed = computed(OLD, INSTALL, helm=version)
    reused = computed(NEW, ["--reuse-values"], helm=version, current=record_of(installed))
    assert reused.chart_values == {"a": 5, "flip": True, "m": {"w": 2, "x": 7}}


@both
def test_a_null_under_reuse_does_not_remove_what_the_user_had_set(version: HelmVersion) -> None:
    installed = record_of(computed(OLD, INSTALL, helm=version))
    reused = computed(OLD, ["--reuse-values", "--set", "a=null,flip=null"], helm=version, current=installed)
    assert reused.values == {"a": 5, "m": {"w": 2, "x": 7}}
    assert reused.config == {"flip": None, "m": {"x": 7}}
    assert reused.rewritten_previous_config == {"a": None, "flip": None, "m": {"x": 7}}


@both
def test_integers_become_float64_when_they_are_read_back(version: HelmVersion) -> None:
    installed = computed(OLD, ["--set", "n=1000000,big=9007199254740993"], helm=version)
    assert isinstance(installed.values["n"], int)
    upgraded = computed(OLD, [], helm=version, current=record_of(installed))
    assert isinstance(upgraded.values["n"], float)
    assert upgraded.values["big"] == 9007199254740992
    assert upgraded.rewritten_previous_config == {"n": 1000000, "big": 9007199254740992}


@both
def test_nothing_is_written_back_where_nothing_changes(version: HelmVersion) -> None:
    installed = computed(OLD, INSTALL, helm=version)
    assert computed(NEW, [], helm=version, current=record_of(installed)).rewritten_previous_config is None


@both
def test_a_record_without_config_or_values(version: HelmVersion) -> None:
    bare = {"config": None, "chart": {"metadata": {"name": "parent"}, "values": None}}
    for words in ([], ["--reuse-values"], ["--reset-then-reuse-values", "--set", "c=1"]):
        computed(NEW, words, helm=version, current=bare)


@both
def test_old_defaults_of_a_listed_sub_chart_win_under_reuse_and_new_keys_appear(version: HelmVersion) -> None:
    def parent(values: Any) -> dict[str, str]:
        return chart_files({}, dependencies=[dependency("sub")], sub=chart_files(values, name="sub"))

    installed = computed(parent({"keep": "old"}), helm=version)
    reused = computed(
        parent({"keep": "new", "more": 1}), ["--reuse-values"], helm=version, current=record_of(installed)
    )
    assert reused.values["sub"] == {"global": {}, "keep": "old", "more": 1}
    assert [(one.kind, one.path) for one in reused.warnings] == [("stale default", ("sub", "keep"))]
