"""A release in the test's namespace: planned by helmguard, carried out by the real Helm, looked at live."""

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
from helmguard.report.markdown import render_markdown
from helmguard.report.page import Page
from helmguard.report.terminal import render_terminal

_COLLECTIONS = {
    "ConfigMap": "/api/v1/namespaces/{}/configmaps",
    "Secret": "/api/v1/namespaces/{}/secrets",
    "Service": "/api/v1/namespaces/{}/services",
    "ServiceAccount": "/api/v1/namespaces/{}/serviceaccounts",
    "PersistentVolumeClaim": "/api/v1/namespaces/{}/persistentvolumeclaims",
    "Deployment": "/apis/apps/v1/namespaces/{}/deployments",
    "NetworkPolicy": "/apis/networking.k8s.io/v1/namespaces/{}/networkpolicies",
    "CustomResourceDefinition": "/apis/apiextensions.k8s.io/v1/customresourcedefinitions",
}


@dataclass(frozen=True)
class AroundRelease:
    """``folder`` keeps the charts and bundles of one test."""

    helm: Helm
    cluster: ControlPlane
    folder: Path
    name: str = "rel"

    @property
    def namespace(self) -> str:
        """The test's namespace."""
        return self.helm.namespace

    @property
    def is_client_side(self) -> bool:
        """Whether this Helm patches client-side without being asked to."""
        return self.helm.run("version", "--short").stdout.startswith("v3")

    def named(self, name: str) -> AroundRelease:
        """Another release in the same namespace."""
        return replace(self, name=name)

    def chart(self, files: Mapping[str, str] | str, version: str = "1.0.0", name: str = "around") -> Path:
        """A chart folder of these files; a text alone is its one template."""
        parts = {"templates/all.yaml": files} if isinstance(files, str) else files
        place = self.folder / f"{self.name}-{name}-{version}"
        return write_chart(place, parts, name=name, version=version)

    def upgrade(self, chart: Path, *words: str) -> str:
        """``helm upgrade --install``, for real: helm's error, empty where it went well."""
        return self._error("upgrade", "--install", self.name, str(chart), *words)

    def rollback(self, revision: int = 0) -> str:
        """``helm rollback``, for real: helm's error."""
        return self._error("rollback", self.name, *([str(revision)] if revision else []))

    def plan(self, chart: Path, *words: str) -> dict[str, Any]:
        """The plan's JSON of ``helmguard plan``."""
        return helmguard.plan(self.name, str(chart), [*words, *self.helm.helmguard_words()]).to_dict(True)

    def rollback_plan(self, revision: int = 0) -> dict[str, Any]:
        """The plan's JSON of ``helmguard plan --rollback``."""
        words = ["--rollback", *([str(revision)] if revision else []), *self.helm.helmguard_words()]
        return helmguard.plan(self.name, words=words).to_dict(True)

    def page(self, chart: Path, *words: str) -> str:
        """What ``helmguard plan`` prints, 100 columns wide and without colour."""
        plan = helmguard.plan(self.name, str(chart), [*words, *self.helm.helmguard_words()])
        return render_terminal(plan, Page(), Masker.for_plan(plan))

    def comment(self, chart: Path, *words: str) -> str:
        """The plan as Markdown."""
        plan = helmguard.plan(self.name, str(chart), [*words, *self.helm.helmguard_words()])
        return render_markdown(plan, Masker.for_plan(plan))

    def bundle_plan(self, chart: Path | None, *words: str) -> dict[str, Any]:
        """The same from a bundle that is written first; without a chart that of a rollback."""
        from helmguard.cli.bundle import build_parser
        from helmguard.cli.request import read_plan_request
        from helmguard.planner.bundle_write import write_bundle

        place = self.folder / f"bundle-{len(list(self.folder.iterdir()))}"
        named = [str(chart)] if chart is not None else ["--rollback"]
        typed = [self.name, *named, "-o", str(place), *words, *self.helm.helmguard_words()]
        write_bundle(read_plan_request(build_parser().parse(typed)), place, show_secrets=True)
        return helmguard.plan_bundle(place).to_dict(True)

    def live(self, kind: str, name: str) -> dict[str, Any] | None:
        """The live object, None where there is none or it is on its way out."""
        found = self.cluster.find(self.path(kind, name))
        return None if found is None or found["metadata"].get("deletionTimestamp") else found

    def path(self, kind: str, name: str = "") -> str:
        """The URL path of an object, or of its collection."""
        base = _COLLECTIONS[kind].format(self.namespace)
        return f"{base}/{name}" if name else base

    def statuses(self) -> dict[int, str]:
        """The status of each stored revision, by the storage's labels."""
        secrets = self.cluster.items(self.path("Secret"), labelSelector=f"owner=helm,name={self.name}")
        labels = [secret["metadata"]["labels"] for secret in secrets]
        return {int(one["version"]): one["status"] for one in labels}

    def _error(self, *words: str) -> str:
        done = self.helm.run(*words, check=False)
        if done.returncode == 0:
            return ""
        text = done.stderr.rpartition("Error: ")[2]
        for prefix in ("UPGRADE FAILED: ", "INSTALLATION FAILED: "):
            text = text.removeprefix(prefix)
        return text.strip()


def findings(plan: dict[str, Any], rule: str) -> dict[str, dict[str, Any]]:
    """The plan's findings of one rule by the name of what they are about."""
    return {finding["where"]["name"]: finding for finding in plan["findings"] if finding["rule"] == rule}


def rules(plan: dict[str, Any]) -> set[str]:
    """The rules that found something."""
    return {finding["rule"] for finding in plan["findings"]}


def action(plan: dict[str, Any], name: str) -> str:
    """What the plan says will happen to ``Kind/name``."""
    (found,) = (entry for entry in plan["resources"] if f"{entry['kind']}/{entry['name']}" == name)
    return str(found["action"])


def config_map(name: str, data: str = "a: '1'", annotations: str = "", labels: str = "") -> str:
    """A document of a template."""
    return (
        "---\napiVersion: v1\nkind: ConfigMap\n"
        f"metadata: {{name: {name}, annotations: {{{annotations}}}, labels: {{{labels}}}}}\n"
        f"data: {{{data}}}\n"
    )
