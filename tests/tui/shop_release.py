"""A small release in the real control plane, and the program that opens it."""

from __future__ import annotations

import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from controlplane.client import ControlPlane
from controlplane.helm import Helm
from textual.pilot import Pilot

from helmguard.cluster.kube_options import KubeOptions
from helmguard.tui.app import HelmguardApp
from helmguard.tui.options import TuiOptions
from helmguard.tui.plan_form import PlanForm
from helmguard.tui.sources.cluster import ClusterSource

FILES = {
    "values.yaml": "colour: blue\nkeep: true\nbroken: false\nhang: false\n",
    "templates/all.yaml": """\
apiVersion: v1
kind: ConfigMap
metadata: {name: shop}
data: {colour: {{ .Values.colour }}}
{{- if .Values.keep }}
---
apiVersion: v1
kind: PersistentVolumeClaim
metadata: {name: data}
spec:
  accessModes: [ReadWriteOnce]
  storageClassName: ""
  resources: {requests: {storage: 1Gi}}
{{- end }}
{{- if .Values.broken }}
---
apiVersion: v1
kind: Service
metadata: {name: shop}
spec: {clusterIP: 203.0.113.1, ports: [{port: 80}]}
{{- end }}
{{- if .Values.hang }}
---
apiVersion: batch/v1
kind: Job
metadata: {name: migrate, annotations: {helm.sh/hook: pre-upgrade}}
spec:
  suspend: true
  template:
    spec:
      restartPolicy: Never
      containers: [{name: migrate, image: "registry.example.com/migrate:1"}]
{{- end }}
""",
}
"""Nothing that runs: no rollout is to be waited for. The hook's job never begins."""


@dataclass(frozen=True)
class Shop:
    """The release ``shop``; ``audit_log`` is the program's."""

    helm: Helm
    cluster: ControlPlane
    chart: Path
    audit_log: Path

    @property
    def words(self) -> tuple[str, ...]:
        return (f"--kubeconfig={self.helm.kubeconfig}", f"--helm-bin={self.helm.binary}")

    def form(self, *sets: str, **fields: Any) -> PlanForm:
        """An upgrade that keeps the values and sets these."""
        if "rollback_to" in fields:
            return PlanForm("shop", self.helm.namespace, **fields)
        mode = fields.pop("mode", "reuse")
        return PlanForm("shop", self.helm.namespace, str(self.chart), sets=sets, mode=mode, **fields)

    def source(self) -> ClusterSource:
        kube = KubeOptions(kubeconfig=str(self.helm.kubeconfig), driver="secret")
        return ClusterSource(kube, helm_binary=str(self.helm.binary), common_words=self.words)

    def options(self, *, allow_changes: bool = True) -> TuiOptions:
        return TuiOptions(
            release="shop",
            namespace=self.helm.namespace,
            allow_changes=allow_changes,
            common_words=self.words,
            audit_log=str(self.audit_log),
            verify_seconds=0,
        )

    def colour(self) -> str:
        place = f"/api/v1/namespaces/{self.helm.namespace}/configmaps/shop"
        return str(self.cluster.get(place)["data"]["colour"])

    def revisions(self) -> int:
        place = f"/api/v1/namespaces/{self.helm.namespace}/secrets"
        return len(self.cluster.items(place, labelSelector="owner=helm"))


@asynccontextmanager
async def opened(
    shop: Shop, *, allow_changes: bool = True, size: tuple[int, int] = (100, 30)
) -> AsyncIterator[Pilot[int]]:
    """The program with the release in front."""
    app = HelmguardApp(shop.source(), shop.options(allow_changes=allow_changes))
    async with app.run_test(size=size) as pilot:
        yield pilot


async def until(pilot: Pilot[int], condition: Callable[[], bool], seconds: float = 30.0) -> None:
    """Until it is so; what is shown is told where it never is."""
    from one_screen import text_of

    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline, text_of(pilot)
        await pilot.pause(0.02)
