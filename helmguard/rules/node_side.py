"""What rules about nodes judge: the nodes' facts, and the cluster that they are in."""

from __future__ import annotations

import msgspec

from helmguard.model.cluster_facts import ClusterFacts
from helmguard.model.judged_node import JudgedNode


class WantedHandler(msgspec.Struct, frozen=True):
    """A RuntimeClass that is there or will be; ``by`` says who brings it (``live``, ``this release``,
    ``ClusterPolicy/cluster-policy``), ``node_selector`` is its ``scheduling.nodeSelector``.

    ``configured_by`` names what will put the handler into containerd's configuration, empty for nothing: the
    operator's toolkit, where it is on. ``told_by`` is the rule that tells of the class where nobody knows
    what the nodes have, empty for none. ``handler`` is empty where the RuntimeClass could not be read.
    """

    name: str
    handler: str
    by: str = "live"
    node_selector: tuple[tuple[str, str], ...] = ()
    configured_by: str = ""
    used_by: tuple[str, ...] = ()
    told_by: str = ""


class NodeSide(msgspec.Struct, frozen=True):
    """``nodes`` are those whose facts were collected; ``cluster`` is what was read of the cluster (``nodes``,
    ``runtimeClasses``, ``allPods``, events), without lists where there is none. ``wanted`` are the
    RuntimeClasses of concern, None where they are those that are live. ``in_plan``: the rules judge an
    operation of Helm. ``cdi_wanted_by`` names what relies on CDI (``ClusterPolicy/cluster-policy`` with
    ``spec.cdi.enabled``), empty for nothing. ``brings`` are the layers that the operation itself installs
    (``kernel``, ``user space``, ``injection``), with what brings each.
    """

    nodes: tuple[JudgedNode, ...] = ()
    cluster: ClusterFacts = msgspec.field(default_factory=ClusterFacts)
    wanted: tuple[WantedHandler, ...] | None = None
    in_plan: bool = False
    cdi_wanted_by: str = ""
    brings: tuple[tuple[str, str], ...] = ()
