"""Splitting a stream of documents, as Helm and as the Kubernetes client do it: they differ."""

from __future__ import annotations

import re
from collections.abc import Iterator

_LINE = re.compile(r"[^\n]*\n|[^\n]+")
_HELM_SEPARATOR = re.compile(r"(?:^|\s*\n)---\s*")


def split_helm(text: str, helm_major: int) -> list[str]:
    """The documents of a template's output, blank ones left out.

    Helm 3 trims both ends of every document, Helm 4 only the left one, so that the newlines a block scalar
    keeps at a document's end differ (helm/helm@v3.22.0 and @v4.3.1 releaseutil/manifest.go SplitManifests).
    """
    documents = _HELM_SEPARATOR.split(text.strip() if helm_major < 4 else text.lstrip())
    trimmed = (document.strip() if helm_major < 4 else document.lstrip() for document in documents)
    return [document for document in trimmed if document.strip()]


def split_kubectl(text: str) -> Iterator[str]:
    """The documents as the Kubernetes client reads a manifest (k8s.io/apimachinery pkg/util/yaml YAMLReader).

    A line that starts with ``---`` and holds nothing more than blanks or a comment ends a document, wherever
    it stands: inside a block scalar, too.
    """
    lines: list[str] = []
    for line in _LINE.findall(text):
        if line.startswith("---") and line[3:].strip()[:1] in ("", "#"):
            if lines:
                yield "".join(lines)
            lines = []
        else:
            lines.append(line)
    if lines:
        yield "".join(lines)
