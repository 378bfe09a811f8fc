"""Which nodes are told to be configured alike, and what is told of the others."""

from __future__ import annotations

from msgspec.structs import replace

from helmguard.containerd.judged_node import judged_node
from helmguard.model.judged_node import JudgedNode
from helmguard.model.node_facts import (
    CONTAINERD_CONFIG,
    ContainerdFacts,
    DriverFacts,
    KubeletFacts,
    NodeFacts,
    NodeFile,
)
from helmguard.model.node_report import NodeGroup
from helmguard.node.node_groups import node_groups

MAIN = """\
version = 3
[plugins."io.containerd.cri.v1.runtime".containerd.runtimes.runc]
runtime_type = "io.containerd.runc.v2"
[plugins."io.containerd.cri.v1.runtime".containerd.runtimes.runc.options]
SystemdCgroup = true
"""


def node(
    name: str, text: str = MAIN, *, version: str = "2.1.4", driver: str = "systemd", planned: str = ""
) -> JudgedNode:
    facts = NodeFacts(
        name,
        files={CONTAINERD_CONFIG: NodeFile(text)},
        containerd=ContainerdFacts(version),
        kubelet=KubeletFacts(cgroup_driver=driver),
    )
    judged = judged_node(facts, planned)
    return JudgedNode(facts, judged.installed, judged.planned)


def names(groups: tuple[NodeGroup, ...]) -> list[tuple[str, ...]]:
    return [group.names for group in groups]


def test_comments_blank_lines_and_order_make_no_difference() -> None:
    version, *rest = MAIN.splitlines()
    commented = "\n".join([version, "# edited in spring", "", *rest])
    groups = node_groups([node("a"), node("b", commented), node("c", MAIN.replace("\n", "\r\n"))])
    assert names(groups) == [("a", "b", "c")]
    assert groups[0].differences == ()


def test_the_most_come_first_and_the_others_say_what_differs() -> None:
    edited = node("b", MAIN.replace("= true", "= false"))
    groups = node_groups([edited, node("a"), node("c")])
    assert names(groups) == [("a", "c"), ("b",)]
    [difference] = groups[1].differences
    assert (difference.what, difference.usual, difference.here) == (
        "runtimes.runc.SystemdCgroup",
        True,
        False,
    )
    assert (difference.file, difference.line) == (CONTAINERD_CONFIG, 5)


def test_of_equally_many_the_first_given_is_the_usual_one() -> None:
    groups = node_groups([node("b", version="2.1.5"), node("a")])
    assert names(groups) == [("b",), ("a",)]
    assert [one.what for one in groups[1].differences] == ["containerd"]


def test_the_kubelet_and_a_daemon_that_refuses_differ() -> None:
    groups = node_groups([node("a"), node("b"), node("c", driver="cgroupfs"), node("d", "version = ")])
    assert names(groups) == [("a", "b"), ("c",), ("d",)]
    assert [one.what for one in groups[1].differences] == ["kubelet's cgroup driver"]
    assert groups[2].differences[0].what == "state"
    assert groups[2].differences[0].here == "refuses to start"


def test_a_runtime_that_is_not_there_is_one_difference() -> None:
    table = MAIN.partition("\n")[2]
    more = MAIN + table.replace("runtimes.runc", "runtimes.nvidia")
    groups = node_groups([node("a"), node("b"), node("c", more)])
    assert [one.what for one in groups[1].differences] == ["runtimes.nvidia"]


def test_nodes_of_unknown_version_are_alike_only_with_each_other() -> None:
    groups = node_groups([node("a", version=""), node("b"), node("c", version="")])
    assert names(groups) == [("a", "c"), ("b",)]


def test_what_differs_only_under_the_planned_version_differs() -> None:
    """Both nodes lose nothing now; a drop-in's version is refused later."""
    groups = node_groups(
        [node("a", planned="1.7.29"), node("b", MAIN.replace("version = 3", "version = 2"), planned="1.7.29")]
    )
    assert len(groups) == 2


def test_another_driver_is_a_difference() -> None:
    """The page says the driver's version once for all nodes of a group."""
    first, second = node("a"), node("b")
    newer = replace(second.facts, driver=DriverFacts("580.95.05", kernel_known=True))
    groups = node_groups([first, JudgedNode(newer, second.installed)])
    assert [(one.what, one.usual, one.here) for one in groups[1].differences] == [
        ("NVIDIA driver", None, "580.95.05")
    ]


def test_no_nodes_no_groups() -> None:
    assert node_groups([]) == ()
