"""Whether this machine and this user have what a plan needs."""

from __future__ import annotations

from collections.abc import Callable

import msgspec

from helmguard.cluster.access_review import may
from helmguard.cluster.connect import connect
from helmguard.cluster.connection import Connection
from helmguard.cluster.discovery import read_discovery
from helmguard.cluster.kube_options import KubeOptions
from helmguard.cluster.release_list import list_releases
from helmguard.errors import HelmguardError
from helmguard.helm.binary import find_helm


class Check(msgspec.Struct, frozen=True):
    """One thing that was looked at. ``remedy`` says what to do where it is not right."""

    name: str
    ok: bool
    text: str
    remedy: str = ""


def diagnose(options: KubeOptions, helm_binary: str = "") -> list[Check]:
    """All checks, in the order in which a plan needs them; what depends on a failed one is left out."""
    checks = [_checked("helm", lambda: _helm(helm_binary))]
    connection: Connection | None = None
    try:
        connection = connect(options)
    except HelmguardError as error:
        checks.append(Check("kubeconfig", False, error.message, error.remedy))
    if connection is None:
        return checks
    found = connection
    context = f"context {found.context}" if found.context else "no context"
    checks.append(Check("kubeconfig", True, f"{context}, namespace {found.namespace}, server {found.server}"))
    checks.append(_checked("API server", lambda: _api_server(found)))
    if checks[-1].ok:
        checks.append(_checked("releases", lambda: _releases(found)))
        checks.append(_checked("live objects", lambda: _live_objects(found)))
    return checks


def _checked(name: str, check: Callable[[], str]) -> Check:
    try:
        return Check(name, True, check())
    except HelmguardError as error:
        return Check(name, False, error.message, error.remedy)


def _helm(helm_binary: str) -> str:
    helm = find_helm(helm_binary)
    return f"Helm {helm.version}, {helm.path} (from {helm.found_by})"


def _api_server(connection: Connection) -> str:
    discovery = read_discovery(connection)
    text = f"Kubernetes {discovery.kubernetes_version}, {len(discovery.kinds)} kinds served"
    if discovery.unavailable:
        text += f"; not answering: {', '.join(discovery.unavailable)}"
    return text


def _releases(connection: Connection) -> str:
    releases = list_releases(connection, connection.namespace)
    return f"{len(releases)} in namespace {connection.namespace}, readable"


def _live_objects(connection: Connection) -> str:
    if may(connection, "get", "apps", "deployments", connection.namespace):
        return f"may read deployments in namespace {connection.namespace}"
    raise HelmguardError(
        f"may not read deployments in namespace {connection.namespace}",
        remedy="A plan lists what it cannot read as unknown; ask for the role 'view' in the namespace.",
    )
