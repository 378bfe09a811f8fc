"""Why a workload is no further: what its conditions, pods, events and claims say. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

import msgspec

from helmguard.model.json_value import JSONObject
from helmguard.verify.rollout_state import condition_of

_EVENT_REASONS = frozenset(
    [
        "FailedCreate",
        "FailedMount",
        "FailedAttachVolume",
        "FailedCreatePodSandBox",
        "FailedScheduling",
        "FailedPreStopHook",
        "NetworkNotReady",
        "NodeNotReady",
        "Evicted",
        "ProvisioningFailed",
        "FailedBinding",
        "Unhealthy",
    ]
)
_HARMLESS_WAITS = ("ContainerCreating", "PodInitializing", "")
_LONGEST = 400
_MOST_REASONS = 8


class Surrounding(msgspec.Struct, frozen=True):
    """What was read around workloads, of their namespaces; events are warnings.

    ``nodes`` are those of pods that are not ready. ``unread`` says what could not be read, and why.
    """

    replica_sets: tuple[JSONObject, ...] = ()
    pods: tuple[JSONObject, ...] = ()
    events: tuple[JSONObject, ...] = ()
    claims: tuple[JSONObject, ...] = ()
    nodes: tuple[JSONObject, ...] = ()
    unread: tuple[str, ...] = ()


class Reasons(msgspec.Struct, frozen=True):
    """``blocked``: one of them does not go away with time alone."""

    texts: tuple[str, ...] = ()
    blocked: bool = False


class _Reason(msgspec.Struct, frozen=True):
    text: str
    pod: str = ""
    blocks: bool = True


def reasons_of(workload: JSONObject, around: Surrounding) -> Reasons:
    """Why the workload is not done, most telling first; several pods with one trouble are one reason."""
    pods = pods_of(workload, around)
    waiting = [pod for pod in pods if not _is_well(pod)]
    found = [*_of_workload(workload, around)]
    for pod in waiting:
        found += _of_pod(pod, around)
    found += _of_events(workload, waiting, around, {reason.pod for reason in found if reason.pod})
    texts = _counted(found)
    shown = texts[:_MOST_REASONS]
    if len(texts) > len(shown):
        shown.append(f"and {len(texts) - len(shown)} more reasons")
    if not found:
        shown += around.unread
    return Reasons(tuple(shown), any(reason.blocks for reason in found))


def pods_of(workload: JSONObject, around: Surrounding) -> list[JSONObject]:
    """The pods that the workload owns, itself or by ReplicaSets not scaled to 0; a Pod is its own."""
    if workload.get("kind") == "Pod":
        return [workload]
    owners = {_uid(workload)} | {
        _uid(item) for item in _replica_sets_of(workload, around) if (item.get("spec") or {}).get("replicas")
    }
    return [pod for pod in around.pods if owners & _owner_uids(pod)]


def needs_attention(pod: JSONObject) -> bool:
    """Whether the pod is not ready, nor done."""
    return not _is_well(pod)


def claims_of(pod: JSONObject) -> set[str]:
    """Names of the claims that the pod mounts."""
    volumes = (pod.get("spec") or {}).get("volumes") or ()
    return {
        str(volume["persistentVolumeClaim"].get("claimName"))
        for volume in volumes
        if isinstance(volume.get("persistentVolumeClaim"), dict)
    }


def _of_workload(workload: JSONObject, around: Surrounding) -> Iterator[_Reason]:
    for body in (workload, *_replica_sets_of(workload, around)):
        failure = condition_of(body, "ReplicaFailure")
        if failure.get("status") == "True":
            yield _Reason(f"pods cannot be created: {_short(failure.get('message'))}")
            return


def _of_pod(pod: JSONObject, around: Surrounding) -> Iterator[_Reason]:
    name, status = _name(pod), pod.get("status") or {}
    scheduled = condition_of(pod, "PodScheduled")
    if scheduled.get("status") == "False":
        gated = scheduled.get("reason") == "SchedulingGated"
        words = "waits for its scheduling gates" if gated else "no node can take it"
        yield _Reason(f"{words}: {_short(scheduled.get('message'))}", name)
        yield from _of_claims(pod, around)
    if status.get("phase") == "Failed" or status.get("reason") in ("Evicted", "NodeLost"):
        yield _Reason(f"{status.get('reason') or 'failed'}: {_short(status.get('message'))}", name)
    for container in _containers(status):
        reason = _of_container(container)
        if reason is not None:
            yield msgspec.structs.replace(reason, pod=name)
    yield from _of_node(pod, around)


def _of_container(container: JSONObject) -> _Reason | None:
    name, state = container.get("name"), container.get("state") or {}
    waiting, ended = state.get("waiting") or {}, state.get("terminated") or {}
    last = (container.get("lastState") or {}).get("terminated") or {}
    why = waiting.get("reason") or ""
    if why == "CrashLoopBackOff":
        return _Reason(f"container {name}: {why}, {_ending(last)}")
    if "Image" in why:
        return _Reason(
            f"container {name}: {why} for {container.get('image')}: {_short(waiting.get('message'))}"
        )
    if why not in _HARMLESS_WAITS:
        return _Reason(f"container {name}: {why}: {_short(waiting.get('message'))}")
    if ended.get("exitCode"):
        return _Reason(f"container {name} ended, {_ending(ended)}", blocks=False)
    if state.get("running") is not None and container.get("ready") is False and last.get("exitCode"):
        return _Reason(f"container {name} runs again, {_ending(last)}", blocks=False)
    return None


def _ending(ended: JSONObject) -> str:
    if not ended:
        return "it does not say how it last ended"
    text = f"last exit code {ended.get('exitCode')} ({ended.get('reason') or 'no reason'})"
    return f"{text}: {_short(ended['message'])}" if ended.get("message") else text


def _of_claims(pod: JSONObject, around: Surrounding) -> Iterator[_Reason]:
    wanted, namespace = claims_of(pod), (pod.get("metadata") or {}).get("namespace")
    found = {
        _name(claim): claim
        for claim in around.claims
        if (claim.get("metadata") or {}).get("namespace") == namespace
    }
    for name in sorted(wanted & set(found)):
        claim = found[name]
        phase = (claim.get("status") or {}).get("phase")
        if phase == "Bound":
            continue
        storage = (claim.get("spec") or {}).get("storageClassName")
        events = [event for event in around.events if _about(event) == _uid(claim)]
        why = f": {_short(events[-1].get('message'))}" if events else ""
        yield _Reason(f"claim {name} is {phase} (storage class {storage or 'none'}){why}", _name(pod))


def _of_node(pod: JSONObject, around: Surrounding) -> Iterator[_Reason]:
    node = next(
        (item for item in around.nodes if _name(item) == (pod.get("spec") or {}).get("nodeName")), None
    )
    for condition in ((node or {}).get("status") or {}).get("conditions") or ():
        kind, status = str(condition.get("type")), condition.get("status")
        bad = status != "True" if kind == "Ready" else kind.endswith("Pressure") and status == "True"
        if bad:
            words = "is not ready" if kind == "Ready" else f"has {kind}"
            text = f"node {_name(node or {})} {words}: {_short(condition.get('message'))}"
            yield _Reason(text, _name(pod), blocks=False)


def _of_events(
    workload: JSONObject, waiting: Sequence[JSONObject], around: Surrounding, explained: set[str]
) -> Iterator[_Reason]:
    """Warnings about the workload, its ReplicaSets, and pods about which nothing else is known."""
    owners = {_uid(item): "" for item in (workload, *_replica_sets_of(workload, around))}
    pods = {_uid(pod): _name(pod) for pod in waiting if _name(pod) not in explained}
    latest: dict[tuple[str, str], JSONObject] = {}
    for event in sorted(around.events, key=_time):
        if event.get("reason") in _EVENT_REASONS and _about(event) in (owners | pods):
            latest[_about(event), str(event.get("reason"))] = event
    for (about, reason), event in latest.items():
        if about in owners and reason == "FailedCreate" and _failed_before(workload, around):
            continue
        text = f"{reason}: {_short(event.get('message'))}"
        yield _Reason(text, pods.get(about, ""), blocks=reason not in ("Unhealthy", "NodeNotReady"))


def _failed_before(workload: JSONObject, around: Surrounding) -> bool:
    """Whether a condition already tells why pods cannot be created."""
    return any(_of_workload(workload, around))


def _counted(reasons: Iterable[_Reason]) -> list[str]:
    pods: dict[str, list[str]] = {}
    for reason in reasons:
        text = reason.text.replace(reason.pod, "POD") if reason.pod else reason.text
        pods.setdefault(text, [])
        if reason.pod and reason.pod not in pods[text]:
            pods[text].append(reason.pod)
    return [_with_pods(text, names) for text, names in pods.items()]


def _with_pods(text: str, names: Sequence[str]) -> str:
    if not names:
        return text
    if len(names) == 1:
        return f"pod {names[0]}: {text.replace('POD', names[0])}"
    return f"{len(names)} pods, {names[0]} and others: {text.replace('POD', names[0])}"


def _is_well(pod: JSONObject) -> bool:
    if (pod.get("metadata") or {}).get("deletionTimestamp"):
        return True
    if (pod.get("status") or {}).get("phase") == "Succeeded":
        return True
    return condition_of(pod, "Ready").get("status") == "True"


def _replica_sets_of(workload: JSONObject, around: Surrounding) -> list[JSONObject]:
    if workload.get("kind") != "Deployment":
        return []
    return [item for item in around.replica_sets if _uid(workload) in _owner_uids(item)]


def _containers(status: JSONObject) -> Iterator[JSONObject]:
    for name in ("initContainerStatuses", "containerStatuses"):
        yield from status.get(name) or ()


def _owner_uids(body: JSONObject) -> set[str]:
    owners = (body.get("metadata") or {}).get("ownerReferences") or ()
    return {str(owner.get("uid")) for owner in owners}


def _uid(body: JSONObject) -> str:
    return str((body.get("metadata") or {}).get("uid") or "?")


def _name(body: JSONObject) -> str:
    return str((body.get("metadata") or {}).get("name") or "")


def _about(event: JSONObject) -> str:
    return str((event.get("involvedObject") or {}).get("uid") or "")


def _time(event: JSONObject) -> str:
    series = (event.get("series") or {}).get("lastObservedTime")
    return str(series or event.get("lastTimestamp") or event.get("eventTime") or "")


def _short(message: object) -> str:
    text = re.sub(r"\s+", " ", str(message or "no message")).strip()
    # How the event recorder begins what it has folded.
    text = text.removeprefix("(combined from similar events): ")
    return text if len(text) <= _LONGEST else text[: _LONGEST - 1] + "…"
