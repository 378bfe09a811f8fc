"""Reading a chart from a folder or an archive, as Helm does before it renders anything."""

from __future__ import annotations

import stat
from pathlib import Path

from helmguard.errors import ChartError
from helmguard.helm.chart_archive import BOM, MAX_CHART_SIZE, NotGzipError, read_archive
from helmguard.helm.chart_files import chart_from_files, refuse_unknown_api
from helmguard.helm.chart_ignore import IgnoreRule, is_ignored, parse_ignore_rules
from helmguard.model.helm_version import HelmVersion
from helmguard.values.chart import Chart, ChartFile, ChartMetadata, Dependency
from helmguard.values.differences import HelmDialect, dialect_of
from helmguard.values.go_format import quote

__all__ = ["Chart", "ChartFile", "ChartMetadata", "Dependency", "chart_files", "load_chart"]


def load_chart(path: str | Path, helm: HelmVersion) -> Chart:
    """Read the chart in a folder or ``.tgz`` with all its sub-charts.

    Raises:
        ChartError: the path holds no chart that this Helm loads; the text is Helm's where it has one.
    """
    dialect = dialect_of(helm)
    files = chart_files(path, dialect)
    if dialect.detects_chart_version:
        refuse_unknown_api(files, str(path))
    return chart_from_files(files, dialect)


def chart_files(path: str | Path, dialect: HelmDialect) -> list[ChartFile]:
    """All files of a chart that Helm looks at, byte order marks removed; names are paths inside the chart.

    Raises:
        ChartError: see `load_chart`.
    """
    root = Path(path)
    try:
        is_folder = root.is_dir()
        if not is_folder and not root.exists():
            raise ChartError(f"path {quote(str(path))} not found", remedy="check the path of the chart")
        return _folder_files(root, dialect) if is_folder else _archive_files(root, dialect)
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        raise ChartError(f"cannot read the chart: {error.filename or path}: {reason}") from None


def _archive_files(path: Path, dialect: HelmDialect) -> list[ChartFile]:
    about = path.stat()
    # A device or a pipe may never end, and an archive is no larger than what is in it.
    if not stat.S_ISREG(about.st_mode):
        raise ChartError(f"{path} is neither a folder nor a file", remedy="name a chart's folder or archive")
    if about.st_size > 2 * MAX_CHART_SIZE:
        raise ChartError(f"{path} is too large for a chart archive: {about.st_size >> 20} MiB")
    try:
        return read_archive(path.read_bytes(), dialect)
    except NotGzipError:
        if path.suffix in (".yml", ".yaml"):
            message = f"file '{path}' seems to be a YAML file, but expected a gzipped archive"
        else:
            message = f"file '{path}' does not appear to be a gzipped archive"
        raise ChartError(message, remedy="name a chart's folder or an archive made by helm package") from None


def _folder_files(root: Path, dialect: HelmDialect) -> list[ChartFile]:
    ignore_file = root / ".helmignore"
    text = ignore_file.read_bytes().decode("utf-8", "replace") if ignore_file.exists() else ""
    files: list[ChartFile] = []
    budget = _Budget(dialect)
    _walk(root, "", parse_ignore_rules(text), files, budget)
    return files


class _Budget:
    """Helm 3 limits each file of a folder, Helm 4 their sum."""

    def __init__(self, dialect: HelmDialect) -> None:
        self.dialect = dialect
        self.left = MAX_CHART_SIZE

    def read(self, path: Path, name: str) -> bytes:
        size = path.stat().st_size
        if self.dialect.folder_size_limited and size > self.left:
            raise ChartError(
                f"error reading {name}: chart exceeds maximum decompressed size of {MAX_CHART_SIZE} bytes",
                remedy="list large files in .helmignore",
            )
        limit = self.dialect.file_size_limit
        if limit and size > limit:
            raise ChartError(
                f"chart file {quote(path.name)} is larger than the maximum file size {limit}",
                remedy=f"list {name} in .helmignore",
            )
        data = path.read_bytes()
        self.left -= len(data)
        return data.removeprefix(BOM)


def _walk(
    folder: Path, prefix: str, rules: list[IgnoreRule], files: list[ChartFile], budget: _Budget
) -> None:
    """Add the files below a folder, in the order of their names; symbolic links are followed as in Helm."""
    for entry in sorted(folder.iterdir(), key=lambda path: path.name.encode("utf-8", "surrogateescape")):
        name = prefix + entry.name
        try:
            mode = entry.stat().st_mode
        except OSError as error:
            reason = (error.strerror or str(error)).lower()
            raise ChartError(
                f"error evaluating symlink {entry}: {reason}", remedy="remove the link"
            ) from None
        is_folder = stat.S_ISDIR(mode)
        if is_ignored(rules, name, is_folder):
            continue
        if is_folder:
            _walk(entry, name + "/", rules, files, budget)
            continue
        if not stat.S_ISREG(mode):
            raise ChartError(
                f"cannot load irregular file {entry} as it has file mode type bits set",
                remedy=f"remove {entry}",
            )
        files.append(ChartFile(name, budget.read(entry, name), entry.stat().st_mtime_ns))
