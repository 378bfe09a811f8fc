"""Inputs of a plan, made by hand."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from helmguard.manifest import yaml
from helmguard.model.apply_options import ApplyOptions
from helmguard.model.helm_version import HelmVersion
from helmguard.model.live_state import LiveState, Present
from helmguard.model.plan import ChartRef, ValuesReport
from helmguard.model.release import History, Revision
from helmguard.model.resource_key import ResourceKey
from helmguard.planner.inputs import NewRevision, PlanInputs

OWNED = {
    "labels": {"app.kubernetes.io/managed-by": "Helm"},
    "annotations": {"meta.helm.sh/release-name": "web", "meta.helm.sh/release-namespace": "shop"},
}


def config_map(name: str = "settings", **data: str) -> str:
    """A document of a manifest."""
    return "---\n" + yaml.dump(
        {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": name}, "data": data}
    )


def key(name: str = "settings", kind: str = "ConfigMap") -> ResourceKey:
    return ResourceKey.of("v1", kind, "shop", name)


def live(name: str = "settings", **data: str) -> Present:
    """The ConfigMap as the API server holds it after Helm made it."""
    metadata = {"name": name, "namespace": "shop", "uid": f"uid-{name}", "resourceVersion": "7", **OWNED}
    return Present({"apiVersion": "v1", "kind": "ConfigMap", "metadata": metadata, "data": data})


def revision(version: int, manifest: str, status: str = "deployed", **more: Any) -> Revision:
    metadata = {"name": "web", "version": "1.0.0", "appVersion": "1"}
    return Revision(
        name="web",
        namespace="shop",
        version=version,
        status=status,
        label_status=status,
        chart={"metadata": metadata, "values": {}},
        config=more.pop("config", None),
        manifest=manifest,
        **more,
    )


def inputs(
    manifest: str,
    revisions: Iterable[Revision] = (),
    states: dict[ResourceKey, LiveState] | None = None,
    /,
    **more: Any,
) -> PlanInputs:
    """An upgrade with Helm 3 unless ``more`` says otherwise."""
    return PlanInputs(
        **{
            "operation": "upgrade",
            "release": "web",
            "namespace": "shop",
            "helm": HelmVersion(3, 22, 0),
            "options": ApplyOptions(),
            "history": History("web", "shop", tuple(revisions)),
            "new": NewRevision(manifest=manifest),
            "new_chart": ChartRef("web", "1.0.0", "1", "./web", "sha256:0"),
            "values": ValuesReport("reuse", "because --reuse-values was given"),
            "live": states or {},
            **more,
        }
    )
