"""Which object: group, kind, namespace and name. The version is not identity."""

from __future__ import annotations

import msgspec


class ResourceKey(msgspec.Struct, frozen=True):
    """Identity of one object; ``namespace`` is None for cluster-scoped objects."""

    group: str
    kind: str
    namespace: str | None
    name: str

    @classmethod
    def of(cls, api_version: str, kind: str, namespace: str | None, name: str) -> ResourceKey:
        """The key of an object; ``api_version`` is ``group/version``, or ``version`` for the core group."""
        return cls(group_of(api_version), kind, namespace, name)

    def sort_key(self) -> tuple[str, str, str, str]:
        """A total order for stable output."""
        return (self.group, self.kind, self.namespace or "", self.name)

    def __str__(self) -> str:
        return f"{self.kind}/{self.name}"


def group_of(api_version: str) -> str:
    """``apps`` of ``apps/v1``; the empty string for the core group's ``v1``."""
    group, slash, _ = api_version.rpartition("/")
    return group if slash else ""
