"""A small chart made in a test, its release in the test's namespace, and helmguard's plans for it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from controlplane.chart_folder import write_chart
from controlplane.client import ControlPlane
from controlplane.helm import Helm

import helmguard
from helmguard.masking.masker import Masker
from helmguard.report.page import Page
from helmguard.report.terminal import render_terminal

RELEASE = "rel"


@dataclass(frozen=True)
class Trial:
    """``folder`` keeps the charts and bundles of one test."""

    helm: Helm
    cluster: ControlPlane
    folder: Path

    @property
    def namespace(self) -> str:
        """The test's namespace."""
        return self.helm.namespace

    def elsewhere(self) -> Trial:
        """The same for a namespace that is not there."""
        return replace(self, helm=replace(self.helm, namespace=f"{self.namespace}-missing"))

    def chart(self, files: Mapping[str, str], version: str = "1.0.0", name: str = "trial") -> Path:
        """A chart folder of these files; a Chart.yaml is added where there is none."""
        return write_chart(self.folder / f"{name}-{version}", files, name=name, version=version)

    def upgrade(self, chart: Path, *words: str) -> None:
        """``helm upgrade --install``, for real."""
        self.helm.run("upgrade", "--install", RELEASE, chart, *words)

    def plan(self, chart: Path, *words: str, show_secrets: bool = True) -> dict[str, Any]:
        """The plan's JSON of ``helmguard plan``."""
        return helmguard.plan(RELEASE, str(chart), [*words, *self.helm.helmguard_words()]).to_dict(
            show_secrets
        )

    def page(self, chart: Path, *words: str) -> str:
        """What ``helmguard plan`` prints, 100 columns wide and without colour."""
        plan = helmguard.plan(RELEASE, str(chart), [*words, *self.helm.helmguard_words()])
        return render_terminal(plan, Page(), Masker.for_plan(plan))

    def rollback_plan(self, revision: int = 0) -> dict[str, Any]:
        """The plan's JSON of ``helmguard plan --rollback``."""
        words = ["--rollback", *([str(revision)] if revision else []), *self.helm.helmguard_words()]
        return helmguard.plan(RELEASE, words=words).to_dict(True)

    def bundle_plan(self, chart: Path, *words: str) -> dict[str, Any]:
        """The same from a bundle that is written first."""
        from helmguard.cli.bundle import build_parser
        from helmguard.cli.request import read_plan_request
        from helmguard.planner.bundle_write import write_bundle

        place = self.folder / "bundle"
        typed = [RELEASE, str(chart), "-o", str(place), *words, *self.helm.helmguard_words()]
        write_bundle(read_plan_request(build_parser().parse(typed)), place, show_secrets=True)
        return helmguard.plan_bundle(place).to_dict(True)


def resource(plan: dict[str, Any], name: str) -> dict[str, Any]:
    """The one entry of the plan named ``Kind/name``."""
    (found,) = (entry for entry in plan["resources"] if f"{entry['kind']}/{entry['name']}" == name)
    return found


def findings(plan: dict[str, Any], rule: str) -> list[dict[str, Any]]:
    """The plan's findings of one rule."""
    return [finding for finding in plan["findings"] if finding["rule"] == rule]
