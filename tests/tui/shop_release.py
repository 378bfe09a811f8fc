"""A small release in the real control plane, and the program that opens it."""

from __future__ import annotations

import json
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from controlplane.client import ControlPlane
from controlplane.helm import Helm
from one_screen import text_of
from textual.pilot import Pilot
from textual.widgets import Input

from helmguard.cluster.kube_options import KubeOptions
from helmguard.tui.app import HelmguardApp
from helmguard.tui.dialogs.approve import ApproveDialog
from helmguard.tui.options import TuiOptions
from helmguard.tui.plan_form import PlanForm
from helmguard.tui.screens.execution import ExecutionScreen
from helmguard.tui.screens.plan import PlanScreen
from helmguard.tui.sources.cluster import ClusterSource

FILES = {
    "values.yaml": "colour: blue\nkeep: true\nhook: false\n",
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
{{- if .Values.hook }}
---
apiVersion: v1
kind: Pod
metadata: {name: migrate, annotations: {helm.sh/hook: "pre-upgrade,pre-rollback"}}
spec:
  restartPolicy: Never
  nodeSelector: {kubernetes.io/hostname: nowhere}
  terminationGracePeriodSeconds: 0
  containers: [{name: migrate, image: "registry.example.com/migrate:1"}]
{{- end }}
""",
}
"""Nothing that rolls out. The hook's pod is for a node that nobody has: `Shop.end_hook` ends it."""


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
        kube = KubeOptions(
            kubeconfig=str(self.helm.kubeconfig), namespace=self.helm.namespace, driver="secret"
        )
        return ClusterSource(
            kube, helm_binary=str(self.helm.binary), common_words=self.words, all_namespaces=False
        )

    def options(self, *, allow_changes: bool = True) -> TuiOptions:
        return TuiOptions(
            namespace=self.helm.namespace,
            all_namespaces=False,
            allow_changes=allow_changes,
            common_words=self.words,
            audit_log=str(self.audit_log),
            verify_seconds=0,
        )

    def await_hook(self) -> None:
        """Until helm waits for its hook."""
        self.cluster.wait_for(self._hook, lambda found: found is not None)

    def end_hook(self, phase: str) -> None:
        """Let it end: ``Succeeded`` or ``Failed``."""
        self.await_hook()
        self.cluster.patch(f"{self._hook}/status", {"status": {"phase": phase}})

    @property
    def _hook(self) -> str:
        return f"/api/v1/namespaces/{self.helm.namespace}/pods/migrate"

    def decisions(self) -> list[str]:
        """The events in the audit log."""
        lines = self.audit_log.read_text().splitlines()
        return [json.loads(line)["event"] for line in lines]

    def statuses(self) -> list[str]:
        """Of the revisions, oldest first."""
        history = json.loads(self.helm.run("history", "shop", "-o", "json").stdout)
        return [each["status"] for each in history]

    def colour(self) -> str:
        place = f"/api/v1/namespaces/{self.helm.namespace}/configmaps/shop"
        return str(self.cluster.get(place)["data"]["colour"])


@asynccontextmanager
async def opened(
    shop: Shop, *, allow_changes: bool = True, size: tuple[int, int] = (100, 30)
) -> AsyncIterator[Pilot[int]]:
    """The program with the list of releases."""
    app = HelmguardApp(shop.source(), shop.options(allow_changes=allow_changes))
    async with app.run_test(size=size) as pilot:
        yield pilot


async def planned(pilot: Pilot[int], form: PlanForm) -> PlanScreen:
    """The screen of a plan that is made."""
    screen = PlanScreen(form)
    pilot.app.push_screen(screen)
    await until(pilot, lambda: screen.shown is not None and not screen.is_busy)
    return screen


async def asked(pilot: Pilot[int]) -> ApproveDialog:
    """Apply the plan that is shown, until the gate has spoken."""
    await pilot.press("a")
    await until(pilot, lambda: isinstance(pilot.app.screen, ApproveDialog) and pilot.app.screen.has_spoken)
    dialog = pilot.app.screen
    assert isinstance(dialog, ApproveDialog)
    return dialog


async def answered(pilot: Pilot[int], answer: str = "yes") -> ExecutionScreen:
    """Answer, and be where helm runs."""
    pilot.app.screen.query_one(Input).value = answer
    await pilot.press("enter")
    await until(pilot, lambda: isinstance(pilot.app.screen, ExecutionScreen))
    screen = pilot.app.screen
    assert isinstance(screen, ExecutionScreen)
    return screen


async def done(pilot: Pilot[int], screen: ExecutionScreen) -> str:
    """What is shown of the run's end."""
    await until(pilot, lambda: screen.ended is not None)
    await pilot.pause()
    return text_of(pilot)


async def until(pilot: Pilot[int], condition: Callable[[], bool], seconds: float = 30.0) -> None:
    """Until it is so; what is shown is told where it never is."""
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline, text_of(pilot)
        await pilot.pause(0.02)
