"""The chart map: which entry answers for a chart, and what it says."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from fnmatch import fnmatchcase
from pathlib import Path

from msgspec.structs import replace

from helmguard.check.chart_address import chart_name, is_exact, same_version, shown
from helmguard.errors import ChartError
from helmguard.helm.chart import load_chart
from helmguard.model.chart_map import MappedChart
from helmguard.model.declared_release import ChartNeed
from helmguard.model.helm_version import HelmVersion
from helmguard.values.semver import satisfies

# Name and version come from the repository: they may not choose another folder.
_FILLABLE = re.compile(r"[0-9A-Za-z_][0-9A-Za-z_.+-]*")

_NAMED = 3


def entries_for(need: ChartNeed, charts: Sequence[MappedChart]) -> Iterator[MappedChart]:
    """The entries for this chart, in their order."""
    for entry in charts:
        if _fits_address(need, entry) and _fits_version(need.version, entry.version):
            yield entry


def _fits_address(need: ChartNeed, entry: MappedChart) -> bool:
    url, wanted = _plain_url(need.url), _plain_url(entry.url)
    if need.kind == "oci":
        return fnmatchcase(url, f"{wanted}/{entry.chart}" if entry.chart else wanted) or (
            bool(entry.chart) and fnmatchcase(url, wanted) and fnmatchcase(chart_name(need), entry.chart)
        )
    if need.kind == "git":
        return fnmatchcase(url.removesuffix(".git"), wanted.removesuffix(".git"))
    return fnmatchcase(url, wanted) and fnmatchcase(need.name, entry.chart or "*")


def _plain_url(url: str) -> str:
    return url.rstrip("/")


def _fits_version(wanted: str, given: str) -> bool:
    if not given or not wanted or same_version(wanted, given):
        return True
    return not is_exact(wanted) and satisfies(given, wanted)


def outside_note(charts: Sequence[MappedChart], root: Path) -> Iterator[str]:
    """What a reviewer has to know of a map that a change edits: mirrors, and paths out of the repository."""
    outside = [
        f"{chart.mirror or chart.path} ({chart.source})"
        for chart in charts
        if chart.mirror or not Path(chart.path).expanduser().resolve().is_relative_to(root.resolve())
    ]
    if outside:
        more = f" and {len(outside) - _NAMED} more" if len(outside) > _NAMED else ""
        yield f"its chart map leads out of the repository: {', '.join(outside[:_NAMED])}{more}"


def mapped_path(need: ChartNeed, entry: MappedChart) -> Path | None:
    """The file or folder that an entry means, None where there is none."""
    version = entry.version or need.version
    for spelled in dict.fromkeys((version, version.removeprefix("v"), version.replace("_", "+"))):
        text = entry.path
        for placeholder, part in (("{chart}", chart_name(need)), ("{version}", spelled)):
            if placeholder in text:
                if not _FILLABLE.fullmatch(part):
                    return None
                text = text.replace(placeholder, part)
        path = Path(text).expanduser()
        if path.exists():
            return path
    return None


def check_mapped(need: ChartNeed, entry: MappedChart, path: Path, helm: HelmVersion) -> tuple[str, ...]:
    """See that the chart on this machine is the one asked for; what has to be said about it.

    Raises:
        ChartError: it is no chart, or another one, or another version: it would answer wrongly.
    """
    where = f"{path}, which the chart map ({entry.source or entry.url}) names for {shown(need)}"
    try:
        metadata = load_chart(path, helm).metadata
    except ChartError as error:
        raise ChartError(f"{where}: {error.message}", remedy=error.remedy) from None
    if metadata.name != chart_name(need):
        raise ChartError(f"{where}, is the chart {metadata.name}", remedy="Correct the entry.")
    wanted = need.version
    if is_exact(wanted) and not same_version(wanted, metadata.version):
        raise ChartError(
            f"{where}, is version {metadata.version}",
            remedy="Put {version} into its path, or give the entry the version that it is.",
        )
    if wanted and not is_exact(wanted) and not satisfies(metadata.version, wanted):
        raise ChartError(f"{where}, is version {metadata.version}", remedy="Correct the entry.")
    remarks = []
    if not is_exact(wanted):
        asked = f"the range {wanted}" if wanted else "the latest version"
        remarks.append(
            f"{asked} of {shown(replace(need, version=''))} is {metadata.version} by the chart map"
        )
    if need.digest:
        remarks.append(f"the pin {need.digest[:19]} is not checked: the chart map's file stands for it")
    return tuple(remarks)


def mirrored(need: ChartNeed, entry: MappedChart) -> ChartNeed:
    """The same chart at the mirror that an entry names."""
    name = chart_name(need)
    url = entry.mirror.replace("{chart}", name).rstrip("/")
    if not url.startswith("oci://"):
        return replace(need, kind="repository", url=url, name=name)
    many = need.kind == "repository" or "*" in entry.url or bool(entry.chart)
    if many and "{chart}" not in entry.mirror:
        url = f"{url}/{name}"
    return replace(need, kind="oci", url=url, name="")
