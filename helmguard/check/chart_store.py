"""Charts as declared, brought to this machine: from the tree, the chart map, the cache, or by helm."""

from __future__ import annotations

import itertools
import shutil
from collections.abc import Callable, Sequence
from pathlib import Path

import msgspec
from msgspec.structs import replace

from helmguard.check.chart_address import is_exact, shown
from helmguard.check.chart_cache import cached_path, keep
from helmguard.check.chart_fetch import fetch
from helmguard.check.chart_local import LocalCharts, missing_from
from helmguard.check.chart_mapped import check_mapped, entries_for, mapped_path, mirrored
from helmguard.check.once import Key, Once, Value
from helmguard.errors import ChartError, RepositoryError
from helmguard.gitops.argo.repository_urls import is_fixed_revision, normalised
from helmguard.gitops.documents import Documents
from helmguard.gitops.local_charts import ChartsByVersion, charts_by_version, local_chart_digest, stand_ins
from helmguard.helm.chart import chart_files, load_chart
from helmguard.helm.chart_source import files_digest
from helmguard.helm.command import HelmCommand
from helmguard.manifest.pointers import why_not_content
from helmguard.model.chart_map import MappedChart
from helmguard.model.declared_release import ChartNeed, FileLine
from helmguard.repository.discover import without_credentials
from helmguard.values.differences import dialect_of


class FoundChart(msgspec.Struct, frozen=True):
    """A chart on this machine that helm can render.

    ``digest`` is ``sha256:...`` over the files that helm loads: the same files have the same. ``reference``
    is how it was asked for, ``remarks`` are sentences about what stands for it.
    """

    path: Path
    digest: str
    reference: str
    remarks: tuple[str, ...] = ()


_Had = tuple[Path, tuple[str, ...]]


class ChartStore:
    """Has each chart once. Thread-safe; one store serves any number of trees, with one helm.

    ``scratch`` is a folder for this run, ``cache`` one that is kept. ``remotes`` are the URLs of the
    repository that the trees are of: a chart in git at one of them is the tree's.
    """

    def __init__(
        self,
        command: HelmCommand,
        scratch: Path,
        *,
        charts: Sequence[MappedChart] = (),
        offline: bool = False,
        cache: Path | None = None,
        remotes: Sequence[str] = (),
    ) -> None:
        self._command, self._scratch, self._cache = command, scratch, cache
        self._charts, self._offline = tuple(charts), offline
        self._remotes = frozenset(normalised(url) for url in remotes)
        self._numbers = itertools.count(1)
        self._found: Once[tuple[ChartNeed, str], FoundChart] = Once()
        self._had: Once[ChartNeed, _Had] = Once()
        self._own: Once[Documents, ChartsByVersion] = Once()

    def find(self, need: ChartNeed, documents: Documents) -> FoundChart:
        """The chart, with all that it depends on.

        Raises:
            ChartError: it is not to be had, or no chart; in words for people.
        """
        need, remarks = self._in_tree(need)
        plain = replace(need, place=FileLine(), why="")
        digest = ""
        if need.kind == "path":
            plain = replace(plain, path=need.path.strip("/"))
            used = sorted({plain.path, *stand_ins(documents, plain.path, self._own_charts(documents))})
            digest = " ".join(local_chart_digest(documents, chart) for chart in used)
        elif need.kind == "unknown":
            raise ChartError(need.why or "which chart it is, is not known")
        found = self._once(self._found, (plain, digest), lambda: self._find(plain, documents))
        return replace(found, remarks=(*remarks, *found.remarks)) if remarks else found

    def _in_tree(self, need: ChartNeed) -> tuple[ChartNeed, tuple[str, ...]]:
        """A chart in git that is the tree's own is the one in the tree."""
        if need.kind != "git" or normalised(need.url) not in self._remotes:
            return need, ()
        remarks: tuple[str, ...] = ()
        if is_fixed_revision(need.version):
            remarks = (f"the chart is asked for at {need.version}; this tree's own state of it is rendered",)
        return ChartNeed("path", path=need.path, place=need.place), remarks

    def _once(self, known: Once[Key, Value], key: Key, make: Callable[[], Value]) -> Value:
        try:
            return known.get(key, make)
        except ChartError as error:
            # One error object raised in many threads would gather their tracebacks.
            raise ChartError(error.message, remedy=error.remedy) from None

    def _find(self, need: ChartNeed, documents: Documents) -> FoundChart:
        try:
            if need.kind == "path":
                path, remarks = self._from_tree(need.path, documents)
            else:
                path, remarks = self._elsewhere(need)
                path, more = self._completed(path, need, documents)
                remarks += more
            digest = files_digest(chart_files(path, dialect_of(self._command.helm.version)))
        except RepositoryError as error:
            raise ChartError(f"{shown(need)}: {error.message}", remedy=error.remedy) from None
        except OSError as error:
            raise ChartError(f"{shown(need)}: {error}") from None
        return FoundChart(path, digest, shown(need), remarks)

    def _from_tree(self, path: str, documents: Documents) -> _Had:
        folder = self._folder()
        if path in documents.tree.entries:
            data = documents.tree.read(path)
            why = why_not_content(data)
            if why:
                raise ChartError(f"{path} {why}")
            archive = folder / "chart.tgz"
            archive.write_bytes(data)
            return archive, ()
        into = folder / "chart"
        return into, self._local(documents).write(path, into)

    def _completed(self, path: Path, need: ChartNeed, documents: Documents) -> _Had:
        """A folder that the chart map names may lack its dependencies; it is left as it is."""
        if not path.is_dir() or not missing_from(load_chart(path, self._command.helm.version)):
            return path, ()
        copy = self._folder() / "chart"
        shutil.copytree(path, copy)
        return copy, self._local(documents).complete(shown(need), copy)

    def _local(self, documents: Documents) -> LocalCharts:
        return LocalCharts(
            documents, self._command.helm.version, self._elsewhere, self._own_charts(documents)
        )

    def _own_charts(self, documents: Documents) -> ChartsByVersion:
        return self._once(self._own, documents, lambda: charts_by_version(documents))

    def _elsewhere(self, need: ChartNeed) -> _Had:
        """A chart that the tree does not hold: by the chart map, from the cache, or fetched."""
        return self._once(self._had, need, lambda: self._have(need))

    def _have(self, need: ChartNeed) -> _Had:
        tried = []
        for entry in entries_for(need, self._charts):
            if entry.mirror:
                return self._fetched(mirrored(need, entry))
            path = mapped_path(need, entry)
            if path is not None:
                # A repository's revision says nothing of the versions of the charts in it.
                if need.kind == "git":
                    return path / need.path, ()
                return path, check_mapped(need, entry, path, self._command.helm.version)
            tried.append(entry.path)
        if need.kind == "git":
            raise ChartError(
                f"{shown(need)} is in another git repository, which is not read",
                remedy="Check it out and add it to the chart map:"
                f" charts: [{{url: {without_credentials(need.url)}, path: FOLDER}}]",
            )
        return self._fetched(need, tried)

    def _fetched(self, need: ChartNeed, tried: Sequence[str] = ()) -> _Had:
        cached = cached_path(self._cache, need)
        if cached is not None and cached.is_file():
            return cached, ()
        if self._offline:
            raise _not_offline(need, tried)
        archive = fetch(need, self._command, self._folder())
        if cached is not None:
            keep(archive, cached)
        return archive, self._unpinned(need, archive)

    def _unpinned(self, need: ChartNeed, archive: Path) -> tuple[str, ...]:
        if need.digest or is_exact(need.version):
            return ()
        version = load_chart(archive, self._command.helm.version).metadata.version
        asked = f"the range {need.version}" if need.version else "the latest version"
        return (f"{asked} of {shown(replace(need, version=''))} is {version} today",)

    def _folder(self) -> Path:
        folder = self._scratch / f"chart-{next(self._numbers)}"
        folder.mkdir()
        return folder


def _not_offline(need: ChartNeed, tried: Sequence[str]) -> ChartError:
    if not need.digest and not is_exact(need.version):
        asked = f"the range {need.version}" if need.version else "the latest version"
        return ChartError(
            f"which chart {asked} of {shown(replace(need, version=''))} means is not known offline",
            remedy=f"Pin a version, or add one to the chart map: {_entry(need)}",
        )
    named = f", and {', '.join(tried)} of the chart map is not there" if tried else ""
    return ChartError(
        f"{shown(need)} is neither in the chart map nor in the cache, and this is offline{named}",
        remedy=f"Run once without --offline, or add to .helmguard.yaml: {_entry(need)}",
    )


def _entry(need: ChartNeed) -> str:
    parts = [f"url: {without_credentials(need.url)}"]
    parts += [f"chart: {need.name}"] if need.name else []
    parts += [f"version: {need.version}"] if is_exact(need.version) else []
    return f"charts: [{{{', '.join(parts)}, path: FILE.tgz}}]"
