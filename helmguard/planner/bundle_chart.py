"""The chart in a bundle: rendered from it, a plan of other values must come out as from the chart itself."""

from __future__ import annotations

from pathlib import Path, PurePosixPath

from helmguard.helm.chart import chart_files
from helmguard.planner.bundle_masking import BundleMasker
from helmguard.values.differences import HelmDialect

_AS_IT_IS = ("Chart.yaml", "Chart.lock", "requirements.yaml", "requirements.lock", "values.schema.json")


def write_chart(folder: Path, chart: Path, dialect: HelmDialect, masker: BundleMasker) -> None:
    """Write all files that Helm looks at, secrets masked; packed sub-charts and binary files as they are."""
    for file in chart_files(chart, dialect):
        place = folder / file.name
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(_masked(PurePosixPath(file.name), file.data, masker))


def _masked(name: PurePosixPath, data: bytes, masker: BundleMasker) -> bytes:
    if masker.shows_secrets or name.name in _AS_IT_IS or "crds" in name.parts:
        return data
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError:
        return data
    if "templates" in name.parts:
        return masker.template(text).encode()
    if name.name.startswith("values") and name.suffix in (".yaml", ".yml"):
        return masker.values_file(text).encode()
    return masker.text(text).encode()
