"""Checks of nodes made by hand: what the report has to show, without the simulator and the rules."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from msgspec.structs import replace

from helmguard.model.containerd_settings import (
    ConfigPlace,
    Effective,
    Ignored,
    LoadedFile,
    RuntimeSettings,
)
from helmguard.model.finding import Finding, Place, Waiver
from helmguard.model.judged_node import JudgedNode
from helmguard.model.node_facts import (
    ContainerdFacts,
    DriverFacts,
    KubeletFacts,
    NodeFacts,
    NodeFile,
    SystemFacts,
    UnreadFact,
)
from helmguard.model.node_report import NodeDifference, NodeGroup, NodeReport
from helmguard.model.plan import Unknown

MAIN = "/etc/containerd/config.toml"
DROP_IN = "/etc/containerd/conf.d/99-nvidia.toml"
TOOLKIT = "/usr/local/nvidia/toolkit/nvidia-container-runtime"


def facts(name: str = "gpu-a", *, version: str = "2.1.4", **more: object) -> NodeFacts:
    """A node of the seed."""
    found = NodeFacts(
        name=name,
        files={MAIN: NodeFile("version = 3\n"), DROP_IN: NodeFile("version = 3\n", dropped=1)},
        containerd=ContainerdFacts(version, "var/lib/dpkg/status"),
        kubelet=KubeletFacts("v1.34.1", "systemd", "/var/lib/kubelet/config.yaml", 3),
        driver=DriverFacts("570.195.03", kernel_known=True),
        system=SystemFacts("ubuntu", "22.04", "Ubuntu 22.04.5 LTS", cgroup="v2", systemd=True),
        source=f"{name}.tar.gz",
    )
    return replace(found, **more)


def runc(line: int = 12) -> RuntimeSettings:
    places = {"": ConfigPlace(MAIN, line), "type": ConfigPlace(MAIN, line + 1)}
    return RuntimeSettings(
        "runc",
        "io.containerd.runc.v2",
        systemd_cgroup=True,
        places={**places, "SystemdCgroup": ConfigPlace(MAIN, line + 4)},
    )


def nvidia() -> RuntimeSettings:
    return RuntimeSettings(
        "nvidia",
        "io.containerd.runc.v2",
        binary_name=TOOLKIT,
        systemd_cgroup=True,
        options={"NoPivotRoot": True},
        places={
            "": ConfigPlace(DROP_IN, 3),
            "type": ConfigPlace(DROP_IN, 4),
            "BinaryName": ConfigPlace(DROP_IN, 7),
            "SystemdCgroup": ConfigPlace(DROP_IN, 8),
        },
    )


def effective(*runtimes: RuntimeSettings, version: str = "2.1.4", **more: object) -> Effective:
    """Settings as on a node where all is right."""
    found = Effective(
        containerd=version,
        generation="2.3" if version >= "2.3" else "2.0",
        daemon="starts",
        cri="ok",
        runtimes={one.name: one for one in runtimes or (nvidia(), runc())},
        default_runtime_name="runc",
        enable_cdi=True,
        cdi_spec_dirs=("/etc/cdi", "/var/run/cdi"),
        registry_config_path="/etc/containerd/certs.d",
        sandbox_image="registry.example.com/pause:3.10",
        merged_version=3,
        loaded=(LoadedFile(MAIN, 3), LoadedFile(DROP_IN, 3, MAIN, "/etc/containerd/conf.d/*.toml")),
        places={
            "default_runtime_name": ConfigPlace(MAIN, 10),
            "registry_config_path": ConfigPlace(MAIN, 7),
            "sandbox_image": ConfigPlace(MAIN, 5),
        },
    )
    return replace(found, **more)


LOST = Ignored(
    path='plugins."io.containerd.grpc.v1.cri".containerd.runtimes.nvidia',
    place=ConfigPlace(DROP_IN, 3),
    why="generation",
    text="plugin io.containerd.grpc.v1.cri means nothing under version 3",
    setting="runtimes.nvidia",
)
HIDDEN = Ignored(
    path='plugins."io.containerd.grpc.v1.cri".sandbox_image',
    place=ConfigPlace(MAIN, 4),
    why="overridden",
    text="a later file sets another value",
    value="registry.example.com/pause:3.8",
    by=ConfigPlace(DROP_IN, 9),
    setting="sandbox_image",
)


def finding(node: str = "gpu-a", **more: object) -> Finding:
    """A blocker about a drop-in."""
    found = Finding(
        rule="ctrd-wrong-plugin-id",
        severity="blocker",
        title="containerd 2.1.4 does not know this block: runtime nvidia is not there",
        where=Place("node", node, file=DROP_IN, line=3),
        consequence="Pods of RuntimeClass nvidia hang with: no runtime for nvidia is configured.",
        effects=("runtimes.nvidia is not effective",),
        remedy=('name the block plugins."io.containerd.cri.v1.runtime" in conf.d/99-nvidia.toml',),
        evidence=("measured with the loader of containerd 2.1.4",),
        key=f"{node} {DROP_IN}",
    )
    return replace(found, **more)


def healthy() -> NodeReport:
    node = JudgedNode(facts(), effective())
    return NodeReport((node,), groups=(NodeGroup(("gpu-a",)),))


def lost() -> NodeReport:
    """The runtime is not effective, and the planned version refuses."""
    now = effective(runc(), ignored=(LOST, HIDDEN))
    later = Effective(
        "2.3.0",
        "2.3",
        "refuses",
        "",
        daemon_error="drop-in has version 4, higher than the root file's 3",
        daemon_error_at=ConfigPlace(DROP_IN, 1),
        loaded=now.loaded,
        ignored=(HIDDEN,),
    )
    node = JudgedNode(facts(unread=(UnreadFact("/etc/cdi", "permission denied"),)), now, later)
    note = finding(rule="managed-node-regenerates", severity="info", title="k3s writes this file anew")
    unanswered = finding(
        rule="ctrd-binary-missing",
        severity="blocker",
        result="unknown",
        missing=("it.exists",),
        title="is absent",
    )
    return NodeReport(
        (node,),
        planned="2.3.0",
        groups=(NodeGroup(("gpu-a",)),),
        findings=(finding(), unanswered, note),
    )


def upgraded() -> NodeReport:
    """Two settings differ under the planned version; one finding is waived."""
    now = effective()
    later = effective(runc(), version="2.3.0", sandbox_image="registry.example.com/pause:3.11", places={})
    node = JudgedNode(facts(), now, later)
    waived = finding(waived=Waiver("the pool goes in May", by="ann", expires="2030-05-31"))
    return NodeReport(
        (node,), planned="2.3.0", groups=(NodeGroup(("gpu-a",)),), findings=(waived,), notes=("a note",)
    )


def fleet() -> NodeReport:
    """Four nodes of which one was edited by hand, and one whose containerd is not known."""
    same = tuple(JudgedNode(facts(name), effective()) for name in ("gpu-a", "gpu-b", "gpu-d"))
    edited = JudgedNode(facts("gpu-c"), effective(nvidia(), replace(runc(), systemd_cgroup=False)))
    strange = JudgedNode(facts("gpu-e", version=""))
    differences = (
        NodeDifference("runtimes.runc.SystemdCgroup", True, False, MAIN, 16),
        NodeDifference("containerd", "2.1.4", "2.1.5"),
        NodeDifference("registry_mirrors", {}, {"docker.io": ["https://mirror.example.com"]}),
    )
    groups = (
        NodeGroup(("gpu-a", "gpu-b", "gpu-d")),
        NodeGroup(("gpu-c",), differences),
        NodeGroup(("gpu-e",), (NodeDifference("containerd", "2.1.4", None),)),
    )
    diverges = finding("gpu-c", rule="node-config-divergence", severity="warning", title="is unlike 3 others")
    return NodeReport(
        (*same[:2], edited, same[2], strange),
        groups=groups,
        findings=(diverges,),
        unknown=(Unknown("containerd of gpu-e", "its version is not known"),),
    )


def from_cluster() -> NodeReport:
    """No node's facts, only what the API server knows."""
    return NodeReport((), live=True, unknown=(Unknown("the cluster's nodes", "forbidden"),))


def broken() -> NodeReport:
    """The CRI plugin does not load; a runtime's options do not fit it."""
    odd = replace(nvidia(), options_error='SystemdCgroup = "yes" is no boolean', systemd_cgroup=None)
    now = effective(odd, cri="fails", cri_error="no runtime runc", default_runtime_name="runc")
    return NodeReport((JudgedNode(facts(), now),), groups=(NodeGroup(("gpu-a",)),), findings=(finding(),))


def hostile() -> NodeReport:
    """Texts that would steer a terminal or break out of Markdown, and secrets in them."""
    evil = "\x1b[2J</details>`|@all"
    odd = replace(nvidia(), name=f"n{evil}", binary_name=f"/opt/{evil}", options={evil: "x"})
    mirrors = {"docker.io": ("https://ann:hunter22hunter@mirror.example.com",)}
    image = "https://ann:hunter22hunter@registry.example.com/pause"
    now = effective(
        odd,
        registry_mirrors=mirrors,
        sandbox_image=image,
        ignored=(replace(LOST, path=evil, value="y", text=evil),),
    )
    node = JudgedNode(facts(source=evil, unread=(UnreadFact(evil, evil),)), now)
    told = finding(
        title=evil, consequence="token=ghp_0123456789abcdefghijABCDEFGHIJ456789 of https://a:hunter22@b"
    )
    return NodeReport((node,), groups=(NodeGroup(("gpu-a",)),), findings=(told,), notes=(evil,))


REPORTS: Mapping[str, Callable[[], NodeReport]] = {
    "healthy": healthy,
    "lost": lost,
    "upgraded": upgraded,
    "fleet": fleet,
    "from-cluster": from_cluster,
    "broken": broken,
    "hostile": hostile,
}
