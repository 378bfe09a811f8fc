"""The syntax of --set and its kin, corner by corner; each row was seen with real Helm."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from value_charts import BOTH, HELM3, HELM4, given_values

from helmguard.errors import ValuesError
from helmguard.model.helm_version import HelmVersion
from helmguard.model.value_change import Provenance
from helmguard.values.set_flags import set_flag
from helmguard.values.table import tables_from, to_json, to_plain

ACCEPTED: list[tuple[list[str], Any]] = [
    (["--set", "a=1,b=x"], {"a": 1, "b": "x"}),
    (["--set", "a.b[1].c=9"], {"a": {"b": [None, {"c": 9}]}}),
    (["--set", "a=null,b=NULL,c="], {"a": None, "b": None, "c": ""}),
    (["--set", "a=TRUE,b=False,c=yes"], {"a": True, "b": False, "c": "yes"}),
    (
        ["--set", "a=0123,b=1.0,c=+5,d=-0,e=9223372036854775808"],
        {"a": "0123", "b": "1.0", "c": 5, "d": 0, "e": "9223372036854775808"},
    ),
    (["--set", "n = 1"], {"n ": " 1"}),
    (["--set", "l={a,b}"], {"l": ["a", "b"]}),
    (["--set", "m={}"], {"m": [""]}),
    (["--set", "m={,}"], {"m": ["", ""]}),
    (["--set", "q=[]"], {"q": "[]"}),
    (["--set", "l[0]"], {"l": []}),
    (["--set", "l[0][1]=x"], {"l": [[None, "x"]]}),
    (["--set", "=x"], {}),
    (["--set", ".m=1"], {}),
    (["--set", ""], {}),
    (["--set", "n=1,"], {"n": 1}),
    (["--set", r"a\.b=1,c=x\,y"], {"a.b": 1, "c": "x,y"}),
    (["--set", "a=b\\"], {"a": "b"}),
    (["--set-string", "a=1,b=true,c=null"], {"a": "1", "b": "true", "c": "null"}),
    (["--set-literal", r"k\.dot=1,2"], {"k\\": {"dot": "1,2"}}),
    (["--set-json", 'a={"x":1},b=[2]'], {"a": {"x": 1.0}, "b": [2.0]}),
    (["--set-json", "q="], {"q": None}),
    (["--set-json", "[1]"], {}),
    (["--set-json", "m={}"], {"m": {}}),
    (["--set", "a=1", "--set-json", "a=2", "--set-string", "a=3"], {"a": "3"}),
    (["--set-literal", "a=5", "--set", "a=1"], {"a": "5"}),
]

REFUSED: list[tuple[list[str], str]] = [
    (["--set", "n=1,,t=2"], 'failed parsing --set data: key "" has no value (cannot end with ,)'),
    (["--set", "a"], 'failed parsing --set data: key "a" has no value'),
    (["--set", "m.=1"], 'failed parsing --set data: key map "m" has no value'),
    (["--set", "m.,a=1"], 'failed parsing --set data: key "" has no value (cannot end with ,)'),
    (["--set", "l[-1]=1"], "failed parsing --set data: negative -1 index not allowed"),
    (["--set", "l[70000]=1"],
     "failed parsing --set data: index of 70000 is greater than maximum supported index of 65536"),
    (["--set", "l[]=1"],
     'failed parsing --set data: error parsing index: strconv.Atoi: parsing "": invalid syntax'),
    (["--set", "l[0]b=1"], "failed parsing --set data: unexpected data at end of array index: ['b']"),
    (["--set", "l={a"], "failed parsing --set data: list must terminate with '}'"),
    (["--set", "a=1,a.b=2"],
     "failed parsing --set data: unable to parse key: interface conversion: interface {} is int64,"
     " not map[string]interface {}"),
    (["--set", "a.b=1,a[0]=2"],
     "failed parsing --set data: unable to parse key: interface conversion: interface {} is"
     " map[string]interface {}, not []interface {}"),
    (["--set", "a=null,a.b=1"],
     "failed parsing --set data: unable to parse key: interface conversion: interface {} is nil,"
     " not map[string]interface {}"),
    (["--set", ".".join("a" * 32) + "=1"],
     "failed parsing --set data: value name nested level is greater than maximum supported nested level"
     " of 30"),
    (["--set-json", "q=bad"], "failed parsing --set-json data q=bad"),
    (["--set-json", "q=1."], "failed parsing --set-json data q=1."),
    (["--set-json", "q=NaN"], "failed parsing --set-json data q=NaN"),
    (["--set-file", "a=missing"], "failed parsing --set-file data: open missing: no such file or directory"),
]  # fmt: skip


@pytest.mark.parametrize("version", BOTH, ids=["h3", "h4"])
@pytest.mark.parametrize(("words", "expected"), ACCEPTED)
def test_words_that_helm_accepts(words: list[str], expected: Any, version: HelmVersion) -> None:
    values = to_plain(given_values(words, version))
    assert values == expected
    assert repr(values) == repr(expected), "integers and fractions are told apart"


@pytest.mark.parametrize("version", BOTH, ids=["h3", "h4"])
@pytest.mark.parametrize(("words", "message"), REFUSED)
def test_words_that_helm_refuses(words: list[str], message: str, version: HelmVersion) -> None:
    with pytest.raises(ValuesError) as raised:
        given_values(words, version)
    assert raised.value.message == message


def test_an_unclosed_bracket_fails_in_helm_3_and_ends_the_word_in_helm_4() -> None:
    words = ["--set", "q=1,l[0=1,w=2"]
    with pytest.raises(ValuesError, match="error parsing index: EOF"):
        given_values(words, HELM3)
    assert given_values(words, HELM4) == {"q": 1}


def test_a_whole_object_for_set_json_is_helm_4_only() -> None:
    words = ["--set-json", '{"m":{"k":1}}', "--set-json", "m.l=2"]
    with pytest.raises(ValuesError, match="failed parsing --set-json data"):
        given_values(words, HELM3)
    assert given_values(words, HELM4) == {"m": {"k": 1, "l": 2}}


def test_set_file_takes_a_file_as_it_is() -> None:
    assert given_values(["--set-file", "a.b=t"], files={"t": "x\n"}) == {"a": {"b": "x\n"}}


@pytest.mark.parametrize("version", BOTH, ids=["h3", "h4"])
def test_files_come_first_and_maps_merge(version: HelmVersion) -> None:
    files = {
        "1.yaml": "m: {a: 1, b: {c: 1}}\nl: [1, 2]\nk: 1\n",
        "2.yaml": "m: {b: {d: 2}}\nl: [3]\nk: null\n",
    }
    values = given_values(["--set", "m.a=9", "-f", "1.yaml,2.yaml"], version, files)
    assert values == {"m": {"a": 9, "b": {"c": 1, "d": 2}}, "l": [3], "k": None}


def test_helm_4_merges_all_documents_of_a_file_and_helm_3_reads_the_first() -> None:
    files = {"f.yaml": "a: 1\nm: {x: 1}\n--- # more\nm: {z: null}\n---\nb: 2\n"}
    assert given_values(["-f", "f.yaml"], HELM3, files) == {"a": 1, "m": {"x": 1}}
    assert given_values(["-f", "f.yaml"], HELM4, files) == {"a": 1, "m": {"x": 1, "z": None}, "b": 2}


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("- 1\n", "error unmarshaling JSON: while decoding JSON: json: cannot unmarshal array into Go value"
                  " of type map[string]interface {}"),
        ("a: b: c\n", "error converting YAML to JSON: yaml: mapping values are not allowed in this context"),
    ],
)  # fmt: skip
def test_a_values_file_that_holds_no_map_is_refused(text: str, message: str) -> None:
    for helm, prefix in ((HELM3, ""), (HELM4, "cannot unmarshal yaml document: ")):
        with pytest.raises(ValuesError) as raised:
            given_values(["-f", "f.yaml"], helm, {"f.yaml": text})
        assert raised.value.message == f"failed to parse f.yaml: {prefix}{message}"


@pytest.mark.parametrize("levels", [300, 900, 3000])
def test_values_nested_beyond_measure_are_refused_in_words(levels: int) -> None:
    deep = '{"a":' * levels + "1" + "}" * levels
    for words, files in ((["-f", "f"], {"f": deep}), (["--set-json", f"a={deep}"], {})):
        with pytest.raises(ValuesError):
            given_values(words, files=files)


_KEYS = st.text(min_size=1, max_size=6).filter(lambda text: "\x00" not in text and text.isprintable())
_VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**63), 2**63 - 1) | st.floats(-1e9, 1e9) | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(_KEYS, inner, max_size=3),
    max_leaves=4,
)


@settings(deadline=None)
@example(path=["a"], value="{x}")
@example(path=["a.b[0]", "c=,"], value="x,\\")
@given(path=st.lists(_KEYS, min_size=1, max_size=3), value=_VALUES)
def test_set_flag_writes_words_that_read_back_as_the_value(path: list[str], value: Any) -> None:
    flag, word = set_flag(tuple(path), value)
    expected: Any = value
    if isinstance(value, (dict, list)):
        expected = tables_from(value, lambda _: Provenance("--set-json"))  # integers in JSON are float64
    for key in reversed(path):
        expected = {key: expected}
    assert to_json(to_plain(given_values([flag, word]))) == to_json(to_plain(expected))
