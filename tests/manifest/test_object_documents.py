"""Each document is read once, however many manifests hold it, and no longer than one of them is kept."""

from __future__ import annotations

import gc

import pytest

from helmguard.errors import ManifestError
from helmguard.manifest import object_documents
from helmguard.manifest.object_documents import read_documents

ONE = "---\n# Source: c/templates/one.yaml\napiVersion: v1\nkind: ConfigMap\nmetadata: {name: one}\n"
TWO = "---\n# Source: c/templates/two.yaml\napiVersion: v1\nkind: ConfigMap\nmetadata: {name: two}\n"


def test_manifests_share_the_documents_both_hold() -> None:
    first, second = read_documents(TWO + ONE + TWO), read_documents(ONE + TWO + ONE + ONE)
    assert [source for source, _ in second] == [
        f"c/templates/{name}.yaml" for name in ("one", "two", "one", "one")
    ]
    # The first document of a stream holds the separator, so its text is another.
    assert second[1][1] is first[2][1]
    assert second[2][1] is second[3][1] is first[1][1]


def test_nothing_outlives_its_manifests() -> None:
    read_documents(ONE + ONE + TWO)
    for number in range(object_documents._MANIFESTS_KEPT):
        read_documents(
            f"{ONE}{ONE}---\napiVersion: v1\nkind: ConfigMap\nmetadata: {{name: other-{number}}}\n"
        )
    gc.collect()
    held = "".join(object_documents._READ.keys())
    assert "one.yaml" in held
    assert "two.yaml" not in held


def test_a_text_in_braces_is_read_where_it_stands() -> None:
    """As JSON at the start of a stream, as YAML after a separator: there an octal number is allowed."""
    text = '{"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "a"}, "n": %s}'
    as_yaml = read_documents("---\n" + text % "010" + "\n")
    assert as_yaml[0][1].bodies[0]["n"] == 8
    as_json = read_documents(text % "1e2")
    assert as_json[0][1].bodies[0]["n"] == 100


def test_a_broken_manifest_is_refused_each_time() -> None:
    for _ in range(2):
        with pytest.raises(ManifestError, match=r"c/templates/two.yaml, document 2: "):
            read_documents(ONE + TWO.replace("kind: ConfigMap\n", ""))
