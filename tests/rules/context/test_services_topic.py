"""What the context says about the ways to the pods."""

from __future__ import annotations

from typing import Any

import pytest
from facts_of import facts
from topic_objects import change, deployment, resource, service, thing

from helmguard.model.cluster_facts import ClusterFacts
from helmguard.rules.context.record import UNKNOWN
from helmguard.rules.context.services import Services, services_of

SHOP = ("shop",)


def services(*resources: Any, **lists: Any) -> Services:
    """The topic for such objects, with what was read around them."""
    return services_of(facts(*resources, cluster=ClusterFacts(lists=lists, namespaces=SHOP)))


WEB = deployment()


def test_a_selector_that_finds_nothing_any_more() -> None:
    ingress = ingress_to("web", {"number": 80})
    typo = resource(service(), service(selector={"app": "wbe"}))
    found = services(typo, resource(WEB, WEB), resource(ingress, ingress)).empty[0]

    assert (found.selector, found.selector_before) == ("app=wbe", "app=web")
    assert (found.found_before, found.used_by) == (("Deployment/web",), ("Ingress/web",))
    assert (found.endpoints, found.others, found.created) == (UNKNOWN, UNKNOWN, False)


def test_endpoints_and_pods_of_others_are_counted() -> None:
    labels = {"kubernetes.io/service-name": "web"}
    ends = [{"conditions": {"ready": True}}, {"conditions": {}}, {"conditions": {"ready": False}}]
    slices = (thing("EndpointSlice", "discovery.k8s.io/v1", "web-1", labels=labels, endpoints=ends),)
    own = thing("Pod", "v1", "web-abc-1", labels={"app": "wbe"})
    own["metadata"]["ownerReferences"] = [{"kind": "ReplicaSet", "name": "web-abc"}]
    pods = (
        own,
        thing("Pod", "v1", "other", labels={"app": "wbe"}),
        thing("Pod", "v1", "x", labels={"a": "b"}),
    )
    typo = resource(service(), service(selector={"app": "wbe"}))
    found = services(typo, resource(WEB, WEB), endpointSlices=slices, pods=pods).empty[0]

    assert (found.endpoints, found.others) == (2, ("Pod/other",))


@pytest.mark.parametrize(
    ("one", "candidates"),
    [
        (resource(service(), service()), 0),
        (resource(None, service(selector={"a": "b"})), 1),
        (resource(service(selector={"a": "b"}), service(selector={"a": "b"}, ports=[])), 0),
        (resource(service(selector={"a": "b"}), service(selector={"a": "c"})), 1),
        (resource(service(), service(selector={})), 0),
        (resource(service(), service(selector={"a": "b"}, type="ExternalName")), 0),
        (resource(service(), None), 0),
    ],
)
def test_which_services_are_candidates(one: Any, candidates: int) -> None:
    assert len(services(one, resource(WEB, WEB)).empty) == candidates


def test_a_service_whose_workload_goes_or_changes_its_labels_is_a_candidate() -> None:
    same = resource(service(), service())

    assert services(same, resource(WEB, None)).empty[0].found_before == ("Deployment/web",)
    assert services(same, resource(WEB, deployment(labels={"app": "api"}))).empty != ()


def ports(*names: str) -> dict[str, Any]:
    """A container with such ports."""
    return {"container": {"ports": [{"name": name, "containerPort": 8080} for name in names]}}


def test_a_named_port_that_the_container_does_not_have_any_more() -> None:
    to_http = service(ports=[{"port": 80, "targetPort": "http"}])
    renamed = resource(deployment(**ports("http")), deployment(**ports("web")))
    found = services(resource(to_http, to_http), renamed).ports[0]

    assert (found.field, found.port, found.target) == (
        "spec.ports[port=80].targetPort",
        "http",
        "Deployment/web",
    )
    assert (found.offers, found.was_whole, found.created) == (("web (8080)",), True, False)


def test_a_number_counts_only_where_a_container_declared_it() -> None:
    plain = service()
    closed = services(resource(plain, plain), resource(deployment(**ports("http")), deployment()))

    assert [(one.port, one.was_whole) for one in closed.ports] == [("8080", True)]
    assert services(resource(None, plain), resource(None, WEB)).ports == ()


def test_sidecars_have_ports_too() -> None:
    sidecar = {"name": "s", "restartPolicy": "Always", "ports": [{"name": "http", "containerPort": 1}]}
    to_http = service(ports=[{"port": 80, "targetPort": "http"}])
    web = deployment(pod={"initContainers": [sidecar]})
    once = deployment(pod={"initContainers": [{**sidecar, "restartPolicy": None}]})

    assert services(resource(None, to_http), resource(None, web)).ports == ()
    assert services(resource(None, to_http), resource(None, once)).ports[0].created


def ingress_to(name: str, port: dict[str, Any], **spec: Any) -> dict[str, Any]:
    """An Ingress with one path."""
    backend = {"service": {"name": name, "port": port}}
    rules = [{"host": "shop.example.test", "http": {"paths": [{"path": "/", "backend": backend}]}}]
    return thing("Ingress", "networking.k8s.io/v1", spec={"rules": rules, **spec})


def test_an_ingress_leads_to_a_port_that_its_service_loses() -> None:
    named = [{"name": "http", "port": 80}]
    changed = resource(service(ports=named), service(ports=[{"name": "web", "port": 8080}]))
    by_name, by_number = ingress_to("web", {"name": "http"}), ingress_to("web", {"number": 8080})
    found = services(changed, resource(by_name, by_name), resource(WEB, WEB)).ports

    assert [(one.ref, one.port, one.target, one.was_whole, one.offers) for one in found] == [
        ("Ingress/web", "http", "Service/web", True, ("web (8080)",))
    ]
    assert services(changed, resource(by_number, by_number)).ports == ()
    assert services(resource(by_name, by_name)).ports == ()


def test_a_probe_names_a_port_of_its_container() -> None:
    probe = {"readinessProbe": {"httpGet": {"port": "http"}}}
    before = deployment(container={**probe, **ports("http")["container"]})
    after = deployment(container={**probe, **ports("web")["container"]})
    found = services(resource(before, after)).ports[0]

    assert (found.kind, found.field) == ("Deployment", "containers[name=web].readinessProbe.httpGet.port")
    assert (found.was_whole, found.offers) == (True, ("web",))


def policy(name: str, **selector: str) -> dict[str, Any]:
    """A NetworkPolicy for the pods with these labels, that lets in those with ``from=<name>``."""
    rules = [{"from": [{"podSelector": {"matchLabels": {"from": name}}}]}]
    spec = {"podSelector": {"matchLabels": selector}, "ingress": rules}
    return thing("NetworkPolicy", "networking.k8s.io/v1", name, spec=spec)


def test_labels_that_something_selects() -> None:
    own, foreign = policy("own", role="db"), policy("foreign", role="db")
    loses = resource(deployment(labels={"role": "db", "from": "own"}), deployment())
    still = policy("still", app="web")
    found = services(
        loses,
        resource(own, own),
        resource(still, still),
        networkPolicies=(own, foreign),
        services=(),
        podDisruptionBudgets=(),
    ).dropped_labels[0]

    assert (found.labels, found.matters) == (("from=own", "role=db"), True)
    assert (found.users, found.outside) == (("NetworkPolicy/own",), ("NetworkPolicy/foreign",))


def test_what_is_not_read_around_leaves_it_open() -> None:
    loses = resource(deployment(labels={"role": "db"}), deployment())
    version = resource(
        deployment(labels={"helm.sh/chart": "a-1"}), deployment(labels={"helm.sh/chart": "a-2"})
    )

    found = services(loses, services=()).dropped_labels[0]
    assert (found.outside, found.lacks) == (
        UNKNOWN,
        ("cluster.networkPolicies", "cluster.podDisruptionBudgets"),
    )
    assert services(version).dropped_labels[0].outside == ()
    assert services(resource(WEB, deployment(labels={"new": "x"}))).dropped_labels == ()


def classed(name: str | None, annotation: str = "") -> dict[str, Any]:
    """An Ingress with a class."""
    marks = {"kubernetes.io/ingress.class": annotation} if annotation else {}
    spec = {"rules": [{"host": "shop.example.test"}], **({"ingressClassName": name} if name else {})}
    return thing("Ingress", "networking.k8s.io/v1", annotations=marks, spec=spec)


def ingress_class(name: str, *, default: bool = False) -> dict[str, Any]:
    """An IngressClass."""
    marks = {"ingressclass.kubernetes.io/is-default-class": "true"} if default else {}
    return thing("IngressClass", "networking.k8s.io/v1", name, annotations=marks)


@pytest.mark.parametrize(
    ("before", "after", "exists"),
    [
        (classed("nginx"), classed("traefik"), True),
        (classed("nginx"), classed("other"), False),
        (classed("nginx"), classed(None), True),
        (None, classed("other"), False),
        (classed("nginx"), classed(None, "other"), UNKNOWN),
    ],
)
def test_whether_the_class_is_there(before: Any, after: Any, exists: Any) -> None:
    classes = (ingress_class("nginx", default=True), ingress_class("traefik"))
    found = services(resource(before, after), ingressClasses=classes).ingress_classes[0]

    assert (found.class_exists, found.hosts) == (exists, ("shop.example.test",))
    assert services(resource(before, after)).ingress_classes[0].class_exists is UNKNOWN


def test_a_class_that_only_moves_from_the_annotation_is_no_candidate() -> None:
    assert services(resource(classed(None, "nginx"), classed("nginx"))).ingress_classes == ()
    assert services(resource(None, classed(None, "nginx"))).ingress_classes == ()


def test_a_class_of_the_release_itself_is_there() -> None:
    own = resource(None, ingress_class("other"))
    found = services(resource(None, classed("other")), own, ingressClasses=()).ingress_classes[0]

    assert found.class_exists is True


def test_changes_of_a_load_balancer() -> None:
    before = service(type="LoadBalancer")
    before["status"] = {"loadBalancer": {"ingress": [{"ip": "203.0.113.1"}, {"hostname": "lb.example.test"}]}}
    changes = (
        change("spec", "loadBalancerIP", before="203.0.113.1", after="203.0.113.9"),
        change("metadata", "annotations", "a/b"),
        change("spec", "ports"),
    )
    found = services(resource(before, service(type="LoadBalancer", x=1), *changes)).balancers

    assert [(one.path, one.annotation) for one in found] == [
        ("spec.loadBalancerIP", ""),
        ("metadata.annotations.a/b", "a/b"),
    ]
    assert found[0].addresses == ("203.0.113.1", "lb.example.test")
    plain = service(type="ClusterIP")
    assert services(resource(plain, service(type="LoadBalancer"), *changes)).balancers == ()


def node_port(name: str, port: int) -> dict[str, Any]:
    """A Service of type NodePort."""
    return service(name, type="NodePort", ports=[{"port": 80, "nodePort": port}])


def test_node_ports_that_are_taken_or_out_of_range() -> None:
    new = resource(None, node_port("web", 30080)), resource(None, node_port("low", 8080))
    live = (node_port("api", 30080), node_port("web", 30080))
    found = services(*new, allServices=live).port_claims

    assert [(one.ref, one.port, one.taken_by, one.out_of_range) for one in found] == [
        ("Service/web", 30080, ("shop/Service/api",), False),
        ("Service/low", 8080, (), True),
    ]
    assert services(*new).port_claims[0].taken_by is UNKNOWN
    same = node_port("web", 30080)
    assert services(resource(same, {**same, "x": 1})).port_claims == ()


def test_host_ports_that_a_daemon_set_has() -> None:
    host = {"container": {"ports": [{"containerPort": 9100, "hostPort": 9100}]}}
    network = {"container": {"ports": [{"containerPort": 9100}]}, "pod": {"hostNetwork": True}}
    taken = (deployment("exporter", kind="DaemonSet", **network),)
    found = services(resource(None, deployment("agent", kind="DaemonSet", **host)), allDaemonSets=taken)

    assert [(one.kind, one.port, one.taken_by, one.lacks) for one in found.port_claims] == [
        ("hostPort", 9100, ("shop/DaemonSet/exporter",), ("cluster.allDaemonSets",))
    ]
