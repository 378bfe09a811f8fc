"""Helm's stored records, changed as a crash or a bad hand would change them."""

from __future__ import annotations

import base64

from controlplane.client import ControlPlane
from release_secrets import change_record, record_path


def set_status(cluster: ControlPlane, namespace: str, release: str, version: int, status: str) -> None:
    """As a helm that was killed leaves it: in the record and on its label."""
    path = record_path(namespace, release, version)
    change_record(cluster, path, lambda record: record["info"].update(status=status))


def damage(cluster: ControlPlane, namespace: str, release: str, version: int) -> None:
    """Cut the record off, as a full disk does."""
    path = record_path(namespace, release, version)
    data = base64.b64decode(cluster.get(path)["data"]["release"])
    cluster.patch(path, {"data": {"release": base64.b64encode(data[: len(data) // 8 * 4]).decode()}})
