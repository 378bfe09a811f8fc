"""What the stored records tell beside the state: damage, labels, size, number. Pure."""

from __future__ import annotations

from collections.abc import Iterator

from helmguard.model.release import History
from helmguard.model.release_state import Kept, RecordGrowth, Remark
from helmguard.model.surroundings import NEAR_LIMIT
from helmguard.planner.record_size import LIMIT
from helmguard.release_state.condition import blocking_record

MAX_HISTORY = 10
"""What Helm keeps unless ``--history-max`` or ``HELM_MAX_HISTORY`` says otherwise."""
_NO_LIMIT = ("sql", "memory")


def record_remarks(history: History, growth: RecordGrowth, kept: Kept) -> Iterator[Remark]:
    """In the order of their weight."""
    yield from _damaged(history)
    yield from _two_deployed(history)
    yield from _labels(history)
    yield from _size(growth)
    yield from _number(history, kept)


def record_growth(history: History, driver: str) -> RecordGrowth:
    """The last record's size, and how many more of its kind fit."""
    kind = "ConfigMap" if driver.startswith("configmap") else "Secret"
    limit = 0 if driver in _NO_LIMIT else LIMIT
    sizes = [revision.stored_size for revision in history.revisions if revision.stored_size]
    if not sizes:
        return RecordGrowth(None, limit, kind)
    size, before = sizes[-1], sizes[-2] if len(sizes) > 1 else None
    grown = size - before if before is not None else 0
    left = (limit - size) // grown if grown > 0 and limit > size else None
    return RecordGrowth(size, limit, kind, before, left)


def kept_revisions(history: History, limit: int) -> Kept:
    """``limit`` as ``--history-max`` has it, 0 for none."""
    numbers = sorted(
        {each.version for each in history.revisions}
        | {record.version for record in history.damaged if record.version is not None}
    )
    if not numbers:
        return Kept(0, limit, 0)
    missing = sorted(set(range(numbers[0], numbers[-1])) - set(numbers))
    deployed = history.deployed()
    spared = deployed.version if deployed else 0
    # Helm deletes before it creates, the oldest first, never the deployed one, and never a damaged one.
    going = [each.version for each in history.revisions if each.version != spared]
    full = bool(limit) and len(history.revisions) >= limit
    removed = going[0] if full and going else None
    return Kept(len(numbers), limit, numbers[0], removed, tuple(missing))


def _damaged(history: History) -> Iterator[Remark]:
    blocking = blocking_record(history)
    last = history.last()
    for record in history.damaged:
        text = f"record {record.storage_name} cannot be read, and Helm skips it: {record.why}"
        if last is not None and record is not blocking:
            text += f"; Helm sees revision {last.version} as the last one"
        yield Remark("record-unreadable", text)


def _two_deployed(history: History) -> Iterator[Remark]:
    deployed = [each.version for each in history.revisions if each.label_status == "deployed"]
    if len(deployed) > 1:
        named = ", ".join(map(str, deployed))
        text = (
            f"revisions {named} are all labelled deployed: Helm takes {deployed[-1]} and leaves the others "
            "so; a rollback supersedes them all"
        )
        yield Remark("several-deployed", text)


def _labels(history: History) -> Iterator[Remark]:
    for revision in history.revisions:
        label, status = revision.label_status, revision.status
        if label and label != status:
            text = (
                f"revision {revision.version} is labelled {label} and says {status} inside: Helm looks for "
                "the deployed revision by the label, and for a pending one inside"
            )
            yield Remark("label-differs", text)


def _size(growth: RecordGrowth) -> Iterator[Remark]:
    if growth.size is None or not growth.limit or growth.size < NEAR_LIMIT * growth.limit:
        return
    share = f"{growth.size / growth.limit:.0%}"
    text = f"the record takes {share} of the 1 MiB that a {growth.kind} holds"
    if growth.revisions_left is not None:
        text += f"; growing as it did, {growth.revisions_left} more revisions fit"
    yield Remark("record-size", text)


def _number(history: History, kept: Kept) -> Iterator[Remark]:
    if kept.pruned:
        named = ", ".join(map(str, kept.pruned))
        text = f"no record of revision {named} is stored: nobody can roll back there"
        yield Remark("revisions-missing", text, attention=False)
    if kept.next_removed is not None:
        good = [each.version for each in history.revisions if each.status == "superseded"]
        last_good = good == [kept.next_removed]
        text = (
            f"{kept.stored} revisions are stored, and --history-max is {kept.limit} by default: the next "
            f"operation removes revision {kept.next_removed}"
        )
        if last_good:
            text += ", the last one beside the deployed to roll back to"
        yield Remark("history-full", text, attention=False)
