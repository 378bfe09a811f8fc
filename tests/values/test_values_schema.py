"""values.schema.json in the words of Helm's own library; over 10,000 random schemas were compared with it."""

from __future__ import annotations

import json
from typing import Any

import pytest
from value_charts import HELM3, HELM4, chart_files, computed

from helmguard.errors import ValuesError
from helmguard.values.schema_formats import format_problem
from helmguard.values.schema_patterns import PatternError, python_pattern

DRAFT_7 = "http://json-schema.org/draft-07/schema#"
HEAD = "values don't meet the specifications of the schema(s) in the following chart(s):\n"


def with_schema(schema: Any, values: Any) -> dict[str, str]:
    text = schema if isinstance(schema, str) else json.dumps(schema)
    return chart_files(values, files={"values.schema.json": text})


def refusal(schema: Any, values: Any) -> str:
    with pytest.raises(ValuesError) as raised:
        computed(with_schema(schema, values))
    return raised.value.message.removeprefix(f"{HEAD}parent:\n")


@pytest.mark.parametrize(
    ("schema", "values", "text"),
    [
        ({"required": ["r"]}, {}, "- at '': missing property 'r'"),
        ({"required": ["r", "s"]}, {}, "- at '': missing properties 'r', 's'"),
        ({"properties": {"n": {"type": "integer"}}}, {"n": "x"}, "- at '/n': got string, want integer"),
        ({"properties": {"n": {"type": ["null", "string"]}}}, {"n": 1.5},
         "- at '/n': got number, want null or string"),
        ({"properties": {"a/b": {"const": 1}}}, {"a/b": 2}, "- at '/a~1b': value must be 1"),
        ({"properties": {"n": {"enum": ["a", 1, None]}}}, {"n": "b"},
         "- at '/n': value must be one of 'a', 1, <nil>"),
        ({"properties": {"n": {"maximum": 1500}}}, {"n": 1234567},
         "- at '/n': maximum: got 1.234567×10⁰⁶, want 1,500"),
        ({"properties": {"s": {"pattern": "^[a-z]+$"}}}, {"s": "A1"},
         "- at '/s': 'A1' does not match pattern '^[a-z]+$'"),
        ({"properties": {"a": {}}, "additionalProperties": False}, {"b": 1, "a": 1},
         "- at '': additional properties 'b' not allowed"),
        ({"required": ["r"], "properties": {"l": {"items": {"type": "string"}, "maxItems": 1}}},
         {"l": [1, "x"]},
         "- at '': missing property 'r'\n- at '/l': validation failed\n  - at '/l': maxItems: got 2, want 1\n"
         "  - at '/l/0': got number, want string"),
        ({"properties": {"x": {"anyOf": [{"type": "string"}, {"minimum": 5}]}}}, {"x": 1},
         "- at '/x': 'anyOf' failed\n  - at '/x': got number, want string\n"
         "  - at '/x': minimum: got 1, want 5"),
        ({"properties": {"x": {"$ref": "#/$defs/t"}}, "$defs": {"t": {"type": "string"}}}, {"x": 1},
         "- at '/x': got number, want string"),
        ({"properties": {"x": {"oneOf": [{"type": "number"}, {"minimum": 0}]}}}, {"x": 1},
         "- at '/x': 'oneOf' failed, subschemas 0, 1 matched"),
        ({"$schema": DRAFT_7, "properties": {"x": {"format": "ipv4"}}}, {"x": "1.2.3"},
         "- at '/x': '1.2.3' is not valid ipv4: expected four decimals"),
        ({"properties": {"x": False}}, {"x": 1}, "- at '/x': false schema"),
        ("{not json", {}, "invalid character 'n' looking for beginning of object key string"),
    ],
)  # fmt: skip
def test_refusals(schema: Any, values: Any, text: str) -> None:
    assert refusal(schema, values) == text


@pytest.mark.parametrize(
    ("schema", "values"),
    [
        ({"properties": {"n": {"type": "integer"}}}, {"n": 1.0}),
        ({"properties": {"x": {"format": "ipv4"}}}, {"x": "no format is asserted from 2019 on"}),
        ({"properties": {"x": {"$ref": "urn:nobody:knows"}}}, {"x": 1}),
        ({"$schema": DRAFT_7, "properties": {"x": {"items": False, "additionalItems": False}}}, {"x": []}),
        ({"properties": {"s": {"pattern": r"^\S+@\S+$"}}}, {"s": "a@b"}),
        ({}, {"a": 1}),
    ],
)
def test_values_that_are_fine(schema: Any, values: Any) -> None:
    assert computed(with_schema(schema, values)).warnings == ()


def test_a_schema_that_breaks_its_own_schema() -> None:
    text = refusal({"$schema": DRAFT_7, "properties": {"n": {"type": "integr"}}}, {})
    assert text.startswith(
        '"file:///values.schema.json#" is not valid against metaschema: '
        f"jsonschema validation failed with '{DRAFT_7}'\n- at '/properties/n/type': 'anyOf' failed\n"
    )


def test_a_look_ahead_is_refused_as_go_refuses_it() -> None:
    text = refusal({"properties": {"s": {"pattern": "^(?!x)"}}}, {})
    assert text == (
        'invalid regex "^(?!x)" at "file:///values.schema.json#/properties/s/pattern": '
        "error parsing regexp: invalid or unsupported Perl syntax: `(?!`"
    )


def test_what_cannot_be_checked_is_said() -> None:
    schema = {"properties": {"x": {"$ref": "https://example.com/x.json"}}}
    (warning,) = computed(with_schema(schema, {"x": 1})).warnings
    assert "was not checked: it refers to https://example.com/x.json" in warning.message


def test_sub_charts_are_checked_with_their_table_and_can_be_skipped() -> None:
    schema = json.dumps({"properties": {"x": {"type": "string"}}, "additionalProperties": False})
    child = chart_files({"x": 1}, name="sub", files={"values.schema.json": schema})
    files = chart_files({}, sub=child)
    for helm in (HELM3, HELM4):
        with pytest.raises(ValuesError) as raised:
            computed(files, helm=helm)
        assert raised.value.message == (
            f"{HEAD}sub:\n- at '/x': got number, want string\n"
            "- at '': additional properties 'global' not allowed"
        )
    computed(files, ["--skip-schema-validation"])


@pytest.mark.parametrize(
    ("pattern", "matching", "other"),
    [
        ("^a$", ["a"], ["a\n", "b"]),
        (r"^\d+$", ["12"], ["١"]),
        (r"^\w$", ["a"], ["é"]),
        (r"^[[:upper:]]+\z", ["AB"], ["Ab"]),
        (r"^\pL+$", ["é"], ["1"]),
        (r"\Qa.b\E", ["a.b"], ["axb"]),
        ("(?i)^ab", ["AB"], ["b"]),
        ("^(?P<x>a)(?<y>b)$", ["ab"], ["a"]),
        ("^a{,2}$", ["a{,2}"], ["aa"]),
        (r"^[\w.-]+$", ["a.b-c"], ["a b"]),
    ],
)
def test_patterns_mean_what_they_mean_in_go(pattern: str, matching: list[str], other: list[str]) -> None:
    compiled = python_pattern(pattern)
    assert [text for text in matching if not compiled.search(text)] == []
    assert [text for text in other if compiled.search(text)] == []


@pytest.mark.parametrize("pattern", ["(?=a)", "(?<!a)", r"(a)\1", "a++", "a{1001}", "[a", "(", r"\Z", "a**"])
def test_patterns_that_go_refuses(pattern: str) -> None:
    with pytest.raises(PatternError) as raised:
        python_pattern(pattern)
    assert raised.value.refused


@pytest.mark.parametrize(
    ("name", "good", "bad"),
    [
        ("date", "2024-02-29", "2023-02-29"),
        ("date-time", "2024-01-01T10:00:00.5+01:00", "2024-01-01 10:00:00Z"),
        ("time", "23:59:60Z", "10:00:60Z"),
        ("duration", "P1DT2H", "P1H"),
        ("email", '"a b"@[1.2.3.4]', "a..b@c"),
        ("hostname", "a-b.example.", "-a.example"),
        ("ipv4", "10.0.0.1", "010.0.0.1"),
        ("ipv6", "::ffff:1.2.3.4", "fe80::1%eth0"),
        ("uri", "urn:x:y", "/relative"),
        ("uri-reference", "/relative?x", "a%zz"),
        ("uuid", "123e4567-e89b-12d3-a456-426614174000", "123e4567-e89b-12d3-a456-42661417400g"),
        ("json-pointer", "/a~1b", "/a~2"),
        ("relative-json-pointer", "1/a", "01/a"),
        ("regex", "^a", "(?=a)"),
        ("semver", "1.0.0-rc.1+b", "1.0"),
        ("no-such-format", "anything", ""),
    ],
)
def test_formats(name: str, good: str, bad: str) -> None:
    assert format_problem(name, good) == ""
    assert name == "no-such-format" or format_problem(name, bad)
