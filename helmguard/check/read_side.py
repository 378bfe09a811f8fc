"""All releases that one side declares, those that its own charts make included."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import date
from functools import partial

from msgspec.structs import replace

from helmguard.check.made_documents import made_documents, may_declare
from helmguard.check.own_charts import with_own_chart
from helmguard.check.render_side import SideRenderer
from helmguard.cluster.concurrently import run_concurrently
from helmguard.config.read_config import read_config
from helmguard.errors import HelmguardError
from helmguard.gitops.argo.read_argo import read_argo
from helmguard.gitops.argo.repository_urls import OwnRepository
from helmguard.gitops.chart_releases import read_chart_releases
from helmguard.gitops.config_entries import read_config_releases
from helmguard.gitops.documents import Document, Documents
from helmguard.gitops.flux.read_flux import read_flux
from helmguard.gitops.kustomize_charts import read_kustomize_charts
from helmguard.manifest.checked_yaml import FieldError
from helmguard.manifest.pointers import why_not_content
from helmguard.model.declared_release import DeclaredRelease, FoundReleases, ValuesLayer
from helmguard.model.plan import Unknown
from helmguard.model.unshown import Unshown
from helmguard.planner.config_file import CONFIG_NAME

_LEVELS = 6
"""Charts that make Applications of charts that make Applications: two are common, four were never seen."""


class ReadSide(Unshown, frozen=True):
    """``releases`` by identity. ``broken`` names those whose children are not known, and says why.

    ``uninstalled`` are releases that the side has removed where they are still there.
    """

    releases: Mapping[str, DeclaredRelease]
    unknown: tuple[Unknown, ...] = ()
    broken: Mapping[str, str] = {}
    uninstalled: frozenset[str] = frozenset()


def read_side(
    renderer: SideRenderer,
    remotes: tuple[str, ...],
    today: date,
    helmfile: Callable[[Documents], FoundReleases],
) -> ReadSide:
    """Read every declaration, and render the charts that make more of them."""
    documents = renderer.documents
    reading = _Reading(renderer, remotes)
    reading.add(read_argo(documents, remotes))
    for found in (
        read_flux(documents),
        # Kustomizations that an Application builds are that Application's.
        read_kustomize_charts(documents, reading.files()),
        helmfile(documents),
        _config_releases(documents, today),
    ):
        reading.add(found)
    reading.follow(list(reading.releases.values()))
    # Charts that nothing installs, at first those that make what installs the others.
    idle = read_chart_releases(documents, reading.used())
    makers = [release for release in idle.releases if may_declare(release, documents)]
    reading.add(FoundReleases(tuple(makers), idle.unknown))
    reading.follow(makers)
    reading.add(read_chart_releases(documents, reading.used()))
    return ReadSide(
        reading.releases,
        tuple(dict.fromkeys(reading.unknown)),
        reading.broken,
        frozenset(reading.uninstalled),
    )


class _Reading:
    def __init__(self, renderer: SideRenderer, remotes: tuple[str, ...]) -> None:
        self.renderer, self.remotes = renderer, remotes
        self.own = OwnRepository(renderer.documents.paths, remotes)
        self.releases: dict[str, DeclaredRelease] = {}
        self.unknown: list[Unknown] = []
        self.broken: dict[str, str] = {}
        self.uninstalled: set[str] = set()

    def add(self, found: FoundReleases) -> list[DeclaredRelease]:
        """Keep what was found; gives the releases that are new."""
        unknown_yet = (release for release in found.releases if release.identity not in self.releases)
        new = [_without_pointers(with_own_chart(release, self.own)) for release in unknown_yet]
        self.releases.update({release.identity: release for release in new})
        self.unknown.extend(found.unknown)
        self.uninstalled |= found.uninstalled
        return new

    def used(self) -> frozenset[str]:
        """The charts of the tree that releases use, and the files of values that they read."""
        releases = self.releases.values()
        charts = {release.chart.path for release in releases if release.chart.kind == "path"}
        return frozenset(charts.union(layer.source for release in releases for layer in release.layers))

    def files(self) -> frozenset[str]:
        """The files that a release rests on beside its chart and values."""
        return frozenset[str]().union(*(release.reads for release in self.releases.values()))

    def follow(self, parents: Sequence[DeclaredRelease]) -> None:
        """Render the charts among them that make releases, and those that these make."""
        for _ in range(_LEVELS):
            makers = [parent for parent in parents if may_declare(parent, self.renderer.documents)]
            made = run_concurrently([partial(self._made, maker) for maker in makers], os.cpu_count() or 1)
            parents = [
                child
                for maker, documents in zip(makers, made, strict=True)
                for child in self._children(maker, documents)
            ]
            if not parents:
                return
        for parent in parents:
            if may_declare(parent, self.renderer.documents):
                why = f"what it makes is not read: it is {_LEVELS} charts below the first that makes releases"
                self.unknown.append(Unknown(parent.identity, why))

    def _made(self, maker: DeclaredRelease) -> list[Document] | str:
        """What the release makes, or why that is not known."""
        try:
            side = self.renderer.render(maker)
        except HelmguardError as error:
            return error.message
        return side.error.message if side.error is not None else list(made_documents(side))

    def _children(self, maker: DeclaredRelease, made: list[Document] | str) -> Iterable[DeclaredRelease]:
        if isinstance(made, str):
            self.broken[maker.identity] = made
            return []
        if not made:
            return []
        documents = self.renderer.documents.made_by(made)
        found: list[DeclaredRelease] = []
        for reading in (read_flux(documents), read_argo(documents, self.remotes)):
            parents = (*maker.parents, maker.identity)
            # An Application among its own children is the one that was read already.
            above = {_own_name(parent) for parent in parents}
            children = tuple(
                replace(child, parents=parents)
                for child in reading.releases
                if _own_name(child.identity) not in above
            )
            found += self.add(replace(reading, releases=children))
        return found


def _own_name(identity: str) -> str:
    """Without what stands above it."""
    return identity.rpartition(" › ")[2]


def _without_pointers(release: DeclaredRelease) -> DeclaredRelease:
    """A file of values that stands for another content sets what nobody knows."""
    layers = [(layer, why_not_content(layer.text)) for layer in release.layers]
    if not any(why for _, why in layers):
        return release
    unread = tuple(
        ValuesLayer("unknown", layer.source, why=f"{layer.source} {why}") if why else layer
        for layer, why in layers
    )
    return replace(release, layers=unread)


def _config_releases(documents: Documents, today: date) -> FoundReleases:
    """The entries of the tree's own ``.helmguard.yaml``: each side has those of its time."""
    if CONFIG_NAME not in documents.tree.entries:
        return FoundReleases()
    text = documents.tree.read(CONFIG_NAME).decode("utf-8", errors="replace")
    try:
        config = read_config(text, CONFIG_NAME, today)
    except FieldError as error:
        return FoundReleases(unknown=(Unknown(CONFIG_NAME, str(error)),))
    return read_config_releases(config.releases, documents)
