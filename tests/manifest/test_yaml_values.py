"""What Go reads where other YAML readers read something else."""

from __future__ import annotations

import pytest

from helmguard.manifest.yaml import go_json, load, load_object

VALUES = [
    # words
    ("y", "true"),
    ("N", "false"),
    ("oFF", '"oFF"'),
    ("~", "null"),
    ("", "null"),
    ("=", '"="'),
    ("<<", '"\\u003c\\u003c"'),
    # integers
    ("010", "8"),
    ("0o17", "15"),
    ("08", "8"),
    ("-0x1F", "-31"),
    ("1_000", "1000"),
    ("0_x1F", "31"),
    ("0b-11", "-3"),
    ("9223372036854775807", "9223372036854775807"),
    ("18446744073709551615", "18446744073709551615"),
    ("18446744073709551616", "18446744073709552000"),
    ("+18446744073709551615", "18446744073709552000"),
    ("0xFFFFFFFFFFFFFFFFF", '"0xFFFFFFFFFFFFFFFFF"'),
    ("１２", '"１２"'),
    # floats
    ("1e3", "1000"),
    ("1.", "1"),
    ("+.5", "0.5"),
    (".5_0", "0.5"),
    ("._5", '"._5"'),
    ("-0.0", "-0"),
    ("-0", "0"),
    ("1e400", '"1e400"'),
    ("1e-400", "0"),
    ("1e21", "1e+21"),
    ("123456789012345680000.0", "123456789012345680000"),
    ("0.0000001", "1e-7"),
    # neither dates nor numbers of base 60
    ("2001-01-01", '"2001-01-01"'),
    ("12:30:45", '"12:30:45"'),
    # tags
    ("!!str 5", '"5"'),
    ("! 5", '"5"'),
    ("!!float 5", "5"),
    ('!!int "5"', "5"),
    ("!!binary aGVsbG8=", '"hello"'),
    ("!!timestamp 2001-1-1", '"2001-1-1"'),
    ("!mine 5", '"5"'),
    ("!!python/object:x {a: 1}", '{"a":1}'),
    # strings
    ('"\\x41\\u00e9\\U0001F600\\e"', '"Aé😀\\u001b"'),
    ('"\\\'"', '"\'"'),
    ("'a\n\n\n  b'", '"a\\n\\nb"'),
    ("'<a&b>'", '"\\u003ca\\u0026b\\u003e"'),
]


@pytest.mark.parametrize(("text", "expected"), VALUES)
def test_value(text: str, expected: str) -> None:
    assert go_json(load(f"v: {text}\n")) == f'{{"v":{expected}}}'


@pytest.mark.parametrize(
    ("key", "expected"),
    [
        ("n", "false"),
        ("1", "1"),
        ("0x10", "16"),
        ("1.0", "1"),
        ("12345678.5", "1.2345678e+07"),
        (".inf", ".inf"),
        ("1e39", ".inf"),
        ("-.inf", "-.inf"),
        (".nan", ".nan"),
        ("2001-01-01", "2001-01-01"),
        ('"y"', "y"),
        ("!!str y", "y"),
    ],
)
def test_key(key: str, expected: str) -> None:
    assert load(f"{key}: v\n") == {expected: "v"}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", None),
        ("# nothing\n", None),
        ("---\n...\n", None),
        ("a: 1\n---\nb: [\n", {"a": 1}),
        ("\ufeffa: 1\n", {"a": 1}),
        (b"\xff\xfea\x00:\x00 \x001\x00", {"a": 1}),
        ("# c\n\ufeffa: 1\n", {"\ufeffa": 1}),
        ("a: 1\r\nb: |\r\n  x\r\n  y\r\n", {"a": 1, "b": "x\ny\n"}),
        ("a: b\n...\n%YAML 1.2\n", {"a": "b"}),
        ("{}: v\n", {}),  # a slip of Go's scanner: the empty map is taken for the whole document
        ("k: |+\n  a\n\n\nl: >-\n  b\n  c\n", {"k": "a\n\n\n", "l": "b c"}),
        ("a: {x: [1, {y: 2}], }\n", {"a": {"x": [1, {"true": 2}]}}),
        ("- a\n-\n- - b\n", ["a", None, ["b"]]),
        ("? a\n? b\n: c\n", {"a": None, "b": "c"}),
        ("a:\n- 1\n- 2\n", {"a": [1, 2]}),
    ],
)
def test_document(text: str | bytes, expected: object) -> None:
    assert load(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a: &x {k: [1]}\nb: *x\n", {"a": {"k": [1]}, "b": {"k": [1]}}),
        ("a: &x 1\nb: &x 2\nc: *x\n", {"a": 1, "b": 2, "c": 2}),
        ("a: &x k\n*x : 1\n", {"a": "k", "k": 1}),
        # a merge takes effect where it stands
        ("b: {k: 9, <<: {k: 1}}\n", {"b": {"k": 1}}),
        ("b: {<<: {k: 1}, k: 9}\n", {"b": {"k": 9}}),
        ("b: {<<: [{k: 1}, {k: 2, l: 3}]}\n", {"b": {"k": 1, "l": 3}}),
        ('b: {"<<": {k: 1}}\n', {"b": {"<<": {"k": 1}}}),
        ("b: {!!merge <<: {k: 1}}\n", {"b": {"k": 1}}),
        # what is overwritten cannot be refused
        ("a: .inf\na: 1\n", {"a": 1}),
        ("a: {~: 1}\na: 1\n", {"a": 1}),
    ],
)
def test_aliases_and_merges(text: str, expected: object) -> None:
    assert load(text) == expected


def test_an_alias_repeats_a_value_it_does_not_share_it() -> None:
    value = load("a: &x {k: [1]}\nb: *x\n")
    value["a"]["k"].append(2)
    assert value["b"] == {"k": [1]}


def test_types_are_those_of_go() -> None:
    value = load("[1, 1.0, yes, 18446744073709551615]")
    assert [type(item) for item in value] == [int, float, bool, int]


def test_numbers_of_an_object() -> None:
    plain = "1.0, 1e3, -0.0, 1.5, 1e21, 1e15, 9223372036854775808, 12345678901234567890.0, yes, '1.0'"
    value = load_object(f"[{plain}, &a 2.0, *a]")
    assert value[:-2] == load_object(f"[{plain}]")
    assert value == [1, 1000, 0, 1.5, 1e21, 10**15, 2.0**63, 12345678901234567890.0, True, "1.0", 2, 2]
    kinds = [int, int, int, float, float, int, float, float, bool, str, int, int]
    assert [type(item) for item in value] == kinds
    assert load_object("1.0") == 1
    assert isinstance(load("1.0"), float), "the tables of both must not mix"


def test_depth() -> None:
    deep = "[" * 1000 + "]" * 1000
    assert go_json(load(deep)) == deep
    deep = deep[1:-1]
    assert go_json(load(f"a: &x 1\nb: {deep}")) == f'{{"a":1,"b":{deep}}}'
