"""A rendering that takes too much is not known: whether it would come to an end is not told."""

from __future__ import annotations

from pathlib import Path

from changes import CHART, check_folders, only


def test_a_chart_that_prints_without_end_is_not_compared(tmp_path: Path, helm3: Path) -> None:
    helm = tmp_path / "helm"
    helm.write_text(
        f'#!/bin/sh\n[ "$1" != template ] && exec {helm3} "$@"\nhead -c 70000000 /dev/zero\n',
        encoding="utf-8",
    )
    helm.chmod(0o755)
    louder = {"charts/web/values.yaml": CHART["charts/web/values.yaml"].replace("info", "debug")}
    release = only(check_folders(tmp_path, helm, CHART, {**CHART, **louder}))
    assert release.state == "unknown"
    assert "helm prints 66 MiB, more than the 64 MiB that are read" in release.why
