"""Numbers, quotes and types as Go writes them."""

from __future__ import annotations

from typing import Any

import pytest

from helmguard.values.go_format import bad_bool_verb, go_numbers, go_text, quote, quote_runes
from helmguard.values.go_json import GoJSONError, decode_all, decode_first
from helmguard.values.go_url import url_problem
from helmguard.values.table import to_json


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (1000000, "1000000"),
        (1000000.0, "1e+06"),
        (104857600.0, "1.048576e+08"),
        (8080.0, "8080"),
        (2.5, "2.5"),
        (-0.00001, "-1e-05"),
        (True, "true"),
        (None, "<nil>"),
        ({"b": 1, "a": [1.0, "x"]}, "map[a:[1 x] b:1]"),
    ],
)
def test_what_a_template_prints(value: Any, text: str) -> None:
    assert go_text(value) == text


def test_numbers_of_a_tree_with_their_types() -> None:
    values = {"a": {"b": [1, 1000000.0, "x", True]}, "n": None}
    assert go_numbers(values) == {"/a/b/0": "int64 1", "/a/b/1": "float64 1e+06"}


def test_json_shows_whole_numbers_as_helm_stores_them() -> None:
    stored = to_json({"a": 8080.0, "b": 1e21, "c": 9223372036854775807.0, "d": 0.5})
    assert repr(stored) == "{'a': 8080, 'b': 1e+21, 'c': 9223372036854776000, 'd': 0.5}"


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (None, "%!t(<nil>)"),
        ("x", "%!t(string=x)"),
        ([None, True, 1.0], "[<nil> true %!t(float64=1)]"),
        ({"a": 5}, "map[%!t(string=a):%!t(int64=5)]"),
    ],
)
def test_the_wrong_verb_in_helm_s_type_mismatch(value: Any, text: str) -> None:
    assert bad_bool_verb(value) == text


def test_quotes() -> None:
    assert quote('a"\\\n\u200b\x01é') == '"a\\"\\\\\\n\\u200b\\x01é"'
    assert quote_runes("b'") == "['b' '\\'']"


def test_json_numbers_are_float64_and_the_rest_is_left() -> None:
    assert decode_first(' {"a": 1} x') == ({"a": 1.0}, 9)
    assert isinstance(decode_all("1"), float)


@pytest.mark.parametrize("text", ["NaN", "-Infinity", "1e999", "1.", "{'a': 1}", "[1", "1 2", "\x00", ""])
def test_json_that_go_refuses(text: str) -> None:
    with pytest.raises(GoJSONError):
        decode_all(text)


@pytest.mark.parametrize(
    ("name", "problem"),
    [
        ("values.yaml", ""),
        ("a/b:c.yaml", ""),
        ("c:/x", ""),
        ("1:b.yaml", "first path segment in URL cannot contain colon"),
        (":x", "missing protocol scheme"),
        ("a%zz", 'invalid URL escape "%zz"'),
        ("a\x01", "net/url: invalid control character in URL"),
    ],
)
def test_file_names_that_are_no_urls(name: str, problem: str) -> None:
    assert url_problem(name) == problem
