"""How hooks ended, by Helm's record of their last run."""

from __future__ import annotations

from collections.abc import Iterable

from msgspec.structs import replace

from helmguard.cluster.connection import Connection
from helmguard.cluster.live_objects import read_live
from helmguard.errors import ClusterError, ManifestError
from helmguard.manifest.hooks import Hook, hooks_of
from helmguard.model.discovery import Discovery
from helmguard.model.live_state import Present
from helmguard.model.plan import HookRun, Plan
from helmguard.model.release import Revision
from helmguard.model.resource_key import ResourceKey
from helmguard.model.verification import HookResult, HookState
from helmguard.verify.rollout_state import is_workload, rollout_of
from helmguard.verify.rollouts import explained

_STATES: dict[str, HookState] = {"Succeeded": "succeeded", "Failed": "failed", "Running": "running"}


def results_of_plan(plan: Plan, revision: Revision | None) -> tuple[HookResult, ...]:
    """Each hook that was to run, by the record of the revision that was stored; None where unread."""
    if revision is None:
        why = "the record of the revision could not be read"
        return tuple(HookResult(run.event, run.kind, run.name, "unknown", why) for run in plan.hooks)
    stored = {(hook.object.kind, hook.object.name): hook for hook in _hooks(revision)}
    return tuple(_of_run(run, stored.get((run.kind, run.name))) for run in plan.hooks)


def results_of_revision(revision: Revision) -> tuple[HookResult, ...]:
    """Each hook that has run, tests included."""
    return tuple(
        HookResult(", ".join(hook.events), hook.object.kind, hook.object.name, _state(hook), _when(hook))
        for hook in _hooks(revision)
        if _phase(hook)
    )


def with_reasons(
    connection: Connection, discovery: Discovery, plan: Plan, results: Iterable[HookResult]
) -> tuple[HookResult, ...]:
    """What failed or still runs, with what its Job or Pod says, where Helm has left that."""
    found = list(results)
    keys = {
        ResourceKey.of(run.api_version, run.kind, run.namespace, run.name): run.api_version
        for run in plan.hooks
        if any(_is_open(result) and (result.kind, result.name) == (run.kind, run.name) for result in found)
    }
    wanted = {key: version for key, version in keys.items() if is_workload(key)}
    if not wanted:
        return tuple(found)
    try:
        states = read_live(connection, discovery, wanted.items())
        bodies = {key: state.body for key, state in states.items() if isinstance(state, Present)}
        rollouts = {key: rollout_of(key, body) for key, body in bodies.items()}
        rollouts |= explained(connection, rollouts, bodies)
    except ClusterError:
        return tuple(found)
    said = {
        (key.kind, key.name): "; ".join([rollout.words, *rollout.reasons])
        for key, rollout in rollouts.items()
    }
    return tuple(
        replace(result, why=said.get((result.kind, result.name), result.why)) if _is_open(result) else result
        for result in found
    )


def _is_open(result: HookResult) -> bool:
    return result.state in ("failed", "running")


def _hooks(revision: Revision) -> list[Hook]:
    try:
        return list(hooks_of(revision.hooks))
    except ManifestError:
        return []


def _of_run(run: HookRun, hook: Hook | None) -> HookResult:
    if hook is None:
        return HookResult(run.event, run.kind, run.name, "unknown", "the revision has no such hook")
    return HookResult(run.event, run.kind, run.name, _state(hook), _when(hook))


def _state(hook: Hook) -> HookState:
    return _STATES.get(_phase(hook), "not run" if not _phase(hook) else "unknown")


def _phase(hook: Hook) -> str:
    return str(hook.last_run.get("phase") or "")


def _when(hook: Hook) -> str:
    ended = str(hook.last_run.get("completed_at") or "")
    return f"at {ended}" if ended and not ended.startswith("0001-") and _phase(hook) else ""
