"""What rules learn about nodes side by side."""

from __future__ import annotations

from typing import Any

from hypothesis import given
from hypothesis import strategies as st
from node_sides import cdi_node

from helmguard.model.cluster_facts import ClusterFacts
from helmguard.model.judged_node import JudgedNode
from helmguard.model.node_facts import ContainerdFacts, DriverFacts, Marker, NodeFile, SystemFacts
from helmguard.rules.context.nodes import Nodes, nodes_of
from helmguard.rules.node_side import NodeSide

IMAGES = 'plugins."io.containerd.cri.v1.images"'
PLAIN = f'version = 3\n[{IMAGES}]\nmax_concurrent_downloads = 5\n[{IMAGES}.pinned_images]\nsandbox = "a"\n'
OTHER = PLAIN.replace('"a"', '"b"')
GPU = DriverFacts(pci=("0000:01:00.0",))


def node(name: str, config: str = PLAIN, **more: Any) -> JudgedNode:
    return cdi_node(name=name, config=config, **more)


def topic(*nodes: JudgedNode, **more: Any) -> Nodes:
    return nodes_of(NodeSide(nodes=nodes, **more))


def test_one_node_differs_from_none() -> None:
    assert topic(node("a")) == Nodes(collected=("a",))
    assert topic() == Nodes()


def test_one_of_three() -> None:
    (found,) = topic(node("a"), node("b", "# x\n" + OTHER), node("c")).differing
    assert (found.nodes, found.usual, found.even) == (("b",), ("a", "c"), False)
    assert (found.settings, found.line) == (("sandbox_image",), 6)
    assert found.differences == ("sandbox_image: a on most, b here (/etc/containerd/config.toml:6)",)


def test_comments_order_and_names_of_files_do_not_count() -> None:
    drop_in = '[plugins."io.containerd.gc.v1.scheduler"]\npause_threshold = 0.02\n'
    imports = 'imports = ["/etc/containerd/conf.d/*.toml"]\n'
    one = node("a", imports + PLAIN, files={"/etc/containerd/conf.d/1.toml": NodeFile(drop_in)})
    other = node(
        "b", "# hello\n" + imports + PLAIN, files={"/etc/containerd/conf.d/2.toml": NodeFile("\n" + drop_in)}
    )
    assert topic(one, other).differing == ()
    changed = {"/etc/containerd/conf.d/2.toml": NodeFile(drop_in.replace("2", "3"))}
    (found,) = topic(one, node("b", imports + PLAIN, files=changed)).differing
    assert found.settings == ("plugins.io.containerd.gc.v1.scheduler.pause_threshold",)


def test_settings_that_have_no_name_here_count() -> None:
    (found,) = topic(node("a"), node("b", PLAIN.replace("= 5", "= 6"))).differing
    assert (found.settings, found.even) == (("CRI max_concurrent_downloads",), True)


def test_a_runtime_is_one_difference() -> None:
    table = 'plugins."io.containerd.cri.v1.runtime".containerd.runtimes.nvidia'
    more = f'[{table}]\nruntime_type = "io.containerd.runc.v2"\n[{table}.options]\nSystemdCgroup = true\n'
    (found,) = topic(node("a"), node("b"), node("c", PLAIN + more)).differing
    assert found.settings == ("runtimes.nvidia",)


def test_pools_are_compared_within_themselves() -> None:
    def labelled(name: str, pool: str, config: str = PLAIN) -> JudgedNode:
        return node(name, config, labels={"eks.amazonaws.com/nodegroup": pool})

    one = [labelled("a", "x"), labelled("b", "y", OTHER), labelled("c", "x"), labelled("d", "y", OTHER)]
    assert topic(*one).differing == ()
    (found,) = topic(*one, labelled("e", "y")).differing
    assert (found.pool, found.nodes, found.usual) == ("eks.amazonaws.com/nodegroup y", ("e",), ("b", "d"))


def test_labels_of_the_cluster_s_nodes_count() -> None:
    def body(name: str, kind: str) -> dict[str, Any]:
        return {"metadata": {"name": name, "labels": {"node.kubernetes.io/instance-type": kind}}}

    cluster = ClusterFacts(lists={"nodes": (body("a", "small"), body("b", "big"))})
    assert topic(node("a"), node("b", OTHER), cluster=cluster).differing == ()
    assert len(topic(node("a"), node("b", OTHER)).differing) == 1


def test_nodes_with_and_without_gpus_are_not_compared() -> None:
    assert topic(node("a", driver=GPU), node("b", OTHER)).differing == ()


def test_another_version_alone() -> None:
    (found,) = topic(node("a", ""), node("b", ""), node("c", "", containerd="2.3.0")).differing
    assert (found.versions_only, found.versions) == (True, ("2.1.4", "2.3.0"))
    assert "containerd" in found.settings


@given(st.permutations(["a", "b", "c", "d"]), st.sets(st.sampled_from(["a", "b", "c", "d"])))
def test_every_node_is_usual_or_differs(order: list[str], edited: set[str]) -> None:
    found = topic(*(node(name, OTHER if name in edited else PLAIN) for name in order)).differing
    if len(edited) in (0, 4):
        assert found == ()
        return
    (one,) = found
    assert sorted([*one.nodes, *one.usual]) == ["a", "b", "c", "d"]
    assert len(one.nodes) <= len(one.usual)
    assert set(one.nodes) in (edited, {"a", "b", "c", "d"} - edited)


def managed(by: Any, path: str, files: dict[str, NodeFile] | None = None, **more: Any) -> JudgedNode:
    system = SystemFacts(markers=(Marker(by, path), Marker(by, f"{path}/2")))
    return node("a", system=system, files=files or {}, **more)


def test_a_node_that_something_manages() -> None:
    (found,) = topic(managed("eks", "/etc/eks")).managed
    assert (found.managed_by, found.marker, found.template) == ("eks", "/etc/eks", "")
    (found,) = topic(managed("k3s", "/var/lib/rancher/k3s")).managed
    assert (found.template, found.template_there) == ("/etc/containerd/config-v3.toml.tmpl", False)
    (found,) = topic(managed("k3s", "/x", containerd="1.7.29")).managed
    assert found.template == "/etc/containerd/config.toml.tmpl"
    there = {"/etc/containerd/config.toml.tmpl": NodeFile("")}
    (found,) = topic(managed("k3s", "/x", there)).managed
    assert (found.template, found.template_there) == ("/etc/containerd/config.toml.tmpl", True)


def test_the_environment_says_where_the_configuration_is() -> None:
    facts = managed("k3s", "/x").facts
    from msgspec.structs import replace

    there = ContainerdFacts(version="2.1.4", environment={"CONTAINERD_CONFIG": "/t"})
    (found,) = topic(JudgedNode(replace(facts, containerd=there))).managed
    assert found.config_set == "/t"
