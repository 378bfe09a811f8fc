"""Every release that the user may see, from the labels of their records; a record's body on demand."""

from __future__ import annotations

import msgspec

from helmguard.cluster.connect import connect
from helmguard.cluster.connection import Connection
from helmguard.cluster.kube_options import KubeOptions
from helmguard.cluster.release_list import ListedRelease, list_releases
from helmguard.cluster.release_storage import StoredRevision, read_records
from helmguard.cluster.storage_driver import storage_driver
from helmguard.errors import PermissionDeniedError
from helmguard.model.release_state import RevisionRef
from helmguard.release_state.condition import revision_ref


class ReleasesOnline(msgspec.Struct, frozen=True):
    """Sorted by namespace and name. ``left_out`` says in words why these are not all, empty for all."""

    connection: Connection
    releases: tuple[ListedRelease, ...]
    left_out: str = ""


def list_online(kube: KubeOptions, *, all_namespaces: bool) -> ReleasesOnline:
    """The releases of all namespaces, or of the one that helm would use.

    Who may not list those of all namespaces gets those of that one.

    Raises:
        ReleaseError: ``HELM_DRIVER`` names a driver whose records are not in the cluster.
        ClusterError: the records cannot be listed; ``PermissionDeniedError``: for want of a permission.
    """
    connection = connect(kube)
    kind = storage_driver(connection.driver).kind
    namespace = connection.namespace
    if all_namespaces:
        try:
            return ReleasesOnline(connection, tuple(list_releases(connection)))
        except PermissionDeniedError:
            left_out = f"only namespace {namespace}: you may not list {kind}s in all namespaces"
    else:
        left_out = f"only namespace {namespace}"
    try:
        return ReleasesOnline(connection, tuple(list_releases(connection, namespace)), left_out)
    except PermissionDeniedError as error:
        raise PermissionDeniedError(
            f"the release records of namespace {namespace!r} cannot be listed: {error.message}",
            remedy=f"Grant a role with get and list on {kind.lower()}s, or name another namespace with -n.",
        ) from None


def last_revision(connection: Connection, release: ListedRelease) -> RevisionRef | None:
    """The release's last revision in short, its chart among it; None where its record cannot be read.

    Raises:
        ClusterError: the API server could not be reached or refused.
    """
    record = StoredRevision(
        f"sh.helm.release.v1.{release.name}.v{release.version}", release.version, release.status
    )
    last = read_records(connection, release.namespace, release.name, [record]).last()
    return revision_ref(last) if last is not None else None
