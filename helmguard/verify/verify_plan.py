"""Verification right after helm: what the plan foretold beside what there is now."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence

from helmguard.cluster.connection import Connection
from helmguard.cluster.discovery import read_discovery
from helmguard.cluster.release_storage import read_history, read_revision_index
from helmguard.errors import HelmguardError
from helmguard.model.json_value import JSONObject
from helmguard.model.plan import Plan
from helmguard.model.release import History, Revision
from helmguard.model.verification import Rollout, Verification
from helmguard.rules.engine.rule import Pack
from helmguard.verify.actual import checked_resources, compare_objects, read_actual
from helmguard.verify.baseline import Baseline
from helmguard.verify.hook_results import results_of_plan, with_reasons
from helmguard.verify.rendered_otherwise import rendered_otherwise
from helmguard.verify.rollout_state import is_workload
from helmguard.verify.rollouts import restarting_workloads, watch_rollouts
from helmguard.verify.step_packs import StepPack, packs_for, release_of_plan
from helmguard.verify.step_pods import pod_run
from helmguard.verify.steps import StepInputs, run_steps

Progress = Callable[[str], None]
"""Takes one line about what is being waited for."""


def verify_plan(
    plan: Plan,
    connection: Connection,
    *,
    baseline: Baseline | None = None,
    started: str = "",
    timeout: float = 300.0,
    test_pod: bool = False,
    packs: Sequence[Pack] = (),
    progress: Progress = lambda _: None,
    on_rollouts: Callable[[Sequence[Rollout]], None] = lambda _: None,
    sleep: Callable[[float], None] = time.sleep,
) -> Verification:
    """Compare the objects at once, then wait for rollouts and steps, all in all ``timeout`` seconds.

    ``started`` is when helm was started (ISO 8601 with Z), empty where nobody knows. ``packs`` are the user's
    beside the built-in ones. With ``test_pod`` steps may create pods and remove them; nothing else is
    written. ``on_rollouts`` gets the state of all workloads each time one of them changes. ``sleep`` waits
    between two looks; what it raises ends the verification.

    Raises:
        ClusterError: the server is unreachable or refuses the credentials.
        RuleFileError: a pack's steps cannot be used.
    """
    begun = time.monotonic()
    release = release_of_plan(plan)
    asked = packs_for(release, packs)
    progress("comparing the objects with the plan")
    # Read anew: the operation may have brought definitions.
    discovery = read_discovery(connection)
    actual = read_actual(connection, discovery, plan)
    history = _read_history(plan, connection)
    own = _own_revision(plan, history)
    otherwise = rendered_otherwise(plan, own, discovery)
    compared = compare_objects(plan, actual, renamed=otherwise.planned)
    hooks = with_reasons(connection, discovery, plan, results_of_plan(plan, own))
    starting = {key: version for key, version in otherwise.instead.items() if is_workload(key)}
    restarting = {
        key: version for key, version in restarting_workloads(plan).items() if key not in otherwise.planned
    }
    rollouts = watch_rollouts(
        connection,
        discovery,
        restarting | starting,
        timeout=timeout,
        progress=progress,
        on_rollouts=on_rollouts,
        sleep=sleep,
    )
    steps = run_steps(
        connection,
        discovery,
        asked,
        StepInputs(release, plan_for_steps(plan, asked), baseline, started),
        timeout=max(timeout - (time.monotonic() - begun), 0.0),
        test_pods=pod_run(connection, plan.release.namespace, timeout, progress, sleep) if test_pod else None,
        progress=progress,
        sleep=sleep,
    )
    return Verification(
        release=plan.release.name,
        namespace=plan.release.namespace,
        revision=plan.release.to_revision,
        against="the plan's predictions",
        compared=compared.compared,
        differences=compared.differences,
        remarks=compared.remarks,
        rollouts=rollouts,
        hooks=hooks,
        steps=steps,
        trouble=tuple(_trouble(plan, history)),
        unknown=(*compared.unknown, *otherwise.unknown()),
    )


def plan_for_steps(plan: Plan, asked: Sequence[StepPack]) -> JSONObject:
    """``plan`` in the expressions of steps; {} where none of them names it."""
    sources = (source for pack in asked for step in pack.verification.steps for source in step.sources())
    if not any("plan" in source.words() for source in sources):
        return {}
    return {
        "operation": plan.operation,
        "objects": [
            {
                "apiVersion": resource.prediction.api_version,
                "kind": resource.prediction.key.kind,
                "namespace": resource.prediction.key.namespace,
                "name": resource.prediction.key.name,
                "action": resource.action,
                "after": resource.prediction.predicted,
            }
            for resource in checked_resources(plan)
        ],
    }


def _read_history(plan: Plan, connection: Connection) -> History | None:
    """The revision that was to be stored and later ones; None where they cannot be read (storage, rights)."""
    if connection.driver == "sql":
        return None
    try:
        index = read_revision_index(connection, plan.release.namespace, plan.release.name)
        first = plan.release.to_revision or 0
        versions = [each.version for each in index if each.version is not None and each.version >= first]
        return read_history(connection, plan.release.namespace, plan.release.name, versions)
    except HelmguardError:
        return None


def _own_revision(plan: Plan, history: History | None) -> Revision | None:
    number = plan.release.to_revision
    return history.get(number) if history is not None and number is not None else None


def _trouble(plan: Plan, history: History | None) -> Iterator[str]:
    own, last = _own_revision(plan, history), history.last() if history is not None else None
    if history is None or plan.release.to_revision is None:
        return
    if own is None:
        yield f"revision {plan.release.to_revision} is not among the release's records"
    elif own.status not in ("deployed", "superseded"):
        yield f"revision {own.version} is {own.status}"
    if last is not None and last.version > plan.release.to_revision:
        yield f"revision {last.version} ({last.status}) was stored meanwhile: somebody else is at work"
