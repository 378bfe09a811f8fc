"""The nodes that the change of an object reaches, as far as they were read."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from helmguard.model.json_value import JSONObject, JSONValue
from helmguard.model.live_state import Present
from helmguard.model.plan import Plan, ResourceChange
from helmguard.report.plural import plural
from helmguard.rules.context.selectors import selects

_NAMED = 6


def operator_nodes(item: ResourceChange, plan: Plan) -> str:
    """``4 GPU nodes: gpu-a, gpu-b``: those on which the operator of this object acts."""
    gpu = plan.context.get("gpu")
    if not isinstance(gpu, Mapping) or gpu.get("ref") != str(item.prediction.key):
        return "nodes: not known"
    nodes = gpu.get("nodes")
    if not isinstance(nodes, Sequence) or isinstance(nodes, str):
        return "GPU nodes: not read"
    names = [str(node.get("name")) for node in nodes if isinstance(node, Mapping)]
    return _counted(names, "GPU node") if names else "no GPU node"


def pod_nodes(item: ResourceChange, plan: Plan) -> str:
    """``2 nodes: a, b``: those on which the workload's pods run now; empty where that was not read."""
    live = item.prediction.live.body if isinstance(item.prediction.live, Present) else {}
    selector = _map(_map(live.get("spec")).get("selector"))
    if not selector:
        return ""
    namespace = item.prediction.key.namespace
    found = (_node_of(pod, selector, namespace) for pod in _pods(plan))
    names = sorted({name for name in found if name})
    return _counted(names, "node") if names else ""


def _pods(plan: Plan) -> Iterator[JSONObject]:
    cluster = plan.context.get("cluster")
    pods = cluster.get("pods") if isinstance(cluster, Mapping) else None
    if isinstance(pods, Sequence) and not isinstance(pods, str):
        yield from (pod for pod in pods if isinstance(pod, dict))


def _node_of(pod: JSONObject, selector: JSONObject, namespace: str | None) -> str:
    metadata = _map(pod.get("metadata"))
    if metadata.get("namespace") != namespace or not selects(selector, _map(metadata.get("labels"))):
        return ""
    return str(_map(pod.get("spec")).get("nodeName") or "")


def _counted(names: Sequence[str], noun: str) -> str:
    more = f" and {len(names) - _NAMED} more" if len(names) > _NAMED else ""
    return f"{plural(len(names), noun)}: {', '.join(names[:_NAMED])}{more}"


def _map(value: JSONValue) -> JSONObject:
    return value if isinstance(value, dict) else {}
