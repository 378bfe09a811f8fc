"""Whether the API server behind a kind is known to obey ``dryRun=All``.

Kubernetes' own kinds and custom resources do since 1.18. An aggregated API server may be anything: what it
publishes about itself decides, as for kubectl.
"""

from __future__ import annotations

import threading
from collections.abc import Iterable

from helmguard.cluster.connection import Connection
from helmguard.cluster.custom_resources import is_built_in_group
from helmguard.errors import ClusterError
from helmguard.model.discovery import ServedKind
from helmguard.model.json_value import JSONObject


class DryRunSupport:
    """``definitions`` are the CRDs that are known to be in the cluster."""

    def __init__(self, connection: Connection, definitions: Iterable[JSONObject]) -> None:
        self._connection = connection
        self._custom = {
            (spec.get("group"), (spec.get("names") or {}).get("kind"))
            for spec in (crd.get("spec") or {} for crd in definitions)
        }
        self._published: dict[str, frozenset[str]] = {}
        self._lock = threading.Lock()

    def honoured(self, kind: ServedKind) -> bool:
        """Whether a dry run of a write of this kind is safe to send."""
        if is_built_in_group(kind.group) or (kind.group, kind.kind) in self._custom:
            return True
        with self._lock:
            if kind.api_version not in self._published:
                self._published[kind.api_version] = self._read(kind.api_version)
        return kind.kind in self._published[kind.api_version]

    def _read(self, api_version: str) -> frozenset[str]:
        """The kinds of a group version whose PATCH takes ``dryRun``; none where that cannot be read."""
        try:
            document = self._connection.get_json(f"/openapi/v3/apis/{api_version}")
        except ClusterError:
            return frozenset()
        found = set()
        for path in (document.get("paths") or {}).values():
            patch = path.get("patch") or {}
            named = [*(path.get("parameters") or ()), *(patch.get("parameters") or ())]
            if any(parameter.get("name") == "dryRun" for parameter in named):
                found.add(str((patch.get("x-kubernetes-group-version-kind") or {}).get("kind")))
        return frozenset(found)
