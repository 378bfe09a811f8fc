"""Services and the pods behind them: who is selected, and whether the ports lead anywhere."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Annotated, Any, TypeAlias

import msgspec

from helmguard.model.json_value import JSONObject
from helmguard.model.plan import ResourceChange
from helmguard.model.resource_key import ResourceKey
from helmguard.rules.context.manifest_maps import items, mapping
from helmguard.rules.context.pod_templates import after_of, before_of, is_workload, labels_of, template_of
from helmguard.rules.context.record import UNKNOWN, Record, Unknown
from helmguard.rules.context.references import is_own, live_key, own_names
from helmguard.rules.facts import Facts


class EmptyService(Record, frozen=True):
    """A Service whose selector finds no pod of the release after Helm."""

    ref: Annotated[str, "`Service/web`"]
    namespace: Annotated[str, "its namespace"] = ""
    name: Annotated[str, "its name"] = ""
    created: Annotated[bool, "this operation creates it"] = False
    headless: Annotated[bool, "it has no address of its own (`clusterIP: None`)"] = False
    selector: Annotated[str, "its labels after Helm: `app=web,tier=front`"] = ""
    selector_before: Annotated[str, "the same now, empty where it has none"] = ""
    found_before: Annotated[tuple[str, ...], "workloads of the release that it finds now"] = ()
    endpoints: Annotated[int | Unknown, "ready addresses behind it now"] = UNKNOWN
    others: Annotated[tuple[str, ...] | Unknown, "live pods outside the release that it finds after Helm"] = (
        UNKNOWN
    )
    used_by: Annotated[tuple[str, ...], "objects of the release that lead to it"] = ()


class BrokenPort(Record, frozen=True):
    """A port that leads, or led, to a container and that leads nowhere after Helm."""

    ref: Annotated[str, "the object that names the port: `Service/web`, `Ingress/web`, `Deployment/web`"]
    kind: Annotated[str, "its kind"] = "Service"
    field: Annotated[str, "where it names it: `spec.ports[port=80].targetPort`"] = ""
    port: Annotated[str, "the port it names: `http`, `8080`"] = ""
    target: Annotated[str, "where it is not found: `Deployment/web`, `Service/web`"] = ""
    offers: Annotated[tuple[str, ...], "the ports that are there: `web (8080)`"] = ()
    was_whole: Annotated[bool, "it was found before"] = False
    created: Annotated[bool, "this operation creates the object"] = False


class Pods(msgspec.Struct, frozen=True):
    """The pods of one workload of the release, on both sides."""

    key: ResourceKey
    before: JSONObject | None
    after: JSONObject | None


class PodIndex:
    """The workloads of the release, found by the labels of their pods."""

    def __init__(self, pods: list[Pods]) -> None:
        self.all = pods
        self.changed = [one for one in pods if one.before != one.after]
        self._by_label: dict[tuple[bool, str | None, str, str], list[tuple[Pods, dict[str, str]]]] = {}
        for one in pods:
            for after, template in ((False, one.before), (True, one.after)):
                labels = labels_of(template)
                for name, value in labels.items():
                    key = (after, one.key.namespace, name, value)
                    self._by_label.setdefault(key, []).append((one, labels))

    def found(self, selector: JSONObject, namespace: str | None, *, after: bool) -> list[Pods]:
        """Those whose pods a Service's selector finds; an empty one finds none."""
        lists = [
            self._by_label.get((after, namespace, name, str(value)), []) for name, value in selector.items()
        ]
        if not lists:
            return []
        wanted = {name: str(value) for name, value in selector.items()}
        return [one for one, labels in min(lists, key=len) if wanted.items() <= labels.items()]


def pods_of(facts: Facts) -> PodIndex:
    """Every workload of the release with its pod templates; Jobs are left out: they serve nobody."""
    found = []
    for resource in facts.resources:
        key = resource.prediction.key
        if not is_workload(key) or key.kind in ("Job", "CronJob") or resource.action == "hook":
            continue
        found.append(Pods(key, template_of(before_of(resource), key), template_of(after_of(resource), key)))
    return PodIndex(found)


def empty_services(facts: Facts, pods: PodIndex) -> Iterator[EmptyService]:
    """Services that change or whose pods do, and that find nothing of the release."""
    own = None
    for resource in _services(facts):
        key, after, before = resource.prediction.key, after_of(resource), before_of(resource)
        selector = mapping(after, "spec", "selector")
        if after is None or not selector or mapping(after, "spec").get("type") == "ExternalName":
            continue
        if pods.found(selector, key.namespace, after=True):
            continue
        old = mapping(before, "spec", "selector")
        found_before = [str(one.key) for one in pods.found(old, key.namespace, after=False)]
        is_created = resource.action in ("create", "recreate")
        if not found_before and not is_created and (old == selector or before is None):
            continue
        own = own if own is not None else own_names(facts)
        yield EmptyService(
            ref=str(key),
            namespace=key.namespace or "",
            name=key.name,
            created=is_created,
            headless=mapping(after, "spec").get("clusterIP") == "None",
            selector=_written(selector),
            selector_before=_written(old),
            found_before=tuple(found_before),
            endpoints=_endpoints(key, facts),
            others=_other_pods(selector, key.namespace, facts, own),
            used_by=tuple(_users(key, facts)),
        )


def broken_ports(facts: Facts, pods: PodIndex) -> Iterator[BrokenPort]:
    """Ports of Services, Ingresses and probes that are not where they lead."""
    for resource in _services(facts):
        yield from _service_ports(resource, pods)
    services = {(one.prediction.key.namespace, one.prediction.key.name): one for one in _services(facts)}
    for resource in facts.resources:
        if (resource.prediction.key.group, resource.prediction.key.kind) == _INGRESS:
            yield from _ingress_ports(resource, services)
    for one in pods.changed:
        yield from _probe_ports(one)


_Services: TypeAlias = dict[tuple[str | None, str], ResourceChange]
_INGRESS = ("networking.k8s.io", "Ingress")


def _services(facts: Facts) -> Iterator[ResourceChange]:
    for resource in facts.resources:
        key = resource.prediction.key
        if (key.group, key.kind) == ("", "Service") and resource.action not in ("hook", "delete"):
            yield resource


def _written(selector: JSONObject) -> str:
    return ",".join(f"{name}={value}" for name, value in sorted(selector.items()))


def _endpoints(key: ResourceKey, facts: Facts) -> int | Unknown:
    slices = facts.cluster.lists.get("endpointSlices")
    if slices is None or key.namespace not in facts.cluster.namespaces:
        return UNKNOWN
    return sum(
        1
        for body in slices
        if mapping(body, "metadata").get("namespace") == key.namespace
        and mapping(body, "metadata", "labels").get("kubernetes.io/service-name") == key.name
        for endpoint in items(body, "endpoints")
        if mapping(endpoint, "conditions").get("ready") is not False
    )


def _other_pods(
    selector: JSONObject, namespace: str | None, facts: Facts, own: Any
) -> tuple[str, ...] | Unknown:
    live = facts.cluster.lists.get("pods")
    if live is None or namespace not in facts.cluster.namespaces:
        return UNKNOWN
    found = []
    for body in live:
        labels = mapping(body, "metadata", "labels")
        if mapping(body, "metadata").get("namespace") != namespace:
            continue
        matches = all(labels.get(name) == value for name, value in selector.items())
        if matches and not is_own(live_key(body), body, own):
            found.append(f"Pod/{mapping(body, 'metadata').get('name')}")
    return tuple(found)


def _users(key: ResourceKey, facts: Facts) -> Iterator[str]:
    for resource in facts.resources:
        other = resource.prediction.key
        if (other.group, other.kind) != _INGRESS or other.namespace != key.namespace:
            continue
        if any(name == key.name for name, _, _ in _backends(after_of(resource))):
            yield str(other)


def _service_ports(resource: ResourceChange, pods: PodIndex) -> Iterator[BrokenPort]:
    key, after, before = resource.prediction.key, after_of(resource), before_of(resource)
    selector = mapping(after, "spec", "selector")
    old_selector = mapping(before, "spec", "selector")
    selected = pods.found(selector, key.namespace, after=True)
    selected_before = pods.found(old_selector, key.namespace, after=False)
    is_same = resource.action == "unchanged" and selected == selected_before
    if not selected or (is_same and all(one.before == one.after for one in selected)):
        return
    old_ports = {_port_key(port): port.get("targetPort", port.get("port")) for port in _ports(before)}
    for port in _ports(after):
        target = port.get("targetPort", port.get("port"))
        if any(_offers(one.after, target) for one in selected):
            continue
        old = old_ports.get(_port_key(port))
        was_whole = old is not None and any(_offers(one.before, old) for one in selected_before)
        if not was_whole and isinstance(target, int):
            # Containers need not declare the ports that they listen on.
            continue
        yield BrokenPort(
            ref=str(key),
            field=f"spec.ports[port={port.get('port')}].targetPort",
            port=str(target),
            target=", ".join(str(one.key) for one in selected),
            offers=tuple(dict.fromkeys(name for one in selected for name in _offered(one.after))),
            was_whole=was_whole,
            created=before is None,
        )


def _ingress_ports(
    resource: ResourceChange, services: dict[tuple[str | None, str], ResourceChange]
) -> Iterator[BrokenPort]:
    after, before = after_of(resource), before_of(resource)
    key = resource.prediction.key
    old = set(_backends(before))
    for name, port, field in dict.fromkeys(_backends(after)):
        service = services.get((key.namespace, name))
        if service is None or after_of(service) is None or _has_port(after_of(service), port):
            continue
        was_whole = _has_port(before_of(service), port) and any(one[:2] == (name, port) for one in old)
        yield BrokenPort(
            ref=str(key),
            kind="Ingress",
            field=field,
            port=str(port),
            target=str(service.prediction.key),
            offers=tuple(
                f"{one['name']} ({one.get('port')})" if one.get("name") else str(one.get("port"))
                for one in _ports(after_of(service))
            ),
            was_whole=was_whole,
            created=before is None,
        )


def _probe_ports(pods: Pods) -> Iterator[BrokenPort]:
    """Probes that name a port of their own container that it does not have."""
    missing = [found for found in _named_probe_ports(pods.after) if found[1] not in found[2]]
    old = {name: (port, names) for name, port, names in _named_probe_ports(pods.before)} if missing else {}
    for name, port, names in missing:
        before = old.get(name)
        yield BrokenPort(
            ref=str(pods.key),
            kind=pods.key.kind,
            field=name,
            port=port,
            target="the container",
            offers=tuple(names),
            was_whole=before is not None and before[0] in before[1],
            created=pods.before is None,
        )


def _named_probe_ports(template: JSONObject | None) -> Iterator[tuple[str, str, list[str]]]:
    for container in items(template, "spec", "containers"):
        names = [str(port["name"]) for port in items(container, "ports") if port.get("name")]
        for probe in ("livenessProbe", "readinessProbe", "startupProbe"):
            for how in ("httpGet", "tcpSocket"):
                port = mapping(container, probe, how).get("port")
                if isinstance(port, str) and not port.isdigit():
                    yield f"containers[name={container.get('name')}].{probe}.{how}.port", port, names


def _backends(body: JSONObject | None) -> Iterator[tuple[str, Any, str]]:
    spec = mapping(body, "spec")
    yield from _backend(mapping(spec, "defaultBackend"), "spec.defaultBackend")
    for rule_at, rule in enumerate(items(spec, "rules")):
        for path_at, path in enumerate(items(rule, "http", "paths")):
            field = f"spec.rules[{rule_at}].http.paths[{path_at}].backend"
            yield from _backend(mapping(path, "backend"), field)


def _backend(backend: JSONObject, field: str) -> Iterator[tuple[str, Any, str]]:
    service = mapping(backend, "service")
    port = mapping(service, "port")
    if service.get("name") and port:
        yield str(service["name"]), port.get("name") or port.get("number"), f"{field}.service.port"


def _has_port(service: JSONObject | None, port: Any) -> bool:
    return any(port in (one.get("port"), one.get("name")) for one in _ports(service))


def _ports(service: JSONObject | None) -> list[JSONObject]:
    return items(service, "spec", "ports")


def _port_key(port: JSONObject) -> tuple[Any, Any]:
    return port.get("port"), port.get("protocol") or "TCP"


def _container_ports(template: JSONObject | None) -> Iterable[JSONObject]:
    """Those of containers, and of init containers that go on running."""
    sidecars = [
        one for one in items(template, "spec", "initContainers") if one.get("restartPolicy") == "Always"
    ]
    for container in (*items(template, "spec", "containers"), *sidecars):
        yield from items(container, "ports")


def _offers(template: JSONObject | None, target: Any) -> bool:
    if isinstance(target, str) and target.isdigit():
        target = int(target)
    field = "name" if isinstance(target, str) else "containerPort"
    return any(port.get(field) == target for port in _container_ports(template))


def _offered(template: JSONObject | None) -> Iterator[str]:
    for port in _container_ports(template):
        name, number = port.get("name"), port.get("containerPort")
        yield f"{name} ({number})" if name else str(number)
