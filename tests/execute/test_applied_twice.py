"""A saved plan that was applied already no longer holds, and its page names one exit code."""

from __future__ import annotations

from pathlib import Path

import pytest
from controlplane.chart_folder import write_chart
from controlplane.helm import Helm
from helmguard_program import Helmguard
from which_helm import with_helm_4

CHART = {
    "Chart.yaml": "apiVersion: v2\nname: shop\nversion: 1.0.0\n",
    "values.yaml": "colour: blue\n",
    "templates/all.yaml": (
        "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: shop}\ndata: {colour: '{{ .Values.colour }}'}\n"
    ),
}


@with_helm_4
@pytest.mark.parametrize("quiet", [[], ["-q"]], ids=["page", "quiet"])
def test_one_exit_code_is_told(quiet: list[str], helm: Helm, helmguard: Helmguard, tmp_path: Path) -> None:
    chart = write_chart(tmp_path / "shop", CHART)
    helm.run("install", "shop", chart)
    saved = tmp_path / "shop.hgplan"
    helmguard.run("plan", "shop", chart, "--set", "colour=red", "--out", saved).expect(2)
    helmguard.run("apply", saved, "--yes").expect(0)
    again = helmguard.run("apply", saved, "--yes", *quiet).expect(3).out
    assert "STALE" in again
    assert (again.count("Exit "), again.count("Exit 3.")) == (1, 1)
