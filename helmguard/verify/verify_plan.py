"""Verification right after helm: what the plan foretold beside what there is now."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from helmguard.cluster.connection import Connection
from helmguard.cluster.discovery import read_discovery
from helmguard.model.plan import Plan
from helmguard.model.verification import Rollout, Verification
from helmguard.verify.actual import compare_objects, read_actual
from helmguard.verify.baseline import Baseline

if TYPE_CHECKING:
    from helmguard.rules.engine.rule import Pack

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
) -> Verification:
    """Compare the objects at once, then wait for rollouts and steps, all in all ``timeout`` seconds.

    ``started`` is when helm was started (ISO 8601 with Z), empty where nobody knows. ``packs`` are the user's
    beside the built-in ones. With ``test_pod`` steps may create a pod and remove it; nothing else is
    written. ``on_rollouts`` gets the state of all workloads each time one of them changes.

    Raises:
        ClusterError: the server is unreachable or refuses the credentials.
    """
    progress("comparing the objects with the plan")
    discovery = read_discovery(connection)
    compared = compare_objects(plan, read_actual(connection, discovery, plan))
    return Verification(
        release=plan.release.name,
        namespace=plan.release.namespace,
        revision=plan.release.to_revision,
        against="the plan's predictions",
        compared=compared.compared,
        differences=compared.differences,
        remarks=compared.remarks,
        unknown=compared.unknown,
    )
