"""The collecting pods and the nodes that should have one. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

import msgspec

from helmguard.model.json_value import JSONObject
from helmguard.rules.context.manifest_maps import items, mapping
from helmguard.rules.context.placements import fits


class CollectingPod(msgspec.Struct, frozen=True):
    """A pod that has a node. ``waits_for`` says why it has printed nothing, empty where it may have.

    ``final``: it will not get better by waiting.
    """

    name: str
    node: str
    waits_for: str = ""
    created: str = ""
    final: bool = False


def collecting_pods(bodies: Iterable[JSONObject]) -> tuple[CollectingPod, ...]:
    """The newest pod of each node; one that is being deleted counts only where there is no other."""
    newest: dict[str, tuple[tuple[bool, str], CollectingPod]] = {}
    for body in bodies:
        pod = _pod(body)
        rank = (not mapping(body, "metadata").get("deletionTimestamp"), pod.created)
        if pod.node and (pod.node not in newest or rank >= newest[pod.node][0]):
            newest[pod.node] = (rank, pod)
    return tuple(pod for _, (_, pod) in sorted(newest.items()))


def expected_nodes(daemon_sets: Iterable[JSONObject], nodes: Iterable[JSONObject]) -> frozenset[str]:
    """Nodes that a DaemonSet's pods may run on, by selector, affinity and taints."""
    templates = [mapping(one, "spec", "template") for one in daemon_sets]
    places = [{"spec": {**mapping(template, "spec"), "containers": []}} for template in templates]
    return frozenset(
        str(mapping(node, "metadata").get("name"))
        for node in nodes
        if any(fits(place, "DaemonSet", node) for place in places)
    )


def unplaced_reasons(bodies: Sequence[JSONObject]) -> Mapping[str, str]:
    """Why pods without a node have none, by the node that each is meant for."""
    found: dict[str, str] = {}
    for body in bodies:
        if mapping(body, "spec").get("nodeName"):
            continue
        message = next(
            (
                str(one.get("message") or one.get("reason") or "")
                for one in items(body, "status", "conditions")
                if one.get("type") == "PodScheduled" and one.get("status") == "False"
            ),
            "",
        )
        for node in _meant_for(body):
            found[node] = (
                f"its pod is not scheduled: {message}" if message else "its pod is not scheduled yet"
            )
    return found


def _pod(body: JSONObject) -> CollectingPod:
    metadata = mapping(body, "metadata")
    why, final = _waits_for(body)
    return CollectingPod(
        name=str(metadata.get("name") or ""),
        node=str(mapping(body, "spec").get("nodeName") or ""),
        waits_for=why,
        created=str(metadata.get("creationTimestamp") or ""),
        final=final,
    )


def _waits_for(body: JSONObject) -> tuple[str, bool]:
    status = mapping(body, "status")
    for one in items(status, "containerStatuses"):
        waiting = mapping(one, "state", "waiting")
        if waiting and not mapping(one, "lastState", "terminated"):
            words = [str(waiting[key]) for key in ("reason", "message") if waiting.get(key)]
            return "its pod waits: " + ": ".join(words), False
    if status.get("phase") == "Pending":
        return "its pod is pending", False
    if status.get("phase") == "Failed":
        words = [str(status[key]) for key in ("reason", "message") if status.get(key)]
        return ": ".join(["its pod failed", *words]), True
    return "", False


def _meant_for(body: JSONObject) -> Iterator[str]:
    """The node that the DaemonSet's controller made the pod for: it says so by an affinity."""
    required = mapping(
        body, "spec", "affinity", "nodeAffinity", "requiredDuringSchedulingIgnoredDuringExecution"
    )
    for term in items(required, "nodeSelectorTerms"):
        for field in items(term, "matchFields"):
            if field.get("key") == "metadata.name":
                yield from (str(value) for value in field.get("values") or ())
