"""Helm's stored records as a crash or an older cluster leaves them."""

from __future__ import annotations

import base64
import gzip
import json
from collections.abc import Callable
from typing import Any

from controlplane.client import ControlPlane


def record_path(namespace: str, release: str, version: int) -> str:
    """The URL path of a revision's Secret."""
    return f"/api/v1/namespaces/{namespace}/secrets/sh.helm.release.v1.{release}.v{version}"


def read_record(cluster: ControlPlane, path: str) -> dict[str, Any]:
    """The decoded record."""
    packed = base64.b64decode(base64.b64decode(cluster.get(path)["data"]["release"]))
    record: dict[str, Any] = json.loads(gzip.decompress(packed))
    return record


def change_record(cluster: ControlPlane, path: str, change: Callable[[dict[str, Any]], None]) -> None:
    """Store the record as ``change`` leaves it; the status goes on its label too."""
    record = read_record(cluster, path)
    change(record)
    packed = base64.b64encode(base64.b64encode(gzip.compress(json.dumps(record).encode()))).decode()
    labels = {"status": record["info"]["status"]}
    cluster.patch(path, {"metadata": {"labels": labels}, "data": {"release": packed}})
