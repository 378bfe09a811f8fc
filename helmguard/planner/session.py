"""What one planning run holds on to: the helm, the cluster, the release's history and what is served."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TYPE_CHECKING

import msgspec
from msgspec.structs import replace

from helmguard.cluster.concurrently import run_concurrently
from helmguard.cluster.connect import connect
from helmguard.cluster.connection import Connection
from helmguard.cluster.discovery import read_discovery
from helmguard.cluster.release_storage import read_history
from helmguard.errors import UsageError
from helmguard.helm.binary import HelmBinary, find_helm
from helmguard.helm.command_words import require_flags
from helmguard.helm.flags import RenderOptions
from helmguard.model.discovery import Discovery
from helmguard.model.release import History
from helmguard.planner.kube_flags import kube_flags_of
from helmguard.planner.request import PlanRequest

if TYPE_CHECKING:
    from helmguard.helm.command import HelmCommand

_NAMESPACE = re.compile(r"(?=.{1,63}$)[a-z0-9]([-a-z0-9]*[a-z0-9])?")

Report = Callable[[str], None]
"""Takes one line about what is being done, for a progress display."""


class Session(msgspec.Struct, frozen=True):
    """``options`` are the request's, with the namespace filled in."""

    request: PlanRequest
    options: RenderOptions
    namespace: str
    connection: Connection
    command: HelmCommand
    history: History
    discovery: Discovery

    @property
    def helm(self) -> HelmBinary:
        """The helm that will act."""
        return self.command.helm


def open_session(
    request: PlanRequest, report: Report, meanwhile: Callable[[], None] = lambda: None
) -> Session:
    """Find helm, connect, and read the release's history and the served kinds side by side.

    ``meanwhile`` is done while helm and the API server are at their answers.

    Raises:
        HelmguardError: no helm, no cluster, or no right to read the release's records.
    """
    report("reading the release")
    connection = connect(request.kube)
    namespace = connection.namespace
    if not _NAMESPACE.fullmatch(namespace):
        raise UsageError(
            f"namespace name is invalid: {namespace!r}",
            remedy="Kubernetes allows up to 63 lower-case letters, digits and '-'.",
        )

    def read_stored_history() -> History | None:
        if connection.driver == "sql":
            return None
        return read_history(connection, namespace, request.release)

    helm, history, discovery, _ = run_concurrently(
        [
            lambda: find_helm(request.helm_binary),
            read_stored_history,
            lambda: read_discovery(connection),
            meanwhile,
        ]
    )
    assert isinstance(helm, HelmBinary)
    assert isinstance(discovery, Discovery)
    from helmguard.helm.command import HelmCommand

    require_flags(request.options, helm.capabilities)
    command = HelmCommand(helm, kube_flags_of(request, namespace))
    if not isinstance(history, History):
        from helmguard.helm.release_by_helm import read_history as read_history_by_helm

        history = read_history_by_helm(command, request.release)
    return Session(
        request=request,
        options=replace(
            request.options, namespace=namespace, cluster_words=tuple(kube_flags_of(request, "").words())
        ),
        namespace=namespace,
        connection=connection,
        command=command,
        history=history,
        discovery=discovery,
    )
