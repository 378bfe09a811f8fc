"""One release in the test's namespace, the hands that change it, and what helmguard and Helm make of that."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from controlplane.chart_folder import write_chart
from controlplane.client import ControlPlane
from controlplane.helm import Helm
from live_state import differences

import helmguard
from helmguard.masking.masker import Masker
from helmguard.report.drift_page import render_drift
from helmguard.report.page import Page

JSON = dict[str, Any]
RELEASE = "rel"
SETTINGS = """\
apiVersion: v1
kind: ConfigMap
metadata: {name: settings}
data: {a: {{ .Values.a | quote }}, b: fixed}
"""
WEB = """\
apiVersion: apps/v1
kind: Deployment
metadata: {name: web}
spec:
  replicas: {{ .Values.replicas }}
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec:
      containers:
      - name: web
        image: registry.example.com/web:1
        env: [{name: MODE, value: fast}]
"""
TICKETS = """\
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: tickets.drift.example.com}
spec:
  group: drift.example.com
  scope: Namespaced
  names: {kind: Ticket, plural: tickets, singular: ticket}
  versions:
  - name: v1
    served: true
    storage: true
    schema:
      openAPIV3Schema:
        type: object
        properties:
          spec:
            type: object
            properties: {mode: {type: string}, size: {type: integer}}
"""
TICKET = """\
apiVersion: drift.example.com/v1
kind: Ticket
metadata: {name: ticket}
spec: {mode: safe, size: {{ .Values.replicas }}}
"""


@dataclass(frozen=True)
class DriftTrial:
    """``folder`` keeps the test's charts."""

    helm: Helm
    cluster: ControlPlane
    folder: Path

    @property
    def is_helm_4(self) -> bool:
        return self.helm.binary.name.startswith("helm4") or "helm4" in str(self.helm.binary)

    @property
    def namespace(self) -> str:
        return self.helm.namespace

    def chart(self, files: Mapping[str, str], values: str = "a: '1'\nreplicas: 3\n") -> Path:
        """A chart of these templates (or ``crds/...``), by name."""
        place = self.folder / f"chart-{len(list(self.folder.iterdir()))}"
        named = {name if "." in name else f"templates/{name}.yaml": text for name, text in files.items()}
        return write_chart(place, {"values.yaml": values, **named})

    def install(self, chart: Path, *words: str) -> Path:
        """``helm upgrade --install``, for real."""
        self.helm.run("upgrade", "--install", RELEASE, chart, *words)
        return chart

    def drift(self, *words: str, release: str = RELEASE) -> JSON:
        """The JSON of ``helmguard drift``, secrets in clear."""
        return helmguard.drift(release, [*words, *self.cluster_words()]).to_dict(show_secrets=True)

    def page(self, *words: str, release: str = RELEASE) -> str:
        """What ``helmguard drift`` prints, 100 columns wide and without colour."""
        plan = helmguard.drift(release, [*words, *self.cluster_words()])
        return render_drift(plan, Page(), Masker.for_plan(plan))

    def cluster_words(self) -> list[str]:
        return ["--helm-bin", str(self.helm.binary), "-n", self.namespace]

    def at(self, collection: str, name: str = "", api: str = "/api/v1") -> str:
        """``at("configmaps", "settings")`` in the test's namespace."""
        return f"{api}/namespaces/{self.namespace}/{collection}" + (f"/{name}" if name else "")

    def web(self) -> str:
        return self.at("deployments", "web", "/apis/apps/v1")

    def scale(self, replicas: int, manager: str = "kubectl") -> None:
        """As ``kubectl scale`` or an autoscaler does it."""
        self.cluster.patch(f"{self.web()}/scale", {"spec": {"replicas": replicas}}, field_manager=manager)

    def patch(self, path: str, change: JSON, manager: str = "kubectl-edit") -> None:
        self.cluster.patch(path, change, field_manager=manager, kind="merge")

    def expect_truth(self, foretold: JSON, chart: Path, *words: str) -> None:
        """The real upgrade with the same chart and values does what the drift report said of it."""
        done = self.helm.run("upgrade", RELEASE, chart, *words, check=False)
        assert (foretold["failure"] is None) is (done.returncode == 0), done.stderr
        if foretold["failure"] is not None:
            assert foretold["failure"]["message"] in done.stderr
        assert differences(self.cluster, foretold) == []


def fields(plan: JSON) -> dict[str, list[tuple[str, str, Any, Any]]]:
    """By class, ``(object, path, live, release's)`` of every field adrift."""
    found: dict[str, list[tuple[str, str, Any, Any]]] = {}
    for resource in plan["resources"]:
        name = f"{resource['kind']}/{resource['name']}"
        for change in (*resource["changes"], *resource["drift"], *resource.get("latent", ())):
            entry = (name, change["path"], change["before"], change.get("new"))
            found.setdefault(change["cause"], []).append(entry)
    return found


def counts(plan: JSON) -> JSON:
    """The classes that are not empty."""
    numbers = plan["drift"]["counts"]
    return {name: count for name, count in numbers.items() if count and not name.startswith("objects")}


def names(keys: list[JSON]) -> list[str]:
    return [f"{key['kind']}/{key['name']}" for key in keys]
