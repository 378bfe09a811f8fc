"""Ingresses, routes and load balancers that go: hosts and addresses, and who else serves them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from helmguard.model.json_value import JSONObject
from helmguard.model.resource_key import ResourceKey
from helmguard.rules.context.manifest_maps import mapping, maps_in, texts

_ANY = "*"
_HOST_RULE = re.compile(r"Host(?:SNI)?\(([^)]*)\)")


def is_exposure(key: ResourceKey, body: JSONObject) -> bool:
    """Whether the object is how something is reached from outside."""
    if (key.group, key.kind) == ("", "Service"):
        return mapping(body.get("spec")).get("type") == "LoadBalancer"
    return key.kind in _EXPOSING


_EXPOSING = (
    "Ingress",
    "HTTPRoute",
    "GRPCRoute",
    "TLSRoute",
    "Gateway",
    "Route",
    "VirtualService",
    "IngressRoute",
)


def hosts_of(key: ResourceKey, body: JSONObject) -> tuple[str, ...]:
    """The hosts that an object serves; ``*`` where it serves any."""
    spec = mapping(body.get("spec"))
    return tuple(dict.fromkeys(_hosts(key.kind, spec))) if key.kind in _EXPOSING else ()


def _hosts(kind: str, spec: JSONObject) -> Iterator[str]:
    match kind:
        case "Ingress":
            for _, rule in maps_in(spec.get("rules")):
                yield str(rule.get("host") or _ANY)
            if spec.get("defaultBackend") or spec.get("backend"):
                yield _ANY
        case "Gateway":
            for _, listener in maps_in(spec.get("listeners")):
                yield str(listener.get("hostname") or _ANY)
        case "Route":
            yield str(spec.get("host") or _ANY)
        case "VirtualService":
            yield from texts(spec.get("hosts")) if spec.get("gateways") else ()
        case "IngressRoute":
            for _, rule in maps_in(spec.get("routes")):
                for found in _HOST_RULE.findall(str(rule.get("match") or "")):
                    yield from re.findall(r"[`\"']([^`\"']+)[`\"']", found)
        case _:
            yield from texts(spec.get("hostnames")) or [_ANY]


def unserved(hosts: Iterable[str], served: Iterable[str]) -> tuple[str, ...]:
    """The hosts that none of the others serves; ``*.example.com`` serves one more label."""
    others = set(served)
    return tuple(host for host in hosts if not _is_served(host, others))


def _is_served(host: str, others: set[str]) -> bool:
    return host in others or f"*.{host.partition('.')[2]}" in others


def address_of(live: JSONObject) -> str:
    """The first address that is published for a live Ingress, Gateway or Service."""
    status = mapping(live.get("status"))
    for _, entry in maps_in(mapping(status.get("loadBalancer")).get("ingress")):
        return str(entry.get("hostname") or entry.get("ip") or "")
    for _, entry in maps_in(status.get("addresses")):
        return str(entry.get("value") or "")
    return ""
