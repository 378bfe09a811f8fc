"""Runs the probes against a real API server: as a dry run first, then for real."""

from __future__ import annotations

import contextlib
import json
import re
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Final

from controlplane.client import ApiError, ControlPlane
from immutable_probes import GONE, JSON, Probe, at, named, put, steps_of

LIFECYCLE: Final = Path(__file__).resolve().parents[3] / "rules" / "data" / "api-lifecycle.json"
_LONGEST_DUMP: Final = 100
_ADDRESS_RANGE: Final = "198.51"
_AT_ONCE: Final = 6


@dataclass(frozen=True)
class Outcome:
    """What the server said to one probe.

    ``result``: refused, accepted, or no-op (accepted, but the fields kept their values). ``status``: the HTTP
    status of the real write (of the dry run where there is no real one). ``live`` is the object before,
    ``document`` with the change, ``body`` what the server answered. ``message`` is the table's, without what
    differs from run to run; ``said`` the server's own.
    """

    probe: Probe
    result: str
    status: int
    message: str
    said: str
    note: str
    live: JSON
    document: JSON
    body: JSON | None
    changes: Mapping[str, Any]


@dataclass(frozen=True)
class _Answer:
    status: int
    message: str
    body: JSON | None


def run_probes(probes: list[Probe], server: ControlPlane, namespace: str) -> list[Outcome]:
    """Every probe on an object of its own; objects outside the namespace are deleted after it.

    Several at a time: some wait for a controller, to bind a claim or to start a Job.
    """

    def run(numbered: tuple[int, Probe]) -> Outcome:
        number, probe = numbered
        made: list[str] = []
        try:
            return _run(probe, server, _name(probe, namespace, number), namespace, made)
        finally:
            for path in reversed(made):
                _discard(server, path)

    with ThreadPoolExecutor(_AT_ONCE) as pool:
        return list(pool.map(run, enumerate(probes)))


def _name(probe: Probe, namespace: str, number: int) -> str:
    if probe.kind == "IPAddress":
        return f"{_ADDRESS_RANGE}.{int(namespace[-2:], 16) % 100 + 100}.{number % 250}"
    return f"{namespace}-{number}"


def _run(probe: Probe, server: ControlPlane, name: str, namespace: str, made: list[str]) -> Outcome:
    words: dict[str, str | int] = {"NAMESPACE": namespace, "NAME": name}
    if "NODEPORT" in str(probe.set):
        words["NODEPORT"] = _free_node_port(server, int(re.sub(r".*[-.]", "", name)))
    for needed in named(list(probe.needs), words):
        _create(server, needed, namespace, made)
    path = _create(server, named(probe.object, words), namespace, made)
    _wait(server, path, probe.wait)
    if probe.before:
        server.patch(path, _operations(server.get(path), probe.before), kind="json")
        _wait(server, path, probe.wait_again)
    changes = named(probe.set, words)
    live, dry = _try(server, path, changes, dry_run=True)
    document = put(live, changes)
    final = dry
    if probe.real:
        final = _try(server, path, changes, dry_run=False)[1]
    note = ""
    if not probe.real:
        note = "measured by a dry run only"
    elif dry.status < 400 <= final.status:
        note = "a dry run accepts it"
    elif dry.status != final.status:
        note = f"a dry run answers {dry.status}"
    result = _result(live, final, changes)
    message = _plain(final.message, name, namespace, live)
    said = final.message
    return Outcome(probe, result, final.status, message, said, note, live, document, final.body, changes)


def _free_node_port(server: ControlPlane, number: int) -> int:
    """One of those that the server does not give out by itself while it has others, by the probe's number."""
    taken = {
        port.get("nodePort")
        for service in server.items("/api/v1/services")
        for port in service["spec"].get("ports") or []
    }
    free = [port for port in range(30001, 30085) if port not in taken]
    return free[number % len(free)]


def _try(server: ControlPlane, path: str, changes: JSON, *, dry_run: bool) -> tuple[JSON, _Answer]:
    """The object before, and the answer to the change of it; again where a controller was quicker."""
    while True:
        live = server.get(path)
        try:
            body = server.patch(path, _operations(live, changes), kind="json", dry_run=dry_run)
        except ApiError as error:
            if error.code == 409 and "metadata.resourceVersion" not in changes:
                continue
            return live, _Answer(error.code, str(error.status.get("message", "")), None)
        return live, _Answer(200, "", body)


def _result(live: JSON, answer: _Answer, changes: JSON) -> str:
    if answer.body is None:
        return "refused"
    written = put(live, changes)
    if all(
        at(answer.body, path) == at(live, path) for path in changes if at(live, path) != at(written, path)
    ):
        return "no-op"
    return "accepted"


def _operations(live: JSON, changes: JSON) -> list[JSON]:
    """The JSON patch that sets the paths."""
    operations = []
    for path, value in changes.items():
        steps = steps_of(path)
        for depth in range(1, len(steps)):
            above = ".".join(steps[:depth])
            if at(live, above) is None:
                operations.append({"op": "add", "path": _pointer(steps[:depth]), "value": {}})
                live = put(live, {above: {}})
        there = at(live, path) is not None
        if value == GONE:
            operations += [{"op": "remove", "path": _pointer(steps)}] if there else []
        else:
            operations.append({"op": "replace" if there else "add", "path": _pointer(steps), "value": value})
        live = put(live, {path: value})
    return operations


def _pointer(steps: list[str]) -> str:
    return "".join("/" + step.replace("~", "~0").replace("/", "~1") for step in steps)


def _create(server: ControlPlane, body: JSON, namespace: str, made: list[str]) -> str:
    """Creates an object and returns its path; ``made`` gets the paths of those outside the namespace."""
    group_version, kind = body["apiVersion"], body["kind"]
    place = _places()[(group_version, kind)]
    root = "/api/v1" if group_version == "v1" else f"/apis/{group_version}"
    inside = f"/namespaces/{namespace}" if place["namespaced"] else ""
    collection = f"{root}{inside}/{place['plural']}"
    path = f"{collection}/{body['metadata']['name']}"
    if not inside:
        made.append(path)
    server.create(collection, body)
    return path


@cache
def _places() -> dict[tuple[str, str], JSON]:
    """The rows of the API lifecycle table, which know how each kind is reached."""
    kinds = json.loads(LIFECYCLE.read_text())["kinds"]
    return {(f"{row['group']}/{row['version']}".lstrip("/"), row["kind"]): row for row in kinds}


def _wait(server: ControlPlane, path: str, wanted: JSON) -> None:
    if wanted:
        server.wait_for(path, lambda found: all(_holds(found, *one) for one in wanted.items()))


def _holds(found: JSON | None, path: str, wanted: Any) -> bool:
    value = at(found, path)
    if wanted == "exists":
        return value is not None
    return bool((value is None) if wanted == GONE else value == wanted)


def _discard(server: ControlPlane, path: str) -> None:
    with contextlib.suppress(ApiError):
        gone = server.delete(path)
        if (gone.get("metadata") or {}).get("finalizers"):
            server.patch(path, {"metadata": {"finalizers": None}})


def _plain(message: str, name: str, namespace: str, live: JSON) -> str:
    """The message without what differs from run to run, long values as ``...`` and without diffs of them."""
    message = re.sub(r"\n@@.*?\n(?=[,\]]|$)", "", message, flags=re.DOTALL)
    message = message.replace(name, "<name>").replace(namespace, "<namespace>")
    for path in ("metadata.uid", "metadata.resourceVersion", "metadata.creationTimestamp", "spec.clusterIP"):
        value = at(live, path)
        if value and value != "None":
            message = message.replace(str(value), f"<{path.rpartition('.')[2]}>")
    return re.sub(r"(Invalid value: )(.*?)(?=: [a-zA-Z`'])", _shortened, message, flags=re.DOTALL)


def _shortened(match: re.Match[str]) -> str:
    return match[1] + (match[2] if len(match[2]) <= _LONGEST_DUMP else "...")
