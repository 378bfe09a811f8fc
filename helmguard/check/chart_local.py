"""A chart of the tree as helm needs it: its files on disk, with all that it depends on in ``charts/``."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Sequence
from pathlib import Path

from helmguard.check.chart_address import is_exact, remote_need
from helmguard.errors import ChartError
from helmguard.gitops.documents import Documents
from helmguard.gitops.local_charts import ChartsByVersion
from helmguard.gitops.tree import joined
from helmguard.helm.chart import Chart, Dependency, chart_files, load_chart
from helmguard.helm.chart_archive import write_archive
from helmguard.manifest.pointers import why_not_content
from helmguard.model.declared_release import ChartNeed
from helmguard.model.helm_version import HelmVersion
from helmguard.repository.materialise import materialise
from helmguard.values.differences import dialect_of
from helmguard.values.semver import satisfies

Supply = Callable[[ChartNeed], tuple[Path, tuple[str, ...]]]
"""Has a chart that is elsewhere: its archive or folder, and remarks.

Raises:
    ChartError: it is not to be had.
"""

_FILE_SCHEME = "file://"


class LocalCharts:
    """Writes the charts of one side's tree; ``supply`` has what they need from elsewhere.

    ``charts`` are the tree's own, which stand for published ones that are not to be had.
    """

    def __init__(
        self, documents: Documents, helm: HelmVersion, supply: Supply, charts: ChartsByVersion
    ) -> None:
        self._documents, self._helm, self._supply, self._charts = documents, helm, supply, charts

    def write(self, folder: str, into: Path, parents: tuple[str, ...] = ()) -> tuple[str, ...]:
        """Write the chart in a folder of the tree into a folder on disk; gives remarks.

        Raises:
            ChartError: there is no such chart, or something that it depends on is not to be had.
        """
        why = why_no_chart(self._documents, folder)
        if why:
            raise ChartError(why, remedy="Check the path of the chart.")
        materialise(self._documents.tree, folder, into)
        refuse_pointers(into, folder)
        return self.complete(folder, into, parents)

    def complete(self, folder: str, into: Path, parents: tuple[str, ...] = ()) -> tuple[str, ...]:
        """Put into ``charts/`` what the chart on disk lists and does not hold; gives remarks.

        ``folder`` is where the chart is in the tree, for ``file://``.
        """
        chart = load_chart(into, self._helm)
        remarks: list[str] = []
        errors: list[ChartError] = []
        for entry in missing_from(chart):
            try:
                if entry.repository.startswith(_FILE_SCHEME):
                    remarks += self._add_local(folder, entry, into, (*parents, folder))
                else:
                    remarks += self._add_remote(folder, chart, entry, into, (*parents, folder))
            except ChartError as error:
                errors.append(error)
        if errors:
            raise _together(errors)
        return tuple(dict.fromkeys(remarks))

    def _add_local(
        self, folder: str, entry: Dependency, into: Path, parents: tuple[str, ...]
    ) -> tuple[str, ...]:
        place = joined(folder, entry.repository.removeprefix(_FILE_SCHEME))
        what = f"{folder or '.'} depends on {entry.name} ({entry.repository})"
        if place is None:
            raise ChartError(f"{what}, which is outside the repository")
        try:
            return self._pack(place, entry.name, into, parents)
        except ChartError as error:
            raise ChartError(f"{what}: {error.message}", remedy=error.remedy) from None

    def _pack(self, place: str, name: str, into: Path, parents: tuple[str, ...]) -> tuple[str, ...]:
        """Put a chart of the tree into another's ``charts/``."""
        if place in parents:
            raise ChartError(f"{place} depends on {parents[-1]} in turn")
        written = into.parent / f"{into.name}-{name}"
        remarks = self.write(place, written, parents)
        # As `helm dependency build` does: packed, so that its own .helmignore holds.
        (into / "charts").mkdir(exist_ok=True)
        archive = _free_name(into / "charts", name)
        write_archive(chart_files(written, dialect_of(self._helm)), archive)
        shutil.rmtree(written)
        return remarks

    def _add_remote(
        self, folder: str, chart: Chart, entry: Dependency, into: Path, parents: tuple[str, ...]
    ) -> tuple[str, ...]:
        what = f"{folder or chart.name} depends on {entry.name}"
        if not entry.repository:
            raise ChartError(
                f"{what}, which names no repository, and charts/ does not hold it",
                remedy="Add it to charts/ in the repository.",
            )
        locked = _locked_version(chart, entry)
        try:
            path, remarks = self._supply(remote_need(entry.repository, entry.name, locked))
        except ChartError as error:
            place = self._charts.get((entry.name, locked))
            if place is None or place in parents:
                raise ChartError(f"{what}: {error.message}", remedy=error.remedy) from None
            stands = f"{what} {locked}: this tree's own {place} stands for it, since it is not to be had"
            return (stands, *self._pack(place, entry.name, into, parents))
        (into / "charts").mkdir(exist_ok=True)
        archive = _free_name(into / "charts", entry.name)
        if path.is_dir():
            write_archive(chart_files(path, dialect_of(self._helm)), archive)
        else:
            shutil.copyfile(path, archive)
        if locked != entry.version or is_exact(entry.version):
            return remarks
        return (f"{what} {entry.version or 'in any version'} and there is no lock of it", *remarks)


def _together(errors: Sequence[ChartError]) -> ChartError:
    """One error for all, so that they need not be met one by one."""
    remedies = dict.fromkeys(error.remedy for error in errors if error.remedy)
    return ChartError("; ".join(error.message for error in errors), remedy=" ".join(remedies))


def missing_from(chart: Chart) -> list[Dependency]:
    """What a chart lists and does not hold: helm refuses to render it so."""
    held = {child.name for child in chart.dependencies}
    return [entry for entry in chart.metadata.dependencies or () if entry.name not in held]


def why_no_chart(documents: Documents, folder: str) -> str:
    """Why there is no chart in a folder of the tree, empty where there is one."""
    entries = documents.tree.entries
    if (f"{folder}/Chart.yaml" if folder else "Chart.yaml") in entries:
        return ""
    parts = folder.split("/")
    for length in range(1, len(parts) + 1):
        above = "/".join(parts[:length])
        if above in entries:
            why = why_not_content(documents.tree.read(above)) or "is a file"
            return f"there is no chart in {folder}: {above} {why}"
    if documents.paths.is_folder(folder):
        return f"there is no Chart.yaml in {folder or 'the root of the repository'}"
    return f"there is no folder {folder} in the repository"


def refuse_pointers(chart: Path, folder: str) -> None:
    """A chart whose parts are elsewhere renders something else, or nothing.

    Raises:
        ChartError: one of its files stands for another content.
    """
    for path in sorted(chart.rglob("*")):
        if path.is_file():
            with path.open("rb") as file:
                why = why_not_content(file.read(2048))
            if why:
                raise ChartError(f"{folder}/{path.relative_to(chart)} {why}")


def _locked_version(chart: Chart, entry: Dependency) -> str:
    for name, version in chart.lock or ():
        if name == entry.name and (not entry.version or satisfies(version, entry.version)):
            return version
    return entry.version


def _free_name(charts: Path, name: str) -> Path:
    """A chart may list the same one twice, in two versions."""
    number = 0
    while (path := charts / f"{name}-{number}.tgz").exists():
        number += 1
    return path
