"""Releases of the fixture charts, and the tasks of rendering their upgrades."""

from __future__ import annotations

import base64
import gzip
import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from controlplane.client import ControlPlane
from controlplane.helm import Helm

from helmguard.helm.chart import load_chart
from helmguard.helm.chart_source import ChartSource
from helmguard.helm.command import HelmCommand
from helmguard.helm.flags import RenderOptions
from helmguard.helm.render import RenderTask
from helmguard.helm.template_inputs import template_inputs
from helmguard.helm.value_flags import compute_values

CHARTS = Path(__file__).parent / "charts"


@dataclass(frozen=True)
class Served:
    """What the control plane serves."""

    version: str
    api_versions: tuple[str, ...]


@dataclass(frozen=True)
class Releases:
    """Makes releases of fixture charts and rendering tasks for their upgrades."""

    helm: Helm
    command: HelmCommand
    control_plane: ControlPlane
    served: Served

    def install(self, chart: str, *words: str, name: str = "rel") -> None:
        """Install (or upgrade) a fixture chart."""
        self.helm.run("upgrade", "--install", name, CHARTS / chart, *words)

    def record(self, name: str = "rel") -> dict[str, Any]:
        """The deployed record, decoded here."""
        selector = f"owner=helm,name={name},status=deployed"
        path = f"/api/v1/namespaces/{self.helm.namespace}/secrets"
        found = self.control_plane.items(path, labelSelector=selector)
        newest = max(found, key=lambda item: int(item["metadata"]["labels"]["version"]))
        packed = base64.b64decode(base64.b64decode(newest["data"]["release"]))
        record: dict[str, Any] = json.loads(gzip.decompress(packed))
        return record

    def task(
        self, chart: str, *words: str, name: str = "rel", install: bool = False, **flags: Any
    ) -> RenderTask:
        """The task of upgrading the release (or installing it) with these value flags."""
        path = CHARTS / chart
        helm = self.command.helm.version
        current = None if install else self.record(name)
        values = compute_values(path, words, current=current, helm=str(helm))
        return RenderTask(
            command=self.command,
            options=RenderOptions(name, str(path), value_words=words, install=install, **flags),
            source=ChartSource(path, str(path)),
            chart=load_chart(path, helm),
            inputs=template_inputs(
                values,
                current=current,
                helm=helm,
                kubernetes_version=self.served.version,
                api_versions=self.served.api_versions,
            ),
        )
