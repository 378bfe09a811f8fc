"""What rules learn about RuntimeClasses and the nodes that know their handlers."""

from __future__ import annotations

import pytest
from msgspec.structs import replace
from side_objects import REFUSED, event, facts, gpu_node, node, pod, runtime_class, side, with_runtimes

from helmguard.model.node_facts import DriverFacts
from helmguard.rules.context.handler_classes import HandlerClass
from helmguard.rules.context.handler_nodes import matched_facts
from helmguard.rules.context.handlers import handlers_of
from helmguard.rules.context.record import UNKNOWN
from helmguard.rules.node_side import NodeSide, WantedHandler

LETTERS = "abcd"
OPERATOR = WantedHandler(
    "nvidia",
    "nvidia",
    by="ClusterPolicy/cluster-policy",
    used_by=("DaemonSet nvidia-device-plugin-daemonset",),
)


def the_class(of: NodeSide, name: str = "nvidia", *, planned: bool = False) -> HandlerClass:
    classes = handlers_of(of).classes
    assert classes is not UNKNOWN
    (found,) = [one for one in classes if one.name == name and one.planned == planned]
    return found


def seed_nodes(*handlers: str) -> list[dict[str, object]]:
    return [node("cp-1", "runc"), *(gpu_node(f"gpu-{letter}", *handlers) for letter in LETTERS)]


def test_the_field_report_no_node_knows_the_handler() -> None:
    pods = [
        pod(
            f"validator-{letter}",
            "nvidia",
            on=f"gpu-{letter}",
            phase="Pending",
            namespace="gpu-operator",
            owner=("DaemonSet", "nvidia-operator-validator"),
        )
        for letter in LETTERS
    ]
    found = the_class(side(nodes=seed_nodes("runc"), runtimeClasses=[runtime_class("nvidia")], allPods=pods))
    assert found.lacking == ("gpu-a", "gpu-b", "gpu-c", "gpu-d")
    assert (found.nodes, found.all_lack, found.used) == (4, True, True)
    assert found.told == ("nodes gpu-a, gpu-b, gpu-c, gpu-d: only runc reported",)
    assert found.users == ("DaemonSet gpu-operator/nvidia-operator-validator names it: 4 pods",)
    assert found.stranded is not UNKNOWN and len(found.stranded) == 4


def test_the_toolkit_s_drop_in_makes_it_right() -> None:
    collected = [facts(f"gpu-{letter}", "nvidia") for letter in LETTERS]
    found = the_class(
        side(*collected, nodes=seed_nodes(), runtimeClasses=[runtime_class("nvidia")], allPods=[])
    )
    assert (found.lacking, found.all_lack) == ((), False)


@pytest.mark.parametrize(
    ("reported", "configured", "has"),
    [
        (("runc",), None, False),
        (("runc", "nvidia"), None, True),
        ((), None, None),
        ((), (), False),
        ((), ("nvidia",), True),
        (("runc",), ("nvidia",), True),
        (("runc", "nvidia"), (), True),
        (("runc",), (), False),
    ],
)
def test_two_sources_tell_of_a_handler(
    reported: tuple[str, ...], configured: tuple[str, ...] | None, has: bool | None
) -> None:
    collected = [] if configured is None else [facts("gpu-a", *configured)]
    found = the_class(
        side(
            *collected,
            nodes=[gpu_node("gpu-a", *reported)],
            runtimeClasses=[runtime_class("nvidia")],
            allPods=[pod("x", "nvidia", on="gpu-a")],
        )
    )
    assert found.lacking == {True: (), False: ("gpu-a",), None: UNKNOWN}[has]
    assert bool(found.untold) == (has is None)


def test_an_event_about_a_hanging_pod_is_a_source_of_its_own() -> None:
    """containerd 1.7 reports no handlers, and nobody collected facts."""
    lists = {
        "nodes": [gpu_node("gpu-a", runtime="containerd://1.7.29")],
        "runtimeClasses": [runtime_class("nvidia")],
        "events": [event("x", REFUSED.format(handler="nvidia"))],
    }
    waiting = the_class(side(**lists, allPods=[pod("x", "nvidia", on="gpu-a", phase="Pending")]))
    assert (waiting.lacking, waiting.stranded) == (("gpu-a",), ("shop/x",))
    assert waiting.told == ('node gpu-a: an event tells: no runtime for "nvidia" is configured',)
    running = the_class(side(**lists, allPods=[pod("x", "nvidia", on="gpu-a")]))
    assert running.lacking is UNKNOWN


@pytest.mark.parametrize("name", ["gpu-a", "gpu-a.example.com", "host-a"])
def test_facts_find_their_node_object(name: str) -> None:
    body = gpu_node("gpu-a.example.com")
    body["metadata"]["labels"]["kubernetes.io/hostname"] = "host-a"
    found = the_class(side(facts(name), nodes=[body], runtimeClasses=[runtime_class("nvidia")], allPods=[]))
    assert found.lacking == ("gpu-a.example.com",)


@pytest.mark.parametrize(
    ("name", "nodes", "matched"),
    [
        ("gpu-a.example.com", ["gpu-a"], "gpu-a"),
        ("gpu-a", ["gpu-a.one", "gpu-a.two"], None),
        ("gpu-a.other", ["gpu-a.example.com"], None),
        ("gpu-a", ["gpu-a", "gpu-a.one"], "gpu-a"),
    ],
)
def test_facts_are_not_given_to_a_node_that_may_be_another(
    name: str, nodes: list[str], matched: str | None
) -> None:
    found = matched_facts([facts(name)], [gpu_node(one) for one in nodes])
    assert list(found) == ([matched] if matched else [])


def test_facts_of_no_node_of_the_cluster_tell_nothing() -> None:
    found = the_class(
        side(
            facts("elsewhere"),
            nodes=[gpu_node("gpu-a")],
            runtimeClasses=[runtime_class("nvidia")],
            allPods=[],
        )
    )
    assert (found.lacking, found.untold) == ((), ("gpu-a",))


def test_files_of_containerd_tell_nothing_of_a_node_that_runs_another_runtime() -> None:
    body = gpu_node("gpu-a", runtime="cri-o://1.33.0")
    found = the_class(
        side(
            facts("gpu-a"),
            nodes=[body],
            runtimeClasses=[runtime_class("nvidia")],
            allPods=[pod("x", "nvidia", on="gpu-a")],
        )
    )
    assert found.lacking is UNKNOWN


def test_a_daemon_that_refuses_to_start_is_told_by_other_rules() -> None:
    broken = facts("gpu-a", config="version = 9\n")
    found = the_class(
        side(broken, nodes=[gpu_node("gpu-a")], runtimeClasses=[runtime_class("nvidia")], allPods=[])
    )
    assert (found.lacking, found.untold) == ((), ("gpu-a",))


def test_a_class_that_nobody_names_needs_no_answer() -> None:
    lists = {"nodes": [node("a")], "runtimeClasses": [runtime_class("kata")]}
    assert the_class(side(**lists, allPods=[]), "kata").lacking == ()
    found = the_class(side(**lists, allPods=[pod("vm", "kata", on="a")]), "kata")
    assert found.lacking is UNKNOWN
    assert found.lacks == ("the runtimes of node a (helmguard node collect reads them)",)


def test_what_was_not_read_is_named() -> None:
    classes = [runtime_class("nvidia")]
    assert the_class(side(runtimeClasses=classes)).lacks == ("cluster.nodes", "cluster.allPods")
    found = the_class(side(runtimeClasses=classes, nodes=[gpu_node("gpu-a", "runc")]))
    assert (found.lacking, found.used, found.stranded) == (("gpu-a",), UNKNOWN, UNKNOWN)
    assert found.lacks == ("cluster.allPods",)
    assert handlers_of(side(nodes=[])).classes is UNKNOWN


def test_the_scheduling_of_a_class_keeps_its_pods_away_from_other_nodes() -> None:
    nodes = [node("a", "runc"), node("b", "runc", "kata", labels={"kata": "yes"})]
    free = the_class(side(nodes=nodes, runtimeClasses=[runtime_class("kata")], allPods=[]), "kata")
    kept = runtime_class("kata", nodeSelector={"kata": "yes"})
    assert free.lacking == ("a",)
    assert the_class(side(nodes=nodes, runtimeClasses=[kept], allPods=[]), "kata").lacking == ()


def test_taints_keep_pods_away_that_do_not_tolerate_them() -> None:
    taint = {"key": "dedicated", "value": "x", "effect": "NoSchedule"}
    nodes = [node("a", "runc", taints=[taint]), node("b", "kata")]
    assert (
        the_class(side(nodes=nodes, runtimeClasses=[runtime_class("kata")], allPods=[]), "kata").lacking == ()
    )
    tolerant = runtime_class("kata", tolerations=[{"key": "dedicated", "operator": "Exists"}])
    assert the_class(side(nodes=nodes, runtimeClasses=[tolerant], allPods=[]), "kata").lacking == ("a",)


def test_pods_that_choose_their_nodes_need_the_handler_there_alone() -> None:
    nodes = [node("a", "runc"), node("b", "kata", labels={"kata": "yes"})]
    classes = [runtime_class("kata")]
    chosen = pod("vm", "kata", on="b", nodeSelector={"kata": "yes"})
    assert the_class(side(nodes=nodes, runtimeClasses=classes, allPods=[chosen]), "kata").lacking == ()
    alone = pod("vm", "kata", on="b")
    assert the_class(side(nodes=nodes, runtimeClasses=classes, allPods=[alone]), "kata").lacking == ()
    anywhere = pod("vm-1", "kata", on="b", owner=("StatefulSet", "vm"))
    found = the_class(side(nodes=nodes, runtimeClasses=classes, allPods=[anywhere]), "kata")
    assert (found.lacking, found.all_lack, found.stranded) == (("a",), False, ())


def test_a_pod_that_asks_for_a_gpu_goes_to_nodes_with_gpus() -> None:
    nodes = [node("cp-1", "runc"), gpu_node("gpu-a", "nvidia")]
    classes = [runtime_class("nvidia")]
    asks = pod("train", "nvidia", on="gpu-a", gpus=1, owner=("Job", "train"))
    assert the_class(side(nodes=nodes, runtimeClasses=classes, allPods=[asks])).lacking == ()
    shares = pod("look", "nvidia", on="gpu-a", owner=("Job", "look"))
    assert the_class(side(nodes=nodes, runtimeClasses=classes, allPods=[shares])).lacking == ("cp-1",)


def test_a_gpu_is_known_by_the_facts_too() -> None:
    """Before Node Feature Discovery runs no label tells."""
    nodes = [node("cp-1", "runc"), node("gpu-a")]
    collected = facts("gpu-a", driver=DriverFacts(pci=("0000:01:00.0",)))
    found = the_class(side(collected, nodes=nodes, runtimeClasses=[runtime_class("nvidia")], allPods=[]))
    assert (found.nodes, found.lacking) == (1, ("gpu-a",))


def test_daemon_sets_use_a_class_before_they_have_pods() -> None:
    body = {
        "metadata": {"name": "dcgm", "namespace": "gpu"},
        "spec": {
            "template": {
                "spec": {"runtimeClassName": "nvidia", "nodeSelector": {"nvidia.com/gpu.present": "true"}}
            }
        },
    }
    lists = {
        "nodes": seed_nodes("runc"),
        "runtimeClasses": [runtime_class("nvidia")],
        "allDaemonSets": [body],
    }
    found = the_class(side(**lists, allPods=[]))
    assert (found.users, found.nodes) == (("DaemonSet gpu/dcgm names it: 1 pod",), 4)
    theirs = pod("dcgm-x", "nvidia", namespace="gpu", on="gpu-a", owner=("DaemonSet", "dcgm"))
    assert the_class(side(**lists, allPods=[theirs])).users == ("DaemonSet gpu/dcgm names it: 1 pod",)


def test_pods_of_a_deployment_are_told_as_the_deployment_s() -> None:
    body = pod("web-7d9-x", "kata", on="a", owner=("ReplicaSet", "web-7d9"))
    body["metadata"]["labels"] = {"pod-template-hash": "7d9"}
    done = pod("old", "kata", on="a", phase="Succeeded")
    found = the_class(
        side(nodes=[node("a", "runc")], runtimeClasses=[runtime_class("kata")], allPods=[body, done]), "kata"
    )
    assert found.users == ("Deployment shop/web names it: 1 pod",)


def test_handlers_that_the_same_nodes_lack_are_told_together() -> None:
    classes = [runtime_class(name) for name in ("nvidia", "nvidia-cdi", "kata")]
    lists = {"nodes": [gpu_node("gpu-a", "runc")], "runtimeClasses": classes, "allPods": []}
    assert the_class(side(**lists)).together == ("nvidia", "nvidia-cdi")
    assert the_class(side(**lists), "kata").together == ("kata",)


def test_a_planned_containerd_that_drops_the_handler() -> None:
    """A file without version and with the tables of version 1: containerd 2.1 translates none of them."""
    kept = facts("gpu-a", "nvidia", version="1.7.29", planned="2.1.4")
    v1 = (
        with_runtimes("runc", "nvidia")
        .replace("version = 2\n", "")
        .replace('"io.containerd.grpc.v1.cri"', "cri")
    )
    lost = facts("gpu-b", version="1.7.29", planned="2.1.4", config=v1)
    nodes = [
        gpu_node("gpu-a", runtime="containerd://1.7.29"),
        gpu_node("gpu-b", runtime="containerd://1.7.29"),
    ]
    of = side(
        kept,
        lost,
        nodes=nodes,
        runtimeClasses=[runtime_class("nvidia")],
        allPods=[pod("x", "nvidia", on="gpu-b", owner=("Job", "x"))],
    )
    assert the_class(of).lacking == ()
    planned = the_class(of, planned=True)
    assert (planned.lacking, planned.all_lack, planned.version) == (("gpu-b",), False, "2.1.4")
    assert planned.told == ("node gpu-b: it is there now, and containerd 2.1.4 drops it",)


def test_in_a_plan_the_wanted_classes_are_judged() -> None:
    found = the_class(side(wanted=(OPERATOR,), in_plan=True, nodes=seed_nodes("runc"), allPods=[]))
    assert (found.nodes, found.all_lack, found.used) == (4, True, True)
    assert found.users == ("DaemonSet nvidia-device-plugin-daemonset will name it",)
    assert found.by == "ClusterPolicy/cluster-policy"


def test_a_plan_reads_the_nodes_even_where_some_facts_are_given() -> None:
    given = side(facts("gpu-a"), wanted=(OPERATOR,), in_plan=True)
    assert the_class(given).lacks == ("cluster.nodes", "cluster.allPods")
    refused = side(
        facts("gpu-a"), wanted=(OPERATOR,), in_plan=True, unread={"nodes": "forbidden"}, allPods=[]
    )
    assert (the_class(refused).lacking, the_class(refused).nodes) == (("gpu-a",), 1)


def test_a_plan_that_wants_no_class_has_nothing_to_judge() -> None:
    found = handlers_of(NodeSide(in_plan=True, wanted=()))
    assert (found.classes, found.names, found.not_loaded, found.stuck, found.pools) == ((), (), (), (), ())


def test_another_rule_speaks_where_nobody_knows_what_the_nodes_have() -> None:
    told = replace(OPERATOR, told_by="gpu-toolkit-off-on-containerd")
    assert the_class(side(wanted=(told,), in_plan=True)).lacking == ()
    silent = side(wanted=(told,), in_plan=True, nodes=seed_nodes(), allPods=[])
    assert the_class(silent).lacking == ()
    assert the_class(replace(silent, wanted=(OPERATOR,))).lacking is UNKNOWN
    known = side(wanted=(told,), in_plan=True, nodes=seed_nodes("runc"), allPods=[])
    assert the_class(known).all_lack is True


def test_a_class_that_could_not_be_read() -> None:
    unread = WantedHandler("kata", "", by="this release", used_by=("Deployment/vm",))
    found = the_class(side(wanted=(unread,), in_plan=True, nodes=seed_nodes("runc"), allPods=[]), "kata")
    assert (found.lacking, found.lacks) == (UNKNOWN, ("cluster.runtimeClasses",))
