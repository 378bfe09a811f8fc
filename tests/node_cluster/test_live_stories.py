"""``helmguard node check --live``: a cluster's RuntimeClasses beside the facts of its nodes."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from controlplane.client import ControlPlane
from helmguard_program import Helmguard
from node_roots import installed, write_root
from side_objects import MakeNode, with_runtimes
from test_live_side import refuse, run, start

from helmguard.node_facts.archive import write_archive
from helmguard.node_facts.collect import collect_node


@pytest.fixture
def handler(control_plane: ControlPlane, namespace: str) -> Iterator[str]:
    """A RuntimeClass of the test's own, of no family with others; its handler is called as it is."""
    at = "/apis/node.k8s.io/v1/runtimeclasses"
    name = f"kata-{namespace}"
    control_plane.create(at, {"metadata": {"name": name}, "handler": name})
    yield name
    control_plane.remove(f"{at}/{name}")


def old_node(make_node: MakeNode, name: str) -> str:
    """A node with containerd 1.7, which reports no handlers."""
    info = {"containerRuntimeVersion": "containerd://1.7.29", "kubeletVersion": "v1.36.3"}
    return make_node(name, nodeInfo=info)


def collect(tmp_path: Path, node: str, config: str) -> Path:
    """The archive of a node with this config.toml."""
    root = write_root(tmp_path / node, {"/etc/containerd/config.toml": config, **installed("1.7.29")})
    archive = tmp_path / f"{node}.tar.gz"
    write_archive(collect_node(root, name=node), archive)
    return archive


def findings(of: Helmguard, handler: str, *paths: Path) -> dict[str, Any]:
    """What is said of the test's own handler, by rule: the cluster is shared."""
    document = of.run("node", "check", *paths, "--live", "-o", "json").json
    own = (one for one in document["findings"] if handler in str([one["where"], one["title"]]))
    return {one["rule"]: one for one in own}


def test_the_handler_is_in_no_file_and_then_in_all(
    control_plane: ControlPlane,
    namespace: str,
    make_node: MakeNode,
    handler: str,
    helmguard_here: Helmguard,
    tmp_path: Path,
) -> None:
    nodes = [old_node(make_node, f"gpu-{letter}") for letter in "ab"]
    for node in nodes:
        start(control_plane, namespace, f"on-{node}", node, handler)
        run(control_plane, namespace, f"on-{node}")
    unknown = findings(helmguard_here, handler)["ctrd-handler-missing"]
    assert unknown["result"] == "unknown"
    assert "helmguard node collect" in str(unknown["missing"])

    before = [collect(tmp_path, node, with_runtimes("runc")) for node in nodes]
    missing = findings(helmguard_here, handler, *before)["ctrd-handler-missing"]
    assert (missing["severity"], missing["result"]) == ("blocker", "fires")
    assert missing["where"]["name"] == f"RuntimeClass/{handler}"
    assert f"nodes {nodes[0]}, {nodes[1]}: only runc configured" in missing["effects"]

    after = [collect(tmp_path, node, with_runtimes("runc", handler)) for node in nodes]
    assert "ctrd-handler-missing" not in findings(helmguard_here, handler, *after)


def test_without_facts_the_events_of_hanging_pods_tell(
    control_plane: ControlPlane,
    namespace: str,
    make_node: MakeNode,
    handler: str,
    helmguard_here: Helmguard,
) -> None:
    node = old_node(make_node, "gpu-a")
    start(control_plane, namespace, "stuck", node, handler)
    refuse(control_plane, namespace, "stuck", handler)
    found = findings(helmguard_here, handler)
    assert found["ctrd-handler-missing"]["severity"] == "blocker"
    assert found["pods-stuck-at-runtime"]["severity"] == "danger"
    assert f"pod {namespace}/stuck" in found["pods-stuck-at-runtime"]["effects"]


def test_a_capital_letter_is_named_with_its_file_and_line(
    control_plane: ControlPlane,
    namespace: str,
    make_node: MakeNode,
    handler: str,
    helmguard_here: Helmguard,
    tmp_path: Path,
) -> None:
    node = old_node(make_node, "gpu-a")
    start(control_plane, namespace, "fine", node, handler)
    run(control_plane, namespace, "fine")
    archive = collect(tmp_path, node, with_runtimes("runc", handler.replace("kata", "Kata")))
    found = findings(helmguard_here, handler, archive)
    assert "ctrd-handler-missing" not in found
    name = found["ctrd-handler-name"]
    assert (name["where"]["name"], name["where"]["file"], name["where"]["line"]) == (
        node,
        "/etc/containerd/config.toml",
        6,
    )
    assert name["severity"] == "danger"
