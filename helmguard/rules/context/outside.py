"""Ways from outside the cluster: Services with ports of nodes or addresses of their own, and Ingresses."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Any

from helmguard.compare.bookkeeping import is_ownership_mark
from helmguard.model.field_path import FieldPath, format_path
from helmguard.model.json_value import JSONObject
from helmguard.model.plan import ResourceChange
from helmguard.rules.context.deleted_exposure import hosts_of, is_exposure
from helmguard.rules.context.manifest_maps import items, mapping, texts
from helmguard.rules.context.pod_templates import after_of, before_of
from helmguard.rules.context.record import Record
from helmguard.rules.facts import Facts


class Opening(Record, frozen=True):
    """One way that comes, or that loses a lock."""

    ref: Annotated[str, "`Service/web`, `Ingress/web`"]
    kind: Annotated[str, "its kind"] = "Service"
    namespace: Annotated[str, "its namespace"] = ""
    name: Annotated[str, "its name"] = ""
    created: Annotated[bool, "this operation creates the object"] = False
    how: Annotated[
        str,
        "`type`: a Service of type NodePort or LoadBalancer; `external IPs`; `sources`: the list of "
        "addresses that may use it is gone or wider; `host`: an Ingress or route serves a host anew; "
        "`tls`: a host is served without TLS; `annotation`: an annotation changes or goes",
    ] = "type"
    path: Annotated[str, "the field"] = ""
    annotation: Annotated[str, "the annotation's name, empty for another field"] = ""
    before: Annotated[str, "its value now, empty for none"] = ""
    after: Annotated[str, "its value after Helm, empty for none"] = ""
    cause: Annotated[str, "why it changes: a cause of docs/plan-format.md"] = "chart"
    served_before: Annotated[bool, "another object of the release served the same host, or port, before"] = (
        False
    )


_OPEN = {"NodePort": 1, "LoadBalancer": 2}
_STAYS = ("hook", "unchanged", "delete", "keep")


def openings(facts: Facts) -> Iterator[Opening]:
    """Services, Ingresses and routes that come or change."""
    hosts: set[str] | None = None
    types: set[tuple[str, str]] | None = None
    for resource in facts.resources:
        key, after = resource.prediction.key, after_of(resource)
        if resource.action in _STAYS or after is None:
            continue
        if (key.group, key.kind) == ("", "Service"):
            types = types if types is not None else set(_leaving_types(facts))
            yield from _of_service(resource, after, types)
        elif is_exposure(key, after):
            hosts = hosts if hosts is not None else set(_hosts_before(facts))
            yield from _of_hosts(resource, after, hosts)


def _of_service(
    resource: ResourceChange, after: JSONObject, leaving: set[tuple[str, str]]
) -> Iterator[Opening]:
    before = before_of(resource)
    old, new = mapping(before, "spec"), mapping(after, "spec")
    was, will = str(old.get("type") or "ClusterIP"), str(new.get("type") or "ClusterIP")
    if _OPEN.get(will, 0) > _OPEN.get(was, 0):
        moved = (will, _selector(new)) in leaving
        shown = was if before is not None else ""
        yield _opening(resource, "type", ("spec", "type"), shown, will, served_before=moved)
    addresses = [ip for ip in texts(new.get("externalIPs")) if ip not in texts(old.get("externalIPs"))]
    if addresses:
        yield _opening(resource, "external IPs", ("spec", "externalIPs"), "", ", ".join(addresses))
    if before is None or will != "LoadBalancer":
        return
    ranges, left = texts(old.get("loadBalancerSourceRanges")), texts(new.get("loadBalancerSourceRanges"))
    if ranges and (not left or any(one not in ranges for one in left)):
        path = ("spec", "loadBalancerSourceRanges")
        yield _opening(resource, "sources", path, ", ".join(ranges), ", ".join(left))
    yield from _annotations(resource, before, after)


def _of_hosts(resource: ResourceChange, after: JSONObject, hosts: set[str]) -> Iterator[Opening]:
    key, before = resource.prediction.key, before_of(resource)
    own = set(hosts_of(key, before)) if before is not None else set()
    for host in hosts_of(key, after):
        if host not in own:
            yield _opening(resource, "host", ("spec", "rules"), "", host, served_before=host in hosts)
    if before is None:
        return
    if key.kind == "Ingress":
        closed, open_now = _tls_hosts(before), _tls_hosts(after)
        for host in hosts_of(key, after):
            if host in own and _is_secured(host, closed) and not _is_secured(host, open_now):
                yield _opening(resource, "tls", ("spec", "tls"), host, "")
    yield from _annotations(resource, before, after)


def _annotations(resource: ResourceChange, before: JSONObject, after: JSONObject) -> Iterator[Opening]:
    """Those that change or go; which of them is a lock is for the rule to say."""
    old, new = mapping(before, "metadata", "annotations"), mapping(after, "metadata", "annotations")
    for name, value in old.items():
        path = ("metadata", "annotations", name)
        if new.get(name) != value and not is_ownership_mark(path):
            yield _opening(
                resource, "annotation", path, str(value), str(new.get(name) or ""), annotation=name
            )


def _opening(
    resource: ResourceChange, how: str, path: FieldPath, before: str, after: str, **more: Any
) -> Opening:
    key = resource.prediction.key
    cause = next((one.cause for one in resource.changes if one.path[: len(path)] == path), resource.cause)
    return Opening(
        ref=str(key),
        kind=key.kind,
        namespace=key.namespace or "",
        name=key.name,
        created=before_of(resource) is None,
        how=how,
        path=format_path(path),
        before=before,
        after=after,
        cause=cause or "chart",
        **more,
    )


def _leaving_types(facts: Facts) -> Iterator[tuple[str, str]]:
    """Type and selector of Services that go: a rename opens nothing."""
    for resource in facts.resources:
        key = resource.prediction.key
        if (key.group, key.kind) == ("", "Service") and resource.action in ("delete", "keep"):
            spec = mapping(before_of(resource), "spec")
            yield str(spec.get("type") or "ClusterIP"), _selector(spec)


def _selector(spec: JSONObject) -> str:
    return ",".join(f"{name}={value}" for name, value in sorted(mapping(spec, "selector").items()))


def _hosts_before(facts: Facts) -> Iterator[str]:
    for resource in facts.resources:
        before = before_of(resource)
        if before is not None and is_exposure(resource.prediction.key, before):
            yield from hosts_of(resource.prediction.key, before)


def _tls_hosts(body: JSONObject) -> set[str]:
    """Hosts with a certificate; ``*`` where an entry names none."""
    found: set[str] = set()
    for entry in items(body, "spec", "tls"):
        found |= set(texts(entry.get("hosts")) or ["*"])
    return found


def _is_secured(host: str, closed: set[str]) -> bool:
    return bool(closed & {host, "*", f"*.{host.partition('.')[2]}"})
