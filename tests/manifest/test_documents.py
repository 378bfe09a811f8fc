"""Where documents end: for Helm 3, for Helm 4, and for the Kubernetes client."""

from __future__ import annotations

import pytest

from helmguard.errors import ManifestError
from helmguard.manifest.documents import split_helm, split_kubectl

ROWS = [
    # text, Helm 3, Helm 4, the client
    ("", [], [], []),
    (" \n", [], [], [" \n"]),
    ("---\n", [], [], ["---\n"]),
    ("a: 1", ["a: 1"], ["a: 1"], ["a: 1\n"]),
    ("a: 1\n---\nb: 2\n", ["a: 1", "b: 2"], ["a: 1\n", "b: 2\n"], ["a: 1\n", "b: 2\n"]),
    ("---\na: 1\n---\n", ["a: 1"], ["a: 1\n"], ["---\na: 1\n"]),
    ("---\n---\na: 1\n", ["---\na: 1"], ["a: 1\n"], ["---\n", "a: 1\n"]),
    (
        "a: |+\n  t\n\n\n---\nb: |+\n  u\n\n\n",
        ["a: |+\n  t", "b: |+\n  u"],
        ["a: |+\n  t\n\n\n", "b: |+\n  u\n\n\n"],
        ["a: |+\n  t\n\n\n", "b: |+\n  u\n\n\n"],
    ),
    (
        "a: 1\n---\n  b: 1\n  c: 2\n",
        ["a: 1", "b: 1\n  c: 2"],
        ["a: 1\n", "b: 1\n  c: 2\n"],
        ["a: 1\n", "  b: 1\n  c: 2\n"],
    ),
    ("a: |\n  ---\n  x\n", ["a: |\n  ---\n  x"], ["a: |\n  ---\n  x\n"], ["a: |\n  ---\n  x\n"]),
    ("a: 1\n--- # c\nb: 2\n", ["a: 1", "# c\nb: 2"], ["a: 1\n", "# c\nb: 2\n"], ["a: 1\n", "b: 2\n"]),
    ("a: 1\r\n---\r\nb: 2\r\n", ["a: 1", "b: 2"], ["a: 1\r\n", "b: 2\r\n"], ["a: 1\n", "b: 2\n"]),
    ("\ufeffa: 1\n", ["\ufeffa: 1"], ["\ufeffa: 1\n"], ["\ufeffa: 1\n"]),
    ("\xa0a\x85", ["a"], ["a\x85"], ["\xa0a\x85\n"]),
    ("a\x1f", ["a\x1f"], ["a\x1f"], ["a\x1f\n"]),
    # Helm 3 keeps a document of white space that is not ASCII, as an empty one
    ("a\n---\n\xa0\n---\nb", ["a", "", "b"], ["a\n", "b"], ["a\n", "\xa0\n", "b\n"]),
    ("a\n...\nb\n", ["a\n...\nb"], ["a\n...\nb\n"], ["a\n...\nb\n"]),
]


@pytest.mark.parametrize(("text", "helm3", "helm4", "client"), ROWS)
def test_split(text: str, helm3: list[str], helm4: list[str], client: list[str]) -> None:
    assert split_helm(text, 3) == helm3
    assert split_helm(text, 4) == helm4
    assert list(split_kubectl(text)) == client


@pytest.mark.parametrize("line", ["---a: 1", "---- ", "--- b: 2"])
def test_helm_splits_where_the_client_gives_up(line: str) -> None:
    rest = line[3:].strip()
    text = f"a: 1\n{line}\nb: 2\n"
    assert split_helm(text, 3) == ["a: 1", f"{line[3:].lstrip()}\nb: 2"]
    documents = split_kubectl(text)
    with pytest.raises(ManifestError, match=f"invalid Yaml document separator: {rest}"):
        list(documents)
