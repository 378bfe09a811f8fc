"""Which documents a chart renders differently each time."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

import msgspec

from helmguard.errors import ManifestError
from helmguard.helm.rendered import Rendered
from helmguard.manifest import yaml
from helmguard.manifest.documents import split_kubectl
from helmguard.model.field_path import FieldPath
from helmguard.model.json_value import JSONObject

DocumentKey = tuple[str, str, str, str, int]
"""apiVersion, kind, namespace as written, name, and a count from 0 for documents that share these."""


class UnstableDocument(msgspec.Struct, frozen=True):
    """A document of which two renderings differ; ``paths`` are the outermost fields that do."""

    first: JSONObject
    second: JSONObject
    paths: frozenset[FieldPath]


def unstable_documents(first: Rendered, second: Rendered) -> dict[DocumentKey, UnstableDocument]:
    """The documents (hooks, too) that are in both renderings and differ.

    Documents that only one rendering has (a random name) have no counterpart and are not in the result.

    Raises:
        ManifestError: a document is no YAML.
    """
    if first.manifest == second.manifest and first.hooks == second.hooks:
        return {}
    others = dict(_documents(second))
    unstable: dict[DocumentKey, UnstableDocument] = {}
    for key, document in _documents(first):
        other = others.get(key)
        paths = frozenset() if other is None else frozenset(_differences(document, other, ()))
        if other is not None and paths:
            unstable[key] = UnstableDocument(document, other, paths)
    return unstable


def unstable_paths(first: Rendered, second: Rendered) -> dict[DocumentKey, frozenset[FieldPath]]:
    """For each document that two renderings give differently, the outermost fields in which they differ."""
    return {key: document.paths for key, document in unstable_documents(first, second).items()}


def _documents(rendered: Rendered) -> Iterator[tuple[DocumentKey, JSONObject]]:
    counts: Counter[tuple[str, str, str, str]] = Counter()
    texts = [*split_kubectl(rendered.manifest), *(str(hook.get("manifest") or "") for hook in rendered.hooks)]
    for text in texts:
        document = yaml.load(text)
        if document is None:
            continue
        if not isinstance(document, dict):
            raise ManifestError("a rendered document is not a Kubernetes object")
        metadata = document.get("metadata")
        names = metadata if isinstance(metadata, dict) else {}
        key = (
            str(document.get("apiVersion") or ""),
            str(document.get("kind") or ""),
            str(names.get("namespace") or ""),
            str(names.get("name") or ""),
        )
        yield (*key, counts[key]), document
        counts[key] += 1


def _differences(first: Any, second: Any, path: FieldPath) -> Iterator[FieldPath]:
    if isinstance(first, dict) and isinstance(second, dict):
        for name in {**first, **second}:
            if name not in first or name not in second:
                yield (*path, name)
            else:
                yield from _differences(first[name], second[name], (*path, name))
    elif isinstance(first, list) and isinstance(second, list) and len(first) == len(second):
        for index, (one, other) in enumerate(zip(first, second, strict=True)):
            yield from _differences(one, other, (*path, index))
    elif isinstance(first, bool) is not isinstance(second, bool) or first != second:
        yield path
