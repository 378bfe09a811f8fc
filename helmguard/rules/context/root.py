"""The rule context as a whole: what rules may name, and who builds it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Annotated, Any

from helmguard.model.json_value import JSONValue
from helmguard.rules.context.apis import Apis, apis_of
from helmguard.rules.context.capacity import Capacity, capacity_of
from helmguard.rules.context.cdi import Cdi, cdi_of
from helmguard.rules.context.cluster import Cluster, cluster_of
from helmguard.rules.context.containerd import Containerd, containerd_of
from helmguard.rules.context.definitions import Definitions, definitions_of
from helmguard.rules.context.deletion_records import Deletions
from helmguard.rules.context.deletions import deletions_of
from helmguard.rules.context.drifts import Drifts, drifts_of
from helmguard.rules.context.driver import Driver, driver_of
from helmguard.rules.context.failures import Failures, failures_of
from helmguard.rules.context.gpu import Gpu, gpu_of
from helmguard.rules.context.handlers import Handlers, handlers_of
from helmguard.rules.context.hooks import Hooks, hooks_of
from helmguard.rules.context.images import Images, images_of
from helmguard.rules.context.manifest_faults import ManifestFaults, manifest_faults_of
from helmguard.rules.context.network import Network, network_of
from helmguard.rules.context.nodes import Nodes, nodes_of
from helmguard.rules.context.objects import Objects, objects_of
from helmguard.rules.context.ownership import Ownership, ownership_of
from helmguard.rules.context.rbac import Rbac, rbac_of
from helmguard.rules.context.record import UNKNOWN, Record, Shape, fields_of, plain
from helmguard.rules.context.references import References, references_of
from helmguard.rules.context.release import Chart, Operation, Release, chart_of, operation_of, release_of
from helmguard.rules.context.renames import Renames, renames_of
from helmguard.rules.context.rendering import RenderingFacts, rendering_of
from helmguard.rules.context.rollout import Rollout, rollout_of
from helmguard.rules.context.secret_data import SecretData, secret_data_of
from helmguard.rules.context.security import Security, security_of
from helmguard.rules.context.services import Services, services_of
from helmguard.rules.context.subcharts import Subcharts, subcharts_of
from helmguard.rules.context.unstable import UnstableField, unstable_of
from helmguard.rules.context.values import Values, values_of
from helmguard.rules.context.webhooks import Webhooks, webhooks_of
from helmguard.rules.context.workloads import Workloads, workloads_of
from helmguard.rules.facts import Facts
from helmguard.rules.node_side import NodeSide

VERSION = 1
"""The version of the context; it grows when a name changes its meaning or goes, not when one is added."""


class Root(Record, frozen=True):
    """All that a rule may name. Each field is a topic, built when a rule first needs it."""

    release: Annotated[Release, "the release before the operation"]
    operation: Annotated[Operation, "what is to be done, by which Helm and how"]
    chart: Annotated[Chart, "the new chart, and the current one"]
    values: Annotated[Values, "how the values change"]
    subcharts: Annotated[Subcharts, "dependencies of the chart that come, go or change their version"]
    images: Annotated[Images, "container images that the manifests change"]
    rendering: Annotated[RenderingFacts, "values behind a rendering that fails"]
    objects: Annotated[Objects, "every object of either manifest, and what Helm will do to it"]
    workloads: Annotated[Workloads, "what runs pods, before and after Helm, and whether its pods restart"]
    deletions: Annotated[Deletions, "what is deleted and what hangs on it, and what stays behind"]
    renames: Annotated[Renames, "objects that come under another name, kind or namespace"]
    ownership: Annotated[Ownership, "objects that are another release's, another tool's or nobody's"]
    references: Annotated[References, "which objects name others, where nothing of the release meets it"]
    rollout: Annotated[Rollout, "what happens to running pods: rollouts, replicas, budgets, configuration"]
    services: Annotated[Services, "ways to the pods that change or lead nowhere"]
    capacity: Annotated[Capacity, "what the release asks of the cluster anew: room, nodes, volumes"]
    hooks: Annotated[Hooks, "hooks of the operation, and what is live under their names"]
    drifts: Annotated[Drifts, "live objects that are not as the release says"]
    rbac: Annotated[Rbac, "rights that subjects gain"]
    security: Annotated[Security, "how pods are locked in, and what they may do on their node"]
    network: Annotated[Network, "ways to and from pods that are open after Helm and were not"]
    secret_data: Annotated[SecretData, "entries of Secrets that the templates make up"]
    gpu: Annotated[Gpu, "the NVIDIA GPU Operator's ClusterPolicy and the nodes that it acts on"]
    cluster: Annotated[Cluster, "what is live around the release, as far as it was read"]
    unstable: Annotated[tuple[UnstableField, ...], "fields that the templates render differently each time"]
    failures: Annotated[Failures, "what is foretold to fail, and what that leaves behind"]
    definitions: Annotated[Definitions, "definitions of custom kinds that go, change, or should change"]
    manifest_faults: Annotated[ManifestFaults, "what is wrong with the new manifest itself"]
    webhooks: Annotated[Webhooks, "admission webhooks that are new or changed, or whose pods are replaced"]
    apis: Annotated[Apis, "API versions and kinds that are not served, deprecated, or moved to another group"]
    nodes: Annotated[Nodes, "the nodes whose facts were collected, and how they differ"]
    containerd: Annotated[Containerd, "what containerd makes of the nodes' configuration files"]
    cdi: Annotated[Cdi, "specs of the Container Device Interface on the nodes"]
    driver: Annotated[Driver, "the NVIDIA driver on the nodes, layer by layer"]
    handlers: Annotated[Handlers, "RuntimeClasses and the nodes that know their handlers"]


NODE_BUILDERS: Mapping[str, Callable[[NodeSide], Any]] = {
    "nodes": nodes_of,
    "containerd": containerd_of,
    "cdi": cdi_of,
    "driver": driver_of,
    "handlers": handlers_of,
}
"""How each topic about nodes is built, in a plan as in a check of nodes."""


def _of_side(build: Callable[[NodeSide], Any]) -> Callable[[Facts], Any]:
    return lambda facts: build(facts.node_side)


BUILDERS: Mapping[str, Callable[[Facts], Any]] = {
    "release": release_of,
    "operation": operation_of,
    "chart": chart_of,
    "values": values_of,
    "subcharts": subcharts_of,
    "images": images_of,
    "rendering": rendering_of,
    "objects": objects_of,
    "workloads": workloads_of,
    "deletions": deletions_of,
    "renames": renames_of,
    "ownership": ownership_of,
    "references": references_of,
    "rollout": rollout_of,
    "services": services_of,
    "capacity": capacity_of,
    "hooks": hooks_of,
    "drifts": drifts_of,
    "rbac": rbac_of,
    "security": security_of,
    "network": network_of,
    "secretData": secret_data_of,
    "gpu": gpu_of,
    "cluster": cluster_of,
    "unstable": unstable_of,
    "failures": failures_of,
    "apis": apis_of,
    "definitions": definitions_of,
    "manifestFaults": manifest_faults_of,
    "webhooks": webhooks_of,
    **{topic: _of_side(build) for topic, build in NODE_BUILDERS.items()},
}
"""How each topic is built from a plan's facts."""


class Context(Mapping[str, JSONValue]):
    """The context of one plan; a topic is built, and made plain JSON, when it is first asked for."""

    def __init__(self, facts: Facts) -> None:
        self._facts = facts
        self._built: dict[str, JSONValue] = {}

    def __getitem__(self, topic: str) -> JSONValue:
        if topic not in self._built:
            record = BUILDERS[topic](self._facts)
            self._built[topic] = plain(record) if record is not UNKNOWN else None
        return self._built[topic]

    def __iter__(self) -> Iterator[str]:
        return iter(BUILDERS)

    def __len__(self) -> int:
        return len(BUILDERS)


class NodeContext(Mapping[str, JSONValue]):
    """The topics about nodes alone, for a check of nodes; the others are not there."""

    def __init__(self, side: NodeSide) -> None:
        self._side = side
        self._built: dict[str, JSONValue] = {}

    def __getitem__(self, topic: str) -> JSONValue:
        if topic not in self._built:
            self._built[topic] = plain(NODE_BUILDERS[topic](self._side))
        return self._built[topic]

    def __iter__(self) -> Iterator[str]:
        return iter(NODE_BUILDERS)

    def __len__(self) -> int:
        return len(NODE_BUILDERS)


def shapes() -> dict[str, Shape]:
    """The topics' shapes, by name."""
    return {name: field.shape for name, field in fields_of(Root).items()}
