"""Words of values that are read or written in other ways: pins, scalars, gaps, defaults, slips."""

from __future__ import annotations

import shlex
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from helmguard.model.helm_version import HelmVersion
from helmguard.values.chart import Chart, ChartMetadata, Dependency
from helmguard.values.chart_defaults import chart_defaults
from helmguard.values.differences import dialect_of
from helmguard.values.edit_distance import edit_distance
from helmguard.values.flag_words import parse_value_flags
from helmguard.values.index_gaps import index_gaps
from helmguard.values.pin_word import pin_word
from helmguard.values.provenance import leaf_provenance
from helmguard.values.scalar_dialects import ambiguous_scalars
from helmguard.values.subcharts import subcharts
from helmguard.values.table import Table, tables_from, to_json
from helmguard.values.user_values import merge_user_values

DIALECT = dialect_of(HelmVersion.parse("3.22.0"))


def given_by(*words: str, **files: str) -> Table:
    def read(name: str) -> bytes:
        return files[name.removesuffix(".yaml")].encode()

    return merge_user_values(parse_value_flags(words), DIALECT, read)


scalars = (
    st.none()
    | st.booleans()
    | st.integers(-(10**9), 10**9)
    | st.sampled_from(
        ["true", "TRUE", "False", "NULL", "nul", "0", "00", "+5", "-7", "9" * 19, "9" * 20, "{a}", ""]
    )
    | st.text(st.characters(min_codepoint=32, max_codepoint=126), max_size=12)
)


@given(
    scalars | st.lists(scalars, max_size=3) | st.dictionaries(st.text("abc", min_size=1), scalars, max_size=2)
)
def test_a_pin_sets_exactly_the_value(value: Any) -> None:
    made = to_json(given_by(*shlex.split(pin_word(("a", "b.c", "d"), value))))
    assert made == {"a": {"b.c": {"d": value}}}


@pytest.mark.parametrize(
    ("value", "word"),
    [
        (False, "--set a.b=false"),
        (3.0, "--set a.b=3"),
        ("True", "--set-string a.b=True"),
        ("x y", "--set 'a.b=x y'"),
        ("3", "--set-string a.b=3"),
        ([1], "--set-json 'a.b=[1]'"),
    ],
)
def test_the_shortest_flag_is_used(value: Any, word: str) -> None:
    assert pin_word(("a", "b"), value) == word


@pytest.mark.parametrize(
    ("written", "read", "otherwise"),
    [
        ("y", True, "the text y"),
        ("off", False, "the text off"),
        ("0o10", 8, "the text 0o10"),
        ("010", 8, "the text or the decimal number 010"),
        ("1e3", 1000, "the text 1e3"),
        ("1_000", 1000, "the text 1_000"),
        ("1.10", 1.1, "the version 1.10"),
    ],
)
def test_scalars_that_others_read_otherwise(written: str, read: Any, otherwise: str) -> None:
    text = f"a:\n  # a comment\n  b: {written}  # why\nlist:\n- k: {written}\n"
    one, two = ambiguous_scalars(given_by("-f", "v.yaml", v=text))
    assert (one.path, one.written, one.value, one.otherwise) == (("a", "b"), written, read, otherwise)
    assert (one.provenance.source, one.provenance.line) == ("v.yaml", 3)
    assert (two.path, two.provenance.line) == (("list", 0, "k"), 5)


@pytest.mark.parametrize(
    "written", ["true", "false", "'y'", '"010"', "10", "1.5", "0", "text", "12:30:45", "~"]
)
def test_scalars_that_everybody_reads_alike(written: str) -> None:
    assert list(ambiguous_scalars(given_by("-f", "v.yaml", v=f"a: {written}\n"))) == []


def test_words_of_flags_are_no_yaml() -> None:
    assert list(ambiguous_scalars(given_by("--set", "a=010,b=1e3"))) == []


@pytest.mark.parametrize(
    ("words", "found"),
    [
        (["--set", "a[2]=x"], [(("a",), (0, 1))]),
        (["--set", "a[0]=x,a[2]=y"], [(("a",), (1,))]),
        (["--set", "a[0]=x,a[1]=y"], []),
        (["--set", "a={x,y}"], []),
        (["--set-json", "a=[null,1]"], []),
        (["-f", "v.yaml"], []),
    ],
)
def test_gaps_that_an_index_leaves(words: list[str], found: list[Any]) -> None:
    given = given_by(*words, v="a: [null, 1]\n")
    gaps = index_gaps(to_json(given), leaf_provenance(given))
    assert [(one.path, one.indexes) for one in gaps] == found


@pytest.mark.parametrize(
    ("left", "right", "slips"),
    [("enable", "enabled", 1), ("tag", "tga", 1), ("", "ab", 2), ("a", "a", 0), ("kitten", "sitting", 3)],
)
def test_slips_of_the_finger(left: str, right: str, slips: int) -> None:
    assert edit_distance(left, right) == edit_distance(right, left) == slips


def table(values: dict[str, Any]) -> Table:
    made: Table = tables_from(values, lambda _: None)  # type: ignore[arg-type,return-value]
    return made


def test_the_defaults_of_sub_charts_stand_below_their_aliases() -> None:
    db = Chart(ChartMetadata("db", "2.0.0"), table({"size": 1, "deep": {"a": 1}}))
    entries = [Dependency("db", alias="store", condition="store.enabled")]
    web = Chart(ChartMetadata("web", dependencies=entries), table({"store": {"deep": {"b": 2}}, "x": 1}))
    web.set_dependencies([db])
    assert chart_defaults(web) == {"store": {"size": 1, "deep": {"a": 1, "b": 2}}, "x": 1}


def test_sub_charts_before_and_after() -> None:
    db, gone = Chart(ChartMetadata("db", "2.0.0")), Chart(ChartMetadata("new", "1.0.0"))
    entries = [Dependency("db", alias="store", condition=" store.enabled "), Dependency("new")]
    web = Chart(ChartMetadata("web", dependencies=entries))
    web.set_dependencies([db, gone])
    record = {
        "metadata": {
            "version": "1",
            "dependencies": [{"name": "store", "version": "1.x"}, {"name": "old", "version": "~1"}],
        },
        "lock": {"dependencies": [{"name": "old", "version": "1.2.3"}]},
    }
    store, old, new = subcharts(record, web, ["web", "web/charts/new"])
    assert (
        store.name,
        store.enabled_before,
        store.enabled_after,
        store.before,
        store.after,
        store.condition,
    ) == (
        "store",
        True,
        False,
        "1.x",
        "2.0.0",
        "store.enabled",
    )
    assert (old.listed, old.before, old.enabled_after) == (False, "1.2.3", False)
    assert (new.enabled_before, new.enabled_after) == (False, True)
    assert list(subcharts(None, web, [])) == []
    assert list(subcharts({"metadata": {}}, web, [])) == []
