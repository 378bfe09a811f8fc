"""Splitting a stream of documents, as Helm and as the Kubernetes client do it: they differ.

Helm splits what the templates print, to sort it. The client splits the sorted, stored manifest to build
objects.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from helmguard.errors import ManifestError
from helmguard.manifest.go_text import trim_left_space, trim_space

_HELM3_SEPARATOR = re.compile(r"(?:^|[\t\n\f\r ]*\n)---[\t\n\f\r ]*")
_HELM4_SEPARATOR = re.compile(r"^---[ \t]*", re.MULTILINE)
_KUBECTL_SEPARATOR = re.compile(r"^---(.*)\n", re.MULTILINE)


def split_helm(text: str, helm_major: int) -> list[str]:
    """The documents of a template's output, empty ones left out.

    Any line that starts with ``---`` ends a document, whatever follows there (``---apiVersion: v1``). Helm 3
    trims both ends of a document, Helm 4 the left end alone, so that the line feeds a block scalar keeps at
    a document's end differ. Source: SplitManifests in helm/helm@v3.22.0 pkg/releaseutil/manifest.go and
    @v4.3.1 pkg/release/v1/util/manifest.go.
    """
    if helm_major < 4:
        parts = _HELM3_SEPARATOR.split(trim_space(text))
        return [trim_space(part) for part in parts if part]
    parts = _HELM4_SEPARATOR.split(trim_left_space(text))
    return [trim_left_space(part) for part in parts if trim_space(part)]


def split_kubectl(text: str) -> Iterator[str]:
    """The documents as the Kubernetes client reads a stream, one by one.

    A line that starts with ``---`` and holds no more than white space or a comment ends a document, wherever
    it stands, and is dropped unless it is the document's first line. Lines end in a single line feed.
    Source: k8s.io/apimachinery v0.37.0 pkg/util/yaml/decoder.go YAMLReader.

    Raises:
        ManifestError: something else follows ``---``. The documents before it have come by then.
    """
    text = text.replace("\r\n", "\n")
    if text and not text.endswith("\n"):
        text += "\n"
    start = 0
    for match in _KUBECTL_SEPARATOR.finditer(text):
        rest = trim_space(match[1])
        if rest and not rest.startswith("#"):
            raise ManifestError(
                f"invalid Yaml document separator: {rest}",
                remedy="Put nothing else on that line.",
            )
        if match.start() > start:
            yield text[start : match.start()]
            start = match.end()
    if start < len(text):
        yield text[start:]
