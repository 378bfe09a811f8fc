"""One release in the test's namespace: planned, run by the real Helm, and verified."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from controlplane.chart_folder import write_chart
from controlplane.client import ControlPlane
from controlplane.helm import Helm

import helmguard
from helmguard.cluster.connect import connect
from helmguard.cluster.connection import Connection
from helmguard.cluster.kube_options import KubeOptions
from helmguard.model.plan import Plan
from helmguard.model.verification import Verification
from helmguard.verify.verify_plan import verify_plan

JSON = dict[str, Any]
RELEASE = "rel"
VALUES = "replicas: 2\nimage: web:1\nnode: ''\ndeadline: 600\nextra: {}\n"
WEB = """\
apiVersion: apps/v1
kind: Deployment
metadata: {name: web}
spec:
  replicas: {{ .Values.replicas }}
  progressDeadlineSeconds: {{ .Values.deadline }}
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec:
      nodeSelector: {for: {{ .Values.node | default .Release.Namespace }}}
      tolerations: [{key: for, operator: Exists}]
      containers:
      - name: web
        image: {{ .Values.image }}
        resources: {requests: {cpu: 10m}}
---
apiVersion: v1
kind: Service
metadata: {name: web}
spec: {selector: {app: web}, ports: [{port: 80}]}
---
apiVersion: v1
kind: Secret
metadata: {name: login}
stringData: {password: {{ .Values.password | default "hunter2-Zq81" }}}
"""


@dataclass(frozen=True)
class VerifyTrial:
    """``folder`` keeps the test's charts."""

    helm: Helm
    cluster: ControlPlane
    node: str
    folder: Path

    @property
    def namespace(self) -> str:
        return self.helm.namespace

    @property
    def connection(self) -> Connection:
        options = KubeOptions(kubeconfig=str(self.cluster.kubeconfig), namespace=self.namespace)
        return connect(options, {})

    def chart(self, files: Mapping[str, str] | None = None) -> Path:
        place = self.folder / f"chart-{len(list(self.folder.iterdir()))}"
        named = {f"templates/{name}.yaml": text for name, text in (files or {"web": WEB}).items()}
        return write_chart(place, {"values.yaml": VALUES, **named})

    def plan(self, chart: Path, *words: str) -> Plan:
        return helmguard.plan(RELEASE, str(chart), [*words, "--install", *self.words()])

    def plan_rollback(self, revision: int) -> Plan:
        return helmguard.plan(RELEASE, words=["--rollback", str(revision), *self.words()])

    def words(self) -> list[str]:
        return self.helm.helmguard_words()

    def upgrade(self, chart: Path, *words: str) -> Plan:
        """Plan it, then let Helm do it."""
        plan = self.plan(chart, *words)
        self.helm.run("upgrade", "--install", RELEASE, chart, *words)
        return plan

    def verify(self, plan: Plan, timeout: float = 20.0, **more: Any) -> Verification:
        return verify_plan(plan, self.connection, timeout=timeout, **more)

    def at(self, collection: str, name: str = "", api: str = "/api/v1") -> str:
        """``at("configmaps", "settings")`` in the test's namespace."""
        return f"{api}/namespaces/{self.namespace}/{collection}" + (f"/{name}" if name else "")

    def web(self) -> str:
        return self.at("deployments", "web", "/apis/apps/v1")

    def wait_for_pods(self, holds: Callable[[Sequence[JSON]], bool]) -> list[JSON]:
        """The pods of the Deployment, once this is true of them."""
        self.cluster.wait_for(self.web(), lambda _: holds(self.cluster.items(self.at("pods"))))
        return self.cluster.items(self.at("pods"))


def states(verification: Verification) -> dict[str, str]:
    return {str(rollout.key): rollout.state for rollout in verification.rollouts}


def reasons(verification: Verification) -> str:
    return "\n".join(reason for rollout in verification.rollouts for reason in rollout.reasons)


def differing(verification: Verification) -> list[tuple[str, str]]:
    return [(str(item.key), item.kind) for item in verification.differences]
