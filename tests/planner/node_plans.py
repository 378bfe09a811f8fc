"""Plans about RuntimeClasses, their nodes, and what is collected of these, made by hand."""

from __future__ import annotations

from typing import Any

from plan_inputs import inputs, revision

from helmguard.containerd.judged_node import judged_node
from helmguard.manifest import yaml
from helmguard.model.cluster_facts import ClusterFacts
from helmguard.model.judged_node import JudgedNode
from helmguard.model.node_facts import ContainerdFacts, NodeFacts, NodeFile, PathFacts
from helmguard.model.plan import Plan
from helmguard.planner.inputs import PlanInputs
from helmguard.planner.make_plan import assembled
from helmguard.planner.node_side import node_side_of
from helmguard.rules.node_side import WantedHandler

JSON = dict[str, Any]
BINARY = "/usr/bin/nvidia-container-runtime"
TOOLKIT = "/usr/local/nvidia/toolkit/nvidia-container-runtime"
DROP_IN = "/etc/containerd/conf.d/99-nvidia.toml"
MAIN = 'version = 3\nimports = ["/etc/containerd/conf.d/*.toml"]\n'


def runtime(binary: str) -> str:
    """A table that registers ``nvidia``."""
    table = "plugins.'io.containerd.cri.v1.runtime'.containerd.runtimes.nvidia"
    return f'[{table}]\nruntime_type = "io.containerd.runc.v2"\n[{table}.options]\nBinaryName = "{binary}"\n'


def facts(name: str = "gpu-a", files: dict[str, str] | None = None, **more: Any) -> JudgedNode:
    """A node with containerd 2.1.4 and these files; the programs of both runtimes are there."""
    given = {"/etc/containerd/config.toml": MAIN, **(files or {})}
    programs = {path: PathFacts("file", executable=True, form="elf") for path in (BINARY, TOOLKIT)}
    return judged_node(
        NodeFacts(
            name,
            files={path: NodeFile(text) for path, text in given.items()},
            paths={**programs, **{path: PathFacts("file") for path in given}},
            containerd=ContainerdFacts(version="2.1.4"),
            **more,
        )
    )


def node(name: str = "gpu-a", handlers: tuple[str, ...] = (), **labels: str) -> JSON:
    """A Node with a GPU."""
    status: JSON = {"nodeInfo": {"containerRuntimeVersion": "containerd://2.1.4"}}
    if handlers:
        status["runtimeHandlers"] = [{"name": each} for each in handlers]
    return {
        "metadata": {"name": name, "labels": {"nvidia.com/gpu.present": "true", **labels}},
        "status": status,
    }


def cluster(*nodes: JSON, classes: tuple[JSON, ...] = (), **lists: tuple[JSON, ...]) -> ClusterFacts:
    """All that these plans ask for."""
    empty = dict.fromkeys(("allPods", "pods", "events", "allDaemonSets"), ())
    return ClusterFacts(
        lists={**empty, "nodes": nodes, "runtimeClasses": classes, **lists}, namespaces=("shop",)
    )


def policy(**spec: Any) -> str:
    """The manifest with a ClusterPolicy; each part of the spec is on or off."""
    parts = {name: {"enabled": on} if isinstance(on, bool) else on for name, on in spec.items()}
    return document("nvidia.com/v1", "ClusterPolicy", "cluster-policy", spec=parts)


def document(api_version: str, kind: str, name: str, **more: Any) -> str:
    return "---\n" + yaml.dump({"apiVersion": api_version, "kind": kind, "metadata": {"name": name}, **more})


def workload(kind: str = "Deployment", name: str = "train", **pod: Any) -> str:
    template = {
        "metadata": {"labels": {"app": name}},
        "spec": {"containers": [{"name": "a", "image": "b"}], **pod},
    }
    return document(
        "apps/v1", kind, name, spec={"selector": {"matchLabels": {"app": name}}, "template": template}
    )


def runtime_class(name: str = "kata", handler: str = "kata-qemu", **more: Any) -> str:
    return document("node.k8s.io/v1", "RuntimeClass", name, handler=handler, **more)


def live_class(name: str, handler: str) -> JSON:
    return {"metadata": {"name": name}, "handler": handler}


def install(manifest: str, **more: Any) -> PlanInputs:
    return inputs(manifest, operation="install", **more)


def upgrade(old: str, new: str, **more: Any) -> PlanInputs:
    return inputs(new, [revision(1, old)], **more)


def wanted(asked: PlanInputs) -> tuple[WantedHandler, ...]:
    return node_side_of(assembled(asked), asked).wanted or ()


def told(plan: Plan, *rules: str) -> list[tuple[str, str, str]]:
    """What is said about handlers and the toolkit: rule, severity, result."""
    about = rules or ("ctrd-", "gpu-toolkit-", "gpu-stuck", "gpu-layer", "pods-stuck")
    return [
        (one.rule, one.severity, one.result)
        for one in plan.findings
        if one.rule.startswith(about) and one.severity != "info"
    ]
