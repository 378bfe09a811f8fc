"""What the chart map leads to: files that never end, and places out of the repository."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from helmguard.check.chart_mapped import check_mapped, outside_note
from helmguard.errors import ChartError
from helmguard.model.chart_map import MappedChart
from helmguard.model.declared_release import ChartNeed
from helmguard.model.helm_version import HelmVersion

URL = "https://charts.example.com"
NEED = ChartNeed("repository", url=URL, name="web", version="1.0.0")


@pytest.mark.parametrize("what", ["device", "pipe", "huge"])
def test_what_never_ends_is_not_read(tmp_path: Path, what: str) -> None:
    path = Path("/dev/zero") if what == "device" else tmp_path / "chart.tgz"
    if what == "pipe":
        os.mkfifo(path)
    if what == "huge":
        with path.open("wb") as file:
            file.truncate(1 << 40)
    with pytest.raises(ChartError, match=r"neither a folder nor a file|too large for a chart archive"):
        check_mapped(NEED, MappedChart(URL, path=str(path)), path, HelmVersion(4, 3))


def test_a_map_that_leads_out_is_told(tmp_path: Path) -> None:
    root = tmp_path / "repository"
    (root / "vendor").mkdir(parents=True)
    (root / "link").symlink_to("/etc")
    inside = [MappedChart(URL, path=str(root / path)) for path in ("vendor/web.tgz", "a/../{chart}")]
    assert list(outside_note(inside, root)) == []
    out = [MappedChart(URL, path=str(root / path), source="map:2") for path in ("../web", "link/web", "/etc")]
    out.append(MappedChart(URL, mirror="oci://mirror.example.com/charts", source="map:4"))
    [note] = outside_note([*inside, *out], root)
    assert note.startswith("its chart map leads out of the repository: ") and note.endswith(" and 1 more")
    assert f"{root}/../web (map:2)" in note
