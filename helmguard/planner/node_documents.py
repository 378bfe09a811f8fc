"""Facts of nodes as JSON documents, for bundles and saved plans: see docs/node-facts-format.md."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from helmguard.containerd.judged_node import judged_node
from helmguard.model.json_value import JSONObject, JSONValue
from helmguard.model.judged_node import JudgedNode


def documents_of(nodes: Iterable[JudgedNode]) -> Iterator[JSONObject]:
    """One for each node."""
    for node in nodes:
        from helmguard.node_facts.archive import facts_to_dict

        yield facts_to_dict(node.facts)


def nodes_of(documents: Iterable[JSONObject]) -> Iterator[JudgedNode]:
    """The opposite.

    Raises:
        NodeFactsError: one is no facts of a node.
    """
    for document in documents:
        from helmguard.node_facts.archive import facts_from_dict

        yield judged_node(facts_from_dict(document))


def masked_texts(document: JSONObject, mask: Callable[[str], str]) -> JSONObject:
    """The document with every text masked, since a secret of the release may stand in it; names stay."""

    def masked(value: JSONValue) -> JSONValue:
        if isinstance(value, str):
            return mask(value)
        if isinstance(value, dict):
            return {name: masked(item) for name, item in value.items()}
        return [masked(item) for item in value] if isinstance(value, list) else value

    return {name: masked(item) for name, item in document.items()}
