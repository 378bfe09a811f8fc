"""Facts from before an operation that the packs' steps compare with."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from helmguard.cluster.connection import Connection
from helmguard.model.discovery import Discovery
from helmguard.model.json_value import JSONObject
from helmguard.model.plan import Plan
from helmguard.rules.engine.rule import Pack
from helmguard.verify.step_packs import StepPack, packs_for, release_of_plan, step_packs
from helmguard.verify.step_reading import StepFacts, read_lists


class Baseline(msgspec.Struct, frozen=True):
    """Trimmed objects, by pack and by the name that the pack reads them under; ``{pack: {name: [...]}}``.

    ``unread`` says in the same way why a list is not there. ``msgspec.json`` writes and reads it.
    """

    lists: dict[str, dict[str, list[JSONObject]]] = {}
    unread: dict[str, dict[str, str]] = {}


def read_baseline(
    connection: Connection,
    discovery: Discovery,
    *,
    plan: Plan | None = None,
    packs: Sequence[Pack] = (),
) -> Baseline:
    """What the steps of the built-in packs and of ``packs`` want to know from before helm runs.

    With a plan only the packs that apply to its release are asked. What cannot be read is said in the
    baseline; nothing is raised for it.

    Raises:
        RuleFileError: a pack's verification.yaml cannot be used.
    """
    namespace = plan.release.namespace if plan is not None else connection.namespace
    found = packs_for(release_of_plan(plan), packs) if plan is not None else step_packs(packs)
    read = {pack.name: _read(connection, discovery, pack, namespace) for pack in found if _asks(pack)}
    return Baseline(
        {name: dict(facts.lists) for name, facts in read.items()},
        {name: dict(facts.unread) for name, facts in read.items() if facts.unread},
    )


def _asks(pack: StepPack) -> bool:
    return any(read.before for read in pack.verification.reads.values())


def _read(connection: Connection, discovery: Discovery, pack: StepPack, namespace: str) -> StepFacts:
    reads = [read for read in pack.verification.reads.values() if read.before]
    return read_lists(connection, discovery, reads, namespace)
