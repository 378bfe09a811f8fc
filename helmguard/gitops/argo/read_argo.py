"""Every release that the Argo CD Applications of a tree declare."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from msgspec.structs import replace

from helmguard.gitops.argo.application import Application, Surroundings
from helmguard.gitops.argo.application_set import applications_of, title
from helmguard.gitops.argo.origin import Origin
from helmguard.gitops.argo.parameters import NotExpandedError
from helmguard.gitops.argo.patched_documents import patched_documents
from helmguard.gitops.argo.releases import releases_of
from helmguard.gitops.argo.repository_urls import OwnRepository
from helmguard.gitops.documents import Document, Documents, dicts_at, is_templated
from helmguard.model.declared_release import DeclaredRelease, FoundReleases
from helmguard.model.plan import Unknown

_KINDS = ("Application", "ApplicationSet")
_GROUP = "argoproj.io"


def read_argo(documents: Documents, remotes: tuple[str, ...] = ()) -> FoundReleases:
    """The releases of every Application, of files and of ``documents.rendered``, and of ApplicationSets.

    ``remotes`` are the URLs of the tree's repository: sources there are read from the tree.
    """
    surroundings = Surroundings(documents, OwnRepository(documents.paths, remotes))
    releases: list[DeclaredRelease] = []
    unknown: list[Unknown] = list(_unreadable(documents))
    for document in _documents(documents):
        found = (
            _of_set(document, surroundings)
            if document.kind == "ApplicationSet"
            else _of(document, surroundings)
        )
        releases.extend(found.releases)
        unknown.extend(found.unknown)
    return FoundReleases(_unique(releases), tuple(unknown))


def _documents(documents: Documents) -> Iterator[Document]:
    """The Argo CD documents, those inside lists too; where charts made some, these alone."""
    if documents.rendered:
        yield from (one for document in documents.rendered for one in _unfolded(document))
        return
    patched = patched_documents(documents, _KINDS)
    for path in documents.files_of(*_KINDS):
        for document in documents.of_file(path):
            for version in patched.versions(document):
                yield from _unfolded(version)


def _unfolded(document: Document) -> Iterator[Document]:
    if document.kind in _KINDS and document.group == _GROUP:
        yield document
    elif document.kind.endswith("List") and "items" in document.body:
        items = (document.altered_to(item) for item in dicts_at(document.body, "items"))
        yield from (item for item in items if item.kind in _KINDS and item.group == _GROUP)


def _of(document: Document, surroundings: Surroundings) -> FoundReleases:
    return releases_of(Application(document.body, Origin(document), parents=_parents(document)), surroundings)


def _of_set(document: Document, surroundings: Surroundings) -> FoundReleases:
    """The releases of a set's Applications; one sentence for all that is not known of it."""
    name = f"{document.file} {title(document)}"
    try:
        applications = applications_of(document, _parents(document), surroundings)
    except NotExpandedError as error:
        return FoundReleases(unknown=(Unknown(name, str(error)),))
    releases: list[DeclaredRelease] = []
    unknown: dict[str, None] = {}
    for application in applications:
        found = releases_of(application, surroundings)
        releases.extend(found.releases)
        for one in found.unknown:
            unknown[one.why if application.open_why else f"{application.title}: {one.why}"] = None
    return FoundReleases(tuple(releases), (Unknown(name, "; ".join(unknown)),) if unknown else ())


def _parents(document: Document) -> tuple[str, ...]:
    return document.context or ((document.rendered_by,) if document.rendered_by else ())


def _unreadable(documents: Documents) -> Iterator[Unknown]:
    for path in () if documents.rendered else documents.files_of(*_KINDS):
        why = documents.why_unreadable(path)
        if why:
            if is_templated(documents.tree.read(path)):
                why = f"it has template actions, and no chart of the tree holds it ({why})"
            yield Unknown(path, why)


def _unique(releases: list[DeclaredRelease]) -> tuple[DeclaredRelease, ...]:
    """Where several files declare the same Application (one for each cluster), the file tells them apart."""
    counts = Counter(release.identity for release in releases)
    told = (
        replace(release, identity=f"{release.place.file} › {release.identity}")
        if counts[release.identity] > 1
        else release
        for release in releases
    )
    seen: Counter[str] = Counter()
    unique: list[DeclaredRelease] = []
    for release in told:
        seen[release.identity] += 1
        number = f" ({seen[release.identity]})" if seen[release.identity] > 1 else ""
        unique.append(replace(release, identity=release.identity + number))
    return tuple(unique)
