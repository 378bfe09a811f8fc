"""Objects as Helm's Kubernetes client builds them; the error texts are the client's."""

from __future__ import annotations

import pytest

from helmguard.errors import ManifestError
from helmguard.manifest.objects import ManifestObject, duplicates, read_objects, source_of
from helmguard.model.resource_key import ResourceKey

HEAD = "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: a\n"


def read(text: str) -> list[ManifestObject]:
    return read_objects(text, "given", lambda _, kind: {"ClusterRole": False, "ConfigMap": True}.get(kind))


def summary(text: str) -> list[tuple[str, str, str | None, str]]:
    return [(item.kind, item.name, item.namespace, item.source) for item in read(text)]


def test_objects_in_the_order_of_the_manifest() -> None:
    text = """---
# Source: c/templates/a.yaml
apiVersion: v1
kind: ConfigMap
metadata: {name: one}
---
# Source: c/templates/b.yaml
# only a comment
---
# Source: c/templates/role.yaml
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
metadata: {name: two, namespace: ignored}
---
# Source: c/charts/s/templates/x.yaml
apiVersion: example.com/v1
kind: Unknown
metadata: {name: three}
---
apiVersion: v1
kind: ConfigMap
metadata: {name: four, namespace: own}
"""
    assert summary(text) == [
        ("ConfigMap", "one", "given", "c/templates/a.yaml"),
        ("ClusterRole", "two", None, "c/templates/role.yaml"),
        ("Unknown", "three", "given", "c/charts/s/templates/x.yaml"),
        ("ConfigMap", "four", "own", ""),
    ]
    assert [item.index for item in read(text)] == [0, 1, 2, 3]
    assert read(text)[2].key == ResourceKey("example.com", "Unknown", "given", "three")


def test_a_separator_after_the_source_comment() -> None:
    assert summary(f"---\n# Source: c/t/a.yaml\n---\n{HEAD}---\n{HEAD}") == [
        ("ConfigMap", "a", "given", "c/t/a.yaml"),
        ("ConfigMap", "a", "given", ""),
    ]


def test_body_is_as_written_with_the_clients_numbers() -> None:
    (item,) = read(HEAD + "x: [1.0, 1e3, 1.5, 12345678901234567890]\n")
    assert item.body["x"] == [1, 1000, 1.5, 12345678901234567890.0]
    assert [type(number) for number in item.body["x"]] == [int, int, float, float]
    assert "namespace" not in item.body["metadata"]


def test_lists_are_taken_apart() -> None:
    text = """apiVersion: v1
kind: ConfigMapList
items:
- metadata: {name: inherits}
- {apiVersion: v1, kind: Secret, metadata: {name: own}}
---
apiVersion: v1
kind: List
items:
---
apiVersion: v1
kind: Odd
Items: x
"""
    assert [(item.api_version, item.kind, item.name) for item in read(text)] == [
        ("v1", "ConfigMap", "inherits"),
        ("v1", "Secret", "own"),
        ("v1", "Odd", ""),
    ]


def test_generate_name() -> None:
    (item,) = read("apiVersion: v1\nkind: ConfigMap\nmetadata: {generateName: a-}\n")
    assert (item.name, item.generate_name) == ("", "a-")


def test_duplicates_are_kept_and_told() -> None:
    items = read(f"{HEAD}---\napiVersion: v1\nkind: Secret\nmetadata: {{name: a}}\n---\n{HEAD}")
    assert len(items) == 3
    assert duplicates(items) == [ResourceKey("", "ConfigMap", "given", "a")]


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("x", "json: cannot unmarshal string into Go value of type unstructured.detector"),
        ("[1]", "json: cannot unmarshal array into Go value of type unstructured.detector"),
        ("apiVersion: v1", "Object 'Kind' is missing in '{\"apiVersion\":\"v1\"}'"),
        ("apiVersion: a/b/c\nkind: A", "Object 'Kind' is missing in"),
        ("apiVersion: v1\nkind: 5", "Object 'Kind' is missing in"),
        ("kind: A", 'error validating "": error validating data: apiVersion not set'),
        (
            "apiVersion: 5\nkind: A",
            "number into Go struct field metadataOnlyObject.TypeMeta.apiVersion of type string",
        ),
        ("apiVersion: v1\nkind: A\nmetadata: x", "field metadataOnlyObject.metadata of type v1.ObjectMeta"),
        (
            HEAD + "  uid: y",
            "json: cannot unmarshal bool into Go struct field ObjectMeta.metadata.uid of type string",
        ),
        (
            HEAD.replace("a\n", "5\n"),
            "cannot unmarshal number into Go struct field ObjectMeta.metadata.name of type string",
        ),
        (
            HEAD + "  labels: {a: 1}",
            "cannot unmarshal number into Go struct field ObjectMeta.metadata.labels of type string",
        ),
        (
            HEAD + "  labels: [a]",
            "array into Go struct field ObjectMeta.metadata.labels of type map[string]string",
        ),
        (
            HEAD + "  finalizers: [1]",
            "cannot unmarshal number into Go struct field ObjectMeta.metadata.finalizers of type string",
        ),
        (
            HEAD + "  generation: 1.5",
            "cannot unmarshal number 1.5 into Go struct field ObjectMeta.metadata.generation of type int64",
        ),
        (
            HEAD + "items: 5",
            "json: cannot unmarshal number into Go struct field decodeList.items of type []json.RawMessage",
        ),
        (
            "apiVersion: v1\nkind: List\nitems: [x]",
            "cannot unmarshal string into Go value of type map[string]interface {}",
        ),
        (
            "apiVersion: v1\nkind: List\nitems: [{kind: A}]",
            "Object 'apiVersion' is missing in 'object has no apiVersion field'",
        ),
        (
            "apiVersion: v1\nkind: List\nitems: [null]",
            "Object 'Kind' is missing in 'object has no kind field '",
        ),
        (
            "apiVersion: v1\nkind: List\nitems: [{kind: List, items: []}]",
            "is not a list: no Items field in this object",
        ),
        ("a: [", "yaml: line 2: did not find expected node content"),
        (f"{HEAD}---x\n", "invalid Yaml document separator: x"),
    ],
)
def test_refused(text: str, problem: str) -> None:
    with pytest.raises(ManifestError) as caught:
        read(f"---\n# Source: c/t/good.yaml\n{HEAD}---\n# Source: c/t/bad.yaml\n{text}")
    assert problem in caught.value.message
    assert ", document 2: " in caught.value.message
    if "separator" not in problem:
        assert caught.value.message.startswith("c/t/bad.yaml, document 2: ")


@pytest.mark.parametrize(
    "metadata", ["{name: null}", "{name: a, labels: {b: null}, annotations: null}", "null"]
)
def test_null_metadata_passes(metadata: str) -> None:
    assert len(read(f"apiVersion: v1\nkind: A\nmetadata: {metadata}\n")) == 1


def test_json_streams() -> None:
    one, two = '{"apiVersion":"v1","kind":"A","s":"\\/\\ud83d"}', '{"apiVersion":"v1","kind":"B","n":1.0}'
    items = read(f" {one}\n{two}")
    assert [item.kind for item in items] == ["A", "B"]
    assert items[0].body["s"] == "/\ufffd"
    assert isinstance(items[1].body["n"], float), "only YAML loses the point of 1.0"
    assert [item.kind for item in read(f"{one}\n---\napiVersion: v1\nkind: C\n")] == ["A", "C"]
    assert [item.kind for item in read("{apiVersion: v1, kind: D}\n---\napiVersion: v1\nkind: E\n")] == [
        "D",
        "E",
    ]
    with pytest.raises(ManifestError, match="document 3: not a JSON document"):
        read(one + two + " x")


@pytest.mark.parametrize(
    ("text", "source"),
    [
        ("---\n# Source: a/b.yaml\nx: 1\n", "a/b.yaml"),
        ("# note\n# Source: a/b.yaml\r\n", "a/b.yaml"),
        ("x: 1\n# Source: a/b.yaml\n", ""),
        ("", ""),
    ],
)
def test_source(text: str, source: str) -> None:
    assert source_of(text) == source
