"""Who names a RuntimeClass, and on which nodes it may therefore be needed."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping

import msgspec

from helmguard.model.cluster_facts import ClusterFacts
from helmguard.model.json_value import JSONObject
from helmguard.rules.context.handler_nodes import HandlerNode
from helmguard.rules.context.handler_stuck import is_hanging
from helmguard.rules.context.manifest_maps import items, mapping
from helmguard.rules.context.placements import fits

_NVIDIA = "nvidia"
_GPU_RESOURCES = "nvidia.com/"


class ClassUse(msgspec.Struct, frozen=True):
    """A pod that names the class, or a DaemonSet. ``node`` is empty where it has none yet.

    ``workload`` is what it belongs to (``Deployment shop/web``), ``template`` what decides where it may go:
    None where that is settled: a DaemonSet's pod is made for its node, and what nobody makes anew does not
    move. ``counts``: it is a pod, or there
    are none of it yet.
    """

    ref: str
    workload: str
    kind: str
    template: JSONObject | None
    node: str = ""
    hangs: bool = False
    wants_gpu: bool = False
    counts: bool = True


class UsedClass(msgspec.Struct, frozen=True):
    """A RuntimeClass with all that is known of its use.

    ``selector`` and ``tolerations`` are its ``scheduling``. ``uses`` are None where pods were not read;
    ``used_by`` are users that are still to come (the operator's operands).
    """

    name: str
    handler: str
    selector: Mapping[str, str] = {}
    tolerations: tuple[JSONObject, ...] = ()
    uses: tuple[ClassUse, ...] | None = None
    used_by: tuple[str, ...] = ()

    @property
    def is_used(self) -> bool | None:
        """Whether anything names it; None where that is not known."""
        return True if self.uses or self.used_by else (None if self.uses is None else False)

    @property
    def family(self) -> str:
        """``nvidia`` for all handlers of NVIDIA's toolkit, which one cause puts there or takes away."""
        return _NVIDIA if self.handler.partition("-")[0] == _NVIDIA else self.handler


def uses_by_class(cluster: ClusterFacts) -> Mapping[str, tuple[ClassUse, ...]] | None:
    """Uses by the class's name; None where pods were not read."""
    pods = cluster.lists.get("allPods")
    if pods is None:
        return None
    found: dict[str, list[ClassUse]] = {}
    owners: set[str] = set()
    for pod in pods:
        name = str(mapping(pod, "spec").get("runtimeClassName") or "")
        if name and mapping(pod, "status").get("phase") not in ("Succeeded", "Failed"):
            use = _of_pod(pod)
            owners.add(use.workload)
            found.setdefault(name, []).append(use)
    for body in cluster.lists.get("allDaemonSets") or ():
        name = str(mapping(body, "spec", "template", "spec").get("runtimeClassName") or "")
        if name:
            found.setdefault(name, []).append(_of_daemon_set(body, owners))
    return {name: tuple(uses) for name, uses in found.items()}


def nodes_for(used: UsedClass, nodes: Iterable[HandlerNode]) -> tuple[HandlerNode, ...]:
    """The nodes on which the class's handler may be needed.

    Those that its ``scheduling`` selects; where pods name it, those of them that a pod is on or may land on.
    Else those without a taint that the class does not tolerate. A handler of NVIDIA's, and a pod that asks
    for a GPU, are for nodes with GPUs where any node is known to have some.
    """
    selected = [
        node for node in nodes if all(node.labels.get(key) == value for key, value in used.selector.items())
    ]
    with_gpu = [node for node in selected if node.gpu] or selected
    found: set[str] = set()
    if not used.uses or used.used_by:
        narrowed = with_gpu if used.family == _NVIDIA else selected
        found |= {
            node.name for node in narrowed if used.family == _NVIDIA or _lets_in(node, used.tolerations)
        }
    for use in _distinct(used.uses or ()):
        room = with_gpu if use.wants_gpu else selected
        found |= {node.name for node in room if fits(use.template or {}, use.kind, node.body)}
    found |= {use.node for use in used.uses or () if use.node}
    return tuple(node for node in nodes if node.name in found)


def workload_lines(uses: Iterable[ClassUse]) -> Iterator[str]:
    """``DaemonSet gpu-operator/nvidia-dcgm names it: 4 pods``, the most pods first."""
    counts = Counter(use.workload for use in uses if use.counts)
    for workload, count in counts.most_common():
        is_pod = workload.startswith("Pod ")
        yield f"{workload} names it" + ("" if is_pod else f": {count} pod{'' if count == 1 else 's'}")


def _of_pod(pod: JSONObject) -> ClassUse:
    spec, metadata = mapping(pod, "spec"), mapping(pod, "metadata")
    ref = f"{metadata.get('namespace')}/{metadata.get('name')}"
    kind, name = _owner(metadata)
    node = str(spec.get("nodeName") or "")
    is_settled = kind == "DaemonSet" or (not kind and node != "")
    return ClassUse(
        ref=ref,
        workload=f"{kind} {metadata.get('namespace')}/{name}" if kind else f"Pod {ref}",
        kind=kind or "Pod",
        template=None if is_settled else _placement(spec),
        node=node,
        hangs=node != "" and is_hanging(pod),
        wants_gpu=_wants_gpu(spec),
    )


def _of_daemon_set(body: JSONObject, owners: set[str]) -> ClassUse:
    metadata, spec = mapping(body, "metadata"), mapping(body, "spec", "template", "spec")
    ref = f"{metadata.get('namespace')}/{metadata.get('name')}"
    return ClassUse(
        ref=ref,
        workload=f"DaemonSet {ref}",
        kind="DaemonSet",
        template=_placement(spec),
        wants_gpu=_wants_gpu(spec),
        counts=f"DaemonSet {ref}" not in owners,
    )


def _owner(metadata: JSONObject) -> tuple[str, str]:
    """Kind and name of what keeps the pod; of a ReplicaSet that a Deployment made, the Deployment."""
    for owner in items(metadata, "ownerReferences"):
        kind, name = str(owner.get("kind") or ""), str(owner.get("name") or "")
        template_hash = mapping(metadata, "labels").get("pod-template-hash")
        if kind == "ReplicaSet" and template_hash and name.endswith(f"-{template_hash}"):
            return "Deployment", name.removesuffix(f"-{template_hash}")
        return kind, name
    return "", ""


def _placement(spec: JSONObject) -> JSONObject:
    """What labels, affinity and taints are compared with. How much room there is does not matter here."""
    kept = {key: spec[key] for key in ("nodeSelector", "affinity", "tolerations") if key in spec}
    return {"spec": kept}


def _wants_gpu(spec: JSONObject) -> bool:
    return any(
        str(name).startswith(_GPU_RESOURCES)
        for container in (*items(spec, "initContainers"), *items(spec, "containers"))
        for name in mapping(container, "resources", "limits")
    )


def _distinct(uses: Iterable[ClassUse]) -> Iterator[ClassUse]:
    """One of all that may go to the same nodes: there may be thousands of a Deployment."""
    seen: set[str] = set()
    for use in (one for one in uses if one.template is not None):
        key = json.dumps([use.kind == "DaemonSet", use.wants_gpu, use.template], sort_keys=True, default=str)
        if key not in seen:
            seen.add(key)
            yield use


def _lets_in(node: HandlerNode, tolerations: tuple[JSONObject, ...]) -> bool:
    return fits({"spec": {"tolerations": [*tolerations]}}, "Pod", node.body)
