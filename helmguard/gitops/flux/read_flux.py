"""Every HelmRelease of a tree."""

from __future__ import annotations

import posixpath
from collections import Counter
from collections.abc import Iterator, Sequence

from helmguard.gitops.documents import Documents
from helmguard.gitops.flux.chart_source import ChartSources
from helmguard.gitops.flux.helm_release import declared_release
from helmguard.gitops.flux.kinds import is_helm_release, key_of, title, where
from helmguard.gitops.flux.objects import Objects
from helmguard.gitops.flux.own_sources import Source
from helmguard.gitops.flux.unreached import unreached_releases
from helmguard.gitops.flux.walk import Cluster, Reached, Walk
from helmguard.model.declared_release import DeclaredRelease, FoundReleases
from helmguard.model.plan import Unknown


def read_flux(documents: Documents) -> FoundReleases:
    """The releases of all HelmReleases of a tree, as the Flux Kustomizations of the tree make them.

    A HelmRelease that none of them reaches is read as kustomize, or else its file has it, and its remarks
    say so.
    """
    if next(documents.files_of("HelmRelease"), None) is None and not documents.rendered:
        return FoundReleases()
    walk = Walk(documents)
    clusters = walk.clusters()
    own = walk.own.sources
    releases = [release for cluster in clusters for release in _of_cluster(cluster, documents, own)]
    releases += _of_no_cluster(walk, clusters, documents, own)
    unknown = [*documents.unreadable("HelmRelease"), *(it for cluster in clusters for it in cluster.unknown)]
    unknown += (
        Unknown(where(document), f"a HelmRelease of {document.api_version} is not read")
        for document in documents.of_kinds("HelmRelease")
        if not is_helm_release(document)
    )
    counted = Counter(release.identity for release in releases)
    why = "several HelmReleases have this name; only the first one is read"
    unknown += (Unknown(identity, why) for identity, count in counted.items() if count > 1)
    first = {release.identity: release for release in reversed(releases)}
    return FoundReleases(tuple(first[identity] for identity in counted), tuple(dict.fromkeys(unknown)))


def _of_cluster(cluster: Cluster, documents: Documents, own: frozenset[Source]) -> Iterator[DeclaredRelease]:
    sources = ChartSources(cluster.objects, documents.paths, own)
    for identity, it in _identified(cluster):
        yield declared_release(
            it.document,
            identity,
            documents=documents,
            objects=cluster.objects,
            sources=sources,
            chain=it.chain,
            reads=it.reads,
            unknown=it.unknown,
            remarks=it.remarks,
        )


def _identified(cluster: Cluster) -> Iterator[tuple[str, Reached]]:
    """Each HelmRelease of a cluster once. Where several Kustomizations make one of the same name (for
    other clusters, say), theirs is added."""
    found = [it for it in cluster.reached if is_helm_release(it.document)]
    counted = Counter(title(it.document) for it in {_made_by(it): it for it in found}.values())
    seen: set[tuple[str, str]] = set()
    for it in found:
        name = title(it.document)
        if _made_by(it) in seen:
            continue
        seen.add(_made_by(it))
        parts = [cluster.label, title(it.chain[-1]), name] if counted[name] > 1 else [cluster.label, name]
        yield " › ".join(parts), it


def _made_by(it: Reached) -> tuple[str, str]:
    return title(it.document), title(it.chain[-1])


def _of_no_cluster(
    walk: Walk, clusters: Sequence[Cluster], documents: Documents, own: frozenset[Source]
) -> Iterator[DeclaredRelease]:
    everything = [it for cluster in clusters for it in cluster.reached]
    keys = frozenset(key_of(it.document) for it in everything)
    reads = frozenset(file for it in everything for file in it.reads)
    found = list(unreached_releases(documents, walk.builder, keys, reads))
    counted = Counter(title(it.document) for it in found)
    seen: set[str] = set()
    for it in found:
        name = title(it.document)
        folder = it.folder or it.document.rendered_by or posixpath.dirname(it.document.file)
        identity = f"{folder} › {name}" if counted[name] > 1 else name
        if identity not in seen:
            seen.add(identity)
            objects = Objects(walk.tree_objects, it.made)
            sources = ChartSources(objects, documents.paths, own)
            yield declared_release(
                it.document, identity, documents=documents, objects=objects, sources=sources, reads=it.reads
            )
