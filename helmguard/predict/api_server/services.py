"""What the API server keeps, drops and hands out when a Service is updated.

Source: k8s.io/kubernetes@v1.36.3 pkg/registry/core/service/{storage,strategy}.
"""

from __future__ import annotations

from helmguard.model.json_value import JSONObject
from helmguard.predict.json_equality import copy_json, json_equal


def keep_allocated_values(spec: JSONObject, old: JSONObject) -> None:
    """Carry over addresses and node ports that the new spec leaves open; drop those its type lacks."""
    _normalise_cluster_ips(spec, old)
    if _needs_cluster_ip(spec) and _needs_cluster_ip(old):
        if not spec.get("clusterIP") and old.get("clusterIP"):
            spec["clusterIP"] = old["clusterIP"]
        if not spec.get("clusterIPs") and spec.get("clusterIP") == old.get("clusterIP"):
            _copy(spec, old, "clusterIPs")
    if _needs_node_ports(spec) and _needs_node_ports(old):
        _keep_node_ports(spec, old)
    if needs_health_check_port(spec) and needs_health_check_port(old) and not spec.get("healthCheckNodePort"):
        _copy(spec, old, "healthCheckNodePort")
    _drop_what_the_type_lacks(spec, old)
    if _needs_cluster_ip(spec):
        for name in ("ipFamilies", "ipFamilyPolicy"):
            if not spec.get(name):
                _copy(spec, old, name)


def fill_addresses(spec: JSONObject) -> None:
    """A new Service that names its address, or says that it wants none, has it in both fields."""
    if spec.get("clusterIP") and not spec.get("clusterIPs") and _needs_cluster_ip(spec):
        spec["clusterIPs"] = [spec["clusterIP"]]


def allocations_to_come(spec: JSONObject) -> list[str]:
    """The fields that the server will fill with values nobody can foretell."""
    open_fields = []
    if _needs_cluster_ip(spec) and not spec.get("clusterIP"):
        open_fields.append("spec.clusterIP")
    if _needs_node_ports(spec) and any(not port.get("nodePort") for port in (spec.get("ports") or [])):
        open_fields.append("spec.ports[].nodePort")
    return open_fields


def _normalise_cluster_ips(spec: JSONObject, old: JSONObject) -> None:
    """``clusterIP`` and ``clusterIPs[0]`` are one value; the one that was changed leads."""
    ip, ips = spec.get("clusterIP"), spec.get("clusterIPs")
    if json_equal(ips, old.get("clusterIPs")) and ip != old.get("clusterIP"):
        if not ip:
            spec.pop("clusterIPs", None)
        elif ips:
            spec["clusterIPs"] = [ip, *ips[1:]]
    elif ip == old.get("clusterIP") and not json_equal(ips, old.get("clusterIPs")) and not ips:
        spec.pop("clusterIP", None)


def _keep_node_ports(spec: JSONObject, old: JSONObject) -> None:
    """A port keeps the node port of the old port with its name."""
    taken = {port.get("nodePort") for port in (spec.get("ports") or [])}
    known = {port.get("name", ""): port.get("nodePort") for port in (old.get("ports") or [])}
    for port in spec.get("ports") or []:
        kept = known.get(port.get("name", ""))
        if not port.get("nodePort") and kept and kept not in taken:
            port["nodePort"] = kept
            taken.add(kept)


def _drop_what_the_type_lacks(spec: JSONObject, old: JSONObject) -> None:
    if _needs_cluster_ip(old) and not _needs_cluster_ip(spec):
        for name in ("clusterIP", "clusterIPs", "ipFamilies", "ipFamilyPolicy"):
            _drop_if_same(spec, old, name)
    if _needs_node_ports(old) and not _needs_node_ports(spec):
        before = {port.get("nodePort") for port in (old.get("ports") or [])}
        if all(
            not port.get("nodePort") or port.get("nodePort") in before for port in (spec.get("ports") or [])
        ):
            for port in spec.get("ports") or []:
                port.pop("nodePort", None)
    if needs_health_check_port(old) and not needs_health_check_port(spec):
        _drop_if_same(spec, old, "healthCheckNodePort")
    if old.get("type") == "LoadBalancer" and spec.get("type") != "LoadBalancer":
        for name in ("allocateLoadBalancerNodePorts", "loadBalancerClass"):
            _drop_if_same(spec, old, name)
    if not _reachable_from_outside(spec):
        _drop_if_same(spec, old, "externalTrafficPolicy")


def _drop_if_same(spec: JSONObject, old: JSONObject, name: str) -> None:
    if name in spec and json_equal(spec[name], old.get(name)):
        del spec[name]


def _copy(spec: JSONObject, old: JSONObject, name: str) -> None:
    if name in old:
        spec[name] = copy_json(old[name])


def _needs_cluster_ip(spec: JSONObject) -> bool:
    return spec.get("type", "ClusterIP") in ("ClusterIP", "NodePort", "LoadBalancer")


def _needs_node_ports(spec: JSONObject) -> bool:
    if spec.get("type") == "NodePort":
        return True
    return spec.get("type") == "LoadBalancer" and spec.get("allocateLoadBalancerNodePorts", True) is not False


def needs_health_check_port(spec: JSONObject) -> bool:
    """Whether a load balancer asks each node for its health on a port of its own."""
    return spec.get("type") == "LoadBalancer" and spec.get("externalTrafficPolicy") == "Local"


def _reachable_from_outside(spec: JSONObject) -> bool:
    kind = spec.get("type", "ClusterIP")
    return kind in ("NodePort", "LoadBalancer") or (kind == "ClusterIP" and bool(spec.get("externalIPs")))
