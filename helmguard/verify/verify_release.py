"""Verification at any time: a release beside what its deployed revision says."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence

import msgspec

from helmguard.model.plan import Plan
from helmguard.model.release import PENDING_STATUSES, History
from helmguard.model.verification import Rollout, Verification
from helmguard.planner.drift_base import base_revision
from helmguard.planner.drift_online import drift_in, import_the_rest
from helmguard.planner.missing_release import missing_release
from helmguard.planner.request import PlanRequest
from helmguard.planner.session import open_session
from helmguard.verify.hook_results import results_of_revision
from helmguard.verify.release_objects import compare_release
from helmguard.verify.rollouts import all_workloads, watch_rollouts
from helmguard.verify.step_packs import packs_for, release_of_revision
from helmguard.verify.step_pods import pod_run
from helmguard.verify.steps import StepInputs, run_steps
from helmguard.verify.verify_plan import Progress


class VerifiedRelease(msgspec.Struct, frozen=True):
    """``drift`` is what the objects were compared by; it knows the secrets that are to be masked."""

    verification: Verification
    drift: Plan


def verify_release(
    request: PlanRequest,
    *,
    wait: bool = False,
    timeout: float = 300.0,
    test_pod: bool = False,
    progress: Progress = lambda _: None,
    on_rollouts: Callable[[Sequence[Rollout]], None] = lambda _: None,
) -> VerifiedRelease:
    """Objects, all workloads, hooks' last results, and the packs' steps as they are now.

    With ``wait`` workloads and steps that are on their way get ``timeout`` seconds. Test pods get them in any
    case. The request is one of ``helmguard drift``.

    Raises:
        ReleaseNotFoundError: there is no such release.
        HelmguardError: what it needs cannot be had; the message says what and what to do.
    """
    session = open_session(request, progress, meanwhile=import_the_rest)
    base = base_revision(session.history)
    if base is None:
        raise missing_release(session, "Restore a record from a backup of the cluster.")
    drift = drift_in(session, progress)
    compared = compare_release(drift)
    connection, discovery = session.connection, session.discovery
    begun, patience = time.monotonic(), timeout if wait else 0.0
    release = release_of_revision(base)
    asked = packs_for(release, request.gate.packs)
    progress("asking for rollouts")
    rollouts = watch_rollouts(
        connection,
        discovery,
        all_workloads(drift),
        timeout=patience,
        progress=progress,
        on_rollouts=on_rollouts,
    )
    steps = run_steps(
        connection,
        discovery,
        asked,
        StepInputs(release, {}, None, ""),
        timeout=max(patience - (time.monotonic() - begun), 0.0),
        test_pods=pod_run(connection, session.namespace, timeout, progress) if test_pod else None,
        progress=progress,
    )
    verification = Verification(
        release=session.request.release,
        namespace=session.namespace,
        revision=base.version,
        against=f"revision {base.version}",
        compared=compared.compared,
        differences=compared.differences,
        remarks=compared.remarks,
        rollouts=rollouts,
        hooks=results_of_revision(base),
        steps=steps,
        trouble=tuple(_trouble(session.history)),
        unknown=compared.unknown,
    )
    return VerifiedRelease(verification, drift)


def _trouble(history: History) -> Iterator[str]:
    last = history.last()
    if last is not None and (last.status in PENDING_STATUSES or last.status == "failed"):
        yield f"revision {last.version} is {last.status}"
