"""Helm's stored records, read and changed as a crash or a bad hand would change them."""

from __future__ import annotations

import base64
import gzip
import json
from typing import Any

from controlplane.client import ControlPlane


def record_path(namespace: str, release: str, version: int) -> str:
    return f"/api/v1/namespaces/{namespace}/secrets/sh.helm.release.v1.{release}.v{version}"


def set_status(cluster: ControlPlane, namespace: str, release: str, version: int, status: str) -> None:
    """As a helm that was killed leaves it: in the record and on its label."""
    path = record_path(namespace, release, version)
    record = _decoded(cluster.get(path)["data"]["release"])
    record["info"]["status"] = status
    change = {"metadata": {"labels": {"status": status}}, "data": {"release": _encoded(record)}}
    cluster.patch(path, change)


def damage(cluster: ControlPlane, namespace: str, release: str, version: int) -> None:
    """Cut the record off, as a full disk does."""
    path = record_path(namespace, release, version)
    data = base64.b64decode(cluster.get(path)["data"]["release"])
    cluster.patch(path, {"data": {"release": base64.b64encode(data[: len(data) // 8 * 4]).decode()}})


def _decoded(data: str) -> Any:
    return json.loads(gzip.decompress(base64.b64decode(base64.b64decode(data))))


def _encoded(record: Any) -> str:
    packed = gzip.compress(json.dumps(record).encode())
    return base64.b64encode(base64.b64encode(packed)).decode()
