"""Checks of Services, Ingresses and NetworkPolicies."""

from __future__ import annotations

from collections.abc import Iterator

from helmguard.model.json_value import JSONObject
from helmguard.predict.api_server.validation.metadata import labels_errors
from helmguard.predict.api_server.validation.names import subdomain, wildcard_subdomain
from helmguard.predict.api_server.validation.struct_rules import CIDR_TEXT, IP_TEXT, is_address, network
from helmguard.predict.api_server.validation.words import (
    compact,
    duplicates,
    forbidden,
    invalid,
    required,
    unsupported,
)

_DAY = 86400
_CLASS_ANNOTATION = "kubernetes.io/ingress.class"


def service_errors(service: JSONObject) -> Iterator[str]:
    """Ports: there at all, named where there are several, each once; what only some types may have."""
    spec = service.get("spec") or {}
    ports, kind = spec.get("ports") or [], spec.get("type")
    headless = spec.get("clusterIP") == "None"
    if kind != "ExternalName" and (problems := list(_cluster_ip_errors(spec))):
        # Found before anything else is looked at.
        yield from problems
        return
    if headless and kind in ("LoadBalancer", "NodePort"):
        yield invalid("spec.clusterIPs[0]", "None", f"may not be set to 'None' for {kind} services")
    if not ports and not headless and kind != "ExternalName":
        yield required("spec.ports")
    yield from _port_errors(ports, kind)
    yield from _address_errors(spec)
    yield from labels_errors(spec.get("selector") or {}, "spec.selector")
    if kind == "ExternalName":
        name = (spec.get("externalName") or "").removesuffix(".")
        if name:
            yield from (invalid("spec.externalName", name, problem) for problem in subdomain(name))
        else:
            yield required("spec.externalName")
    yield from _policy_errors(spec)


def _cluster_ip_errors(spec: JSONObject) -> Iterator[str]:
    """``clusterIP`` and the first of ``clusterIPs`` are one address, and each is of its family."""
    address, addresses = spec.get("clusterIP"), spec.get("clusterIPs") or []
    if address and addresses and addresses[0] != address:
        yield invalid("spec.clusterIPs", addresses, "first value must match `clusterIP`")
    elif addresses and not address:
        yield invalid("spec.clusterIPs", addresses, "must be empty when `clusterIP` is not specified")
    for index, (one, family) in enumerate(zip(addresses, spec.get("ipFamilies") or [], strict=False)):
        if is_address(one) and (":" in one) != (family == "IPv6"):
            detail = f"expected an {family} value as indicated by `ipFamilies[{index}]`"
            yield invalid(f"spec.clusterIPs[{index}]", one, detail)


def _port_errors(ports: list[JSONObject], kind: str | None) -> Iterator[str]:
    for index, port in enumerate(ports):
        if len(ports) > 1 and not port.get("name"):
            yield required(f"spec.ports[{index}].name")
        if not port.get("port"):
            yield invalid(f"spec.ports[{index}].port", 0, "must be between 1 and 65535, inclusive")
        if port.get("nodePort") and kind == "ClusterIP":
            detail = "may not be used when `type` is 'ClusterIP'"
            yield forbidden(f"spec.ports[{index}].nodePort", detail)
    yield from duplicates("spec.ports", [port.get("name") for port in ports], ".name")
    seen: set[tuple[object, object]] = set()
    for index, port in enumerate(ports):
        identity = (port.get("protocol"), port.get("port"))
        if identity in seen:
            shown = {
                "Name": "",
                "Protocol": identity[0],
                "AppProtocol": None,
                "Port": identity[1],
                "TargetPort": 0,
                "NodePort": 0,
            }
            yield f"spec.ports[{index}]: Duplicate value: {compact(shown)}"
        seen.add(identity)


def _address_errors(spec: JSONObject) -> Iterator[str]:
    address = spec.get("clusterIP")
    if address and address != "None" and spec.get("type") != "ExternalName" and not is_address(address):
        yield invalid("spec.clusterIPs[0]", address, IP_TEXT)
    for index, external in enumerate(spec.get("externalIPs") or []):
        if not is_address(external):
            yield invalid(f"spec.externalIPs[{index}]", external, IP_TEXT)
    ranges = spec.get("loadBalancerSourceRanges") or []
    if ranges and spec.get("type") != "LoadBalancer":
        yield forbidden("spec.LoadBalancerSourceRanges", "may only be used when `type` is 'LoadBalancer'")
        return
    for index, text in enumerate(ranges):
        if network(text.strip()) is None:
            yield invalid(f"spec.LoadBalancerSourceRanges[{index}]", text, CIDR_TEXT)


def _policy_errors(spec: JSONObject) -> Iterator[str]:
    kind, policy = spec.get("type"), spec.get("externalTrafficPolicy")
    reachable = kind in ("NodePort", "LoadBalancer") or (kind == "ClusterIP" and spec.get("externalIPs"))
    if policy and not reachable:
        detail = "may only be set for externally-accessible services"
        yield invalid("spec.externalTrafficPolicy", policy, detail)
    elif policy and policy not in ("Cluster", "Local"):
        yield unsupported("spec.externalTrafficPolicy", policy, ("Cluster", "Local"))
    port = spec.get("healthCheckNodePort")
    if port and not (kind == "LoadBalancer" and policy == "Local"):
        detail = "may only be set when `type` is 'LoadBalancer' and `externalTrafficPolicy` is 'Local'"
        yield invalid("spec.healthCheckNodePort", port, detail)
    for name in ("allocateLoadBalancerNodePorts", "loadBalancerClass"):
        if spec.get(name) is not None and kind != "LoadBalancer":
            yield forbidden(f"spec.{name}", "may only be used when `type` is 'LoadBalancer'")
    timeout = ((spec.get("sessionAffinityConfig") or {}).get("clientIP") or {}).get("timeoutSeconds")
    if spec.get("sessionAffinity") == "ClientIP" and timeout is not None and not 0 < timeout <= _DAY:
        where = "spec.sessionAffinityConfig.clientIP.timeoutSeconds"
        yield invalid(where, timeout, "must be greater than 0 and less than 86400")


def network_policy_errors(policy: JSONObject) -> Iterator[str]:
    """Every peer says who it is, by selectors or by addresses."""
    spec = policy.get("spec") or {}
    for direction, side in (("ingress", "from"), ("egress", "to")):
        for index, rule in enumerate(spec.get(direction) or []):
            for number, peer in enumerate(rule.get(side) or []):
                here = f"spec.{direction}[{index}].{side}[{number}]"
                selectors = "podSelector" in peer or "namespaceSelector" in peer
                if not selectors and "ipBlock" not in peer:
                    yield required(here, "must specify a peer")
                elif selectors and "ipBlock" in peer:
                    yield forbidden(here, "may not specify both ipBlock and another peer")


def ingress_errors(ingress: JSONObject) -> Iterator[str]:
    """Hosts, paths, and backends that name a port by name or by number, a service or a resource."""
    spec = ingress.get("spec") or {}
    if "defaultBackend" in spec:
        yield from _backend_errors(spec["defaultBackend"], "spec.defaultBackend")
    if not spec.get("rules") and "defaultBackend" not in spec:
        yield invalid("spec", spec, "either `defaultBackend` or `rules` must be specified")
    for index, rule in enumerate(spec.get("rules") or []):
        yield from _host_errors(rule.get("host") or "", f"spec.rules[{index}].host")
        for number, path in enumerate((rule.get("http") or {}).get("paths") or []):
            here = f"spec.rules[{index}].http.paths[{number}]"
            yield from _path_errors(path, here)
            yield from _backend_errors(path.get("backend") or {}, f"{here}.backend")
    for index, tls in enumerate(spec.get("tls") or []):
        for number, host in enumerate(tls.get("hosts") or []):
            yield from _tls_host_errors(host, f"spec.tls[{index}].hosts[{number}]")
        secret = tls.get("secretName") or ""
        if secret:
            where = f"spec.tls[{index}].secretName"
            yield from (invalid(where, secret, problem) for problem in subdomain(secret))


def ingress_creation_errors(ingress: JSONObject) -> Iterator[str]:
    """The old annotation beside the field, which only a new Ingress may not have."""
    annotation = ((ingress.get("metadata") or {}).get("annotations") or {}).get(_CLASS_ANNOTATION)
    name = (ingress.get("spec") or {}).get("ingressClassName")
    if annotation is not None and name is not None and annotation != name:
        detail = "must match `ingressClassName` when both are specified"
        yield invalid(f"annotations.{_CLASS_ANNOTATION}", annotation, detail)


def _host_errors(host: str, path: str) -> Iterator[str]:
    if not host:
        return
    if is_address(host):
        yield invalid(path, host, "must be a DNS name, not an IP address")
    else:
        yield from _tls_host_errors(host, path)


def _tls_host_errors(host: str, path: str) -> Iterator[str]:
    rule = wildcard_subdomain if "*" in host else subdomain
    yield from (invalid(path, host, problem) for problem in rule(host))


def _path_errors(path: JSONObject, here: str) -> Iterator[str]:
    kind, text = path.get("pathType"), path.get("path") or ""
    if not kind:
        yield required(f"{here}.pathType", "pathType must be specified")
    elif kind in ("Exact", "Prefix"):
        if not text.startswith("/"):
            yield invalid(f"{here}.path", text, "must be an absolute path")
        for sequence in ("//", "/./", "/../", "%2f", "%2F"):
            if text.startswith("/") and sequence in text:
                yield invalid(f"{here}.path", text, f"must not contain '{sequence}'")
        for end in ("/..", "/."):
            if text.startswith("/") and text.endswith(end):
                yield invalid(f"{here}.path", text, f"cannot end with '{end}'")
    elif kind == "ImplementationSpecific" and text and not text.startswith("/"):
        yield invalid(f"{here}.path", text, "must be an absolute path")


def _backend_errors(backend: JSONObject, path: str) -> Iterator[str]:
    service, resource = backend.get("service"), backend.get("resource")
    if resource is not None and service is not None:
        yield invalid(path, "", "cannot set both resource and service backends")
    elif resource is None and service is None:
        yield invalid(path, "", "resource or service backend is required")
    elif service is not None:
        port = service.get("port") or {}
        if port.get("name") and port.get("number"):
            yield invalid(path, "", "cannot set both port name & port number")
        elif not port.get("name") and not port.get("number"):
            yield required(path, "port name or number is required")
