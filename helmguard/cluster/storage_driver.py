"""Where Helm keeps its release records, by ``HELM_DRIVER``."""

from __future__ import annotations

from urllib.parse import quote

import msgspec

from helmguard.errors import ReleaseError


class StorageDriver(msgspec.Struct, frozen=True):
    """A driver that keeps records in objects of the cluster; ``plural`` is ``secrets`` or ``configmaps``."""

    name: str
    kind: str
    plural: str

    def path(self, namespace: str | None) -> str:
        """The collection's path, of all namespaces for None."""
        folder = f"namespaces/{quote(namespace, safe='')}/" if namespace else ""
        return f"/api/v1/{folder}{self.plural}"

    def other(self) -> StorageDriver:
        """The driver that a forgotten ``HELM_DRIVER`` would point to."""
        return CONFIG_MAPS if self is SECRETS else SECRETS


SECRETS = StorageDriver("secret", "Secret", "secrets")
CONFIG_MAPS = StorageDriver("configmap", "ConfigMap", "configmaps")

_BY_WORD = {
    "": SECRETS,
    "secret": SECRETS,
    "secrets": SECRETS,
    "configmap": CONFIG_MAPS,
    "configmaps": CONFIG_MAPS,
}


def storage_driver(word: str) -> StorageDriver:
    """The driver for a value of ``HELM_DRIVER`` (helm/helm@v4.3.1 pkg/action/action.go, exact words).

    Raises:
        ReleaseError: the records are not in the cluster (``memory``, ``sql``), or no such driver exists.
    """
    if word in _BY_WORD:
        return _BY_WORD[word]
    if word == "memory":
        raise ReleaseError(
            "HELM_DRIVER is memory: Helm keeps no release records that could be read",
            remedy="Unset HELM_DRIVER, or set it to secret or configmap.",
        )
    if word == "sql":
        raise ReleaseError(
            "HELM_DRIVER is sql: the release records are in a database, not in the cluster",
            remedy="They can only be read through helm itself, with HELM_DRIVER_SQL_CONNECTION_STRING set.",
        )
    raise ReleaseError(
        f"unknown HELM_DRIVER {word!r}", remedy="Helm knows secret (default), configmap, memory and sql."
    )
