"""A release with two revisions and with changes by hand, and a chart that would change much of it."""

from __future__ import annotations

import shlex
from dataclasses import dataclass
from pathlib import Path

from controlplane.client import JSON, ControlPlane
from controlplane.helm import Helm
from live_state import program_for
from release_charts import installed_chart, next_chart, other_chart


@dataclass(frozen=True)
class Released:
    """The release ``web`` in the namespace of ``helm``, which runs as the administrator."""

    cluster: ControlPlane
    helm: Helm
    charts: Path

    def words(self, text: str, scratch: Path) -> list[str]:
        """The words of a command, its names in braces put in: see ``reading_commands``."""
        names = {
            "chart": self.charts / "installed",
            "next": self.charts / "next",
            "other": self.charts / "other",
            "saved": self.charts / "web.hgplan",
            "folder": scratch,
            "namespace": self.helm.namespace,
        }
        return [word.format_map(names) for word in shlex.split(text)]


def release(cluster: ControlPlane, helm: Helm, charts: Path) -> Released:
    """Install and upgrade it, change two objects by hand, and wait until the controllers are done with it."""
    installed = installed_chart(charts / "installed", helm.namespace)
    next_chart(charts / "next", helm.namespace)
    other_chart(charts / "other", helm.namespace)
    helm.run("install", "web", installed)
    helm.run("upgrade", "web", installed, "--no-hooks", "--set", "size=large")
    inside = f"namespaces/{helm.namespace}"
    cluster.patch(f"/api/v1/{inside}/configmaps/web-settings", {"data": {"size": "huge", "by": "hand"}})
    server = f"/apis/apps/v1/{inside}/deployments/web"
    cluster.patch(server, {"spec": {"template": {"metadata": {"annotations": {"by": "hand"}}}}})
    cluster.wait_for(server, _is_settled)
    cluster.wait_for(f"/api/v1/{inside}/configmaps/kube-root-ca.crt", lambda found: found is not None)
    cluster.wait_for(f"/api/v1/{inside}/endpoints/web", lambda found: found is not None)
    saving = ["plan", "web", charts / "next", "--out", charts / "web.hgplan", "--fail-on", "none"]
    program_for(helm).run(*saving).expect(2)
    return Released(cluster, helm, charts)


def _is_settled(deployment: JSON | None) -> bool:
    assert deployment is not None
    status = deployment["status"]
    seen = status.get("observedGeneration") == deployment["metadata"]["generation"]
    reasons = {condition["reason"] for condition in status.get("conditions", ())}
    return seen and "NewReplicaSetAvailable" in reasons
