"""The drift of many releases: records by their labels first, live objects in lists that releases share."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import partial
from typing import TYPE_CHECKING

import msgspec
from msgspec.structs import replace

from helmguard.cluster.concurrently import run_concurrently
from helmguard.cluster.connect import connect
from helmguard.cluster.connection import Connection
from helmguard.cluster.discovery import read_discovery
from helmguard.cluster.namespaces import read_namespace
from helmguard.cluster.release_index import IndexedRelease, read_release_index
from helmguard.errors import ClusterError, HelmguardError, ReleaseError, UsageError
from helmguard.helm.binary import HelmBinary, find_helm
from helmguard.helm.command_words import require_flags
from helmguard.model.discovery import Discovery
from helmguard.model.live_state import Absent
from helmguard.model.plan import Plan
from helmguard.model.release import History, Revision
from helmguard.model.unread_release import UnreadRelease
from helmguard.planner.request import PlanRequest
from helmguard.planner.session import Report

if TYPE_CHECKING:
    from helmguard.planner.live_reading import LiveObjects, Wanted

_SEE_ALL = "See all releases with: helm list -a -A"
_RELEASES_AT_ONCE = 40
"""How many releases' objects are held in memory at a time."""


class ReleasesRequest(msgspec.Struct, frozen=True):
    """Which releases: of ``one``'s namespace or of all, by name (``pattern``) and labels (``selector``).

    ``one`` holds what is the same for each: cluster, helm, flags and gate.
    """

    one: PlanRequest
    all_namespaces: bool = False
    pattern: str = ""
    selector: str = ""


class _Cluster(msgspec.Struct, frozen=True):
    request: ReleasesRequest
    connection: Connection
    helm: HelmBinary
    discovery: Discovery


class _Stored(msgspec.Struct, frozen=True):
    """A release as its records have it; ``documents`` keeps the YAML that was read until it is compared."""

    history: History
    base: Revision
    wanted: Wanted
    documents: object


def drift_of_releases(
    request: ReleasesRequest, report: Report = lambda _: None
) -> Iterator[Plan | UnreadRelease]:
    """Each release's drift, by namespace and name; what cannot be read is told, and the others go on.

    Releases that an uninstall with ``--keep-history`` left are passed over.

    Raises:
        UsageError: the pattern is no regular expression, or helm does not know a flag.
        ReleaseError: a pattern or selector was given, and no release fits; or there is no such namespace.
        HelmguardError: no helm, no cluster, or no right to list the records.
    """
    pattern = _compiled(request.pattern)
    report("listing the releases")
    connection = connect(request.one.kube)
    namespace = None if request.all_namespaces else connection.namespace
    helm, releases, discovery, _ = run_concurrently(
        [
            lambda: find_helm(request.one.helm_binary),
            lambda: read_release_index(connection, namespace, request.selector),
            lambda: read_discovery(connection),
            _import_the_rest,
        ]
    )
    assert isinstance(helm, HelmBinary)
    assert isinstance(discovery, Discovery)
    assert isinstance(releases, list)
    require_flags(request.one.options, helm.capabilities)
    chosen = [
        release
        for release in releases
        if pattern.search(release.name) and release.last.status != "uninstalled"
    ]
    if not releases and namespace is not None and isinstance(read_namespace(connection, namespace), Absent):
        raise ReleaseError(f"there is no namespace {namespace!r}", remedy=_SEE_ALL)
    if not chosen and (request.pattern or request.selector):
        raise ReleaseError("no release fits the filter", remedy=_SEE_ALL)
    cluster = _Cluster(request, connection, helm, discovery)
    for first in range(0, len(chosen), _RELEASES_AT_ONCE):
        report(f"comparing releases, {first} of {len(chosen)} done")
        try:
            yield from _compared(cluster, chosen[first : first + _RELEASES_AT_ONCE])
        except ClusterError as error:
            # Nothing can be read any more: what is left would only take as long.
            yield from (_unread(release, error.message) for release in chosen[first:])
            return


def _import_the_rest() -> None:
    import helmguard.planner.drift_plan
    import helmguard.planner.drift_reading  # noqa: F401 - the imports are the work


def _compiled(pattern: str) -> re.Pattern[str]:
    try:
        return re.compile(pattern)
    except re.error as error:
        raise UsageError(f"--filter {pattern!r} is not a regular expression: {error}") from None


def _compared(cluster: _Cluster, releases: Sequence[IndexedRelease]) -> Iterator[Plan | UnreadRelease]:
    """The releases of one portion; raises nothing after the first result."""
    from helmguard.planner.drift_reading import read_for

    stored = run_concurrently([partial(_read_stored, cluster, release) for release in releases])
    readable = [found for found in stored if isinstance(found, _Stored)]
    live = read_for(cluster.connection, cluster.discovery, [found.wanted for found in readable])
    for release, found in zip(releases, stored, strict=True):
        if isinstance(found, _Stored):
            yield _plan(cluster, release, found, live)
        else:
            yield found


def _read_stored(cluster: _Cluster, release: IndexedRelease) -> _Stored | UnreadRelease:
    from helmguard.manifest.object_documents import read_documents
    from helmguard.planner.drift_base import base_revision
    from helmguard.planner.drift_reading import read_stored_history, wanted_of

    try:
        history = read_stored_history(cluster.connection, release)
        base = base_revision(history)
        if base is None:
            damage = "; ".join(f"{record.storage_name}: {record.why}" for record in history.damaged)
            return _unread(release, damage or "its records are gone")
        wanted = wanted_of(history, base, cluster.discovery)
        documents = read_documents(base.manifest)
    except HelmguardError as error:
        return _unread(release, error.message)
    return _Stored(history, base, wanted, documents)


def _plan(
    cluster: _Cluster, release: IndexedRelease, stored: _Stored, live: LiveObjects
) -> Plan | UnreadRelease:
    from helmguard.planner.apply_options import apply_options
    from helmguard.planner.drift_plan import drift_inputs, make_drift_plan

    inputs = drift_inputs(
        history=stored.history,
        base=stored.base,
        helm=cluster.helm.version,
        live={key: live.states[key] for key in stored.wanted},
        options=apply_options(replace(cluster.request.one.options, release=release.name)),
        discovery=cluster.discovery,
        crds=live.crds,
        gate=cluster.request.one.gate,
    )
    try:
        return make_drift_plan(inputs, stored.base)
    except HelmguardError as error:
        return _unread(release, error.message)
    except Exception as error:
        # One release must not hide the others.
        why = f"internal error ({type(error).__name__}); see it alone: helmguard drift {release.name} --debug"
        return _unread(release, f"{why} -n {release.namespace}")


def _unread(release: IndexedRelease, why: str) -> UnreadRelease:
    from helmguard.masking.masker import Masker

    return UnreadRelease(release.namespace, release.name, Masker().text(why))
