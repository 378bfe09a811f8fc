"""One field report on the real control plane: charts, a release, changes by hand, plans and Helm runs."""

from __future__ import annotations

import subprocess
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from controlplane.chart_folder import write_chart
from controlplane.client import ControlPlane
from controlplane.helm import Helm
from plan_and_truth import snapshot, untrue

import helmguard
from helmguard.cli.main import main

JSON = dict[str, Any]
RELEASE = "rel"

_FOLDERS = {
    "ConfigMap": "/api/v1/namespaces/{}/configmaps",
    "Secret": "/api/v1/namespaces/{}/secrets",
    "Service": "/api/v1/namespaces/{}/services",
    "PersistentVolumeClaim": "/api/v1/namespaces/{}/persistentvolumeclaims",
    "Deployment": "/apis/apps/v1/namespaces/{}/deployments",
    "HorizontalPodAutoscaler": "/apis/autoscaling/v2/namespaces/{}/horizontalpodautoscalers",
    "PodDisruptionBudget": "/apis/policy/v1/namespaces/{}/poddisruptionbudgets",
}


@dataclass(frozen=True)
class FieldCase:
    """``folder`` keeps the charts of one test; ``release`` is the release it is about."""

    helm: Helm
    cluster: ControlPlane
    folder: Path
    release: str = RELEASE

    @property
    def namespace(self) -> str:
        """The test's namespace."""
        return self.helm.namespace

    @property
    def is_helm_4(self) -> bool:
        """Whether Helm 4 acts (server-side apply for what it has installed itself)."""
        return "helm4" in str(self.helm.binary)

    def with_helm(self, binary: Path) -> FieldCase:
        """The same release in the hands of another Helm."""
        return replace(self, helm=replace(self.helm, binary=binary))

    def of_release(self, name: str) -> FieldCase:
        """Another release in the same namespace."""
        return replace(self, release=name)

    def chart(
        self, templates: str, values: str = "", version: str = "1.0.0", files: Mapping[str, str] | None = None
    ) -> Path:
        """A chart of one template file; ``files`` are written beside it."""
        place = self.folder / self.release / f"chart-{version}"
        content = {"values.yaml": values, "templates/all.yaml": templates, **(files or {})}
        return write_chart(place, content, name="field", version=version)

    def install(self, chart: Path, *words: str) -> None:
        """``helm install``, which must work."""
        self.helm.run("install", self.release, chart, *words)

    def upgrade(self, chart: Path, *words: str, check: bool = True) -> subprocess.CompletedProcess[str]:
        """``helm upgrade``."""
        return self.helm.run("upgrade", self.release, chart, *words, check=check)

    def plan(self, chart: Path | None, *words: str) -> JSON:
        """The plan's JSON, secrets in clear; the server is not asked about Helm's writes unless told to."""
        asked = any(word.startswith("--server-dry-run") for word in words)
        more = [] if asked else ["--server-dry-run=never"]
        typed = [*words, *more, *self.helm.helmguard_words()]
        return helmguard.plan(self.release, str(chart or ""), typed).to_dict(True)

    def drift(self) -> JSON:
        """The JSON of ``helmguard drift``."""
        return helmguard.drift(self.release, self.helm.helmguard_words()).to_dict(True)

    def exit_code(self, chart: Path, *words: str) -> int:
        """The code that the command line ``helmguard plan RELEASE CHART`` ends with."""
        return main(["plan", self.release, str(chart), *words, *self.helm.helmguard_words()])

    def upgrade_as_planned(self, chart: Path, *words: str) -> JSON:
        """Plan an upgrade, run it, and see the plan come true; the plan."""
        plan = self.plan(chart, *words)
        self.comes_true(plan, lambda: self.upgrade(chart, *words, check=False))
        return plan

    def install_as_planned(self, chart: Path, *words: str) -> JSON:
        """The same for ``helm upgrade --install``."""
        return self.upgrade_as_planned(chart, "--install", *words)

    def rollback_as_planned(self, *words: str) -> JSON:
        """The same for a rollback; ``words`` begin with the revision, if any."""
        plan = self.plan(None, "--rollback", *words)
        run = ["rollback", self.release, *words]
        self.comes_true(plan, lambda: self.helm.run(*run, check=False))
        return plan

    def comes_true(self, plan: JSON, run: Callable[[], subprocess.CompletedProcess[str]]) -> None:
        """Run the operation and compare every planned object with the cluster."""
        before = snapshot(self.cluster, plan)
        done = run()
        found = untrue(plan, before, snapshot(self.cluster, plan), done)
        assert not found, "\n".join(found)

    def path(self, kind: str, name: str = "") -> str:
        """The URL path of an object in the test's namespace, or of its kind's collection."""
        folder = _FOLDERS[kind].format(self.namespace)
        return f"{folder}/{name}" if name else folder

    def live(self, kind: str, name: str) -> JSON | None:
        """An object of the test's namespace as it is now."""
        return self.cluster.find(self.path(kind, name))

    def edit(self, kind: str, name: str, change: JSON, manager: str = "kubectl-edit") -> None:
        """A merge patch by hand."""
        self.cluster.patch(self.path(kind, name), change, field_manager=manager)

    def scale(self, name: str, replicas: int) -> None:
        """``kubectl scale deployment``."""
        change = {"spec": {"replicas": replicas}}
        self.cluster.patch(f"{self.path('Deployment', name)}/scale", change, field_manager="kubectl")


def resource(plan: JSON, name: str) -> JSON:
    """The one entry of the plan named ``Kind/name`` that is no hook."""
    (found,) = (
        entry
        for entry in plan["resources"]
        if f"{entry['kind']}/{entry['name']}" == name and not entry["hook"]
    )
    return found


def actions(plan: JSON) -> dict[str, str]:
    """``Kind/name`` to action, hooks left out."""
    return {
        f"{entry['kind']}/{entry['name']}": entry["action"]
        for entry in plan["resources"]
        if not entry["hook"]
    }


def change(plan: JSON, name: str, path: str) -> tuple[Any, Any, str]:
    """Before, after and cause of one field."""
    (found,) = (entry for entry in resource(plan, name)["changes"] if entry["path"] == path)
    return found["before"], found["after"], found["cause"]


def changed_paths(plan: JSON, name: str) -> list[str]:
    """The fields that really change; entries with equal sides are not."""
    changes = resource(plan, name)["changes"]
    return [
        entry["path"]
        for entry in changes
        if entry["before"] != entry["after"] or len(entry.get("absent", ())) == 1
    ]


def findings(plan: JSON, rule: str) -> list[JSON]:
    """The plan's findings of one rule."""
    return [finding for finding in plan["findings"] if finding["rule"] == rule]


def rules(plan: JSON) -> set[str]:
    """The rules that found something."""
    return {finding["rule"] for finding in plan["findings"]}
