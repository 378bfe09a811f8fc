"""A copy of a chart whose clock runs ahead, to see which fields its templates take from the clock.

Two renderings of a chart fall into the same second often, into the same day nearly always, so that comparing
them does not show what ``now`` writes. In the copy ``now`` is a moment in which year, month, day of the
month, day of the week, hour, minute and second are all others.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager

from msgspec.structs import replace

from helmguard.helm.chart import chart_files
from helmguard.helm.chart_archive import read_archive, write_archive
from helmguard.helm.chart_source import ChartSource
from helmguard.helm.template_actions import replace_word
from helmguard.helm.temporary_folder import temporary_folder
from helmguard.model.helm_version import HelmVersion
from helmguard.values.chart import ChartFile
from helmguard.values.differences import HelmDialect, dialect_of

_CLOCK = "now"
_LATER = "(dateModify `9601h1m1s` now)"
"""Four hundred days, an hour, a minute and a second ahead."""


@contextmanager
def with_later_clock(source: ChartSource, helm: HelmVersion) -> Iterator[ChartSource]:
    """The source of the copy, there until the block ends.

    Raises:
        ChartError: the chart cannot be read.
    """
    dialect = dialect_of(helm)
    files = _with_later_clock(chart_files(source.path, dialect), dialect)
    with temporary_folder("helmguard-later-") as folder:
        yield replace(source, path=write_archive(files, folder / "chart.tgz"))


def _with_later_clock(files: Iterable[ChartFile], dialect: HelmDialect) -> Iterator[ChartFile]:
    for file in files:
        if file.name.startswith("charts/") and file.name.count("/") == 1 and file.name.endswith(".tgz"):
            folder = file.name.removesuffix(".tgz")
            for inner in _with_later_clock(read_archive(file.data, dialect), dialect):
                yield ChartFile(f"{folder}/{inner.name}", inner.data)
        elif "templates/" in file.name and _CLOCK.encode() in file.data:
            text = file.data.decode("utf-8", "surrogateescape")
            later = replace_word(text, _CLOCK, _LATER)
            yield ChartFile(file.name, later.encode("utf-8", "surrogateescape"))
        else:
            yield file
