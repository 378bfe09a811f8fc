"""What the API server serves: aggregated discovery, and the older form where a server lacks it."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from helmguard.cluster.api_errors import ApiStatusError, RequestTimeoutError
from helmguard.cluster.concurrently import run_concurrently
from helmguard.cluster.connection import JSON, Connection
from helmguard.errors import PermissionDeniedError
from helmguard.model.discovery import Discovery, ServedKind
from helmguard.model.json_value import JSONObject

_AGGREGATED = ",".join(
    [
        f"{JSON};g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList",
        f"{JSON};g=apidiscovery.k8s.io;v=v2beta1;as=APIGroupDiscoveryList",
        JSON,
    ]
)


def read_discovery(connection: Connection) -> Discovery:
    """The server's version and all served kinds, in three requests where discovery is aggregated.

    Group versions whose API server did not answer are named in ``unavailable``; kinds of sub-resources
    (``Scale``, ``Eviction``) are left out, since no manifest can hold them.

    Raises:
        ClusterError: the server cannot be reached or read at all.
    """
    version, core, groups = run_concurrently(
        [
            lambda: connection.get_json("/version"),
            lambda: connection.get_json("/api", accept=_AGGREGATED),
            lambda: connection.get_json("/apis", accept=_AGGREGATED),
        ]
    )
    kinds: list[ServedKind] = []
    unavailable: list[str] = []
    legacy: list[tuple[str, str]] = []
    for answer in (core, groups):
        if answer.get("kind") == "APIGroupDiscoveryList":
            kinds.extend(_aggregated_kinds(answer, unavailable))
        else:
            legacy.extend(_legacy_paths(answer))
    kinds.extend(_legacy_kinds(connection, legacy, unavailable))
    return Discovery.of(str(version.get("gitVersion") or ""), _unique(kinds), sorted(unavailable))


def _aggregated_kinds(answer: JSONObject, unavailable: list[str]) -> Iterator[ServedKind]:
    for group in answer.get("items") or []:
        group_name = (group.get("metadata") or {}).get("name") or ""
        for version in group.get("versions") or []:
            api_version = _api_version(group_name, version["version"])
            if version.get("freshness") == "Stale":
                unavailable.append(api_version)
            for resource in version.get("resources") or []:
                kind = (resource.get("responseKind") or {}).get("kind")
                if kind:
                    yield ServedKind(
                        api_version=api_version,
                        kind=kind,
                        plural=resource["resource"],
                        namespaced=resource.get("scope") == "Namespaced",
                        verbs=tuple(resource.get("verbs") or ()),
                    )


def _legacy_paths(answer: JSONObject) -> Iterator[tuple[str, str]]:
    """``(api_version, path)`` of an ``APIVersions`` or ``APIGroupList`` answer."""
    if answer.get("kind") == "APIVersions":
        for version in answer.get("versions") or []:
            yield version, f"/api/{version}"
    for group in answer.get("groups") or []:
        for version in group.get("versions") or []:
            yield version["groupVersion"], f"/apis/{version['groupVersion']}"


def _legacy_kinds(
    connection: Connection, paths: list[tuple[str, str]], unavailable: list[str]
) -> Iterator[ServedKind]:
    answers = run_concurrently([partial(_resource_list, connection, path) for _, path in paths])
    for (api_version, _), answer in zip(paths, answers, strict=True):
        if answer is None:
            unavailable.append(api_version)
            continue
        for resource in answer.get("resources") or []:
            if "/" not in resource["name"]:
                yield ServedKind(
                    api_version=api_version,
                    kind=resource["kind"],
                    plural=resource["name"],
                    namespaced=resource.get("namespaced") is True,
                    verbs=tuple(resource.get("verbs") or ()),
                )


def _resource_list(connection: Connection, path: str) -> JSONObject | None:
    """One group version's resources; None where its API server is broken or says no."""
    try:
        return connection.get_json(path)
    except (ApiStatusError, RequestTimeoutError, PermissionDeniedError):
        return None


def _unique(kinds: list[ServedKind]) -> list[ServedKind]:
    """The first resource of each kind, as Helm's mapper prefers it."""
    first: dict[tuple[str, str], ServedKind] = {}
    for kind in kinds:
        first.setdefault((kind.api_version, kind.kind), kind)
    return list(first.values())


def _api_version(group: str, version: str) -> str:
    return f"{group}/{version}" if group else version
