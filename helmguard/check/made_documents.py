"""What a chart's templates declare in their turn: Applications, ApplicationSets, HelmReleases."""

from __future__ import annotations

import posixpath
from collections.abc import Iterator

from helmguard.check.rendered_side import RenderedSide
from helmguard.errors import ManifestError
from helmguard.gitops.documents import DECLARING_KINDS, Document, Documents, kinds_in
from helmguard.manifest.objects import read_objects
from helmguard.model.declared_release import DeclaredRelease

_BESIDE = frozenset(
    ["OCIRepository", "HelmRepository", "HelmChart", "GitRepository", "ConfigMap", "AppProject"]
)


def may_declare(release: DeclaredRelease, documents: Documents) -> bool:
    """Whether the release's chart, one of the tree, seems to make documents that declare releases."""
    if release.chart.kind != "path":
        return False
    folder = posixpath.join(release.chart.path, "templates")
    return any(
        kinds_in(documents.tree.read(path)) & DECLARING_KINDS
        for path in documents.paths.under(folder)
        if path.endswith((".yaml", ".yml", ".tpl"))
    )


def made_documents(side: RenderedSide) -> Iterator[Document]:
    """The documents of these kinds in a rendering; their files are the templates in the tree."""
    declared = side.declared
    try:
        objects = read_objects(side.manifest, declared.namespace, lambda *_: None)
    except ManifestError:
        # The plan of the release says what is wrong with its manifest.
        return
    for item in objects:
        if item.kind in DECLARING_KINDS or item.kind in _BESIDE:
            yield Document(
                item.body,
                template_path(item.source, side),
                rendered_by=declared.identity,
                context=(declared.identity,),
            )


def template_path(source: str, side: RenderedSide) -> str:
    """``web/templates/x.yaml`` of a chart in the tree as its path there."""
    name, _, inside = source.partition("/")
    if side.declared.chart.kind == "path" and name == side.chart.name:
        return posixpath.join(side.declared.chart.path, inside)
    return source
