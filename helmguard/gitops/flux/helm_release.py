"""A HelmRelease as a declared release."""

from __future__ import annotations

from collections.abc import Sequence

from helmguard.gitops.documents import Document, Documents, text_at, value_at
from helmguard.gitops.flux.chart_source import ChartAsked, ChartSources
from helmguard.gitops.flux.kinds import title, where
from helmguard.gitops.flux.objects import Objects
from helmguard.gitops.flux.options import controller_of, options_of
from helmguard.gitops.flux.release_name import release_name, release_namespace
from helmguard.gitops.flux.values_from import values_of
from helmguard.model.declared_release import DeclaredRelease, FileLine, ValuesLayer
from helmguard.model.plan import Unknown


def declared_release(
    release: Document,
    identity: str,
    *,
    documents: Documents,
    objects: Objects,
    sources: ChartSources,
    chain: Sequence[Document] = (),
    reads: frozenset[str] = frozenset(),
    unknown: Sequence[Unknown] = (),
    remarks: Sequence[str] = (),
) -> DeclaredRelease:
    """The release that a HelmRelease declares. ``chain``: the Kustomizations that lead to it."""
    chart = sources.of_release(release)
    values = values_of(release, objects, documents)
    layers = (*_chart_files(release, chart, documents), *values.layers)
    preserves = value_at(release.spec, "upgrade", "preserveValues") is True
    kept = (Unknown(where(release), "upgrade.preserveValues keeps values of the last revision"),)
    return DeclaredRelease(
        tool="flux",
        identity=identity,
        name=release_name(release),
        namespace=release_namespace(release),
        place=first_line(release),
        chart=chart.need,
        controller=controller_of(release, chain, remarks),
        layers=layers,
        options=options_of(release),
        reads=reads | values.reads | chart.reads | {release.file},
        unknown=(*unknown, *_unread(release, layers), *(kept if preserves else ())),
        is_reached=bool(chain) or bool(release.rendered_by),
        storage_namespace=text_at(release.spec, "storageNamespace") or release.namespace,
    )


def first_line(document: Document) -> FileLine:
    """The line of a document's first key."""
    if document.rendered_by:
        return FileLine(document.file)
    for number, line in enumerate(document.text.splitlines(), start=document.lines_before + 1):
        if line.strip() and not line.lstrip().startswith((b"#", b"%", b"---")):
            return FileLine(document.file, number)
    return FileLine(document.file, document.lines_before + 1)


def _chart_files(release: Document, chart: ChartAsked, documents: Documents) -> list[ValuesLayer]:
    """``valuesFiles``: files inside the chart that stand for its ``values.yaml``.

    In a chart of the tree they are read as layers, which is the same where ``values.yaml`` is the first.
    """
    layers: list[ValuesLayer] = []
    for name in chart.values_files:
        path = f"{chart.need.path}/{name}".lstrip("/")
        if chart.need.kind == "path" and path in documents.tree.entries:
            layers.append(ValuesLayer("yaml", path, text=documents.tree.read(path)))
        elif name != "values.yaml":
            why = f"{name} is a file inside the chart"
            layers.append(ValuesLayer("unknown", release.file, why=why))
    if layers and chart.values_files[0].rpartition("/")[2] != "values.yaml":
        why = "valuesFiles leaves the chart's own values.yaml out"
        layers.append(ValuesLayer("unknown", release.file, why=why))
    return layers


def _unread(release: Document, layers: Sequence[ValuesLayer]) -> list[Unknown]:
    return [Unknown(f"values of {title(release)}", layer.why) for layer in layers if layer.kind == "unknown"]
