"""The way from a value to objects, to what happens then, and to the nodes."""

from __future__ import annotations

from typing import Any

import pytest
from check_reports import live_plan, two_way_plan
from msgspec.structs import replace
from sample_plans import body, change, config, resource, seed_story, web_plan

from helmguard.model.finding import Finding, Place
from helmguard.model.plan import Plan, ValuesReport
from helmguard.model.value_change import ValueChange
from helmguard.report.html.reached_nodes import operator_nodes, pod_nodes
from helmguard.report.html.ways import Ways, ways_of


def drawn(ways: Ways) -> list[tuple[str, str]]:
    """Each step by the titles of its ends."""
    return [(ways.stops[start].title, ways.stops[end].title) for start, end in ways.steps]


def titles(ways: Ways, column: str) -> list[str]:
    return [stop.title for stop in ways.stops if stop.column == column]


def deployment(*, image: str = "nginx:1.27") -> Any:
    template = {
        "metadata": {"labels": {"app": "web"}},
        "spec": {"containers": [{"name": "web", "image": image}]},
    }
    spec = {"replicas": 3, "selector": {"matchLabels": {"app": "web"}}, "template": template}
    return body("apps/v1", "Deployment", "web", "shop", spec=spec)


def restarting(**more: Any) -> Plan:
    image = ("spec", "template", "spec", "containers", 0, "image")
    item = resource(
        "update",
        deployment(),
        deployment(image="nginx:1.28"),
        change(image, "nginx:1.27", "nginx:1.28", "values", value_path="image.tag"),
    )
    value = ValueChange(("image", "tag"), "1.27", "1.28", "values")
    return web_plan(resources=(item,), values=ValuesReport("reset", "", (value,)), **more)


def pod(name: str, node: str, *, app: str = "web", namespace: str = "shop") -> Any:
    metadata = {"name": name, "namespace": namespace, "labels": {"app": app}}
    return {"metadata": metadata, "spec": {"nodeName": node} if node else {}}


def test_the_operators_way_from_a_lost_override_to_the_nodes() -> None:
    ways = ways_of(two_way_plan("seed"))
    steps = drawn(ways)
    assert ("driver.enabled", "ClusterPolicy/cluster-policy") in steps
    assert ("toolkit.enabled", "ClusterPolicy/cluster-policy") in steps
    assert ("ClusterPolicy/cluster-policy", "the operator will install a driver") in steps
    acts = "the operator creates the DaemonSet nvidia-driver-daemonset (OnDelete)"
    assert (acts, "GPU nodes: not read") in steps
    (lost,) = [stop for stop in ways.stops if stop.title == "driver.enabled"]
    assert (lost.style, lost.texts) == ("bad", ("your override is lost",))
    (given,) = [stop for stop in ways.stops if stop.title == "toolkit.enabled"]
    assert (given.style, given.texts) == ("", ("your value", "--set"))


def test_nodes_that_were_read_are_named() -> None:
    plan = live_plan("labelled/dangerous/gpu-driver-off--h4")
    ways = ways_of(plan)
    assert titles(ways, "node") == ["node v-gpu-driver-off--h4-1", "1 GPU node: v-gpu-driver-off--h4-1"]
    assert ("takes the operator's driver away", "node v-gpu-driver-off--h4-1") in drawn(ways)


@pytest.mark.parametrize(
    ("gpu", "said"),
    [
        ({}, "nodes: not known"),
        ({"ref": "ClusterPolicy/another", "nodes": [{"name": "a"}]}, "nodes: not known"),
        ({"ref": "ClusterPolicy/cluster-policy"}, "GPU nodes: not read"),
        ({"ref": "ClusterPolicy/cluster-policy", "nodes": []}, "no GPU node"),
        ({"ref": "ClusterPolicy/cluster-policy", "nodes": [{"name": "a"}]}, "1 GPU node: a"),
        (
            {"ref": "ClusterPolicy/cluster-policy", "nodes": [{"name": str(number)} for number in range(8)]},
            "8 GPU nodes: 0, 1, 2, 3, 4, 5 and 2 more",
        ),
    ],
)
def test_the_operators_nodes(gpu: dict[str, Any], said: str) -> None:
    plan = replace(seed_story(), context={"gpu": gpu})
    policy = next(item for item in plan.resources if item.prediction.key.kind == "ClusterPolicy")
    assert operator_nodes(policy, plan) == said


def test_pods_that_restart_and_where_they_run() -> None:
    pods = [
        pod("web-1", "b"),
        pod("web-2", "a"),
        pod("web-3", "a"),
        pod("other", "c", app="other"),
        pod("web-4", "d", namespace="elsewhere"),
        pod("web-5", ""),
    ]
    plan = restarting(context={"cluster": {"pods": pods}})
    assert pod_nodes(plan.resources[0], plan) == "2 nodes: a, b"
    assert drawn(ways_of(plan)) == [
        ("image.tag", "Deployment/web"),
        ("Deployment/web", "its pods restart"),
        ("its pods restart", "2 nodes: a, b"),
    ]
    unread = restarting()
    assert pod_nodes(unread.resources[0], unread) == ""
    assert titles(ways_of(unread), "node") == []


def test_what_a_chart_alone_does_to_objects_is_no_picture() -> None:
    plan = web_plan(
        resources=(resource("update", config({"a": "1"}), config({"a": "2"}), change("data.a", "1", "2")),)
    )
    assert titles(ways_of(plan), "source") == ["chart web"]
    assert not ways_of(plan).tells_something
    assert ways_of(restarting()).tells_something
    assert not ways_of(web_plan(resources=())).tells_something


def test_a_value_that_switches_an_object_off() -> None:
    gone = resource("delete", config({"a": "1"}, "worker"), None, new=None)
    finding = Finding(
        "values-enabled-flip",
        "warning",
        "off",
        Place("value", "worker.enabled"),
        effects=("ConfigMap/worker is deleted",),
    )
    ways = ways_of(web_plan(resources=(gone,), findings=(finding,)))
    assert drawn(ways) == [("worker.enabled", "ConfigMap/worker")]


def test_who_changed_it_live() -> None:
    item = resource(
        "update",
        config({"a": "7"}),
        config({"a": "2"}),
        change("data.a", "7", "2", "drift reverted", manager="kubectl-edit"),
    )
    (source,) = [stop for stop in ways_of(web_plan(resources=(item,))).stops if stop.column == "source"]
    assert (source.title, source.texts) == ("changed live", ("by kubectl-edit",))


def test_the_gravest_come_first_and_the_rest_are_counted() -> None:
    items = tuple(
        resource(
            "update",
            config({"a": "1"}, f"c{number:02}"),
            config({"a": "2"}, f"c{number:02}"),
            change("data.a", "1", "2"),
        )
        for number in range(15)
    )
    finding = Finding("r", "blocker", "breaks", Place("object", "ConfigMap/c13"))
    ways = ways_of(web_plan(resources=items, findings=(finding,)))
    assert titles(ways, "object")[:2] == ["ConfigMap/c13", "ConfigMap/c00"]
    assert ways.left_out == 5


def test_where_helm_fails_is_said_unless_a_blocker_says_it() -> None:
    item = resource(
        "fail", config({"a": "1"}), config({"a": "2"}), change("data.a", "1", "2"), error="refused"
    )
    assert titles(ways_of(web_plan(resources=(item,))), "action") == ["Helm fails here"]
    finding = Finding("immutable-field", "blocker", "cannot be changed", Place("object", "ConfigMap/web"))
    plan = web_plan(resources=(item,), findings=(finding,))
    assert titles(ways_of(plan), "action") == ["cannot be changed"]
