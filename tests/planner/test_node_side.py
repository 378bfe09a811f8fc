"""Which RuntimeClasses a plan asks the nodes for."""

from __future__ import annotations

import pytest
from msgspec.structs import replace
from node_plans import (
    JSON,
    cluster,
    document,
    facts,
    install,
    live_class,
    node,
    policy,
    runtime_class,
    upgrade,
    wanted,
    workload,
)
from plan_inputs import inputs, revision

from helmguard.model.apply_options import ApplyOptions
from helmguard.model.cluster_facts import ClusterFacts
from helmguard.planner.inputs import NewRevision
from helmguard.planner.make_plan import assembled, make_plan
from helmguard.planner.node_side import facts_for_nodes, node_side_of
from helmguard.rules.node_side import WantedHandler

# What is wanted


def test_a_release_without_runtime_classes_wants_and_reads_nothing() -> None:
    asked = install(workload(), cluster=ClusterFacts(), nodes=(facts(),))
    plan = make_plan(asked)
    assert wanted(asked) == ()
    assert facts_for_nodes(plan, asked) == frozenset()
    assert plan.context is not None and plan.context["handlers"]["wanted"] == []  # type: ignore[index, call-overload]
    assert not [one for one in plan.findings if one.rule.startswith(("ctrd-", "cdi-", "node-", "pods-"))]


def test_a_class_of_the_release_is_wanted_with_its_nodes_and_who_uses_it() -> None:
    selected = {"scheduling": {"nodeSelector": {"kata": "yes"}}}
    asked = install(runtime_class(**selected) + workload(runtimeClassName="kata", nodeSelector={"zone": "a"}))
    expected = WantedHandler(
        "kata", "kata-qemu", "this release", (("kata", "yes"), ("zone", "a")), used_by=("Deployment/train",)
    )
    assert wanted(asked) == (expected,)
    assert facts_for_nodes(assembled(asked), asked) == frozenset()


def test_nodes_matter_that_every_user_selects() -> None:
    pods = [
        workload(name=f"w{i}", runtimeClassName="kata", nodeSelector={"z": str(i), "os": "linux"})
        for i in "ab"
    ]
    asked = install(runtime_class() + "".join(pods))
    (found,) = wanted(asked)
    assert found.node_selector == (("os", "linux"),)
    assert found.used_by == ("Deployment/wa", "Deployment/wb")


def test_what_stays_as_it_is_asks_for_nothing() -> None:
    manifest = runtime_class() + workload(runtimeClassName="kata")
    asked = inputs(manifest, [revision(1, manifest)])
    assert {one.action for one in assembled(asked).resources} == {"unknown"}
    assert wanted(asked) == ()
    changed = inputs(manifest.replace("image: b", "image: c"), [revision(1, manifest)])
    assert [one.used_by for one in wanted(changed)] == [("Deployment/train",)]


@pytest.mark.parametrize("kind", ["Deployment", "StatefulSet", "DaemonSet"])
def test_the_handler_of_a_class_that_is_only_named_is_read(kind: str) -> None:
    unread = install(workload(kind, runtimeClassName="fast"))
    assert facts_for_nodes(assembled(unread), unread) == {"cluster.runtimeClasses"}
    assert [(one.name, one.handler) for one in wanted(unread)] == [("fast", "")]
    read = replace(unread, cluster=cluster(classes=(live_class("fast", "nv"),)))
    assert facts_for_nodes(assembled(read), read) == frozenset()
    assert wanted(read) == (WantedHandler("fast", "nv", used_by=(f"{kind}/train",)),)


def test_a_class_that_is_nowhere_is_another_rules_matter() -> None:
    assert wanted(install(workload(runtimeClassName="fast"), cluster=cluster())) == ()


def test_what_leaves_the_manifest_is_not_wanted_any_more() -> None:
    old = runtime_class() + workload(runtimeClassName="kata")
    assert wanted(upgrade(old, workload(), cluster=cluster())) == ()


@pytest.mark.parametrize(("event", "no_hooks", "found"), [
    ("pre-install", False, True), ("pre-install", True, False), ("pre-upgrade", False, False)
])  # fmt: skip
def test_hooks_that_run_count(event: str, no_hooks: bool, found: bool) -> None:
    job = document("batch/v1", "Job", "check", spec={"template": {"spec": {"runtimeClassName": "fast"}}})
    hook = {"name": "check", "kind": "Job", "path": "t/j.yaml", "manifest": job, "events": [event]}
    asked = install(
        "",
        new=NewRevision(manifest=workload(), hooks=(hook,)),
        options=ApplyOptions(no_hooks=no_hooks),
        cluster=cluster(classes=(live_class("fast", "nv"),)),
    )
    assert [one.used_by for one in wanted(asked)] == ([("Job/check",)] if found else [])


# The operator's classes


def test_the_classes_that_the_operator_makes() -> None:
    off = wanted(install(policy(toolkit=False)))
    assert [(one.name, one.handler, one.by) for one in off] == [
        (name, name, "ClusterPolicy/cluster-policy") for name in ("nvidia", "nvidia-cdi", "nvidia-legacy")
    ]
    assert {one.configured_by for one in off} == {""}
    assert {one.told_by for one in off} == {"gpu-toolkit-off-on-containerd"}
    assert "DaemonSet/nvidia-device-plugin-daemonset" in off[0].used_by
    assert "DaemonSet/nvidia-operator-validator" in off[0].used_by
    assert [one.used_by for one in off[1:]] == [(), ()]


def test_the_toolkit_will_configure_them() -> None:
    on = wanted(install(policy(toolkit=True)))
    assert {one.configured_by for one in on} == {"the operator's toolkit (ClusterPolicy/cluster-policy)"}
    assert {one.told_by for one in on} == {""}


def test_the_toolkit_goes() -> None:
    turned = upgrade(policy(toolkit=True), policy(toolkit=False))
    assert {one.told_by for one in wanted(turned)} == {"gpu-toolkit-turned-off"}


@pytest.mark.parametrize(("spec", "names"), [
    ({"cdi": False}, ["nvidia"]),
    ({"cdi": {}}, ["nvidia", "nvidia-cdi", "nvidia-legacy"]),
    ({"cdi": {"enabled": True, "nriPluginEnabled": True}}, []),
    ({"operator": {"runtimeClass": "gpu"}, "cdi": False}, ["gpu"]),
    ({"operator": {"runtimeClass": "nvidia-cdi"}, "cdi": True}, ["nvidia-cdi", "nvidia-legacy"]),
])  # fmt: skip
def test_by_name(spec: JSON, names: list[str]) -> None:
    assert [one.name for one in wanted(install(policy(toolkit=True, **spec)))] == names


def test_without_cdi_the_operands_under_cri_o_name_no_class() -> None:
    other = node() | {"status": {"nodeInfo": {"containerRuntimeVersion": "cri-o://1.30"}}}
    for cdi, nodes, named in (
        (False, (other,), False),
        (True, (other,), True),
        (False, (other, node("b")), True),
    ):
        found = wanted(install(policy(toolkit=False, cdi=cdi), cluster=cluster(*nodes)))
        assert bool(found[0].used_by) == named


def test_what_the_operation_brings_and_relies_on() -> None:
    asked = install(policy(toolkit=False, driver=True, cdi=True))
    side = node_side_of(assembled(asked), asked)
    assert side.in_plan and side.cdi_wanted_by == "ClusterPolicy/cluster-policy"
    assert [layer for layer, _ in side.brings] == ["kernel", "user space"]
    asked = install(policy(toolkit=True, driver=False, cdi=False))
    side = node_side_of(assembled(asked), asked)
    assert side.cdi_wanted_by == "" and [layer for layer, _ in side.brings] == ["injection"]
