"""The RuntimeClasses that the NVIDIA GPU Operator makes of a ClusterPolicy, and who will use them.

NVIDIA/gpu-operator@v26.3.3: controllers/object_controls.go (RuntimeClasses, setRuntimeClassName),
controllers/state_manager.go (isStateEnabled), assets/pre-requisites.
"""

from __future__ import annotations

from collections.abc import Iterator

from helmguard.model.cluster_facts import ClusterFacts
from helmguard.model.json_value import JSONObject
from helmguard.model.plan import Plan, ResourceChange
from helmguard.rules.context.gpu import GROUP, KIND
from helmguard.rules.context.gpu_nodes import gpu_nodes
from helmguard.rules.context.manifest_maps import mapping
from helmguard.rules.context.pod_templates import after_of, before_of
from helmguard.rules.context.record import Unknown
from helmguard.rules.node_side import WantedHandler

_WITH_CDI = ("nvidia-cdi", "nvidia-legacy")
_OPERANDS = (
    ("devicePlugin", "nvidia-device-plugin-daemonset"),
    ("dcgm", "nvidia-dcgm"),
    ("dcgmExporter", "nvidia-dcgm-exporter"),
    ("gfd", "gpu-feature-discovery"),
    ("migManager", "nvidia-mig-manager"),
)
_VALIDATOR = "nvidia-operator-validator"


def policy_change(plan: Plan) -> ResourceChange | None:
    """The release's ClusterPolicy, None where it has none."""
    found = [
        one
        for one in plan.resources
        if (one.prediction.key.group, one.prediction.key.kind) == (GROUP, KIND) and one.action != "hook"
    ]
    return next((one for one in found if one.prediction.previous is not None), found[0] if found else None)


def policy_handlers(policy: ResourceChange | None, cluster: ClusterFacts) -> Iterator[WantedHandler]:
    """The RuntimeClasses that there will be, by the policy as Helm leaves it."""
    spec = _spec(policy)
    if policy is None or spec is None or mapping(spec, "cdi").get("nriPluginEnabled") is True:
        return
    main = str(mapping(spec, "operator").get("runtimeClass") or "nvidia")
    more = [name for name in _WITH_CDI if name != main] if _is_on(spec, "cdi") else []
    toolkit = _is_on(spec, "toolkit")
    for name in (main, *more):
        yield WantedHandler(
            name=name,
            handler=name,
            by=str(policy.prediction.key),
            configured_by=f"the operator's toolkit ({policy.prediction.key})" if toolkit else "",
            used_by=_operands(spec) if name == main and _name_it(spec, cluster) else (),
            told_by="" if toolkit else _told_by(policy),
        )


def relies_on_cdi(policy: ResourceChange | None) -> str:
    """The policy, where it has the operands use CDI."""
    spec = _spec(policy)
    return str(policy.prediction.key) if policy and spec is not None and _is_on(spec, "cdi") else ""


def brought_layers(policy: ResourceChange | None) -> Iterator[tuple[str, str]]:
    """The layers of a node that the operator will install, and what says so."""
    spec = _spec(policy)
    if policy is None or spec is None:
        return
    if _is_on(spec, "driver"):
        yield "kernel", str(policy.prediction.key)
        yield "user space", str(policy.prediction.key)
    if _is_on(spec, "toolkit"):
        yield "injection", str(policy.prediction.key)


def _told_by(policy: ResourceChange) -> str:
    before = before_of(policy)
    was_on = before is not None and _is_on(mapping(before, "spec"), "toolkit")
    return "gpu-toolkit-turned-off" if was_on else "gpu-toolkit-off-on-containerd"


def _operands(spec: JSONObject) -> tuple[str, ...]:
    on = [name for switch, name in _OPERANDS if _is_on(spec, switch)]
    return tuple(f"DaemonSet/{name}" for name in (*on, _VALIDATOR))


def _name_it(spec: JSONObject, cluster: ClusterFacts) -> bool:
    """Whether the operands name the class: without CDI those under CRI-O do not."""
    nodes = gpu_nodes(cluster)
    if _is_on(spec, "cdi") or isinstance(nodes, Unknown):
        return True
    return not nodes or any(not node.runtime.startswith("cri-o://") for node in nodes)


def _spec(policy: ResourceChange | None) -> JSONObject | None:
    body = after_of(policy) if policy is not None else None
    return mapping(body, "spec") if body is not None else None


def _is_on(spec: JSONObject, part: str) -> bool:
    """Each of these parts is on where the policy does not say."""
    enabled = mapping(spec, part).get("enabled")
    return True if enabled is None else enabled is True
