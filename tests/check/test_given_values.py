"""Values from layers: their order, and where each key stands."""

from __future__ import annotations

import pytest

from helmguard.check.given_values import given_values
from helmguard.errors import ValuesFileError
from helmguard.model.declared_release import ValuesLayer
from helmguard.model.helm_version import HelmVersion
from helmguard.values.differences import dialect_of
from helmguard.values.provenance import leaf_provenance
from helmguard.values.table import to_json

HELM_3, HELM_4 = (dialect_of(HelmVersion.parse(version)) for version in ("3.22.0", "4.3.1"))

HELM_RELEASE = b"""\
kind: HelmRelease
spec:
  values:
    image:
      tag: "1"
    port: 8080
"""


def yaml_layer(text: bytes, *inside: str, lines_before: int = 0, source: str = "a.yaml") -> ValuesLayer:
    return ValuesLayer("yaml", source, text=text, inside=inside, lines_before=lines_before)


def test_the_last_layer_wins_whatever_its_kind() -> None:
    layers = [
        ValuesLayer("set", "app.yaml", word="a=1"),
        yaml_layer(b"a: 2\nb: {c: 1, d: 1}\n"),
        ValuesLayer("data", "b.yaml", data={"b": {"d": 2}}),
        ValuesLayer("unknown", "secret.yaml", why="encrypted"),
    ]
    assert to_json(given_values(layers, HELM_3)) == {"a": 2, "b": {"c": 1, "d": 2}}


def test_a_null_of_a_later_layer_stays_to_delete_the_charts_default() -> None:
    assert given_values([yaml_layer(b"a: 1\n"), yaml_layer(b"a: null\n")], HELM_3) == {"a": None}


def test_keys_inside_a_document_stand_on_their_lines_of_the_file() -> None:
    values = given_values([yaml_layer(HELM_RELEASE, "spec", "values", lines_before=10)], HELM_3)
    found = {path: (origin.source, origin.line) for path, origin in leaf_provenance(values).items()}
    assert found == {("image", "tag"): ("a.yaml", 15), ("port",): ("a.yaml", 16)}


def test_data_stands_on_the_line_of_its_declaration() -> None:
    values = given_values([ValuesLayer("data", "b.yaml", data={"a": 1}, line=7)], HELM_3)
    assert leaf_provenance(values)[("a",)].line == 7


def test_data_stands_where_the_file_has_it_before_it_was_changed() -> None:
    data = {"image": {"tag": "2"}, "port": 8080, "new": 1}
    layer = ValuesLayer("data", "a.yaml", HELM_RELEASE, 10, ("spec", "values"), data, line=13)
    values = given_values([layer], HELM_3)
    lines = {path: origin.line for path, origin in leaf_provenance(values).items()}
    assert lines == {("image", "tag"): 15, ("port",): 16, ("new",): 13}


@pytest.mark.parametrize(
    ("layer", "expected"),
    [
        (ValuesLayer("set-string", "a", word="tag=1"), {"tag": "1"}),
        (ValuesLayer("set-json", "a", word='tag={"b": [1]}'), {"tag": {"b": [1]}}),
        (ValuesLayer("set-file", "a", word="script=run.sh", text=b"echo\n"), {"script": "echo\n"}),
        (yaml_layer(HELM_RELEASE, "spec", "nothing"), {}),
        (yaml_layer(b""), {}),
    ],
)
def test_each_kind_of_layer(layer: ValuesLayer, expected: object) -> None:
    assert to_json(given_values([layer], HELM_3)) == expected


def test_helm_4_reads_every_document_of_a_values_file_and_helm_3_the_first() -> None:
    two = b"a: 1\n---\nb: 2\n"
    assert to_json(given_values([yaml_layer(two)], HELM_3)) == {"a": 1}
    assert to_json(given_values([yaml_layer(two)], HELM_4)) == {"a": 1, "b": 2}


def test_a_file_that_helm_refuses_is_told_with_its_line() -> None:
    with pytest.raises(ValuesFileError, match=r"failed to parse a\.yaml") as caught:
        given_values([yaml_layer(b"a: 1\nb: [\n")], HELM_3)
    assert (caught.value.file, caught.value.line) == ("a.yaml", 3)


def test_values_that_are_no_map_are_told_by_their_path() -> None:
    with pytest.raises(ValuesFileError, match=r"a\.yaml: spec\.values is no map"):
        given_values([yaml_layer(b"spec: {values: text}\n", "spec", "values")], HELM_3)


def test_a_word_that_helm_refuses_is_told_with_its_file() -> None:
    with pytest.raises(ValuesFileError, match=r"app\.yaml: failed parsing --set data") as caught:
        given_values([ValuesLayer("set", "app.yaml", word="a[", line=4)], HELM_3)
    assert caught.value.line == 4
