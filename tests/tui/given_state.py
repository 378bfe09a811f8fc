"""What `helmguard status` would say of a release that an upgrade left pending."""

from __future__ import annotations

from helmguard.model.release import History
from helmguard.model.release_state import Kept, ReleaseState, Running, WayCheck, WayOut
from helmguard.release_state.condition import condition_of, exit_code_of, revision_ref


def given_state(history: History) -> ReleaseState:
    """By its records alone, as if nothing were known of the cluster."""
    last, deployed = history.last(), history.deployed()
    assert last is not None
    condition = condition_of(history)
    to = deployed.version if deployed else 1
    way = WayOut(
        kind="rollback",
        why="it was deployed and whole",
        commands=(
            f"helmguard rollback {last.name} {deployed.version if deployed else 1} -n {last.namespace}",
        ),
        helm_commands=(f"helm rollback {last.name} {to} -n {last.namespace}",),
        revision=to,
        check=WayCheck("works", "the dry run of every write was accepted"),
        recommended=True,
    )
    return ReleaseState(
        name=history.name,
        namespace=history.namespace,
        helm="4.3.1",
        driver="secret",
        condition=condition,
        summary=f"revision {last.version} is {last.status}",
        story=("Helm ended before it came to its end.",),
        exit_code=exit_code_of(condition, attention=True),
        last=revision_ref(last),
        deployed=revision_ref(deployed) if deployed else None,
        running=Running("unlikely", 1140, last.last_deployed, "helm", ("no hook is running",)),
        kept=Kept(len(history.revisions), 10, history.revisions[0].version),
        ways_out=(way,),
    )
