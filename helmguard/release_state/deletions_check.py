"""What an uninstall, or deleting left-over objects, would do: by Helm's rules and the API server's word."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import msgspec

from helmguard.cluster.connection import Connection
from helmguard.cluster.dry_run import send_dry_runs
from helmguard.cluster.dry_run_support import DryRunSupport
from helmguard.manifest.objects import ManifestObject
from helmguard.model.discovery import Discovery
from helmguard.model.json_value import JSONObject
from helmguard.model.live_state import KindNotServed, LiveState, Present
from helmguard.model.release_state import WayCheck
from helmguard.model.resource_key import ResourceKey
from helmguard.model.write_request import Accepted, NoAnswer, Refused, WriteRequest
from helmguard.predict.deletions import keep_policy
from helmguard.predict.ownership import wrong_marks
from helmguard.predict.requests import deletion_of
from helmguard.report.plural import plural
from helmguard.rules.kubectl import listed

HOLDS_DATA = frozenset(["PersistentVolumeClaim", "PersistentVolume", "Namespace", "CustomResourceDefinition"])
"""Kinds with which more goes than the object itself."""


class Deletions(msgspec.Struct, frozen=True):
    """What goes (``requests``), what stays and why, and what Helm cannot even look up (``unserved``)."""

    requests: tuple[WriteRequest, ...]
    stays: tuple[str, ...] = ()
    unserved: tuple[ResourceKey, ...] = ()


class Server(msgspec.Struct, frozen=True):
    """Whom to ask; ``asks`` is False where nobody is to be asked."""

    connection: Connection
    discovery: Discovery
    crds: tuple[JSONObject, ...]
    asks: bool = True


def uninstall_deletions(
    objects: Iterable[ManifestObject],
    live: Mapping[ResourceKey, LiveState],
    release: str,
    namespace: str,
    helm_major: int,
) -> Deletions:
    """What ``helm uninstall`` deletes.

    It goes by the manifest's keep policy, whatever its value is (helm/helm@v3.22.0 pkg/action/
    resource_policy.go keeps only ``keep``, trimmed and in lower case, and leaves objects with another value
    out as well); Helm 4 spares what is not the release's.
    """
    going: list[WriteRequest] = []
    stays: list[str] = []
    unserved: list[ResourceKey] = []
    for item in objects:
        state = live.get(item.key)
        if isinstance(state, KindNotServed):
            unserved.append(item.key)
        elif not isinstance(state, Present):
            continue
        elif keep_policy(item.body) is not None:
            stays.append(f"{item.key} is kept")
        elif helm_major >= 4 and wrong_marks(state.body, release, namespace):
            stays.append(f"{item.key} is not this release's")
        else:
            going.append(deletion_of(item.key, item.api_version))
    return Deletions(tuple(going), tuple(stays), tuple(unserved))


def checked_deletions(deletions: Deletions, server: Server) -> WayCheck:
    """Ask the API server, and say what comes of it."""
    requests = deletions.requests
    if deletions.unserved:
        names = listed(map(str, deletions.unserved))
        return WayCheck("fails", f"the cluster does not serve the kind of {names}", len(requests))
    answers = _answers(requests, server) if server.asks else []
    refused = [answer.message for answer in answers if isinstance(answer, Refused) and answer.status != 404]
    unanswered = [answer.why for answer in answers if isinstance(answer, NoAnswer)]
    asked = any(isinstance(answer, Accepted) for answer in answers)
    if refused:
        return WayCheck("fails", refused[0], len(requests), True)
    data = [str(request.key) for request in requests if request.key.kind in HOLDS_DATA]
    would = f"{plural(len(requests), 'object') if requests else 'no object'} would be deleted"
    kept = listed(deletions.stays) if deletions.stays else ""
    if data:
        text = f"{would}, and with {listed(data)} what they hold"
        return WayCheck("refused", text, len(requests), asked, ("destroys-data",))
    unsure = f"not confirmed by the API server: {unanswered[0]}" if unanswered else ""
    text = ", ".join(part for part in (would, kept, "nothing foretold to fail", unsure) if part)
    return WayCheck("works", text, len(requests), asked)


def _answers(requests: Sequence[WriteRequest], server: Server) -> Sequence[Accepted | Refused | NoAnswer]:
    support = DryRunSupport(server.connection, server.crds)
    return send_dry_runs(server.connection, server.discovery, requests, support)
