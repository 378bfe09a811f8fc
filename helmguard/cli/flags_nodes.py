"""``--node-facts``: what is known of the nodes below Kubernetes."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from helmguard.model.judged_node import JudgedNode


def add_node_flags(parser: argparse.ArgumentParser) -> None:
    """``--node-facts``, repeatable."""
    parser.add_argument(
        "--node-facts",
        action="append",
        default=[],
        metavar="PATH",
        help="facts of nodes that helmguard node collect or gather wrote: an archive, or a folder of them; "
        "looked at where the release brings or uses a RuntimeClass; repeatable",
    )


def read_node_facts(options: argparse.Namespace) -> tuple[JudgedNode, ...]:
    """The nodes, with what the installed containerd makes of their files; () where the flag was not given.

    Raises:
        NodeFactsError: a path cannot be read.
    """
    paths = getattr(options, "node_facts", None)
    if not paths:
        return ()
    from helmguard.containerd.judged_node import judged_node
    from helmguard.node_facts.read_nodes import read_nodes

    return tuple(judged_node(facts) for facts in read_nodes(paths))
