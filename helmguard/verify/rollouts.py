"""Waiting for workloads: which restart, how far they are, and why they are no further."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Mapping, Sequence

from msgspec.structs import replace

from helmguard.cluster.api_errors import UnauthorizedError
from helmguard.cluster.connection import Connection
from helmguard.cluster.live_objects import read_live
from helmguard.compare.ended_jobs import removes_itself
from helmguard.compare.equal_trees import same_tree
from helmguard.errors import ClusterError
from helmguard.model.discovery import Discovery
from helmguard.model.json_value import JSONObject
from helmguard.model.live_state import Absent, LiveState, Present, Unreadable
from helmguard.model.plan import Plan, ResourceChange
from helmguard.model.resource_key import ResourceKey
from helmguard.model.verification import Rollout
from helmguard.verify.actual import checked_resources
from helmguard.verify.rollout_reading import read_events_of, read_surrounding
from helmguard.verify.rollout_reasons import reasons_of
from helmguard.verify.rollout_state import is_workload, removed_job, rollout_of

Progress = Callable[[str], None]
Workloads = Mapping[ResourceKey, str]
"""Key and apiVersion."""

_FIRST_WAIT_SECONDS = 0.5
_LONGEST_WAIT_SECONDS = 5.0
_REASONS_AFTER_SECONDS = 4.0
"""A rollout that goes well needs no reasons: they are read from here on, and at the end."""


def restarting_workloads(plan: Plan) -> dict[ResourceKey, str]:
    """The workloads whose pods start or change by the plan: new ones, and those whose spec changes."""
    return {
        resource.prediction.key: resource.prediction.api_version
        for resource in checked_resources(plan)
        if is_workload(resource.prediction.key) and _restarts(resource)
    }


def all_workloads(plan: Plan) -> dict[ResourceKey, str]:
    """The workloads that are to be there after the plan, less Jobs that are done and gone."""
    return {
        resource.prediction.key: resource.prediction.api_version
        for resource in checked_resources(plan)
        if is_workload(resource.prediction.key)
        and resource.prediction.new is not None
        and not (removes_itself(resource.prediction.new) and isinstance(resource.prediction.live, Absent))
    }


def _restarts(resource: ResourceChange) -> bool:
    prediction = resource.prediction
    if prediction.predicted is None or resource.action in ("fail", "unchanged", "keep"):
        return False
    live = prediction.live.body if isinstance(prediction.live, Present) else {}
    return resource.action == "replace" or not same_tree(live.get("spec"), prediction.predicted.get("spec"))


def watch_rollouts(
    connection: Connection,
    discovery: Discovery,
    workloads: Workloads,
    *,
    timeout: float,
    progress: Progress = lambda _: None,
    on_rollouts: Callable[[Sequence[Rollout]], None] = lambda _: None,
    sleep: Callable[[float], None] = time.sleep,
) -> tuple[Rollout, ...]:
    """Ask until each workload is done or failed, at most ``timeout`` seconds; 0 asks once.

    A workload ends as failed where kubectl's ``rollout status`` would say so, or where its Job or Pod failed;
    one that is not done at the end is stuck where a reason is known that time alone does not mend. Where the
    server is out of reach meanwhile, it is asked again until the time is over.
    """
    if not workloads:
        return ()
    begun, wait = time.monotonic(), _FIRST_WAIT_SECONDS
    known: dict[ResourceKey, Rollout] = {}
    told: dict[ResourceKey, Rollout] = {}
    while True:
        spent = time.monotonic() - begun
        last = spent >= timeout
        trouble = ""
        try:
            explain = last or spent >= _REASONS_AFTER_SECONDS
            known |= _ask(connection, discovery, _open(workloads, known), explain=explain)
        except UnauthorizedError as error:
            trouble, last = error.message, True
        except ClusterError as error:
            trouble = error.message
        if trouble:
            progress(trouble)
        _tell(known, told, progress, on_rollouts)
        if not _open(workloads, known):
            break
        if last:
            known |= {key: _unasked(key, known.get(key), trouble) for key in _open(workloads, known)}
            break
        sleep(min(wait, timeout - spent))
        wait = min(wait * 1.5, _LONGEST_WAIT_SECONDS)
    return tuple(known[key] for key in workloads)


def _open(workloads: Workloads, known: Mapping[ResourceKey, Rollout]) -> dict[ResourceKey, str]:
    ends = ("done", "failed")
    return {
        key: version for key, version in workloads.items() if key not in known or known[key].state not in ends
    }


def _ask(
    connection: Connection, discovery: Discovery, workloads: Workloads, *, explain: bool
) -> dict[ResourceKey, Rollout]:
    states = read_live(connection, discovery, workloads.items())
    rollouts = {key: _rollout(key, state) for key, state in states.items()}
    waiting = {
        key: state.body
        for key, state in states.items()
        if isinstance(state, Present)
        and (rollouts[key].state == "failed" or (explain and _hangs(rollouts[key])))
    }
    gone = [key for key, state in states.items() if key.kind == "Job" and isinstance(state, Absent)]
    rollouts |= {key: removed_job(key, read_events_of(connection, key)) for key in gone}
    return rollouts | explained(connection, rollouts, waiting)


def explained(
    connection: Connection, rollouts: Mapping[ResourceKey, Rollout], bodies: Mapping[ResourceKey, JSONObject]
) -> dict[ResourceKey, Rollout]:
    """Those rollouts with the reasons why they are no further; ``bodies`` are the live workloads."""
    if not bodies:
        return {}
    around = read_surrounding(connection, bodies)
    found = {}
    for key, body in bodies.items():
        kind = {"apiVersion": body.get("apiVersion"), "kind": key.kind}
        reasons = reasons_of({**body, **kind}, around)
        rollout = rollouts[key]
        stuck = reasons.blocked and rollout.state == "progressing"
        found[key] = replace(rollout, reasons=reasons.texts, state="stuck" if stuck else rollout.state)
    return found


def _hangs(rollout: Rollout) -> bool:
    return rollout.state in ("progressing", "stuck")


def _rollout(key: ResourceKey, state: LiveState) -> Rollout:
    if isinstance(state, Present):
        return rollout_of(key, state.body)
    if isinstance(state, Unreadable):
        return Rollout(key, "unknown", f"it could not be read: {state.why}")
    return Rollout(key, "failed", "it is not there")


def _unasked(key: ResourceKey, rollout: Rollout | None, trouble: str) -> Rollout:
    if not trouble and rollout is not None:
        return rollout
    words = f"last known: {rollout.words}" if rollout is not None else "it could not be asked for"
    return Rollout(key, "unknown", f"{words}; {trouble}")


def _tell(
    known: Mapping[ResourceKey, Rollout],
    told: dict[ResourceKey, Rollout],
    progress: Progress,
    on_rollouts: Callable[[Sequence[Rollout]], None],
) -> None:
    """Each workload whose state is another than was told."""
    changed = [rollout for key, rollout in known.items() if told.get(key) != rollout]
    for rollout in changed:
        progress(line_of(rollout))
        told[rollout.key] = rollout
    if changed:
        on_rollouts(tuple(known.values()))


def line_of(rollout: Rollout) -> str:
    """``Deployment/web: 1 of 3 pods are new (reason)``."""
    why = f" ({rollout.reasons[0]})" if rollout.reasons else ""
    return f"{rollout.key}: {rollout.words}{why}"


def not_done(rollouts: Iterable[Rollout]) -> list[Rollout]:
    """Those that are not done."""
    return [rollout for rollout in rollouts if rollout.state != "done"]
