"""Whether the helm behind a pending record may still be at work. Pure: the time is given."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import msgspec

from helmguard.model.json_value import JSONObject
from helmguard.model.live_state import Present
from helmguard.model.release import Revision
from helmguard.model.release_state import Running, RunningVerdict
from helmguard.model.surroundings import HookObject
from helmguard.report.ages import ago, moment_of, seconds_between

LIKELY_FOR = 5 * 60
"""Helm's default ``--timeout`` for each hook and wait: so long it may be silent without being dead."""
PERHAPS_FOR = 60 * 60


class RecordWrites(msgspec.Struct, frozen=True):
    """Who wrote the pending record last, and when; both empty where that is not known."""

    manager: str = ""
    time: str = ""


def still_running(
    revision: Revision,
    record: RecordWrites,
    bodies: Iterable[JSONObject],
    hooks: Iterable[HookObject],
    now: str,
) -> Running:
    """By the youngest sign of life: the record, and what its manager wrote to the release's objects."""
    since = record.time or revision.last_deployed
    manager = record.manager or "helm"
    signs = [f"the record was last written by {manager} {ago(since, now)}"] if since else []
    written = [(time, name) for time, name in _writes(bodies, manager) if time > (since or "")]
    if written:
        time, name = max(written)
        signs.append(f"{manager} last wrote to an object of the release, {name}, {ago(time, now)}")
    signs += [f"hook {hook.key} is there and not finished" for hook in hooks if _is_active(hook)]
    youngest = max([since, *(time for time, _ in written)], key=_sortable)
    seconds = seconds_between(youngest, now)
    return Running(_verdict(seconds), seconds, since, record.manager, tuple(signs))


def _verdict(seconds: int | None) -> RunningVerdict:
    if seconds is None:
        return "not known"
    if seconds < LIKELY_FOR:
        return "likely"
    return "perhaps" if seconds < PERHAPS_FOR else "unlikely"


def last_writer(metadata: JSONObject) -> RecordWrites:
    """The youngest entry of an object's managed fields."""
    entries = metadata.get("managedFields") or ()
    found = [(str(entry.get("time") or ""), str(entry.get("manager") or "")) for entry in entries]
    if not found:
        return RecordWrites(time=str(metadata.get("creationTimestamp") or ""))
    time, manager = max(found)
    return RecordWrites(manager, time)


def _sortable(text: str) -> float:
    found = moment_of(text)
    return found.timestamp() if found else 0.0


def _writes(bodies: Iterable[JSONObject], manager: str) -> Iterator[tuple[str, str]]:
    for body in bodies:
        metadata = body.get("metadata") or {}
        for entry in metadata.get("managedFields") or ():
            if str(entry.get("manager")).lower() == manager.lower() and not entry.get("subresource"):
                yield str(entry.get("time") or ""), f"{body.get('kind')}/{metadata.get('name')}"


def _is_active(hook: HookObject) -> bool:
    """A Job without an end, a Pod that runs or waits."""
    if not isinstance(hook.live, Present):
        return False
    status = hook.live.body.get("status") or {}
    if hook.key.kind == "Pod":
        return status.get("phase") not in ("Succeeded", "Failed")
    if hook.key.kind != "Job":
        return False
    ended = [each.get("type") for each in status.get("conditions") or () if each.get("status") == "True"]
    return not {"Complete", "Failed"} & set(ended)
