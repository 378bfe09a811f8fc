"""What a release is rendered from, as text to compare: two sides with the same inputs need no rendering."""

from __future__ import annotations

import hashlib
import json
from functools import lru_cache

import msgspec

from helmguard.gitops.documents import Documents, value_at
from helmguard.gitops.local_charts import local_chart_digest
from helmguard.manifest import yaml
from helmguard.model.declared_release import DeclaredRelease, ValuesLayer


class ReleaseInputs(msgspec.Struct, frozen=True):
    """Each part in a form that is equal on both sides exactly if the part is.

    ``layers`` are (source, digest) of each in its order; ``unread`` are digests of what holds values
    that cannot be read, and ``controller`` is what only the controller looks at.
    """

    name: str
    namespace: str
    chart: str
    chart_content: str
    layers: tuple[tuple[str, str], ...]
    options: str
    controller: str
    unread: tuple[tuple[str, str], ...] = ()


def inputs_of(release: DeclaredRelease, documents: Documents) -> ReleaseInputs:
    """The inputs of a release on one side."""
    chart, content = release.chart, ""
    if chart.kind == "path":
        content = local_chart_digest(documents, chart.path)
    return ReleaseInputs(
        name=release.name,
        namespace=release.namespace,
        chart=str(chart),
        chart_content=content,
        layers=tuple((layer.source, _layer(layer)) for layer in release.layers),
        options=_digest(msgspec.to_builtins(release.options)),
        controller=_digest(msgspec.to_builtins(release.controller)),
        unread=tuple(
            (layer.source, _digest([layer.why, _content(layer, release, documents)]))
            for layer in release.layers
            if layer.kind == "unknown"
        ),
    )


def _content(layer: ValuesLayer, release: DeclaredRelease, documents: Documents) -> str:
    """Of a file that holds unreadable values; the declaration's own only names where they are."""
    own = layer.source in (release.place.file, *(other.source for other in release.layers if other != layer))
    return "" if own else documents.tree.entries.get(layer.source, "")


def _layer(layer: ValuesLayer) -> str:
    if layer.kind == "yaml":
        return _digest_inside(layer.text, layer.inside)
    # The text of data only says on which lines it stands.
    text = hashlib.sha256(layer.text).hexdigest() if layer.text and layer.kind != "data" else ""
    return _digest([layer.kind, layer.data, layer.word, text, layer.why])


@lru_cache(maxsize=4096)
def _digest_inside(text: bytes, inside: tuple[str, ...]) -> str:
    """Of the values in a document; both sides and many releases read the same ones."""
    try:
        return _digest(value_at(yaml.load(text), *inside))
    except yaml.YAMLError as error:
        return _digest(f"{error.message} {hashlib.sha256(text).hexdigest()}")


def _digest(value: object) -> str:
    # Values keep their order where templates range over lists; of maps it means nothing.
    return hashlib.sha256(json.dumps(value, sort_keys=True, default=str).encode()).hexdigest()
