"""Namespaces for tests."""

from __future__ import annotations

import uuid
from collections.abc import Iterator
from contextlib import contextmanager

from controlplane.client import ControlPlane


@contextmanager
def fresh_namespace(cluster: ControlPlane) -> Iterator[str]:
    """The name of a new namespace, ready for pods; it is deleted at the end, without waiting."""
    name = f"test-{uuid.uuid4().hex[:12]}"
    cluster.create("/api/v1/namespaces", {"metadata": {"name": name}})
    # The API server admits no pod before the namespace has its service account.
    cluster.wait_for(f"/api/v1/namespaces/{name}/serviceaccounts/default", lambda found: found is not None)
    yield name
    cluster.remove(f"/api/v1/namespaces/{name}")
