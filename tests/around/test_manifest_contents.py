"""Manifests that ask for what the cluster will not have: objects twice, list items merged away."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from around_release import AroundRelease, action, config_map, findings, rules
from controlplane.definitions import wait_until_served

from helmguard.manifest import yaml


def service(*ports: str) -> str:
    """A Service with these ports, ``53/TCP``."""
    entries = [
        {
            "name": port.replace("/", "-").lower(),
            "port": int(port.split("/")[0]),
            "protocol": port.split("/")[1],
        }
        for port in ports
    ]
    spec = {"selector": {"app": "x"}, "ports": entries}
    body = {"apiVersion": "v1", "kind": "Service", "metadata": {"name": "dns"}, "spec": spec}
    return f"---\n{yaml.dump(body)}"


def deployment(*env: tuple[str, str]) -> str:
    """A Deployment whose container has these environment variables."""
    container = {
        "name": "web",
        "image": "nginx",
        "env": [{"name": name, "value": value} for name, value in env],
    }
    labels = {"app": "web"}
    template = {"metadata": {"labels": labels}, "spec": {"containers": [container]}}
    spec = {"replicas": 0, "selector": {"matchLabels": labels}, "template": template}
    body = {"apiVersion": "apps/v1", "kind": "Deployment", "metadata": {"name": "web"}, "spec": spec}
    return f"---\n{yaml.dump(body)}"


def test_an_object_that_is_there_twice(release: AroundRelease) -> None:
    release.upgrade(release.chart(config_map("own") + config_map("twice", "a: '1'")))
    files = {
        "templates/one.yaml": config_map("own") + config_map("twice", "a: '2'"),
        "templates/two.yaml": config_map("twice", "b: '3'"),
    }
    chart = release.chart(files, "1.1.0")
    plan = release.plan(chart)
    (finding,) = findings(plan, "duplicate-object").values()
    assert (finding["where"]["name"], finding["severity"]) == ("ConfigMap/twice", "blocker")
    assert finding["effects"] == ["from around/templates/one.yaml, around/templates/two.yaml"]
    assert plan["failure"] is None
    assert release.upgrade(chart) == ""
    live = release.live("ConfigMap", "twice")
    (planned,) = (entry["after"] for entry in plan["resources"] if entry["name"] == "twice")
    assert live is not None
    assert live["data"] == planned["data"] == {"b": "3"}


def test_an_install_of_an_object_that_is_there_twice(release: AroundRelease) -> None:
    chart = release.chart(config_map("twice") + config_map("twice"))
    plan = release.plan(chart, "--install")
    (finding,) = findings(plan, "duplicate-object").values()
    assert finding["severity"] == ("blocker" if release.is_client_side else "warning")
    told = [one for one in plan["findings"] if one["severity"] == "blocker"]
    assert len(told) == (1 if release.is_client_side else 0)
    assert (plan["failure"] or {}).get("message", "").strip() == release.upgrade(chart)


def test_ports_of_one_number(release: AroundRelease) -> None:
    release.upgrade(release.chart(service("53/TCP")))
    chart = release.chart(service("53/TCP", "53/UDP"), "1.1.0")
    plan = release.plan(chart)
    assert release.upgrade(chart) == ""
    live = release.live("Service", "dns")
    assert live is not None
    if release.is_client_side:
        (finding,) = findings(plan, "merge-loses-item").values()
        assert finding["severity"] == "danger"
        assert finding["title"] == "the chart asks for 2 ports, the cluster will have 1"
        assert len(live["spec"]["ports"]) == 1
    else:
        assert "merge-loses-item" not in rules(plan)
        assert len(live["spec"]["ports"]) == 2


def test_ports_of_one_number_that_are_there_already_are_no_alarm(release: AroundRelease) -> None:
    chart = release.chart(service("53/TCP", "53/UDP"))
    release.upgrade(chart)
    assert release.plan(chart)["findings"] == []


def test_an_environment_variable_that_was_there_twice(release: AroundRelease) -> None:
    if not release.is_client_side:
        pytest.skip("server-side apply refuses such a chart in the first place")
    release.upgrade(release.chart(deployment(("A", "1"), ("A", "2"))))
    chart = release.chart(deployment(("A", "2")), "1.1.0")
    plan = release.plan(chart)
    (finding,) = findings(plan, "merge-loses-item").values()
    assert finding["title"] == "the chart asks for 1 env, the cluster will have 0"
    assert release.upgrade(chart) == ""
    live = release.live("Deployment", "web")
    assert live is not None
    assert "env" not in live["spec"]["template"]["spec"]["containers"][0]


def test_names_that_the_server_makes(release: AroundRelease) -> None:
    chart = release.chart(
        config_map("own") + "---\napiVersion: v1\nkind: ConfigMap\nmetadata: {generateName: x-}\n"
    )
    plan = release.plan(chart, "--install")
    assert "generate-name" in rules(plan)
    assert plan["failure"]["message"].strip() == release.upgrade(chart)
    if not release.is_client_side:
        later = release.named("later")
        made = later.chart(
            config_map("own2") + "---\napiVersion: v1\nkind: ConfigMap\nmetadata: {generateName: x-}\n"
        )
        quiet = later.plan(made, "--install", "--server-side=false")
        assert quiet["failure"] is None
        assert [one["severity"] for one in findings(quiet, "generate-name").values()] == ["danger"]
        assert later.upgrade(made, "--server-side=false") == ""
        assert "resource name may not be empty" in later.upgrade(made)


def test_a_field_that_the_kind_does_not_have(release: AroundRelease) -> None:
    release.upgrade(release.chart(config_map("own")))
    chart = release.chart(config_map("own") + "dataa: {b: c}\n", "1.1.0")
    plan = release.plan(chart)
    (finding,) = findings(plan, "unknown-manifest-field").values()
    assert finding["severity"] == ("danger" if release.is_client_side else "blocker")
    assert "ConfigMap/own dataa" in finding["effects"]
    assert (plan["failure"] or {}).get("message", "") == release.upgrade(chart)


def test_lists_are_taken_apart_and_kinds_that_end_in_list_are_not(
    release: AroundRelease, allow_lists: str
) -> None:
    documents = f"""---
apiVersion: v1
kind: List
items:
- {{apiVersion: v1, kind: ConfigMap, metadata: {{name: listed}}, data: {{a: b}}}}
---
apiVersion: {allow_lists}/v1
kind: AllowList
metadata: {{name: who}}
spec: {{names: [a, b]}}
"""
    chart = release.chart(documents)
    plan = release.plan(chart, "--install")
    assert action(plan, "ConfigMap/listed") == "create"
    assert action(plan, "AllowList/who") == "create"
    assert plan["findings"] == []
    assert release.upgrade(chart) == ""
    assert release.plan(chart)["exitCode"] == 0


@pytest.fixture
def allow_lists(release: AroundRelease) -> Iterator[str]:
    """The group of a custom kind named AllowList."""
    group = f"{release.namespace}.around.test"
    schema = {"type": "object", "x-kubernetes-preserve-unknown-fields": True}
    version = {"name": "v1", "served": True, "storage": True, "schema": {"openAPIV3Schema": schema}}
    names = {"kind": "AllowList", "plural": "allowlists"}
    spec = {"group": group, "names": names, "scope": "Namespaced", "versions": [version]}
    release.cluster.create(
        release.path("CustomResourceDefinition"),
        {"metadata": {"name": f"allowlists.{group}"}, "spec": spec},
    )
    path = release.path("CustomResourceDefinition", f"allowlists.{group}")
    wait_until_served(release.cluster, f"allowlists.{group}")
    yield group
    release.cluster.remove(path)


def test_an_adopted_custom_resource_is_not_applied(release: AroundRelease, allow_lists: str) -> None:
    release.upgrade(release.chart(config_map("own")), *_client_side(release))
    marks = {
        "labels": {"app.kubernetes.io/managed-by": "Helm"},
        "annotations": {
            "meta.helm.sh/release-name": "rel",
            "meta.helm.sh/release-namespace": release.namespace,
        },
    }
    collection = f"/apis/{allow_lists}/v1/namespaces/{release.namespace}/allowlists"
    body = {"metadata": {"name": "who", **marks}, "spec": {"names": ["old"]}}
    release.cluster.create(collection, {"apiVersion": f"{allow_lists}/v1", "kind": "AllowList", **body})
    head = f"---\napiVersion: {allow_lists}/v1\nkind: AllowList\n"
    document = head + "metadata: {name: who}\nspec: {names: [new]}\n"
    chart = release.chart(config_map("own") + document, "1.1.0")
    plan = release.plan(chart)
    (finding,) = findings(plan, "drift-not-corrected-cr").values()
    assert (finding["where"]["name"], finding["severity"]) == ("AllowList/who", "danger")
    assert "will not really be applied" in finding["title"]
    assert "spec.names" in finding["consequence"]
    assert release.upgrade(chart) == ""
    assert release.cluster.get(f"{collection}/who")["spec"]["names"] == ["old"]


def _client_side(release: AroundRelease) -> list[str]:
    return [] if release.is_client_side else ["--server-side=false"]


def test_control_characters_in_a_text(release: AroundRelease) -> None:
    """JSON holds them as they are, and an apply is read as YAML, which has none."""
    chart = release.chart(config_map("own", 'a: "x\\x9by\\x7f"'))
    plan = release.plan(chart, "--install", "--server-dry-run=never")
    assert (plan["failure"] or {}).get("message", "") == release.upgrade(chart)
    assert (plan["failure"] is None) == release.is_client_side
