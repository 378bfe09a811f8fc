"""Releases that ``.helmguard.yaml`` names."""

from __future__ import annotations

import posixpath
from collections.abc import Iterable, Iterator

from helmguard.gitops.documents import Documents
from helmguard.gitops.tree import joined
from helmguard.gitops.values_files import values_layer
from helmguard.model.declared_release import (
    ChartNeed,
    Controller,
    DeclaredRelease,
    FileLine,
    FoundReleases,
    ReleaseOptions,
    ValuesLayer,
)
from helmguard.model.release_entry import ReleaseEntry

_REMARK = "no tool of the repository installs it: whoever runs helm does"


def read_config_releases(
    entries: Iterable[ReleaseEntry], documents: Documents, config_path: str = ".helmguard.yaml"
) -> FoundReleases:
    """The entries' releases. ``config_path`` is the file in the tree: their paths are relative to it."""
    return FoundReleases(tuple(_release(entry, documents, config_path) for entry in entries))


def _release(entry: ReleaseEntry, documents: Documents, config_path: str) -> DeclaredRelease:
    folder = posixpath.dirname(config_path)
    return DeclaredRelease(
        tool="config",
        identity=f"config {entry.name}",
        name=entry.release,
        namespace=entry.namespace,
        place=FileLine(config_path, entry.place.line),
        chart=_chart(entry, documents, folder, config_path),
        controller=Controller("helm", prunes=True, deletes=False, remarks=(_REMARK,)),
        layers=tuple(_layers(entry, documents, folder, config_path)),
        options=ReleaseOptions(kube_version=entry.kube_version),
    )


def _chart(entry: ReleaseEntry, documents: Documents, folder: str, config_path: str) -> ChartNeed:
    place = FileLine(config_path, entry.version_place.line)
    if entry.repo:
        return ChartNeed("repository", url=entry.repo, name=entry.chart, version=entry.version, place=place)
    if entry.chart.startswith("oci://"):
        return ChartNeed("oci", url=entry.chart, version=entry.version, place=place)
    path = joined(folder, entry.chart)
    if path is None:
        why = f"the chart {entry.chart} is outside of the repository"
    elif path in documents.tree.entries or posixpath.join(path, "Chart.yaml") in documents.tree.entries:
        return ChartNeed("path", path=path, place=place)
    else:
        why = f"there is no chart at {path} in the repository"
    return ChartNeed("unknown", place=place, why=why)


def _layers(
    entry: ReleaseEntry, documents: Documents, folder: str, config_path: str
) -> Iterator[ValuesLayer]:
    for file in entry.values:
        path = joined(folder, file)
        if path is None:
            yield ValuesLayer("unknown", file, why=f"the values file {file} is outside of the repository")
        else:
            yield values_layer(documents, path)
    for word, line in entry.set:
        yield ValuesLayer("set", config_path, word=word, line=line)
