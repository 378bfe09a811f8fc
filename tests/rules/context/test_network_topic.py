"""Who reaches whom, before against after: policies add up, and what was open already is not opened."""

from __future__ import annotations

from typing import Any

import pytest
from manifest_facts import upgrade
from of_rule import of_rule

from helmguard.rules.context.network import Network, network_of
from helmguard.rules.context.record import UNKNOWN

WEB = (
    "---\napiVersion: apps/v1\nkind: Deployment\nmetadata: {name: web}\nspec: {template: {metadata: "
    "{labels: {app: web}}, spec: {containers: [{name: web, image: web}]}}}\n"
)


def policy(spec: str, name: str = "deny") -> str:
    head = f"---\napiVersion: networking.k8s.io/v1\nkind: NetworkPolicy\nmetadata: {{name: {name}}}\n"
    return f"{head}spec: {{{spec}}}\n"


def network(old: str, new: str, **more: Any) -> Network:
    return network_of(upgrade(WEB + old, WEB + new, **more))


ALL = "podSelector: {}"
DENY = f"{ALL}, policyTypes: [Ingress]"
FROM = "ingress: [{from: [{podSelector: {matchLabels: {app: edge}}}]}]"


@pytest.mark.parametrize(
    ("old", "new", "how", "pods"),
    [
        (DENY, DENY + ", ingress: [{}]", "all allowed", ["Deployment/web"]),
        (f"{ALL}, {FROM}", f"{ALL}, ingress: [{{from: []}}]", "all allowed", ["Deployment/web"]),
        (f"{ALL}, {FROM}", f"{ALL}, ingress: [{{from: null}}]", "all allowed", ["Deployment/web"]),
        (
            f"{ALL}, {FROM}, policyTypes: [Ingress, Egress]",
            f"{ALL}, {FROM}, policyTypes: [Ingress]",
            "type dropped",
            ["Deployment/web"],
        ),
        (
            DENY,
            "podSelector: {matchLabels: {app: api}}, policyTypes: [Ingress]",
            "selector narrowed",
            ["Deployment/web"],
        ),
        (DENY, "podSelector: {matchLabels: {app: web}}, policyTypes: [Ingress]", "selector narrowed", []),
        (f"{ALL}, {FROM}", f"{ALL}, ingress: [{{from: [{{podSelector: {{}}}}]}}]", "peers wider", []),
        (
            f"{ALL}, ingress: [{{ports: [{{port: 80}}]}}]",
            f"{ALL}, ingress: [{{ports: [{{port: 81}}]}}]",
            "peers wider",
            [],
        ),
        (f"{ALL}, ingress: [{{}}]", f"{ALL}, {FROM}", "", []),
        (f"{ALL}, {FROM}", DENY, "", []),
        (DENY, DENY, "", []),
        (
            f"{ALL}, ingress: [{{from: [{{podSelector: {{}}}}], ports: [{{port: 80}}]}}]",
            f"{ALL}, ingress: [{{ports: [{{port: 80}}]}}]",
            "all allowed",
            ["Deployment/web"],
        ),
    ],
)
def test_what_a_change_opens(old: str, new: str, how: str, pods: list[str]) -> None:
    found = network(policy(old), policy(new)).loosened
    assert [(one.how, list(one.pods)) for one in found] == ([(how, pods)] if how else [])


def test_another_policy_of_the_release_holds_the_pods() -> None:
    other = policy("podSelector: {matchLabels: {app: web}}, policyTypes: [Ingress]", "other")
    (one,) = network(
        policy(f"{ALL}, {FROM}") + other, policy("podSelector: {matchLabels: {a: b}}") + other
    ).loosened
    assert (one.pods, one.held, one.every_pod) == ((), ("Deployment/web",), True)


def test_policies_add_up() -> None:
    """One that lets everybody in opens what another one holds."""
    other = policy(f"{ALL}, {FROM}", "other")
    (one,) = network(other, other + policy(f"{ALL}, ingress: [{{}}]")).loosened
    assert (one.how, one.before, one.pods) == ("all allowed", "", ("Deployment/web",))
    (one,) = network("", policy(f"{ALL}, ingress: [{{}}]")).loosened
    assert one.pods == ()


def test_policies_outside_the_release() -> None:
    """They hold what this one selects no more, and nothing that it lets through."""
    old, new = policy(DENY), policy("podSelector: {matchLabels: {a: b}}, policyTypes: [Ingress]")
    (one,) = network(old, new).loosened
    assert (one.held_outside, one.lacks) == (UNKNOWN, ("cluster.networkPolicies",))

    def theirs(direction: str) -> dict[str, Any]:
        return {
            "apiVersion": "networking.k8s.io/v1",
            "kind": "NetworkPolicy",
            "metadata": {"name": "theirs", "namespace": "shop"},
            "spec": {"podSelector": {}, "policyTypes": [direction]},
        }

    (one,) = network(old, new, lists={"networkPolicies": [theirs("Egress")]}).loosened
    assert one.held_outside == ()
    (one,) = network(old, new, lists={"networkPolicies": [theirs("Ingress")]}).loosened
    assert one.held_outside == ("NetworkPolicy/theirs",)
    (one,) = network(old, policy(DENY + ", ingress: [{}]")).loosened
    assert (one.held_outside, one.lacks) == ((), ())


def service(spec: str, more: str = "", name: str = "web") -> str:
    head = f"---\napiVersion: v1\nkind: Service\nmetadata: {{name: {name}{more}}}\n"
    return f"{head}spec: {{selector: {{app: web}}{spec}}}\n"


def ingress(hosts: str, tls: str = "", more: str = "", name: str = "web") -> str:
    rules = ", ".join(f"{{host: {host}}}" for host in hosts.split(","))
    return (
        f"---\napiVersion: networking.k8s.io/v1\nkind: Ingress\nmetadata: {{name: {name}{more}}}\n"
        f"spec: {{rules: [{rules}]{tls}}}\n"
    )


def opened(old: str, new: str) -> list[tuple[str, str, str, bool]]:
    return [(one.how, one.before, one.after, one.served_before) for one in network(old, new).openings]


TLS = ", tls: [{hosts: [a.test]}]"
NOTE = ", annotations: {a: b}"


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        (service(""), service(", type: NodePort"), [("type", "ClusterIP", "NodePort", False)]),
        (
            service(", type: NodePort"),
            service(", type: LoadBalancer"),
            [("type", "NodePort", "LoadBalancer", False)],
        ),
        (service(", type: LoadBalancer"), service(", type: NodePort"), []),
        ("", service(", type: NodePort"), [("type", "", "NodePort", False)]),
        (
            service(", type: NodePort"),
            service(", type: NodePort", name="new"),
            [("type", "", "NodePort", True)],
        ),
        (service(""), service(", externalIPs: [1.2.3.4]"), [("external IPs", "", "1.2.3.4", False)]),
        (
            service(", type: LoadBalancer, loadBalancerSourceRanges: [10.0.0.0/8]"),
            service(", type: LoadBalancer"),
            [("sources", "10.0.0.0/8", "", False)],
        ),
        (
            service(", type: LoadBalancer, loadBalancerSourceRanges: [10.0.0.0/8, 11.0.0.0/8]"),
            service(", type: LoadBalancer, loadBalancerSourceRanges: [10.0.0.0/8]"),
            [],
        ),
        (
            service(", type: LoadBalancer", NOTE),
            service(", type: LoadBalancer"),
            [("annotation", "b", "", False)],
        ),
        (service("", NOTE), service(""), []),
        (ingress("a.test"), ingress("a.test,b.test"), [("host", "", "b.test", False)]),
        (ingress("a.test"), ingress("a.test", name="new"), [("host", "", "a.test", True)]),
        (ingress("a.test", TLS), ingress("a.test"), [("tls", "a.test", "", False)]),
        (ingress("a.test", TLS), ingress("a.test", ", tls: [{hosts: ['*.test']}]"), []),
        (ingress("a.test"), ingress("a.test"), []),
        (ingress("a.test", more=NOTE), ingress("a.test"), [("annotation", "b", "", False)]),
    ],
)
def test_ways_from_outside(old: str, new: str, expected: list[tuple[str, str, str, bool]]) -> None:
    assert opened(old, new) == expected


def test_the_rules_say_it() -> None:
    facts = upgrade(
        WEB + policy(DENY) + service(""), WEB + policy(DENY + ", ingress: [{}]") + service(", type: NodePort")
    )
    assert [one.severity for one in of_rule(facts, "netpol-loosened")] == ["danger"]
    assert [one.severity for one in of_rule(facts, "exposure-increased")] == ["danger"]
