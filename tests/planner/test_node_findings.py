"""What a plan says where nodes do not know a RuntimeClass's handler, and whose driver they have."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace
from node_plans import (
    BINARY,
    DROP_IN,
    MAIN,
    TOOLKIT,
    cluster,
    facts,
    install,
    live_class,
    node,
    policy,
    runtime,
    told,
    upgrade,
    workload,
)

from helmguard.model.cluster_facts import ClusterFacts
from helmguard.model.node_facts import DriverFacts, Library
from helmguard.model.plan import Plan
from helmguard.planner.make_plan import make_plan

# The accident, foretold

OFF = install(policy(toolkit=False, driver=False))
MISSING = ("ctrd-handler-missing", "blocker", "fires")
NOT_TOLD = ("gpu-toolkit-off-on-containerd", "danger", "fires")


def first(plan: Plan, rule: str) -> str:
    found = next(one for one in plan.findings if one.rule == rule)
    return "\n".join([found.title, *found.effects, *found.remedy])


def test_every_node_reports_its_handlers_and_none_has_nvidia() -> None:
    plan = make_plan(replace(OFF, cluster=cluster(node("gpu-a", ("", "runc")), node("gpu-b", ("", "runc")))))
    assert told(plan) == [MISSING]
    assert "nodes gpu-a, gpu-b: only runc reported" in first(plan, "ctrd-handler-missing")
    assert "toolkit.enabled=true" in first(plan, "ctrd-handler-missing")


def test_the_nodes_tell_nothing() -> None:
    plan = make_plan(replace(OFF, cluster=cluster(node("gpu-a"), node("gpu-b"))))
    assert told(plan) == [NOT_TOLD]
    assert "--node-facts" in first(plan, "gpu-toolkit-off-on-containerd")


def test_collected_facts_show_that_the_handler_is_missing() -> None:
    plan = make_plan(replace(OFF, cluster=cluster(node()), nodes=(facts(),)))
    assert told(plan, "ctrd-handler", "gpu-toolkit") == [MISSING]
    assert "node gpu-a: only runc " in first(plan, "ctrd-handler-missing")


def test_collected_facts_show_the_handler() -> None:
    given = (facts(files={DROP_IN: MAIN.splitlines()[0] + "\n" + runtime(BINARY)}),)
    plan = make_plan(replace(OFF, cluster=cluster(node()), nodes=given))
    assert told(plan, "ctrd-handler", "gpu-toolkit") == []


def test_some_nodes_have_the_handler() -> None:
    plan = make_plan(
        replace(OFF, cluster=cluster(node("gpu-a", ("runc", "nvidia")), node("gpu-b", ("runc",))))
    )
    assert told(plan) == [("ctrd-handler-missing", "danger", "fires")]
    assert "1 of 2 nodes" in first(plan, "ctrd-handler-missing")


def test_some_nodes_have_it_and_of_others_nobody_knows() -> None:
    plan = make_plan(replace(OFF, cluster=cluster(node("gpu-a", ("runc", "nvidia")), node("gpu-b"))))
    assert told(plan) == [NOT_TOLD]


def test_no_node_was_read() -> None:
    assert told(make_plan(OFF), "ctrd-", "gpu-toolkit") == [NOT_TOLD]


def test_the_toolkit_is_on() -> None:
    on = install(policy(toolkit=True, driver=False), cluster=cluster(node("gpu-a", ("runc",))))
    assert told(make_plan(on), "ctrd-handler", "gpu-toolkit-o") == []


CONFIG = "/etc/containerd/config.toml"
BY_TOOLKIT = {DROP_IN: "version = 3\n" + runtime(TOOLKIT)}
TURNED_OFF = ["gpu-toolkit-turned-off"]


@pytest.mark.parametrize(("files", "rules"), [
    (BY_TOOLKIT, TURNED_OFF),
    ({CONFIG: MAIN + runtime(BINARY)}, []),
    ({CONFIG: MAIN + runtime(BINARY), **BY_TOOLKIT}, []),
    ({CONFIG: MAIN + runtime(TOOLKIT)}, TURNED_OFF),
    ({CONFIG: MAIN + runtime("/opt/gone/nvidia-container-runtime")}, TURNED_OFF),
])  # fmt: skip
def test_the_toolkit_is_turned_off(files: dict[str, str], rules: list[str]) -> None:
    """It takes away what it brought; the node's own configuration stays."""
    asked = upgrade(
        policy(toolkit=True, driver=False),
        policy(toolkit=False, driver=False),
        cluster=cluster(node("gpu-a", ("runc", "nvidia"))),
        nodes=(facts(files=files),),
    )
    assert [rule for rule, _, _ in told(make_plan(asked), "ctrd-handler", "gpu-toolkit")] == rules


def test_an_upgrade_while_it_is_off() -> None:
    old, new = policy(toolkit=False, driver=False), policy(toolkit=False, driver=False, dcgm=False)
    known = upgrade(old, new, cluster=cluster(node("gpu-a", ("runc",))))
    assert told(make_plan(known)) == [MISSING]
    unknown = upgrade(old, new, cluster=cluster(node("gpu-a")))
    assert told(make_plan(unknown)) == [("gpu-toolkit-off-on-containerd", "warning", "fires")]


def test_files_that_containerd_has_not_loaded() -> None:
    given = (facts(files={DROP_IN: "version = 3\n" + runtime(BINARY)}),)
    plan = make_plan(replace(OFF, cluster=cluster(node("gpu-a", ("runc",))), nodes=given))
    assert told(plan, "ctrd-handler", "gpu-toolkit", "ctrd-not") == [
        ("ctrd-not-restarted", "danger", "fires")
    ]


def test_a_chart_of_its_own_names_a_class_that_no_node_knows() -> None:
    asked = install(
        workload(runtimeClassName="gpu"),
        cluster=cluster(node("gpu-a", ("runc",)), classes=(live_class("gpu", "nvidia"),)),
    )
    assert told(make_plan(asked)) == [MISSING]


# Whose driver


def driver(**more: Any) -> DriverFacts:
    libraries = tuple(
        Library(f"{name}.so.{version}", f"/usr/lib/{name}.so.{version}", version)
        for name in ("libcuda", "libnvidia-ml")
        for version in more.pop(name, more.get("versions", ()))
    )
    more.pop("versions", None)
    return DriverFacts(kernel_known=True, libraries=libraries, **more)


@pytest.mark.parametrize(("found", "severity", "words"), [
    (driver(kernel_version="570.195.03", versions=("570.195.03",)), "warning", "a driver of its own"),
    (driver(kernel_version="570.195.03", versions=("580.1",)), "blocker", "that nvidia-smi cannot use"),
    (driver(kernel_version="570.195.03"), "blocker", "that nvidia-smi cannot use"),
    (driver(versions=("570.195.03",)), "blocker", "that nvidia-smi cannot use"),
    (driver(), "danger", "no driver"),
    (driver(kernel_version="570.195.03", root="/run/nvidia/driver"), "danger", "0 GPUs"),
    (DriverFacts(), "danger", "0 GPUs"),
])  # fmt: skip
def test_the_operators_driver_comes(found: DriverFacts, severity: str, words: str) -> None:
    asked = upgrade(
        policy(driver=False, toolkit=True),
        policy(driver=True, toolkit=True),
        cluster=cluster(node()),
        nodes=(facts(driver=found),),
    )
    plan = make_plan(asked)
    assert told(plan, "gpu-driver-turned-on") == [("gpu-driver-turned-on", severity, "fires")]
    assert words in first(plan, "gpu-driver-turned-on")


@pytest.mark.parametrize(("found", "severity"), [
    (driver(kernel_version="570.195.03", versions=("570.195.03",)), "warning"),
    (driver(kernel_version="570.195.03", root="/run/nvidia/driver"), "blocker"),
    (driver(), "blocker"),
])  # fmt: skip
def test_the_operators_driver_goes(found: DriverFacts, severity: str) -> None:
    asked = upgrade(
        policy(driver=True, toolkit=True),
        policy(driver=False, toolkit=True),
        cluster=cluster(node()),
        nodes=(facts(driver=found),),
    )
    assert told(make_plan(asked), "gpu-driver-turned-off") == [("gpu-driver-turned-off", severity, "fires")]


def test_nodes_that_cannot_be_read_are_those_that_were_collected() -> None:
    bare = ClusterFacts(unread={"nodes": "forbidden"})
    found = facts(driver=driver(kernel_version="570.195.03", versions=("570.195.03",)))
    plan = make_plan(replace(OFF, cluster=bare, nodes=(found,)))
    assert told(plan, "ctrd-handler", "gpu-toolkit") == [MISSING]


def test_facts_of_a_node_that_the_cluster_has_not_got_are_left_out_and_named() -> None:
    plan = make_plan(replace(OFF, cluster=cluster(node("gpu-a")), nodes=(facts("gpu-z"),)))
    assert told(plan, "ctrd-", "gpu-toolkit") == [NOT_TOLD]
    named = [one for one in plan.unknown if one.what == "facts of gpu-z"]
    assert [one.why for one in named] == ["no node of the cluster has this name or hostname"]


def test_facts_go_by_the_hostname() -> None:
    there = node("ip-10-0-0-7.example.com", **{"kubernetes.io/hostname": "ip-10-0-0-7"})
    plan = make_plan(replace(OFF, cluster=cluster(there), nodes=(facts("ip-10-0-0-7"),)))
    assert told(plan, "ctrd-", "gpu-toolkit") == [MISSING]
    assert not [one for one in plan.unknown if one.what.startswith("facts")]
