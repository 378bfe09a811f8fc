"""Lists that a merge key makes smaller than the chart wrote them."""

from __future__ import annotations

from field_case import FieldCase, findings, resource
from templates import deployment

SERVICE = """---
apiVersion: v1
kind: Service
metadata: {name: dns}
spec:
  selector: {app: dns}
  ports:
  - {name: tcp, port: 53, protocol: TCP}
"""
UDP = "  - {name: udp, port: 53, protocol: UDP}\n"


def test_p25_b12_one_port_number_with_two_protocols(case: FieldCase) -> None:
    """Helm 3 reports success and loses one; server-side apply keeps both."""
    case.install(case.chart(SERVICE))
    plan = case.upgrade_as_planned(case.chart(SERVICE + UDP, version="2.0.0"))
    ports = [port["protocol"] for port in resource(plan, "Service/dns")["after"]["spec"]["ports"]]
    assert ports == (["TCP", "UDP"] if case.is_helm_4 else ["TCP"])
    titles = [finding["title"] for finding in findings(plan, "merge-loses-item")]
    assert titles == ([] if case.is_helm_4 else ["the chart asks for 2 ports, the cluster will have 1"])


def test_b13_port_of_another_number_under_its_old_name(case: FieldCase) -> None:
    case.install(case.chart(SERVICE))
    plan = case.upgrade_as_planned(case.chart(SERVICE.replace("53", "5353"), version="2.0.0"))
    assert [port["port"] for port in resource(plan, "Service/dns")["after"]["spec"]["ports"]] == [5353]


def test_p26_duplicate_variable_made_single(case: FieldCase) -> None:
    """Helm 3 takes both away; Helm 4 never lets such a chart in."""
    env = "        env: [%s]\n"
    old = case.chart(deployment("web", more=env % '{name: A, value: "1"}, {name: A, value: "2"}'))
    plan = case.install_as_planned(old)
    if case.is_helm_4:
        assert 'duplicate entries for key [name="A"]' in plan["failure"]["message"]
        return
    new = case.chart(deployment("web", more=env % '{name: A, value: "2"}'), version="2.0.0")
    plan = case.upgrade_as_planned(new)
    (container,) = resource(plan, "Deployment/web")["after"]["spec"]["template"]["spec"]["containers"]
    assert "env" not in container
    assert findings(plan, "merge-loses-item")
