"""What the API server serves."""

from __future__ import annotations

from collections.abc import Iterable

import msgspec

from helmguard.model.resource_key import group_of


class ServedKind(msgspec.Struct, frozen=True):
    """One kind in one version, as discovery names it; ``plural`` is the resource name in its URL."""

    api_version: str
    kind: str
    plural: str
    namespaced: bool
    verbs: tuple[str, ...] = ()

    @property
    def group(self) -> str:
        """The API group, empty for core."""
        return group_of(self.api_version)


class Discovery(msgspec.Struct, frozen=True):
    """All served kinds and the server's version (``v1.36.3``).

    ``unavailable`` names group versions that discovery could not list (a broken aggregated API).
    """

    kubernetes_version: str
    kinds: tuple[ServedKind, ...]
    unavailable: tuple[str, ...] = ()
    _by_kind: dict[tuple[str, str], ServedKind] = {}

    @classmethod
    def of(
        cls, kubernetes_version: str, kinds: Iterable[ServedKind], unavailable: Iterable[str] = ()
    ) -> Discovery:
        """Index the kinds by apiVersion and kind."""
        listed = tuple(kinds)
        index = {(kind.api_version, kind.kind): kind for kind in listed}
        return cls(kubernetes_version, listed, tuple(unavailable), index)

    def find(self, api_version: str, kind: str) -> ServedKind | None:
        """The served kind, None where the server does not serve it in this version."""
        return self._by_kind.get((api_version, kind))

    def is_namespaced(self, api_version: str, kind: str) -> bool | None:
        """Whether objects of the kind live in a namespace; None where the kind is not served."""
        served = self.find(api_version, kind)
        return served.namespaced if served else None

    def helm_api_versions(self) -> list[str]:
        """``.Capabilities.APIVersions`` as Helm builds it: ``group/version`` and ``group/version/Kind``."""
        versions = {kind.api_version for kind in self.kinds}
        return sorted(versions | {f"{kind.api_version}/{kind.kind}" for kind in self.kinds})
