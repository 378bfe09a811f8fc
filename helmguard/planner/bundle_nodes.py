"""Facts of nodes in a bundle: ``node-facts.json``, a list with one document for each node."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path

from helmguard.errors import BundleError, NodeFactsError
from helmguard.model.judged_node import JudgedNode
from helmguard.planner.bundle_files import read_json
from helmguard.planner.bundle_masking import BundleMasker
from helmguard.planner.node_documents import documents_of, masked_texts, nodes_of

NODES_FILE = "node-facts.json"


def write_nodes(folder: Path, nodes: Iterable[JudgedNode], masker: BundleMasker) -> None:
    """Write the file; nothing where no facts were given."""
    documents = [masked_texts(document, masker.text) for document in documents_of(nodes)]
    if documents:
        text = json.dumps(documents, indent=1, ensure_ascii=False)
        (folder / NODES_FILE).write_text(text + "\n", encoding="utf-8", newline="\n")


def read_nodes_file(folder: Path) -> tuple[JudgedNode, ...]:
    """The nodes of a bundle, () where it has none.

    Raises:
        BundleError: the file is damaged.
    """
    documents = read_json(folder, NODES_FILE)
    if documents is None:
        return ()
    place, again = folder / NODES_FILE, "Write the bundle again."
    if not isinstance(documents, list) or not all(isinstance(one, dict) for one in documents):
        raise BundleError(f"{place}: is not a list of nodes", remedy=again)
    try:
        return tuple(nodes_of(documents))
    except NodeFactsError as error:
        raise BundleError(f"{place}: {error.message}", remedy=again) from None
