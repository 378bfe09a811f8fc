"""A release as a GitOps repository declares it: which chart, which values, where, and who applies it."""

from __future__ import annotations

from typing import Literal

import msgspec

from helmguard.model.json_value import JSONObject
from helmguard.model.plan import Unknown
from helmguard.model.unshown import Unshown

Tool = Literal["flux", "argo", "kustomize", "helmfile", "chart", "config"]
"""What brings the release to the cluster: ``kustomize`` is its ``helmCharts``, ``chart`` a chart in the tree
that nothing in the tree installs, ``config`` an entry of ``.helmguard.yaml``."""

ChartKind = Literal["path", "repository", "oci", "git", "unknown"]
LayerKind = Literal["yaml", "data", "set", "set-string", "set-json", "set-file", "unknown"]


class FileLine(msgspec.Struct, frozen=True):
    """A line (from 1, 0 when unknown) of a file, by its path from the root of the repository."""

    file: str = ""
    line: int = 0

    def __str__(self) -> str:
        return f"{self.file}:{self.line}" if self.line else self.file


class ChartNeed(msgspec.Struct, frozen=True):
    """The chart that a release asks for.

    ``path`` (kind ``path``) is a folder or archive from the root of the repository. ``url`` is a chart
    repository's, an OCI chart's without ``:tag`` (``oci://registry.example.com/charts/web``), or a git
    repository's, then with ``path`` inside it. ``name`` is the chart's in a repository. ``version`` is a
    version, a range, a tag or a git revision, empty for the latest; ``digest`` pins an OCI chart.
    ``place`` is where the version is written. ``why`` says why a chart of kind ``unknown`` is not known.
    """

    kind: ChartKind
    path: str = ""
    url: str = ""
    name: str = ""
    version: str = ""
    digest: str = ""
    place: FileLine = FileLine()
    why: str = ""

    def __str__(self) -> str:
        if self.kind == "path":
            return self.path
        name = f"{self.url.rstrip('/')}/{self.name}" if self.kind == "repository" else self.url
        return " ".join(part for part in (name, self.path, self.version, self.digest) if part)


class ValuesLayer(Unshown, frozen=True):
    """One source of values; layers are laid over each other in their order, the last one wins.

    ``source`` is the file in the tree, as provenance shows it. ``yaml``: ``text`` is a whole document
    of it that begins after ``lines_before`` lines, and the values are what stands at ``inside`` (``("spec",
    "values")``, ``()`` for all). ``data``: the values are ``data``, which no file holds as it is (patched,
    substituted), at ``line``, or where ``text`` has the value's path, if it is given. The ``set`` kinds hold
    Helm's ``word`` (``a.b=c``), ``set-file`` the file's content as ``text`` beside it. ``unknown``: not
    readable, ``why`` says so; what it would set is not known.
    """

    kind: LayerKind
    source: str
    text: bytes = b""
    lines_before: int = 0
    inside: tuple[str, ...] = ()
    data: JSONObject | None = None
    word: str = ""
    line: int = 0
    why: str = ""


class ReleaseOptions(Unshown, frozen=True):
    """How the controller renders and applies, beside chart and values.

    ``is_upgrade`` False: templates always see an install, as under Argo CD. ``crds``: what becomes of the
    chart's ``crds/`` when the release exists already: ``apply``, ``keep`` (helm's own way) or ``skip``.
    ``server_side``: Argo CD is asked to apply server-side.
    ``marks`` are post-renderers of the controller's own, which label its objects; they count beside a live
    side alone. ``post_renderers`` are Flux's, as written.
    ``post_renderer_unknown``: why what they do is not known.
    """

    is_upgrade: bool = True
    crds: Literal["keep", "apply", "skip"] = "keep"
    skip_schema_validation: bool = False
    disable_hooks: bool = False
    server_side: bool = False
    kube_version: str = ""
    api_versions: tuple[str, ...] = ()
    post_renderers: tuple[JSONObject, ...] = ()
    marks: tuple[JSONObject, ...] = ()
    post_renderer_unknown: str = ""


class Controller(msgspec.Struct, frozen=True):
    """What carries the change out, and how far by itself.

    ``name`` is ``Flux``, ``Argo CD``, ``helmfile``, ``kustomize`` or ``helm``. ``prunes``: objects that leave
    the manifest are deleted; None where that is not known. ``deletes``: the objects go when the release
    leaves the repository. ``remarks`` are sentences about what it does with this release (suspended, syncs
    by hand, retries, ignored differences).
    """

    name: str
    prunes: bool | None = True
    deletes: bool | None = True
    remarks: tuple[str, ...] = ()


class DeclaredRelease(Unshown, frozen=True):
    """One release on one side of a change.

    ``identity`` is the same on both sides as long as it is the same release, and unique on each side: kind,
    namespace and name of what declares it, with its parents (``clusters/prod › HelmRelease shop/web``).
    ``place`` is where it is declared, ``reads`` are the files it rests on beside chart and layers,
    ``unknown`` what could not be read of it. ``parents`` are the charts whose templates made it.
    ``is_reached`` False: nothing in the tree leads its controller to it. ``storage_namespace`` is where its
    revisions are stored, empty where that is ``namespace``.
    """

    tool: Tool
    identity: str
    name: str
    namespace: str
    place: FileLine
    chart: ChartNeed
    controller: Controller
    layers: tuple[ValuesLayer, ...] = ()
    options: ReleaseOptions = ReleaseOptions()
    reads: frozenset[str] = frozenset()
    unknown: tuple[Unknown, ...] = ()
    parents: tuple[str, ...] = ()
    is_reached: bool = True
    storage_namespace: str = ""


class FoundReleases(Unshown, frozen=True):
    """What one reader found: releases, and what it could not read (``what`` names file and object).

    ``uninstalled`` are the identities of releases that the side has uninstalled where they are still there
    (helmfile's ``installed: false``), whatever becomes of releases that merely leave it.
    """

    releases: tuple[DeclaredRelease, ...] = ()
    unknown: tuple[Unknown, ...] = ()
    uninstalled: frozenset[str] = frozenset()
