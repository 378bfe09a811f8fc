"""Runtimes under other names than RuntimeClasses have, nodes not restarted, pools that differ."""

from __future__ import annotations

import pytest
from side_objects import facts, gpu_node, node, pod, runtime_class, side, with_runtimes

from helmguard.rules.context.handlers import handlers_of
from helmguard.rules.context.record import UNKNOWN
from helmguard.rules.node_side import WantedHandler


def test_names_that_are_nearly_right() -> None:
    config = with_runtimes("runc", "Nvidia")
    of = side(
        facts("gpu-a", config=config),
        nodes=[gpu_node("gpu-a")],
        runtimeClasses=[runtime_class("nvidia")],
        allPods=[pod("x", "nvidia", on="gpu-a", phase="Pending")],
    )
    (name,) = handlers_of(of).names
    assert (name.name, name.meant, name.class_ref, name.nameable) == (
        "Nvidia",
        "nvidia",
        "RuntimeClass/nvidia",
        False,
    )
    assert (name.node, name.file, name.line) == ("gpu-a", "/etc/containerd/config.toml", 6)
    assert (name.used, name.stranded) == (True, True)
    (found,) = [one for one in handlers_of(of).classes if one.name == "nvidia"]
    assert found.similar


@pytest.mark.parametrize(
    ("configured", "classes", "names"),
    [
        ("nvida", ["nvidia"], [("nvida", "nvidia")]),
        ("nvidia-experimental", ["nvidia"], [("nvidia-experimental", "nvidia")]),
        ("nvidia-cdi", ["nvidia", "nvidia-cdi"], []),
        ("crun", ["nvidia"], [("crun", "")]),
        ("nvidia", ["nvidia"], []),
    ],
)
def test_which_names_are_taken_for_another(
    configured: str, classes: list[str], names: list[tuple[str, str]]
) -> None:
    of = side(
        nodes=[gpu_node("gpu-a", "runc", configured)],
        runtimeClasses=[runtime_class(one) for one in classes],
        allPods=[],
    )
    assert [(one.name, one.meant) for one in handlers_of(of).names] == names


def test_without_a_cluster_only_names_that_no_class_can_have_are_told() -> None:
    own = '[plugins."io.containerd.grpc.v1.cri".containerd]\ndefault_runtime_name = "My_Own"\n'
    config = with_runtimes("runc", "Nvidia", "nvidia", "My_Own", before=own)
    assert [one.name for one in handlers_of(side(facts("a", config=config))).names] == ["Nvidia"]


def test_a_node_that_was_not_restarted() -> None:
    of = side(
        facts("gpu-a", "nvidia"),
        nodes=[gpu_node("gpu-a", "runc", "old")],
        runtimeClasses=[runtime_class("nvidia")],
        allPods=[],
    )
    (found,) = handlers_of(of).not_loaded
    assert (found.only_in_files, found.only_loaded, found.named) == (("nvidia",), ("old",), ("nvidia",))
    assert (found.file, found.line, found.other_version) == ("/etc/containerd/config.toml", 6, "")
    newer = side(
        facts("gpu-a", "nvidia", version="2.0.5"), nodes=[gpu_node("gpu-a", "runc")], runtimeClasses=[]
    )
    assert handlers_of(newer).not_loaded[0].other_version == "2.1.4"
    same = side(facts("gpu-a", "nvidia"), nodes=[gpu_node("gpu-a", "runc", "nvidia")], runtimeClasses=[])
    assert handlers_of(same).not_loaded == ()


def test_a_plan_asks_only_whether_its_own_handlers_are_loaded() -> None:
    of = side(
        facts("gpu-a", "other"),
        nodes=[gpu_node("gpu-a", "runc")],
        wanted=(WantedHandler("nvidia", "nvidia"),),
        in_plan=True,
        allPods=[],
    )
    assert handlers_of(of).not_loaded == ()


def test_pods_of_one_pool_of_nodes_that_differ() -> None:
    nodes = [gpu_node(f"gpu-{letter}", "runc", "nvidia", kernelVersion="6.1") for letter in "abc"]
    nodes += [
        gpu_node(
            "gpu-d", "runc", kernelVersion="6.8", labels={"nvidia.com/cuda.driver-version.full": "570.1"}
        )
    ]
    found = handlers_of(side(nodes=nodes)).pools
    assert found is not UNKNOWN
    assert [(one.what, one.usual, one.here, one.nodes, one.others) for one in found] == [
        ("runtime handlers", "nvidia, runc", "runc", ("gpu-d",), 3),
        ("kernel", "6.1", "6.8", ("gpu-d",), 3),
    ]


def test_pools_are_told_by_their_labels() -> None:
    label = "eks.amazonaws.com/nodegroup"
    nodes = [node(name, "runc", labels={label: "one"}) for name in "abc"]
    nodes += [node("d", "runc", "kata", labels={label: "two"}), node("e", "kata")]
    assert handlers_of(side(nodes=nodes)).pools == ()
    nodes += [node("f", "kata", labels={label: "one"})]
    found = handlers_of(side(nodes=nodes)).pools
    assert found is not UNKNOWN and [(one.pool, one.nodes) for one in found] == [(f"{label}=one", ("f",))]


def test_a_pool_without_a_majority_has_nothing_usual() -> None:
    nodes = [gpu_node("a", "runc"), gpu_node("b", "nvidia")]
    assert handlers_of(side(nodes=nodes)).pools == ()
