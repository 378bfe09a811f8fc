"""Which chart a HelmRelease asks for."""

from __future__ import annotations

from helmguard.gitops.documents import Document, text_at, value_at
from helmguard.gitops.flux.kinds import title
from helmguard.gitops.flux.objects import Objects
from helmguard.gitops.flux.own_sources import Source
from helmguard.gitops.tree import Paths, joined
from helmguard.model.declared_release import ChartNeed, FileLine
from helmguard.model.json_value import JSONObject, JSONValue
from helmguard.model.unshown import Unshown


class ChartAsked(Unshown, frozen=True):
    """The chart, the files of the objects that name it, and the values files inside it that replace its
    ``values.yaml``."""

    need: ChartNeed
    reads: frozenset[str] = frozenset()
    values_files: tuple[str, ...] = ()


class ChartSources:
    """Finds the charts of one cluster's releases. ``own``: the sources that are the tree itself."""

    def __init__(self, objects: Objects, paths: Paths, own: frozenset[Source]) -> None:
        self._objects = objects
        self._paths = paths
        self._own = own

    def of_release(self, release: Document) -> ChartAsked:
        """What ``chartRef`` or ``chart.spec`` means; kind ``unknown`` with a reason where it is not known."""
        reference = release.spec.get("chartRef")
        if isinstance(reference, dict):
            return self._referenced(release, reference)
        template = value_at(release.spec, "chart", "spec")
        if isinstance(template, dict):
            return self._of_chart_spec(release, template, ("spec", "chart", "spec"))
        place = release.place("spec")
        return ChartAsked(_unknown("the HelmRelease has neither chart nor chartRef", place))

    def _referenced(self, release: Document, reference: JSONObject) -> ChartAsked:
        kind = text_at(reference, "kind")
        place = release.place("spec", "chartRef")
        if kind not in ("OCIRepository", "HelmChart"):
            return ChartAsked(_unknown(f"a chartRef to a {kind} is not read", place))
        namespace = text_at(reference, "namespace") or release.namespace
        source = self._objects.find(kind, namespace, text_at(reference, "name"))
        if source is None:
            name = f"{kind} {namespace or 'default'}/{text_at(reference, 'name')}"
            return ChartAsked(_unknown(f"{name} is not in the repository", place))
        if kind == "HelmChart":
            asked = self._of_chart_spec(source, source.spec, ("spec",))
            return ChartAsked(asked.need, asked.reads | {source.file}, asked.values_files)
        return ChartAsked(_oci_chart(source), frozenset({source.file}))

    def _of_chart_spec(self, holder: Document, spec: JSONObject, path: tuple[str, ...]) -> ChartAsked:
        chart = text_at(spec, "chart")
        version = _plain_version(text_at(spec, "version"))
        place = holder.place(*path, "version")
        kind = text_at(spec, "sourceRef", "kind")
        namespace = text_at(spec, "sourceRef", "namespace") or holder.namespace
        name = text_at(spec, "sourceRef", "name")
        files = _values_files(spec)
        source = self._objects.find(kind, namespace, name)
        is_own = (kind, name) in self._own
        if is_own and kind != "HelmRepository":
            folder = joined("", chart.lstrip("/"))
            if folder is not None and f"{folder}/Chart.yaml".lstrip("/") in self._paths.tree.entries:
                return ChartAsked(ChartNeed("path", path=folder, place=place), frozenset(), files)
        if source is None:
            why = f"{kind} {namespace or 'default'}/{name} is not in the repository"
            return ChartAsked(_unknown(why, place), frozenset(), files)
        return ChartAsked(_from_source(source, chart, version, place), frozenset({source.file}), files)


def _from_source(source: Document, chart: str, version: str, place: FileLine) -> ChartNeed:
    url = text_at(source.spec, "url")
    match source.kind:
        case "HelmRepository" if url.startswith("oci://") or text_at(source.spec, "type") == "oci":
            return ChartNeed("oci", url=f"{url.rstrip('/')}/{chart}", version=version, place=place)
        case "HelmRepository":
            return ChartNeed("repository", url=url, name=chart, version=version, place=place)
        case "GitRepository":
            reference = value_at(source.spec, "ref")
            return ChartNeed(
                "git",
                url=url,
                path=chart.removeprefix("./").strip("/"),
                version=_git_revision(reference),
                place=source.place("spec", "ref"),
            )
    return _unknown(f"a chart from {title(source)} is not read", place)


def _oci_chart(source: Document) -> ChartNeed:
    """Flux takes the digest before the range, and that before the tag; ``latest`` where there is none."""
    reference = source.spec.get("ref")
    written = [field for field in ("digest", "semver", "tag") if text_at(reference, field)]
    field = written[0] if written else ""
    version = text_at(reference, "semver") or text_at(reference, "tag")
    if field == "digest":
        version = text_at(reference, "tag")
    return ChartNeed(
        "oci",
        url=text_at(source.spec, "url").rstrip("/"),
        version=version or ("" if field else "latest"),
        digest=text_at(reference, "digest"),
        place=source.place("spec", "ref", field) if field else source.place("spec", "url"),
    )


def _git_revision(reference: JSONValue) -> str:
    fields = ("commit", "name", "semver", "tag", "branch")
    return next((text_at(reference, field) for field in fields if text_at(reference, field)), "")


def _plain_version(version: str) -> str:
    return "" if version == "*" else version


def _values_files(spec: JSONObject) -> tuple[str, ...]:
    found = spec.get("valuesFiles")
    files = tuple(str(item) for item in found) if isinstance(found, list) else ()
    old = text_at(spec, "valuesFile")
    return files or ((old,) if old else ())


def _unknown(why: str, place: FileLine) -> ChartNeed:
    return ChartNeed("unknown", place=place, why=why)
