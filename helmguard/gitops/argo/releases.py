"""The Helm releases of one Application."""

from __future__ import annotations

import posixpath
from collections import Counter
from collections.abc import Iterator

from msgspec.structs import replace

from helmguard.gitops.argo.application import Application, Source, Surroundings, sources_of, texts_at
from helmguard.gitops.argo.controller import applies_server_side, controller_of
from helmguard.gitops.argo.repository_urls import is_fixed_revision
from helmguard.gitops.argo.source_kind import explicit_kind, kind_of_folder, with_overrides
from helmguard.gitops.argo.value_layers import layers_of
from helmguard.gitops.documents import text_at
from helmguard.gitops.kustomize_chart_release import Applier
from helmguard.gitops.kustomize_charts import folder_releases
from helmguard.gitops.tree import joined
from helmguard.manifest import yaml
from helmguard.model.declared_release import (
    ChartNeed,
    DeclaredRelease,
    FoundReleases,
    ReleaseOptions,
)
from helmguard.model.plan import Unknown

_FOLLOWED = ("", "HEAD", "main", "master")


def releases_of(application: Application, surroundings: Surroundings) -> FoundReleases:
    """The releases of an Application's sources, and what of it cannot be read."""
    sources = sources_of(application)
    if not sources:
        return FoundReleases(unknown=(_unknown(application, "it names no source"),))
    releases: list[DeclaredRelease] = []
    unknown: list[Unknown] = []
    for source in sources:
        if not (source.chart or source.folder or _is_oci(source.url)):
            if not text_at(source.body, "ref"):
                unknown.append(_unknown(application, "its source has neither chart nor path"))
            continue
        read = _read(application, source, sources, surroundings)
        releases.extend(read.releases)
        unknown.extend(read.unknown)
    return FoundReleases(_told_apart(releases), tuple(unknown))


def what(application: Application) -> str:
    """The Application as the subject of something unknown."""
    return f"{application.document.file} {application.title}"


def identity_of(application: Application) -> str:
    """The Application with its parents."""
    return " › ".join((*application.parents, application.title))


def _read(
    application: Application, source: Source, sources: list[Source], surroundings: Surroundings
) -> FoundReleases:
    unresolved = _unresolved(source)
    if unresolved:
        why = application.open_why or f"no parameter of its generators is {unresolved}"
        return FoundReleases(unknown=(_unknown(application, why),))
    if source.chart or _is_oci(source.url):
        if explicit_kind(source) in (None, "helm"):
            chart = _remote_chart(application, source)
            return _release(application, source, sources, surroundings, chart, ())
        return _not_helm(application, source)
    folder = joined("", source.folder.strip("/"))
    owner = surroundings.own.owner(source.url, source.folder)
    if owner == "another" or folder is None:
        return _elsewhere(application, source, sources, surroundings)
    try:
        source = with_overrides(source, application.name, surroundings)
    except yaml.YAMLError as error:
        why = f"a .argocd-source file in {source.folder} is not YAML: {error.message}"
        return FoundReleases(unknown=(_unknown(application, why),))
    kind = kind_of_folder(source, folder, surroundings.documents)
    if not surroundings.documents.paths.is_folder(folder):
        why = f"its source is the folder {folder}, which is not in the tree"
        return FoundReleases(unknown=(_unknown(application, why),))
    if kind == "kustomize":
        return _kustomized(application, source, folder, surroundings)
    if kind != "helm":
        return _not_helm(application, source)
    chart = ChartNeed("path", path=folder, place=application.origin.place(*source.path, "path"))
    if posixpath.join(folder, "Chart.yaml") not in surroundings.documents.tree.entries:
        chart = ChartNeed("unknown", path=folder, place=chart.place, why=f"{folder} has no Chart.yaml")
    remarks = tuple(_revision_remarks(source, taken=owner == "taken for this tree"))
    return _release(application, source, sources, surroundings, chart, remarks)


def _release(
    application: Application,
    source: Source,
    sources: list[Source],
    surroundings: Surroundings,
    chart: ChartNeed,
    remarks: tuple[str, ...],
) -> FoundReleases:
    helm = source.helm
    version = text_at(helm, "version")
    if version not in ("", "v3", "v4"):
        chart = ChartNeed(
            "unknown", place=chart.place, why=f"Argo CD refuses helm version {version}, so it renders nothing"
        )
    controller = controller_of(application)
    remarks = (*remarks, *_helm_remarks(application, source), *controller.remarks)
    entries = surroundings.documents.tree.entries
    file = application.document.file
    return FoundReleases(
        (
            DeclaredRelease(
                tool="argo",
                identity=identity_of(application),
                name=text_at(helm, "releaseName") or application.name.rpartition("_")[2],
                namespace=text_at(helm, "namespace") or application.destination_namespace or "default",
                place=application.origin.place("metadata", "name"),
                chart=chart,
                controller=replace(controller, remarks=remarks),
                layers=layers_of(application, source, sources, surroundings),
                options=ReleaseOptions(
                    is_upgrade=False,
                    crds="skip" if helm.get("skipCrds") is True else "apply",
                    skip_schema_validation=helm.get("skipSchemaValidation") is True,
                    server_side=applies_server_side(application),
                    kube_version=text_at(helm, "kubeVersion"),
                    api_versions=tuple(texts_at(helm, "apiVersions")),
                ),
                reads=application.reads | source.reads | ({file} if file in entries else set()),
                unknown=_open_values(application),
            ),
        )
    )


def _unresolved(source: Source) -> str:
    """What of a source's address is a placeholder or a template still; empty where nothing is."""
    texts = (source.url, source.chart, source.folder, source.revision)
    return next((text for text in texts if "<" in text or "{{" in text), "")


def _remote_chart(application: Application, source: Source) -> ChartNeed:
    """The chart of a chart repository or registry. A URL without scheme is a registry's."""
    place = application.origin.place(*source.path, "targetRevision")
    url, version = source.url.rstrip("/"), source.revision
    if url.startswith(("http://", "https://")):
        return ChartNeed("repository", url=url, name=source.chart, version=version, place=place)
    url = url if _is_oci(url) else f"oci://{url}"
    if source.folder not in ("", ".", "./") and not source.chart:
        why = f"it is the folder {source.folder} inside the artefact {url}"
        return ChartNeed("unknown", url=url, version=version, place=place, why=why)
    digest = version if version.startswith("sha256:") else ""
    return ChartNeed(
        "oci",
        url=f"{url}/{source.chart}" if source.chart else url,
        name=(source.chart or url).rpartition("/")[2],
        version="" if digest else version,
        digest=digest,
        place=place,
    )


def _elsewhere(
    application: Application, source: Source, sources: list[Source], surroundings: Surroundings
) -> FoundReleases:
    """A folder of another git repository: a release where the source says that it is a chart."""
    kind = explicit_kind(source)
    if kind == "helm":
        place = application.origin.place(*source.path, "targetRevision")
        chart = ChartNeed("git", url=source.url, path=source.folder, version=source.revision, place=place)
        return _release(application, source, sources, surroundings, chart, ())
    if kind is not None:
        return _not_helm(application, source)
    where = f"the folder {source.folder} of another repository, {source.url}"
    why = f"its source is {where}; whether that is a chart is not known"
    return FoundReleases(unknown=(_unknown(application, why),))


def _kustomized(
    application: Application, source: Source, folder: str, surroundings: Surroundings
) -> FoundReleases:
    """The charts that a kustomization of the tree renders."""
    file, entries = application.document.file, surroundings.documents.tree.entries
    applier = Applier(
        identity_of(application),
        controller_of(application),
        tool="argo",
        server_side=applies_server_side(application),
        namespace=text_at(source.body, "kustomize", "namespace") or application.destination_namespace,
        reads=application.reads | source.reads | ({file} if file in entries else set()),
        unknown=_open_values(application),
    )
    return folder_releases(surroundings.documents, folder, applier)


def _not_helm(application: Application, source: Source) -> FoundReleases:
    if explicit_kind(source) != "plugin":
        return FoundReleases()
    name = text_at(source.body, "plugin", "name")
    why = f"it is rendered by the plugin {name}" if name else "it is rendered by a plugin"
    return FoundReleases(unknown=(_unknown(application, f"{why}, which is not run"),))


def _helm_remarks(application: Application, source: Source) -> Iterator[str]:
    helm = source.helm
    namespace = text_at(helm, "namespace")
    if namespace and namespace != application.destination_namespace:
        where = application.destination_namespace or "the Application's own namespace"
        yield f"templates see the namespace {namespace}; objects that name none go to {where}"
    if isinstance(helm.get("valuesObject"), dict) and helm.get("values"):
        yield "it has valuesObject and values: Argo CD takes valuesObject alone"


def _revision_remarks(source: Source, *, taken: bool) -> Iterator[str]:
    if taken:
        yield f"no remote of this repository is {source.url}; {source.folder} was taken from this tree"
    if source.revision not in _FOLLOWED:
        kind = "is fixed to" if is_fixed_revision(source.revision) else "follows"
        yield f"the Application {kind} {source.revision}; what is shown is the state of this tree"


def _open_values(application: Application) -> tuple[Unknown, ...]:
    if not application.open_why:
        return ()
    named = ", ".join(application.open_texts[:5])
    more = f" and {len(application.open_texts) - 5} more" if len(application.open_texts) > 5 else ""
    held = f"; a placeholder stands for {named}{more}" if named else ""
    return (Unknown(what(application), f"{application.open_why}{held}"),)


def _told_apart(releases: list[DeclaredRelease]) -> tuple[DeclaredRelease, ...]:
    """Several sources of one Application get the chart's name, and a number where that is not enough."""
    counts = Counter(release.identity for release in releases)
    seen: Counter[str] = Counter()
    told: list[DeclaredRelease] = []
    for release in releases:
        chart = release.chart
        if counts[release.identity] == 1:
            told.append(release)
            continue
        identity = f"{release.identity} › {chart.name or posixpath.basename(chart.path) or chart}"
        seen[identity] += 1
        number = f" ({seen[identity]})" if seen[identity] > 1 else ""
        told.append(replace(release, identity=identity + number))
    return tuple(told)


def _unknown(application: Application, why: str) -> Unknown:
    return Unknown(what(application), why)


def _is_oci(url: str) -> bool:
    return url.startswith("oci://")
