"""Values arrive in helm as they were, number types included."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from helmguard.helm.command import HelmCommand
from helmguard.helm.values_transport import NotTransportableError, integer_words, values_document
from helmguard.manifest import yaml
from helmguard.model.helm_version import HelmVersion
from helmguard.values.differences import dialect_of
from helmguard.values.flag_words import parse_value_flags
from helmguard.values.table import to_plain
from helmguard.values.user_values import merge_user_values

KEYS = st.text(min_size=1, max_size=8)
LEAVES = (
    st.none()
    | st.booleans()
    | st.text(max_size=12)
    | st.integers(-(2**63), 2**63 - 1)
    | st.floats(allow_nan=False, allow_infinity=False)
)
VALUES = st.dictionaries(
    KEYS,
    st.recursive(
        LEAVES,
        lambda inner: st.lists(inner, max_size=3) | st.dictionaries(KEYS, inner, max_size=3),
        max_leaves=8,
    ),
    max_size=4,
)


def typed(value: Any) -> Any:
    """The value with the type of every number beside it."""
    if isinstance(value, dict):
        return {key: typed(item) for key, item in value.items()}
    if isinstance(value, list):
        return [typed(item) for item in value]
    return (type(value).__name__, value) if isinstance(value, (int, float)) else value


@given(VALUES)
def test_reading_gives_back_what_was_sent(values: dict[str, Any]) -> None:
    try:
        document, words = values_document(values), integer_words(values)
    except NotTransportableError:
        return
    flags = parse_value_flags(["-f", "values", *words])
    for major in ("3.22.0", "4.3.1"):
        merged = merge_user_values(flags, dialect_of(HelmVersion.parse(major)), lambda name: document)
        assert typed(to_plain(merged)) == typed(values)


@given(VALUES)
def test_the_document_is_yaml_for_go(values: dict[str, Any]) -> None:
    assert yaml.load(values_document(values)) == json.loads(json.dumps(values))


def test_the_real_helm_holds_the_same(offline: HelmCommand, tmp_path: Path) -> None:
    chart = tmp_path / "echo"
    (chart / "templates").mkdir(parents=True)
    (chart / "Chart.yaml").write_text("apiVersion: v2\nname: echo\nversion: 1.0.0\n")
    (chart / "templates/all.yaml").write_text(
        "all: {{ toJson .Values | quote }}\n"
        'types: {{ range $key, $value := .Values }}{{ printf "%s=%T " $key $value }}{{ end }}\n'
    )
    values: dict[str, Any] = {
        "text": "\u2028 \x7f \x85 \ufeff \U0001f600 \x01 \t \\ \" ' {{ }} \n",
        "words": ["yes", "n", "1e3", "0x1", "null", "~", "2020-01-01", "<<", "="],
        "float": 1e22,
        "zero": -0.0,
        "whole": 8080.0,
        "int": 9007199254740993,
        "nested": {"a.b": {"c=d": [{"e,f[0]": 7, "back\\slash": -1}, [3, [4]], 2.5]}},
        "<<": {"merge": True},
        "empty": {"map": {}, "list": [], "text": ""},
    }
    command = ["template", "r", str(chart), "--values=-", *integer_words(values)]
    output = offline.check(offline.call(command, values_document(values)))
    printed = yaml.load(output.stdout)
    assert json.loads(printed["all"]) == values
    types = dict(pair.split("=") for pair in printed["types"].split() if "=" in pair)
    assert (types["int"], types["whole"], types["float"]) == ("int64", "float64", "float64")


@pytest.mark.parametrize(
    "values", [{"": 1}, {"a": {"": {"b": 2}}}, {"x" * 1000: "y"}, {"l": [None] * 70000 + [1]}]
)
def test_what_cannot_be_sent_is_refused(values: dict[str, Any]) -> None:
    with pytest.raises(NotTransportableError):
        values_document(values)
        integer_words(values)
