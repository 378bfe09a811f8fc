"""Helm charts that kustomizations render: ``helmCharts``, and generators of kind HelmChartInflationGenerator.

Source: kubernetes-sigs/kustomize api/internal/builtins/HelmChartInflationGenerator.go.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator

from msgspec.structs import replace

from helmguard.gitops.argo.application import texts_at
from helmguard.gitops.documents import Documents, dicts_at, text_at
from helmguard.gitops.kustomize.kustomization_file import FILE_NAMES, kustomization_file, read_kustomization
from helmguard.gitops.kustomize_chart_release import Applier, chart_release
from helmguard.gitops.kustomize_transformations import Layer, layer_of
from helmguard.gitops.tree import joined
from helmguard.model.declared_release import Controller, DeclaredRelease, FoundReleases
from helmguard.model.json_value import JSONObject
from helmguard.model.plan import Unknown

_KIND = "HelmChartInflationGenerator"
_DEEPEST = 30
_MENTIONS = (b"helmChart", _KIND.encode())


def read_kustomize_charts(documents: Documents, used: Collection[str] = ()) -> FoundReleases:
    """The charts of every kustomization that no other one uses.

    ``used`` are the files that other releases rest on: a kustomization among them is theirs.
    """
    folders = kustomization_folders(documents)
    if not any(_mentions_charts(documents, folder) for folder in folders):
        return FoundReleases()
    inner = used_by_others(documents, folders)
    releases: list[DeclaredRelease] = []
    unknown: list[Unknown] = []
    for folder, path in folders.items():
        if folder in inner or path in used or not _mentions_charts(documents, folder):
            continue
        applier = Applier(identity=f"Kustomization {folder or '.'}", controller=_BY_HAND)
        found = folder_releases(documents, folder, applier)
        releases.extend(found.releases)
        unknown.extend(found.unknown)
    return FoundReleases(tuple(releases), tuple(dict.fromkeys(unknown)))


_BY_HAND = Controller(
    "kustomize",
    prunes=None,
    deletes=None,
    remarks=("Nothing in this tree says what applies it; it is what `kustomize build --enable-helm` makes.",),
)


def folder_releases(documents: Documents, folder: str, applier: Applier) -> FoundReleases:
    """The charts that building a folder renders, those of its resources and components too."""
    walk = _Walk(documents)
    walk.folder(folder, ())
    releases = [
        replace(
            chart_release(documents, found.entry, found.layers, applier), reads=applier.reads | walk.reads
        )
        for found in walk.found
    ]
    return FoundReleases(_told_apart(releases), tuple(dict.fromkeys(walk.unknown)))


class _Found:
    """A chart entry, and the kustomizations over it from its own outwards."""

    def __init__(self, entry: JSONObject, layers: tuple[Layer, ...]) -> None:
        self.entry = entry
        self.layers = layers


class _Walk:
    def __init__(self, documents: Documents) -> None:
        self.documents = documents
        self.found: list[_Found] = []
        self.reads: frozenset[str] = frozenset()
        self.unknown: list[Unknown] = []

    def folder(self, folder: str, over: tuple[Layer, ...]) -> None:
        """A kustomization, and ``over`` it those that use it, the nearest first."""
        path = kustomization_file(self.documents, folder)
        if not path or len(over) > _DEEPEST or any(layer.path == path for layer in over):
            return
        self.reads |= {path}
        body, why = read_kustomization(self.documents, path)
        if why:
            self.unknown.append(Unknown(path, why))
            return
        layer = layer_of(self.documents, folder, path, body)
        self.reads |= layer.reads
        components = [target for name in body["components"] if (target := joined(folder, name)) is not None]
        inside = tuple(self._component(target) for target in components)
        above = (*(one for one in inside if one is not None), layer, *over)
        for entry in _entries(self.documents, folder, body):
            self.found.append(_Found(entry, above))
        for resource in body["resources"]:
            target = joined(folder, resource)
            if target is not None and target not in self.documents.tree.entries:
                self.folder(target, above)
        for target in components:
            self.folder(target, (layer, *over))

    def _component(self, folder: str) -> Layer | None:
        path = kustomization_file(self.documents, folder)
        body, why = read_kustomization(self.documents, path) if path else ({}, "it is not there")
        return None if why else layer_of(self.documents, folder, path, body)


def _entries(documents: Documents, folder: str, body: JSONObject) -> Iterator[JSONObject]:
    """The charts of one kustomization, as ``helmCharts`` has them, with ``chartHome`` in each."""
    home = text_at(body, "helmGlobals", "chartHome")
    for index, entry in enumerate(dicts_at(body, "helmCharts")):
        yield {"chartHome": home, **entry, "at": ["helmCharts", index]}
    for index, old in enumerate(dicts_at(body, "helmChartInflationGenerator")):
        yield {**_renamed(old), "at": ["helmChartInflationGenerator", index]}
    for name in texts_at(body, "generators"):
        path = joined(folder, name)
        for document in documents.of_file(path) if path is not None else ():
            if document.kind == _KIND:
                yield {**document.body, "at": ["generators"]}


def _renamed(old: JSONObject) -> JSONObject:
    """An entry of the old field with the new names (api/types/helmchartargs.go)."""
    names = {
        "chartName": "name",
        "chartVersion": "version",
        "chartRepoUrl": "repo",
        "values": "valuesFile",
        "valuesLocal": "valuesInline",
        "releaseNamespace": "namespace",
    }
    return {names.get(key, key): value for key, value in old.items()}


def kustomization_folders(documents: Documents) -> dict[str, str]:
    """Every folder with a kustomization, and its file."""
    return {
        path.rpartition("/")[0]: path
        for path in documents.own_paths()
        if path.rpartition("/")[2] in FILE_NAMES
    }


def _mentions_charts(documents: Documents, folder: str, seen: frozenset[str] = frozenset()) -> bool:
    """Whether a kustomization or one that it uses seems to have charts; a look."""
    path = kustomization_file(documents, folder)
    if not path or folder in seen:
        return False
    data = documents.tree.read(path)
    if any(word in data for word in _MENTIONS) or b"generators:" in data:
        return True
    seen |= {folder}
    return any(_mentions_charts(documents, used, seen) for used in _uses(documents, folder, path))


def _uses(documents: Documents, folder: str, path: str) -> Iterator[str]:
    body, why = read_kustomization(documents, path)
    if why:
        return
    for name in (*body["resources"], *body["components"]):
        target = joined(folder, name)
        if target is not None and target not in documents.tree.entries:
            yield target


def used_by_others(documents: Documents, folders: dict[str, str]) -> frozenset[str]:
    """The folders that another kustomization takes as a resource or component."""
    return frozenset(used for folder, path in folders.items() for used in _uses(documents, folder, path))


def _told_apart(releases: list[DeclaredRelease]) -> tuple[DeclaredRelease, ...]:
    seen: Counter[str] = Counter()
    told: list[DeclaredRelease] = []
    for release in releases:
        seen[release.identity] += 1
        number = f" ({seen[release.identity]})" if seen[release.identity] > 1 else ""
        told.append(replace(release, identity=release.identity + number))
    return tuple(told)
