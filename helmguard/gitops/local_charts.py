"""The charts in a tree: where they are, and what of the tree each of them rests on."""

from __future__ import annotations

import hashlib
import posixpath
import re
from collections.abc import Iterable, Iterator, Mapping

import msgspec

from helmguard.gitops.documents import Documents, dicts_at, text_at
from helmguard.gitops.tree import joined

CHART_FILES = ("Chart.yaml", "requirements.yaml")
"""Where a chart lists its dependencies; the second only in old ones."""

_LOCKS = ("Chart.lock", "requirements.lock")

_FILE_SCHEME = "file://"
_VERSIONED = r"-v?\d[^/]*\.tgz"


class ListedDependency(msgspec.Struct, frozen=True):
    """One entry of a chart's dependencies as written; ``folder`` is that of a ``file://`` one.

    ``locked`` is the version in Chart.lock, empty where there is none.
    """

    name: str
    version: str
    repository: str
    folder: str | None = None
    locked: str = ""


def chart_folders(paths: Iterable[str]) -> list[str]:
    """The folders with a Chart.yaml, sorted; those that another chart holds in its ``charts/`` left out."""
    found = sorted({posixpath.dirname(path) for path in paths if posixpath.basename(path) == "Chart.yaml"})
    all_charts = frozenset(found)
    return [folder for folder in found if not _is_held(folder, all_charts)]


def _is_held(folder: str, charts: frozenset[str]) -> bool:
    parts = folder.split("/")
    return any(
        parts[index] == "charts" and "/".join(parts[:index]) in charts for index in range(len(parts) - 1)
    )


def listed_dependencies(documents: Documents, folder: str) -> list[ListedDependency]:
    """What a chart lists, in its order; of files that cannot be read nothing."""
    found = []
    locked = _locked_versions(documents, folder)
    for name in CHART_FILES:
        for document in documents.of_file(posixpath.join(folder, name))[:1]:
            for entry in dicts_at(document.body, "dependencies"):
                repository = text_at(entry, "repository")
                local = None
                if repository.startswith(_FILE_SCHEME):
                    local = joined(folder, repository.removeprefix(_FILE_SCHEME))
                listed = text_at(entry, "name")
                found.append(
                    ListedDependency(
                        listed, text_at(entry, "version"), repository, local, locked.get(listed, "")
                    )
                )
    return found


def _locked_versions(documents: Documents, folder: str) -> dict[str, str]:
    return {
        text_at(entry, "name"): text_at(entry, "version")
        for name in _LOCKS
        for document in documents.of_file(posixpath.join(folder, name))[:1]
        for entry in dicts_at(document.body, "dependencies")
    }


ChartsByVersion = Mapping[tuple[str, str], str]
"""Folders by name and version of the charts in them."""


def charts_by_version(documents: Documents) -> ChartsByVersion:
    """The tree's own charts: in a repository of charts, those that the published ones were made of."""
    found: dict[tuple[str, str], str] = {}
    for folder in chart_folders(documents.own_paths()):
        for document in documents.of_file(posixpath.join(folder, "Chart.yaml"))[:1]:
            chart = text_at(document.body, "name"), text_at(document.body, "version")
            found.setdefault(chart, folder)
    return found


def stand_ins(documents: Documents, folder: str, charts: ChartsByVersion) -> frozenset[str]:
    """The tree's charts that could stand for what a chart's `missing_dependencies` name by URL."""
    return frozenset(
        charts[wanted]
        for used in local_chart_inputs(documents, folder)
        for entry in missing_dependencies(documents, used)
        if entry.folder is None and (wanted := (entry.name, entry.locked or entry.version)) in charts
    )


def missing_dependencies(documents: Documents, folder: str) -> list[ListedDependency]:
    """Those that the chart's ``charts/`` does not hold, by the names of what is in it."""
    held = posixpath.join(folder, "charts")
    names = {path.removeprefix(f"{held}/") for path in documents.paths.under(held)}

    def is_held(name: str) -> bool:
        archive = re.compile(re.escape(name) + _VERSIONED)
        return f"{name}/Chart.yaml" in names or any(archive.fullmatch(found) for found in names)

    return [entry for entry in listed_dependencies(documents, folder) if not is_held(entry.name)]


def local_chart_inputs(documents: Documents, folder: str) -> frozenset[str]:
    """The chart's folder (or archive) and those of its ``file://`` dependencies, theirs included."""
    return frozenset(_inputs(documents, folder, set()))


def _inputs(documents: Documents, folder: str, seen: set[str]) -> Iterator[str]:
    if folder in seen:
        return
    seen.add(folder)
    yield folder
    for entry in missing_dependencies(documents, folder):
        if entry.folder is not None:
            yield from _inputs(documents, entry.folder, seen)


def local_chart_digest(documents: Documents, folder: str) -> str:
    """A digest over all that `local_chart_inputs` names; equal on both sides where they are."""
    digest = hashlib.sha256()
    for used in sorted(local_chart_inputs(documents, folder)):
        content = documents.tree.entries.get(used) or documents.paths.digest(used)
        place = posixpath.relpath(used or ".", folder or ".")
        digest.update(f"{place}\0{content}\n".encode())
    return digest.hexdigest()
