"""Checks of Services, Ingresses and NetworkPolicies."""

from __future__ import annotations

from collections.abc import Iterator

from helmguard.model.json_value import JSONObject
from helmguard.predict.api_server.validation.words import compact, duplicates, forbidden, invalid, required


def service_errors(service: JSONObject) -> Iterator[str]:
    """Ports: there at all, named where there are several, each once."""
    spec = service.get("spec") or {}
    ports = spec.get("ports") or []
    headless = spec.get("clusterIP") == "None"
    if headless and spec.get("type") in ("LoadBalancer", "NodePort"):
        detail = f"may not be set to 'None' for {spec['type']} services"
        yield invalid("spec.clusterIPs[0]", "None", detail)
    if not ports and not headless and spec.get("type") != "ExternalName":
        yield required("spec.ports")
    for index, port in enumerate(ports):
        if len(ports) > 1 and not port.get("name"):
            yield required(f"spec.ports[{index}].name")
        if not port.get("port"):
            yield invalid(f"spec.ports[{index}].port", 0, "must be between 1 and 65535, inclusive")
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
    """Backends name a port by name or by number, a service or a resource."""
    spec = ingress.get("spec") or {}
    if "defaultBackend" in spec:
        yield from _backend_errors(spec["defaultBackend"], "spec.defaultBackend")
    if not spec.get("rules") and "defaultBackend" not in spec:
        yield invalid("spec", spec, "either `defaultBackend` or `rules` must be specified")
    for index, rule in enumerate(spec.get("rules") or []):
        for number, path in enumerate((rule.get("http") or {}).get("paths") or []):
            here = f"spec.rules[{index}].http.paths[{number}]"
            if not path.get("pathType"):
                yield required(f"{here}.pathType", "pathType must be specified")
            yield from _backend_errors(path.get("backend") or {}, f"{here}.backend")


def _backend_errors(backend: JSONObject, path: str) -> Iterator[str]:
    service, resource = backend.get("service"), backend.get("resource")
    if resource is not None and service is not None:
        yield invalid(path, "", "cannot set both resource and service backends")
    elif resource is None and service is None:
        yield required(path, "resource or service backend is required")
    elif service is not None:
        port = service.get("port") or {}
        if port.get("name") and port.get("number"):
            yield invalid(path, "", "cannot set both port name & port number")
        elif not port.get("name") and not port.get("number"):
            yield required(path, "port name or number is required")
