"""Checks of small kinds: APIServices, EndpointSlices, IngressClasses, Leases, PriorityClasses."""

from __future__ import annotations

from collections.abc import Iterator

from helmguard.model.json_value import JSONObject
from helmguard.predict.api_server.validation.names import subdomain
from helmguard.predict.api_server.validation.struct_rules import IP_TEXT, is_address
from helmguard.predict.api_server.validation.words import forbidden, invalid, required

_HIGHEST_PRIORITY = 1_000_000_000
_SYSTEM = ("system-cluster-critical", "system-node-critical")
_HIGHEST_GROUP_PRIORITY = 20000
_HIGHEST_VERSION_PRIORITY = 1000


def api_service_errors(service: JSONObject) -> Iterator[str]:
    """Its name follows from group and version; priorities have bounds."""
    spec = service.get("spec") or {}
    name = (service.get("metadata") or {}).get("name", "")
    wanted = f"{spec.get('version') or ''}.{spec.get('group') or ''}"
    if name != wanted:
        yield invalid("metadata.name", name, f'must be `spec.version+"."+spec.group`: "{wanted}"')
    low, high = spec.get("groupPriorityMinimum") or 0, spec.get("versionPriority") or 0
    if not 0 < low <= _HIGHEST_GROUP_PRIORITY:
        yield invalid("spec.groupPriorityMinimum", low, "must be positive and less than 20000")
    if not 0 < high <= _HIGHEST_VERSION_PRIORITY:
        yield invalid("spec.versionPriority", high, "must be positive and less than 1000")
    if spec.get("service") is None:
        if spec.get("caBundle"):
            yield invalid("spec.caBundle", "", "local APIServices may not have a caBundle")
        if spec.get("insecureSkipTLSVerify"):
            detail = "local APIServices may not have insecureSkipTLSVerify"
            yield invalid("spec.insecureSkipTLSVerify", True, detail)
    elif spec.get("insecureSkipTLSVerify") and spec.get("caBundle"):
        yield invalid("spec.insecureSkipTLSVerify", True, "may not be true if caBundle is present")


def endpoint_slice_errors(endpoint_slice: JSONObject) -> Iterator[str]:
    """Addresses of the slice's family, ports by name."""
    for index, endpoint in enumerate(endpoint_slice.get("endpoints") or []):
        path = f"endpoints[{index}].addresses"
        addresses = endpoint.get("addresses") or []
        if not addresses:
            yield required(path, "must contain at least 1 address")
        for number, address in enumerate(addresses):
            if endpoint_slice.get("addressType") in ("IPv4", "IPv6") and not is_address(address):
                yield invalid(f"{path}[{number}]", address, IP_TEXT)
    ports = endpoint_slice.get("ports") or []
    names = [port.get("name") or "" for port in ports]
    for index, name in enumerate(names):
        if name in names[:index]:
            yield f'ports[{index}].name: Duplicate value: "{name}"'


def ingress_class_errors(ingress_class: JSONObject) -> Iterator[str]:
    """The controller is a domain and a path."""
    controller = (ingress_class.get("spec") or {}).get("controller") or ""
    parameters = (ingress_class.get("spec") or {}).get("parameters") or {}
    if parameters.get("scope") == "Namespace" and not parameters.get("namespace"):
        yield required("spec.parameters.namespace", "`parameters.scope` is set to 'Namespace'")
    domain, slash, path = controller.partition("/")
    if controller and not (slash and path):
        detail = 'must be a domain-prefixed path (such as "acme.io/foo")'
        yield invalid("spec.controller", controller, detail)
    elif controller:
        yield from (invalid("spec.controller", domain, problem) for problem in subdomain(domain))


def lease_errors(lease: JSONObject) -> Iterator[str]:
    """Times."""
    spec = lease.get("spec") or {}
    duration, transitions = spec.get("leaseDurationSeconds"), spec.get("leaseTransitions")
    if duration is not None and duration <= 0:
        yield invalid("spec.leaseDurationSeconds", duration, "must be greater than 0")
    if transitions is not None and transitions < 0:
        yield invalid("spec.leaseTransitions", transitions, "must be greater than or equal to 0")


def priority_class_errors(priority_class: JSONObject) -> Iterator[str]:
    """What is left to users."""
    name = (priority_class.get("metadata") or {}).get("name") or ""
    if name in _SYSTEM:
        return
    if name.startswith("system-"):
        yield forbidden(
            "metadata.name",
            "priority class names with 'system-' prefix are reserved for system use only. error: "
            f"{name} is not a known system priority class",
        )
    if (priority_class.get("value") or 0) > _HIGHEST_PRIORITY:
        detail = "maximum allowed value of a user defined priority is 1000000000"
        yield forbidden("value", detail)
