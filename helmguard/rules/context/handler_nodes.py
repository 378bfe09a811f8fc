"""Nodes as runtime handlers see them: a Node object and the facts that were collected on it, side by side.

Two sources tell which handlers a node has. Collected facts tell what containerd's files configure;
``status.runtimeHandlers`` tells what the runtime had loaded when it last started. containerd lists every
runtime there, also one whose program is missing (containerd@v2.1.4 internal/cri/server/service.go,
introspectRuntimeHandler); 1.x lists none, so that an empty list says nothing.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping

import msgspec

from helmguard.model.cluster_facts import ClusterFacts
from helmguard.model.containerd_settings import ConfigPlace, Effective
from helmguard.model.json_value import JSONObject
from helmguard.model.judged_node import JudgedNode
from helmguard.rules.context.gpu_nodes import gpu_nodes
from helmguard.rules.context.handler_stuck import hanging_pods, missing_handler
from helmguard.rules.context.manifest_maps import items, mapping
from helmguard.rules.context.record import Unknown
from helmguard.rules.node_side import NodeSide

_HOSTNAME = "kubernetes.io/hostname"


class HandlerNode(msgspec.Struct, frozen=True):
    """One node. ``body`` is its Node object, {} where there is none; ``judged`` its facts, None for none.

    ``reported`` are the handlers of ``status.runtimeHandlers``, None where it lists none. ``refused`` are
    handlers that the node told an event about: it does not know them. ``gpu``: it has NVIDIA GPUs, as its
    labels or its facts tell.
    """

    name: str
    labels: Mapping[str, str]
    body: JSONObject
    judged: JudgedNode | None = None
    reported: frozenset[str] | None = None
    refused: frozenset[str] = frozenset()
    gpu: bool = False

    @property
    def runtime(self) -> str:
        """``containerd://2.1.4``, empty where nobody tells."""
        told = mapping(self.body, "status", "nodeInfo").get("containerRuntimeVersion")
        return str(told or "")

    @property
    def installed(self) -> Effective | None:
        """What the node's files come to, where containerd runs with them and they tell everything."""
        return self._usable(self.judged.installed or self.judged.planned) if self.judged else None

    @property
    def planned(self) -> Effective | None:
        """The same under the planned version; None where the installed one is not known either."""
        judged = self.judged
        return self._usable(judged.planned) if judged and judged.installed else None

    def _usable(self, effective: Effective | None) -> Effective | None:
        """Other rules tell of a daemon that refuses; the files of a runtime that is not used tell nothing."""
        if effective is None or effective.daemon == "refuses" or effective.cri == "disabled":
            return None
        other = self.runtime and not self.runtime.startswith("containerd://")
        return None if other else effective

    def has(self, handler: str) -> bool | None:
        """Whether pods can name the handler there; None where nobody tells.

        Where the files and the node's own list differ it counts as there: another rule tells of that.
        """
        told = [self._in_files(handler, self.installed)]
        if self.reported is not None:
            told.append(handler in self.reported)
        if True in told:
            return True
        if False in told or handler in self.refused:
            return False
        return None

    def loses(self, handler: str) -> bool:
        """Whether the planned version of containerd does away with a handler that is there now."""
        return bool(
            self.planned is not None
            and self._in_files(handler, self.installed)
            and self._in_files(handler, self.planned) is False
        )

    @staticmethod
    def _in_files(handler: str, effective: Effective | None) -> bool | None:
        if effective is None:
            return None
        return True if handler in effective.runtimes else (None if effective.unread else False)

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the runtimes that are known to be there."""
        configured = self.installed.runtimes if self.installed is not None else ()
        return tuple(sorted({*configured, *(self.reported or ())} - {""}))

    def evidence(self, handler: str) -> str:
        """Who tells which handlers the node has, in words."""
        found = f"only {', '.join(self.names)}" if self.names else "nothing"
        if self.installed is not None:
            return f"{found} configured"
        if self.reported is not None:
            return f"{found} reported"
        return f'an event tells: no runtime for "{handler}" is configured'

    def place(self, runtime: str) -> ConfigPlace:
        """Where the node's files define a runtime; an empty place where they do not."""
        settings = self.installed.runtimes.get(runtime) if self.installed is not None else None
        return settings.places.get("", ConfigPlace()) if settings is not None else ConfigPlace()


def handler_nodes(side: NodeSide) -> tuple[HandlerNode, ...] | None:
    """Every node; None where the nodes were not read, and nothing says that they cannot be.

    Where they cannot be read, those are given whose facts were collected. Facts that belong to no Node object
    are left out: they may be of another cluster.
    """
    bodies = side.cluster.lists.get("nodes")
    if bodies is None:
        if not side.nodes or (side.in_plan and "nodes" not in side.cluster.unread):
            return None
        return _of_facts(side.nodes)
    matched = matched_facts(side.nodes, bodies)
    refused = refused_handlers(side.cluster)
    labelled = _labelled_gpu(bodies)
    return tuple(
        _of_body(body, matched.get(name), refused.get(name, frozenset()), gpu=name in labelled)
        for body in bodies
        if (name := name_of(body))
    )


def matched_facts(nodes: Iterable[JudgedNode], bodies: Iterable[JSONObject]) -> dict[str, JudgedNode]:
    """Facts by the name of the Node object that they belong to.

    By its name; else by its hostname, as a label or an address; else where one of the two is the first word
    of the other, and only one node begins so: a node calls itself ``ip-10-0-0-7`` that is
    ``ip-10-0-0-7.example.com``.
    """
    bodies = list(bodies)
    first_words = Counter(_first_word(name_of(body)) for body in bodies)
    short = {word: name for body in bodies if first_words[word := _first_word(name := name_of(body))] == 1}
    whole: dict[str, str] = {}
    for body in bodies:
        whole.update(dict.fromkeys(_hostnames(body), name_of(body)))
    whole.update({name_of(body): name_of(body) for body in bodies})
    found: dict[str, JudgedNode] = {}
    for judged in nodes:
        own = judged.facts.name
        node = whole.get(own) or (whole.get(_first_word(own)) if "." in own else short.get(own))
        if node is not None:
            found.setdefault(node, judged)
    return found


def _first_word(name: str) -> str:
    return name.partition(".")[0]


def refused_handlers(cluster: ClusterFacts) -> Mapping[str, frozenset[str]]:
    """Handlers that a node does not know, as events about pods that still hang there tell."""
    hanging = {one.ref: one.node for one in hanging_pods(cluster)}
    found: dict[str, set[str]] = {}
    for event in cluster.lists.get("events") or ():
        about = mapping(event, "involvedObject")
        node = hanging.get(f"{about.get('namespace')}/{about.get('name')}")
        handler = missing_handler(str(event.get("message") or ""))
        if node and handler:
            found.setdefault(node, set()).add(handler)
    return {node: frozenset(handlers) for node, handlers in found.items()}


def name_of(body: JSONObject) -> str:
    """An object's name."""
    return str(mapping(body, "metadata").get("name") or "")


def _hostnames(body: JSONObject) -> Iterator[str]:
    label = mapping(body, "metadata", "labels").get(_HOSTNAME)
    if label:
        yield str(label)
    for address in items(body, "status", "addresses"):
        if address.get("type") in ("Hostname", "InternalDNS"):
            yield str(address.get("address"))


def _of_body(
    body: JSONObject, judged: JudgedNode | None, refused: frozenset[str], *, gpu: bool
) -> HandlerNode:
    labels = {str(key): str(value) for key, value in mapping(body, "metadata", "labels").items()}
    reported = frozenset(str(one.get("name") or "") for one in items(body, "status", "runtimeHandlers"))
    return HandlerNode(
        name=name_of(body),
        labels=labels,
        body=body,
        judged=judged,
        reported=reported or None,
        refused=refused,
        gpu=gpu or _has_gpu(judged),
    )


def _of_facts(nodes: Iterable[JudgedNode]) -> tuple[HandlerNode, ...]:
    bodies: dict[str, JSONObject] = {
        one.facts.name: {"metadata": {"name": one.facts.name, "labels": {**one.facts.labels}}}
        for one in nodes
    }
    labelled = _labelled_gpu(bodies.values())
    return tuple(
        _of_body(bodies[name], one, frozenset(), gpu=name in labelled)
        for one in nodes
        if (name := one.facts.name)
    )


def _labelled_gpu(bodies: Iterable[JSONObject]) -> frozenset[str]:
    found = gpu_nodes(ClusterFacts(lists={"nodes": tuple(bodies)}))
    return frozenset() if isinstance(found, Unknown) else frozenset(node.name for node in found)


def _has_gpu(judged: JudgedNode | None) -> bool:
    if judged is None:
        return False
    driver = judged.facts.driver
    return bool(driver.pci or driver.kernel_version or driver.devices)
