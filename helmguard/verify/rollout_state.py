"""How far a workload is, by its own status; what ``kubectl rollout status`` says, and Jobs and Pods beside.

Source: k8s.io/kubectl@v0.36.3 pkg/polymorphichelpers/rollout_status.go.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from helmguard.model.json_value import JSONObject
from helmguard.model.resource_key import ResourceKey
from helmguard.model.verification import Rollout, RolloutState

Found = tuple[RolloutState, str]

_ENDINGS = ("Completed", "BackoffLimitExceeded", "DeadlineExceeded", "PodFailurePolicy")
_NOT_SEEN: Found = ("progressing", "waiting until its controller has seen the change")


def is_workload(key: ResourceKey) -> bool:
    """Whether the kind runs pods to an end that can be waited for."""
    return (key.group, key.kind) in _STATES


def rollout_of(key: ResourceKey, body: JSONObject) -> Rollout:
    """The state of a live workload."""
    state, words = _STATES[key.group, key.kind](body.get("spec") or {}, body.get("status") or {}, body)
    if (body.get("metadata") or {}).get("deletionTimestamp") and not (key.kind == "Job" and state == "done"):
        return Rollout(key, "failed", "it is being deleted")
    return Rollout(key, state, words)


def removed_job(key: ResourceKey, events: Iterable[JSONObject]) -> Rollout:
    """How a Job that is gone has ended, by the latest event that tells."""
    told = [event for event in events if event.get("reason") in _ENDINGS]
    if not told:
        return Rollout(key, "failed", "it is not there")
    last = max(told, key=lambda event: str(event.get("lastTimestamp") or event.get("eventTime") or ""))
    if last["reason"] == "Completed":
        return Rollout(key, "done", "complete, and removed")
    return Rollout(key, "failed", f"failed and was removed: {last.get('message') or last['reason']}")


def condition_of(body: JSONObject, type_: str) -> JSONObject:
    """The condition of this type; {} for none."""
    for condition in (body.get("status") or {}).get("conditions") or ():
        if condition.get("type") == type_:
            found: JSONObject = condition
            return found
    return {}


def _deployment(spec: JSONObject, status: JSONObject, body: JSONObject) -> Found:
    wanted = _number(spec, "replicas", 1)
    updated, available = _number(status, "updatedReplicas"), _number(status, "availableReplicas")
    if not _is_seen(status, body):
        return _NOT_SEEN
    if condition_of(body, "Progressing").get("reason") == "ProgressDeadlineExceeded":
        seconds = _number(spec, "progressDeadlineSeconds", 600)
        return "failed", f"no progress for {seconds} seconds; {updated} of {wanted} pods are new"
    if updated < wanted:
        if spec.get("paused"):
            return "stuck", f"it is paused; {updated} of {wanted} pods are new"
        return "progressing", f"{updated} of {wanted} pods are new"
    old = _number(status, "replicas") - updated
    if old > 0:
        return "progressing", f"{_pods(old)} of the old template still to go"
    if available < updated:
        return "progressing", f"{available} of {updated} new pods available"
    return "done", _all_ready(wanted)


def _stateful_set(spec: JSONObject, status: JSONObject, body: JSONObject) -> Found:
    strategy = spec.get("updateStrategy") or {}
    wanted = _number(spec, "replicas", 1)
    ready, updated = _number(status, "readyReplicas"), _number(status, "updatedReplicas")
    if not _is_seen(status, body):
        return _NOT_SEEN
    if ready < wanted:
        return "progressing", f"{ready} of {wanted} pods ready"
    if strategy.get("type") == "OnDelete":
        return "done", _on_delete(wanted, _new_pods(status))
    partition = _number(strategy.get("rollingUpdate") or {}, "partition")
    if partition:
        if updated < wanted - partition:
            return "progressing", f"{updated} of {wanted - partition} pods above the partition are new"
        return "done", f"{_pods(updated)} new, those below partition {partition} stay old"
    if status.get("updateRevision") != status.get("currentRevision"):
        return "progressing", f"{updated} of {wanted} pods are new"
    return "done", _all_ready(wanted)


def _new_pods(status: JSONObject) -> int:
    """Pods of the new template: where there is but one revision, all of them."""
    if status.get("updateRevision") == status.get("currentRevision"):
        return _number(status, "replicas")
    return _number(status, "updatedReplicas")


def _daemon_set(spec: JSONObject, status: JSONObject, body: JSONObject) -> Found:
    wanted = _number(status, "desiredNumberScheduled")
    updated, available = _number(status, "updatedNumberScheduled"), _number(status, "numberAvailable")
    if not _is_seen(status, body):
        return _NOT_SEEN
    if (spec.get("updateStrategy") or {}).get("type") == "OnDelete":
        if available < wanted:
            return "progressing", f"{available} of {wanted} pods available"
        return "done", _on_delete(wanted, updated)
    if updated < wanted:
        return "progressing", f"{updated} of {wanted} pods are new"
    if available < wanted:
        return "progressing", f"{available} of {wanted} new pods available"
    return "done", _all_ready(wanted) if wanted else "no node asks for a pod of it"


def _replica_set(spec: JSONObject, status: JSONObject, body: JSONObject) -> Found:
    wanted, available = _number(spec, "replicas", 1), _number(status, "availableReplicas")
    if not _is_seen(status, body):
        return _NOT_SEEN
    if _number(status, "replicas") > wanted:
        return "progressing", f"{_pods(_number(status, 'replicas') - wanted)} too many"
    if available < wanted:
        return "progressing", f"{available} of {wanted} pods available"
    return "done", _all_ready(wanted)


def _job(spec: JSONObject, status: JSONObject, body: JSONObject) -> Found:
    failed, wanted = condition_of(body, "Failed"), _number(spec, "completions", 1)
    if condition_of(body, "Complete").get("status") == "True":
        return "done", "complete"
    if failed.get("status") == "True":
        return "failed", f"failed: {failed.get('message') or failed.get('reason') or 'it does not say why'}"
    if spec.get("suspend"):
        return "done", "suspended: it runs when somebody resumes it"
    failures = _number(status, "failed")
    words = f"{_number(status, 'succeeded')} of {wanted} completed, {_number(status, 'active')} running"
    return "progressing", words + (f", {failures} failed" if failures else "")


def _pod(_spec: JSONObject, status: JSONObject, body: JSONObject) -> Found:
    phase = status.get("phase") or "Pending"
    if phase == "Succeeded":
        return "done", "completed"
    if phase == "Failed":
        return "failed", f"failed: {status.get('message') or status.get('reason') or 'a container failed'}"
    if phase == "Running" and condition_of(body, "Ready").get("status") == "True":
        return "done", "ready"
    return "progressing", "running, not ready" if phase == "Running" else str(phase).lower()


_STATES: dict[tuple[str, str], Callable[[JSONObject, JSONObject, JSONObject], Found]] = {
    ("apps", "Deployment"): _deployment,
    ("apps", "StatefulSet"): _stateful_set,
    ("apps", "DaemonSet"): _daemon_set,
    ("apps", "ReplicaSet"): _replica_set,
    ("", "ReplicationController"): _replica_set,
    ("batch", "Job"): _job,
    ("", "Pod"): _pod,
}


def _is_seen(status: JSONObject, body: JSONObject) -> bool:
    """Whether the controller's status speaks of the object as it is now."""
    generation = (body.get("metadata") or {}).get("generation") or 0
    return _number(status, "observedGeneration") >= generation


def _number(fields: JSONObject, name: str, default: int = 0) -> int:
    value = fields.get(name)
    return value if type(value) is int else default


def _pods(count: int) -> str:
    return "1 pod" if count == 1 else f"{count} pods"


def _all_ready(wanted: int) -> str:
    return f"{wanted} of {wanted} pods ready" if wanted else "scaled to 0"


def _on_delete(wanted: int, updated: int) -> str:
    if updated >= wanted:
        return _all_ready(wanted)
    return f"{_pods(wanted - updated)} of {wanted} keep the old template until they are deleted (OnDelete)"
