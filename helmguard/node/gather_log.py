"""Facts in a pod's log. Pure."""

from __future__ import annotations

import json

from helmguard.errors import NodeFactsError
from helmguard.model.node_facts import NODE_FACTS_FORMAT, NodeFacts
from helmguard.node_facts.document import facts_from_dict


def facts_in_log(log: str) -> NodeFacts:
    """The last complete line of facts.

    What the collecting program says beside them goes to the same log, and a pod that was restarted may have
    printed them twice.

    Raises:
        NodeFactsError: there is none, or it is of a format that this version does not read.
    """
    lines = log.splitlines()
    is_cut = bool(lines) and not log.endswith("\n")
    for number in range(len(lines) - 1, -1, -1):
        line = lines[number]
        if not line.startswith("{"):
            continue
        try:
            document = json.loads(line)
        except ValueError:
            continue
        if isinstance(document, dict) and str(document.get("formatVersion", "")).startswith(_FORMAT_NAME):
            return facts_from_dict(document)
    raise NodeFactsError(_why(lines, is_cut), remedy="Look at it: kubectl logs POD")


_FORMAT_NAME = NODE_FACTS_FORMAT.partition("/")[0]


def _why(lines: list[str], is_cut: bool) -> str:
    if any(line.startswith("{") for line in lines) and is_cut:
        return "its log ends in the middle of the facts"
    said = next((line.strip() for line in reversed(lines) if line.strip() and not line.startswith("{")), "")
    return f"its log has no facts; it ends with {said[:200]!r}" if said else "its log has no facts yet"
