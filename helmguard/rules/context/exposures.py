"""How the world reaches the release: classes of Ingresses, load balancers, ports of nodes."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Any

from helmguard.model.field_path import format_path
from helmguard.model.json_value import JSONObject
from helmguard.model.live_state import Present
from helmguard.model.plan import ResourceChange
from helmguard.rules.context.manifest_maps import items, mapping
from helmguard.rules.context.pod_templates import after_of, before_of, is_workload, template_of
from helmguard.rules.context.record import UNKNOWN, Record, Unknown
from helmguard.rules.context.references import is_own, live_key, own_names
from helmguard.rules.facts import Facts

_CLASS_ANNOTATION = "kubernetes.io/ingress.class"
_DEFAULT_CLASS = "ingressclass.kubernetes.io/is-default-class"


class IngressClassUse(Record, frozen=True):
    """An Ingress that comes, or that names another class than before."""

    ref: Annotated[str, "`Ingress/web`"]
    namespace: Annotated[str, "its namespace"] = ""
    name: Annotated[str, "its name"] = ""
    created: Annotated[bool, "this operation creates it"] = False
    before: Annotated[str, "the class now, empty for none"] = ""
    after: Annotated[str, "the class after Helm, empty for none"] = ""
    by_annotation: Annotated[bool, "the class stands in the old annotation, which needs no IngressClass"] = (
        False
    )
    hosts: Annotated[tuple[str, ...], "its hosts"] = ()
    cause: Annotated[str, "why the class changes: a cause of docs/plan-format.md"] = "chart"
    class_exists: Annotated[
        bool | Unknown, "the class is there, live or in the new manifest; for none: a default class is"
    ] = UNKNOWN
    classes: Annotated[tuple[str, ...] | Unknown, "the classes that are there"] = UNKNOWN


class BalancerChange(Record, frozen=True):
    """A live Service of type LoadBalancer with a change that may cost its address."""

    ref: Annotated[str, "`Service/web`"]
    namespace: Annotated[str, "its namespace"] = ""
    name: Annotated[str, "its name"] = ""
    path: Annotated[str, "the field: `spec.loadBalancerIP`, or an annotation's"] = ""
    annotation: Annotated[str, "the annotation's name, empty for another field"] = ""
    before: Annotated[str, "its value now, empty for none"] = ""
    after: Annotated[str, "its value after Helm, empty for none"] = ""
    cause: Annotated[str, "why it changes: a cause of docs/plan-format.md"] = "chart"
    addresses: Annotated[tuple[str, ...] | Unknown, "addresses that it has now"] = UNKNOWN


class PortClaim(Record, frozen=True):
    """A port of nodes that an object asks for anew."""

    ref: Annotated[str, "`Service/web`, `DaemonSet/agent`"]
    kind: Annotated[str, "`nodePort` or `hostPort`"] = "nodePort"
    port: Annotated[int, "the number"] = 0
    protocol: Annotated[str, "`TCP`, `UDP`, `SCTP`"] = "TCP"
    taken_by: Annotated[tuple[str, ...] | Unknown, "others that have it: `shop/Service/api`"] = UNKNOWN
    lacks: Annotated[tuple[str, ...], "the fact without which `takenBy` is not known"] = ()
    out_of_range: Annotated[bool, "a node port outside 30000-32767, Kubernetes' default range"] = False


def ingress_class_uses(facts: Facts) -> Iterator[IngressClassUse]:
    """Ingresses whose class is new or another one."""
    for resource in facts.resources:
        key = resource.prediction.key
        if key.kind != "Ingress" or resource.action in ("hook", "unchanged", "delete", "keep"):
            continue
        before, after = before_of(resource), after_of(resource)
        if after is None:
            continue
        old, new = _class_of(before), _class_of(after)
        if old[0] == new[0] if before is not None else new[1]:
            continue
        classes = _classes(facts)
        yield IngressClassUse(
            ref=str(key),
            namespace=key.namespace or "",
            name=key.name,
            created=before is None,
            before=old[0],
            after=new[0],
            by_annotation=new[1],
            hosts=tuple(str(rule["host"]) for rule in items(after, "spec", "rules") if rule.get("host")),
            cause=_cause_of_class(resource),
            class_exists=UNKNOWN if new[1] else _exists(new[0], classes),
            classes=tuple(sorted(classes)) if isinstance(classes, dict) else UNKNOWN,
        )


def balancer_changes(facts: Facts) -> Iterator[BalancerChange]:
    """Fields of load balancers that change; which of them cost the address is for the rule to say."""
    for resource in facts.resources:
        key = resource.prediction.key
        if (key.group, key.kind) != ("", "Service") or resource.action not in ("update", "adopt", "replace"):
            continue
        before = before_of(resource)
        if mapping(before, "spec").get("type") != "LoadBalancer":
            continue
        for change in resource.changes:
            annotation = str(change.path[-1]) if change.path[:2] == ("metadata", "annotations") else ""
            if annotation or change.path in _BALANCER_FIELDS:
                yield BalancerChange(
                    ref=str(key),
                    namespace=key.namespace or "",
                    name=key.name,
                    path=format_path(change.path),
                    annotation=annotation,
                    before=_text(change.before),
                    after=_text(change.after),
                    cause=change.cause,
                    addresses=_addresses(resource),
                )


_BALANCER_FIELDS = (("spec", "type"), ("spec", "loadBalancerIP"), ("spec", "loadBalancerClass"))


def port_claims(facts: Facts) -> Iterator[PortClaim]:
    """Node ports and host ports that are new or other ones."""
    own: Any = None
    for resource in facts.resources:
        key = resource.prediction.key
        if resource.action in ("hook", "unchanged", "delete", "keep"):
            continue
        before, after = before_of(resource), after_of(resource)
        if (key.group, key.kind) == ("", "Service"):
            kind, new, old = "nodePort", _node_ports(after), _node_ports(before)
        elif is_workload(key):
            kind = "hostPort"
            new, old = _host_ports(template_of(after, key)), _host_ports(template_of(before, key))
        else:
            continue
        for port, protocol in sorted(new - old):
            own = own if own is not None else own_names(facts)
            yield PortClaim(
                ref=str(key),
                kind=kind,
                port=port,
                protocol=protocol,
                taken_by=_holders(kind, (port, protocol), resource, facts, own),
                lacks=(f"cluster.{_PORT_FACTS[kind]}",),
                out_of_range=kind == "nodePort" and not 30000 <= port <= 32767,
            )


_PORT_FACTS = {"nodePort": "allServices", "hostPort": "allDaemonSets"}


def _class_of(body: JSONObject | None) -> tuple[str, bool]:
    """The class, and whether it stands in the annotation."""
    name = mapping(body, "spec").get("ingressClassName")
    if name:
        return str(name), False
    old = mapping(body, "metadata", "annotations").get(_CLASS_ANNOTATION)
    return (str(old), True) if old else ("", False)


def _classes(facts: Facts) -> dict[str, bool] | Unknown:
    """Classes live and in the new manifest, and whether each is a default one."""
    live = facts.cluster.lists.get("ingressClasses")
    if live is None:
        return UNKNOWN
    bodies = [*live]
    gone = set()
    for resource in facts.resources:
        if resource.prediction.key.kind == "IngressClass":
            body = after_of(resource)
            bodies += [body] if body is not None else []
            gone |= {resource.prediction.key.name} if body is None else set()
    found = {}
    for body in bodies:
        metadata = mapping(body, "metadata")
        if metadata.get("name") not in gone:
            found[str(metadata.get("name"))] = mapping(metadata, "annotations").get(_DEFAULT_CLASS) == "true"
    return found


def _exists(name: str, classes: dict[str, bool] | Unknown) -> bool | Unknown:
    if isinstance(classes, Unknown):
        return UNKNOWN
    return name in classes if name else any(classes.values())


def _cause_of_class(resource: ResourceChange) -> str:
    for change in resource.changes:
        if change.path == ("spec", "ingressClassName") or change.path[-1] == _CLASS_ANNOTATION:
            return change.cause
    return resource.cause or "chart"


def _addresses(resource: ResourceChange) -> tuple[str, ...] | Unknown:
    live = resource.prediction.live
    if not isinstance(live, Present):
        return UNKNOWN
    found = items(live.body, "status", "loadBalancer", "ingress")
    return tuple(str(one.get("ip") or one.get("hostname")) for one in found)


def _text(value: Any) -> str:
    return value if isinstance(value, str) else ("" if not value else str(value))


def _node_ports(body: JSONObject | None) -> set[tuple[int, str]]:
    ports = items(body, "spec", "ports")
    found = {(port.get("nodePort"), str(port.get("protocol") or "TCP")) for port in ports}
    health = mapping(body, "spec").get("healthCheckNodePort")
    return {(port, protocol) for port, protocol in found if isinstance(port, int) and port} | (
        {(health, "TCP")} if isinstance(health, int) and health else set()
    )


def _host_ports(template: JSONObject | None) -> set[tuple[int, str]]:
    """Those of pods; a pod of the host's network holds its containers' ports."""
    found = set()
    host_network = mapping(template, "spec").get("hostNetwork") is True
    for container in items(template, "spec", "containers"):
        for port in items(container, "ports"):
            number = port.get("hostPort") or (port.get("containerPort") if host_network else None)
            if isinstance(number, int):
                found.add((number, str(port.get("protocol") or "TCP")))
    return found


def _holders(
    kind: str, wanted: tuple[int, str], resource: ResourceChange, facts: Facts, own: Any
) -> tuple[str, ...] | Unknown:
    """Who has the port: others of the new manifest, and live objects that are not the release's."""
    found = []
    for other in facts.resources:
        key = other.prediction.key
        if other is resource or other.action == "hook":
            continue
        if kind == "nodePort" and (key.group, key.kind) == ("", "Service"):
            found += [f"{key.namespace}/{key}"] if wanted in _node_ports(after_of(other)) else []
        elif kind == "hostPort" and key.kind == "DaemonSet" and is_workload(key):
            template = template_of(after_of(other), key)
            found += [f"{key.namespace}/{key}"] if wanted in _host_ports(template) else []
    live = facts.cluster.lists.get(_PORT_FACTS[kind])
    for body in live or ():
        key = live_key(body)
        template = mapping(body, "spec", "template")
        ports = _node_ports(body) if kind == "nodePort" else _host_ports(template)
        if wanted in ports and not is_own(key, body, own):
            found.append(f"{key.namespace}/{key}")
    return tuple(found) if found or live is not None else UNKNOWN
